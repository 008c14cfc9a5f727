"""The members of ``auto`` for C: who takes part, and that those which earn something get more."""

import pytest

import pessimal
from pessimal.covering.c_search import STRATEGIES, CSearch
from pessimal.learn.agent_file import shipped
from pessimal.search.members import NAMES, SHARES

LOCK = """
int lock(int a, int b, int c) {
    if (a == 3001) { if (b == a * 2 + 7) { if (c - b == 12345) return 3; return 2; } return 1; }
    return 0;
}
int near(int a, int b) { if (a == 40) return 1; if (a + b == 77) return 2; return 0; }
int word(const char *s) { if (s[0] == 'o' && s[1] == 'k') return 1; return 0; }
int deep(int n) { int steps = 0; for (int i = 0; i < n && i < 1000; i++) steps += i; return steps; }
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "lock.c"
    path.write_text(LOCK)
    return path


def test_all_algorithms_are_members_of_auto():
    assert set(SHARES) | {"auto"} == set(STRATEGIES) == {*NAMES, "auto"}


@pytest.mark.parametrize("strategy", NAMES)
def test_every_member_alone_reaches_what_is_near(file, strategy):
    ranges = {"a": "int:-200..200", "b": "int:-200..200"}
    result = pessimal.cover(f"{file}:near", strategy=strategy, budget=None, runs=40_000, inputs=ranges)
    assert result.branches.covered == result.branches.total == 4


@pytest.mark.parametrize("strategy", ["avm", "avm-geometric", "avm-lattice", "probe", "agent", "dynamosa"])
def test_members_that_descend_reach_one_input_out_of_many(file, strategy):
    result = pessimal.cover(f"{file}:lock", strategy=strategy, budget=None, runs=40_000, seed=1)
    assert (result.branches.covered, result.branches.total) == (6, 6)


def test_chance_does_not_reach_it(file):
    result = pessimal.cover(f"{file}:lock", strategy="random", budget=None, runs=40_000, seed=1)
    assert result.branches.covered == 3


def test_auto_takes_nested_equalities_and_is_the_same_each_time(file):
    one, other = (pessimal.cover(f"{file}:lock", budget=None, runs=30_000, seed=3) for _ in range(2))
    assert (one.branches.covered, one.branches.total) == (6, 6)
    assert (one.executions, one.curve[-1][1]) == (other.executions, 6)


def test_a_search_ends_after_its_runs(file, front_end):
    search = CSearch(front_end("lock", file=file, given={"a": "int:0..9"}), 0, agent=shipped())
    assert search.search("auto", ends_at=float("inf"), runs=5000) == "5000 runs were made"
    assert 5000 <= search.executions < 5000 + 2000
    assert len(search.missing) == 5


def test_the_simplest_input_is_run_even_if_there_is_no_time(file, front_end):
    search = CSearch(front_end("lock", file=file), 0, agent=shipped())
    assert search.search("auto", ends_at=0.0) == "time is up"
    assert search.executions == 1
    assert len(search.cases) == 1


@pytest.mark.parametrize("strategy", ["anneal", "random", "auto"])
def test_stress_searches_beside_the_function(file, strategy):
    result = pessimal.stress(
        f"{file}:deep", strategy=strategy, size=2000, paths=60_000, stop_at=2002, workers=1, budget=None
    )
    assert result.witness.cost == 2002


def test_the_input_that_came_nearest_to_a_goal_of_a_wide_input_is_known_wherever_it_was_run(tmp_path, front_end):
    """Also if no member has asked for the goal: descents begin there."""
    source = tmp_path / "wide.c"
    source.write_text("int wide(int items[100]) { if (items[70] == 40) return 1; return 0; }\n")
    search = CSearch(front_end("wide", file=source), 0)
    far, near = [900] * len(search.domains), [41] * len(search.domains)
    search.run([far, near, far])
    (goal,) = search.missing
    assert search.nearest_input(goal) == near
