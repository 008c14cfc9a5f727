"""The environments: Gymnasium's checker passes, episodes end as they should, and mistakes have Gymnasium's classes."""

import subprocess
import sys
import warnings
from contextlib import suppress
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium import error
from gymnasium.utils.env_checker import check_env

import pessimal.gym
from pessimal.errors import UsageError
from tests.commands import wait_for

ROOT = Path(__file__).parents[2]
SUBJECTS = ROOT / "bench/subjects/qtip/subjects.c"
RANGES = {"a": "int:-128..128", "b": "int:-128..128"}
TRAINING = {"target": f"{SUBJECTS}:training", "inputs": RANGES}
SORTING = {"target": f"{ROOT}/examples/sorting.py:insertion_sort", "size": 5}
TRIANGLE = {"target": f"{ROOT}/examples/triangle.py:classify"}
ALL = [("CoverBranch", TRAINING), ("CoverBranchMoves", TRAINING), ("Branching", SORTING), ("FlipChoice", TRIANGLE)]


@pytest.fixture
def make():
    made = []

    def make(name, **options):
        made.append(gymnasium.make(f"pessimal/{name}-v0", **options))
        return made[-1]

    yield make
    for item in made:
        item.close()


OPTIONS = [
    ("CoverBranch", TRAINING | {"window": 3, "budget": 5, "scales": (1, 16), "normalise": "ratio", "size": 2}),
    ("CoverBranch", TRAINING | {"normalise": "logarithmic", "render_mode": "ansi", "cc_flags": "-DX=1"}),
    ("CoverBranchMoves", TRAINING | {"budget": 2}),
    (
        "Branching",
        SORTING | {"length": 0, "outcomes": 3, "penalty": -1.0, "budget": 2, "inputs": {"xs": "list[int:0..9]:N"}},
    ),
    ("FlipChoice", TRIANGLE | {"choices": 2, "budget": 2, "infeasible": -1.0, "size": 1}),
]


@pytest.mark.parametrize(("name", "options"), ALL + OPTIONS)
def test_the_checker_of_gymnasium_has_no_objection(make, name, options):
    env = make(name, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        check_env(env.unwrapped)


@pytest.mark.parametrize(("name", "options"), ALL)
def test_an_action_outside_of_the_space_is_refused(make, name, options):
    env = make(name, **options).unwrapped
    env.reset(seed=0)
    for action in (-1, 10**6, 0.5, None):
        with pytest.raises(error.InvalidAction, match="is not an action of"):
            env.step(action)


@pytest.mark.parametrize(("name", "options"), ALL)
def test_there_is_no_step_before_a_reset_or_after_the_end(make, name, options):
    env = make(name, **options, budget=1).unwrapped
    with pytest.raises(error.ResetNeeded):
        env.step(0)
    env.reset(seed=0)
    _, _, terminated, truncated, _ = env.step(0)
    assert terminated or truncated
    with pytest.raises(error.ResetNeeded):
        env.step(0)
    env.reset(seed=0)
    env.step(0)


@pytest.mark.parametrize(
    ("name", "target", "says"),
    [
        ("CoverBranch", "missing.c:f", "missing.c does not exist"),
        ("CoverBranch", f"{SUBJECTS}:missing", "missing"),
        ("CoverBranch", f"{ROOT}/examples/sorting.py:insertion_sort", "is no function of a C file"),
        ("CoverBranchMoves", "missing.c:f", "missing.c does not exist"),
        ("Branching", "missing.py:f", "missing.py does not exist"),
        ("Branching", f"{SUBJECTS}:training", "cannot be run symbolically"),
        ("FlipChoice", f"{ROOT}/examples/sorting.py:missing", "missing"),
    ],
)
def test_a_target_that_cannot_be_used_is_an_error_of_both_libraries(make, name, target, says):
    with pytest.raises(error.Error, match=says) as caught:
        make(name, target=target)
    assert isinstance(caught.value, UsageError)
    assert "\n" not in str(caught.value)


def test_a_function_without_branches_cannot_be_walked_in(make, tmp_path):
    source = tmp_path / "plain.c"
    source.write_text("int plain(int a) { return a; }\n")
    with pytest.raises(error.Error, match="no branch"):
        make("CoverBranch", target=f"{source}:plain")


@pytest.mark.parametrize(
    ("options", "says"), [({"window": 0}, "window"), ({"budget": 0}, "budget"), ({"scales": ()}, "scales")]
)
def test_options_are_checked(make, options, says):
    with pytest.raises(error.Error, match=says):
        make("CoverBranch", **TRAINING, **options)


def goal_of(env, text):
    return next(goal for goal, name in env.unwrapped.goals.items() if text in name)


def test_steps_and_rewards_of_qtip(make):
    env = make("CoverBranch", **TRAINING, window=4)
    goal = goal_of(env, "a == b -> true")
    seen, info = env.reset(seed=3, options={"goal": goal})
    assert info["goal"] == goal and seen.shape == (4, 3)
    total, fitness = 0.0, 1 - 1.001 ** -info["distance"]
    a, b = info["leaves"]
    action = 1 if a < b else 0  # the first leaf, one up or down
    for step in range(abs(a - b)):
        seen, reward, terminated, _, info = env.step(action)
        total += reward
        assert info["leaves"] == [a + (step + 1) * (1 if a < b else -1), b]
        assert seen[0, 0] == action + 1
    assert terminated
    assert total == pytest.approx(fitness)


def test_a_window_holds_the_newest_step_first(make):
    env = make("CoverBranch", **TRAINING, window=3)
    env.reset(seed=0, options={"goal": goal_of(env, "a == b -> true")})
    for action in (0, 2, 3):
        seen = env.step(action)[0]
    assert seen[:, 0].tolist() == [4, 3, 1]


def test_larger_steps_stay_in_the_range(make):
    env = make("CoverBranch", **TRAINING, scales=(1, 100))
    assert env.action_space.n == 8
    env.reset(seed=0, options={"goal": goal_of(env, "a == b -> true")})
    for _ in range(5):
        info = env.step(3)[4]
    assert info["leaves"][0] == 128


def test_every_reset_draws_a_goal_and_an_input_that_does_not_reach_it(make):
    env = make("CoverBranch", **TRAINING)
    infos = [env.reset(seed=0 if number == 0 else None)[1] for number in range(60)]
    assert {info["goal"] for info in infos} == set(env.unwrapped.goals)
    common = {goal_of(env, "a == b -> false"), goal_of(env, "a != b -> true")}  # what nearly all inputs take
    assert all(info["distance"] > 0 for info in infos if info["goal"] not in common)


def test_a_goal_that_there_is_not_is_refused(make):
    env = make("CoverBranch", **TRAINING)
    with pytest.raises(ValueError, match="goal must be one of"):
        env.reset(options={"goal": 999})


def test_rendering_tells_the_call(make):
    env = make("CoverBranch", **TRAINING, render_mode="ansi")
    _, info = env.reset(seed=1)
    assert env.render().startswith(f"training({info['leaves'][0]}, {info['leaves'][1]})")


def test_the_vectorised_version_does_what_a_single_one_does(make):
    several = gymnasium.make_vec("pessimal/CoverBranch-v0", num_envs=1, **TRAINING, window=6, budget=9)
    single = make("CoverBranch", **TRAINING, window=6, budget=9)
    goal = goal_of(single, "a == b -> true")
    seen, _ = several.reset(seed=5, options={"goal": goal})
    other, _ = single.reset(seed=5, options={"goal": goal})
    assert (seen[0] == other).all()
    for action in np.random.default_rng(0).integers(0, 4, 9):
        seen, rewards, terminated, truncated, infos = several.step(np.array([action]))
        other, reward, is_over, is_cut, info = single.step(action)
        assert (seen[0] == other).all() and several.observation_space.contains(seen)
        assert (rewards[0], terminated[0], truncated[0]) == (reward, is_over, is_cut)
        assert infos["distance"][0] == info["distance"]
    assert truncated[0]
    several.close()


def test_an_ended_environment_of_several_is_reset_by_the_next_step():
    several = gymnasium.make_vec("pessimal/CoverBranch-v0", num_envs=3, **TRAINING, budget=2)
    several.reset(seed=0)
    several.step(np.array([0, 0, 0]))
    _, _, terminated, truncated, _ = several.step(np.array([0, 0, 0]))
    over = terminated | truncated
    assert over.any()
    seen, rewards, terminated, truncated, _ = several.step(np.array([1, 1, 1]))
    assert not rewards[over].any() and not (terminated | truncated)[over].any()
    assert not seen[over][:, :, 0].any()
    with pytest.raises(error.InvalidAction):
        several.step(np.array([0, 0, 9]))
    several.close()
    several.close()


@pytest.mark.parametrize(("name", "options"), ALL)
def test_several_of_each_are_made_by_gymnasium(name, options):
    several = gymnasium.make_vec(f"pessimal/{name}-v0", num_envs=2, **options)
    seen, _ = several.reset(seed=0)
    assert seen in several.observation_space and len(seen) == 2
    for _ in range(3):
        seen, rewards, *_ = several.step(several.action_space.sample())
        assert seen in several.observation_space and rewards.shape == (2,)
    several.close()


@pytest.mark.parametrize(
    ("options", "says"),
    [({"num_envs": 0}, "num_envs"), ({"target": "missing.c:f"}, "missing.c"), ({"window": 0}, "window")],
)
def test_several_that_cannot_be_made_are_an_error_of_gymnasium(options, says):
    with pytest.raises(error.Error, match=says):
        gymnasium.make_vec("pessimal/CoverBranch-v0", **{"num_envs": 2, **TRAINING, **options})


def test_steps_of_several_are_checked_as_those_of_one():
    several = gymnasium.make_vec("pessimal/CoverBranch-v0", num_envs=2, **TRAINING)
    with pytest.raises(error.ResetNeeded):
        several.step(np.array([0, 0]))
    with pytest.raises(ValueError, match="goal must be one of"):
        several.reset(options={"goal": 999})
    several.reset(seed=0)
    for actions in (np.array([0]), np.array([0, -1]), np.array([0.5, 0.5]), None):
        with pytest.raises(error.InvalidAction):
            several.step(actions)
    several.close()


def test_the_same_seed_gives_the_same_episodes_of_several():
    found = []
    for _ in range(2):
        several = gymnasium.make_vec("pessimal/CoverBranch-v0", num_envs=9, **TRAINING, budget=3)
        several.reset(seed=1)
        several.step(np.zeros(9, np.int64))
        several.reset(seed=4)  # what was drawn ahead of time is forgotten
        goals = [several.step(np.full(9, number % 4))[4]["goal"].tolist() for number in range(12)]
        found.append(goals)
        several.close()
    assert found[0] == found[1]
    assert len({goal for goals in found[0] for goal in goals}) > 5


def test_closing_one_environment_leaves_others_of_the_same_function_alone(make):
    one, other = make("CoverBranch", **TRAINING), make("CoverBranch", **TRAINING)
    one.reset(seed=0)
    one.close()
    other.reset(seed=0)
    other.step(0)


def test_moves_reach_an_equality_at_once(make):
    env = make("CoverBranchMoves", **TRAINING)
    _, info = env.reset(seed=0, options={"goal": goal_of(env, "a == b -> true")})
    a, b = info["leaves"]
    wanted = "add distance a" if a < b else "subtract distance a"
    action = next(i for i in range(env.action_space.n) if env.unwrapped.name_of(i) == wanted)
    assert info["action_mask"][action]
    _, reward, terminated, _, info = env.step(action)
    assert (reward, terminated, info["leaves"]) == (-1.0, True, [b, b])


def test_a_move_that_is_not_possible_changes_nothing(make):
    env = make("CoverBranchMoves", **TRAINING)
    _, info = env.reset(seed=0)
    action = int(np.flatnonzero(info["action_mask"] == 0)[-1])
    _, _, _, _, after = env.step(action)
    assert after["leaves"] == info["leaves"]


def test_branching_finds_the_longest_run_of_insertion_sort(make):
    env = make("Branching", **SORTING)
    env.reset(seed=0)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(1)
        total += reward
    assert total == 10  # every comparison of 5 elements
    assert info["leaves"] == sorted(info["leaves"], reverse=True)


def test_an_infeasible_decision_is_punished(make):
    env = make("Branching", target=f"{ROOT}/tests/gym/branching_programs.py:twice", size=1)
    env.reset(seed=0)
    assert env.step(1)[1:3] == (1.0, False)
    assert env.step(0)[1:3] == (-20.0, True)


def test_flips_reach_all_outcomes_of_the_triangle(make):
    env = make("FlipChoice", **TRIANGLE)
    _, info = env.reset(seed=0)
    total, over, began = 0.0, False, info["reached"]
    while not over:
        _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        total, over = total + reward, terminated or truncated
    assert info["reached"] == began + total == 22  # both outcomes of eleven tests


def test_a_target_that_ends_its_process_does_not_end_ours(make):
    env = make("FlipChoice", target=f"{ROOT}/tests/gym/branching_programs.py:dies", size=1)
    env.reset(seed=0)
    _, reward, _, _, _ = env.step(0)
    assert reward == 0.0
    env.reset(seed=1)


def test_one_line_says_what_to_install(tmp_path):
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import importlib.util as u; u.find_spec = lambda name: None\n"
        "import pessimal.gym"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith("pip install 'pessimal[gym]'")


def test_all_environments_are_registered():
    names = {name for name in gymnasium.registry if name.startswith("pessimal/")}
    assert names == {f"pessimal/{name}-v0" for name, _ in ALL}
    assert pessimal.gym.register_environments() is None  # once more changes nothing


def test_no_process_of_a_target_that_was_refused_is_left(tmp_path):
    source = tmp_path / "refused.c"
    source.write_text("int refused_since_it_is_no_python(int x) { return x > 3; }\n")
    with pytest.raises(error.Error):
        gymnasium.make("pessimal/Branching-v0", target=f"{source}:refused_since_it_is_no_python")
    wait_for(lambda: not any(b"refused_since_it_is_no_python" in text for text in commands()))


def commands():
    """The command lines of all processes."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            yield place.read_bytes()
