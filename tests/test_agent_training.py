"""``train --agent`` and ``cover --strategy agent``: an agent is trained, saved, trained on, and covers C."""

from pathlib import Path

import numpy as np
import pytest

import pessimal
from pessimal.errors import UsageError
from pessimal.learn.agent_file import load
from pessimal.worker.python_goals import PythonGoals

ROOT = Path(__file__).parents[1]
SUBJECTS = ROOT / "bench/subjects/qtip/subjects.c"
RANGES = {"a": "int:-128..128", "b": "int:-128..128"}


@pytest.fixture(autouse=True)
def _needs_jax():
    pytest.importorskip("jax")


def test_an_agent_is_trained_and_trained_on(tmp_path):
    file = tmp_path / "agent.json"
    result = pessimal.train_agent(f"{SUBJECTS}:training", model=file, episodes=40, inputs=RANGES)
    assert result.episodes >= 40 and result.curve[-1][0] <= result.episodes
    assert "episodes  reached  evaluations" in str(result)
    before = load(file).weights
    again = pessimal.train_agent(f"{SUBJECTS}:training", model=file, episodes=400, inputs=RANGES)
    assert again.steps >= again.episodes
    assert any((load(file).weights[name] != before[name]).any() for name in before)


def test_the_same_seed_gives_the_same_agent(tmp_path):
    files = [tmp_path / "one.json", tmp_path / "other.json"]
    for file in files:
        pessimal.train_agent(f"{SUBJECTS}:gcd", model=file, episodes=100, inputs=RANGES, seed=3)
    assert files[0].read_text() == files[1].read_text()


def test_qtip_is_trained_as_published(tmp_path):
    file = tmp_path / "qtip.json"
    result = pessimal.train_agent(f"{SUBJECTS}:training", model=file, agent="qtip", episodes=3, inputs=RANGES)
    assert load(file).sizes == [600, 16, 16, 16, 4]
    assert result.steps <= 3 * 2000 * 16


def test_an_agent_is_trained_on_a_python_function_beside_one_of_c(tmp_path):
    file = tmp_path / "agent.json"
    targets = [f"{SUBJECTS}:training", f"{ROOT}/examples/triangle.py:classify"]
    result = pessimal.train_agent(targets, model=file, episodes=60, inputs={})
    assert result.episodes >= 60 and load(file).targets == targets
    done = pessimal.cover(targets[1], strategy="agent", model=file, budget=None, runs=300)
    assert done.branches.covered > 0


def test_distances_of_python_are_those_of_its_tests(tmp_path):
    source = tmp_path / "own.py"
    source.write_text(
        "import os\n\n\ndef own(a: int, b: int) -> int:\n    if a == 7:\n        os._exit(1)\n"
        "    if b > 3:\n        if b == 90:\n            return 1\n    return 0\n"
    )
    goals = PythonGoals(f"{source}:own", 4, {"a": "int:-50..50", "b": "int:-99..99"})
    words = np.array([[9, 4], [9, 90], [9, 0], [7, 0]])
    found = [goals.measure(words, np.full(4, goal)) for goal in goals.goals]
    goals.close()
    measured = {tuple(zip(levels.tolist(), distances.tolist(), strict=True)) for levels, distances in found}
    assert measured == {
        ((0, 3.0), (0, 3.0), (0, 3.0), (1, 1.0)),  # a == 7, where the process ends
        ((0, 0.0), (0, 0.0), (0, 0.0), (1, 1.0)),
        ((0, 0.0), (0, 0.0), (0, 4.0), (1, 1.0)),  # b > 3
        ((0, 2.0), (0, 88.0), (0, 0.0), (1, 1.0)),
        ((0, 87.0), (0, 0.0), (1, 1.0), (1, 1.0)),  # b == 90, whose test is not always reached
        ((0, 0.0), (0, 1.0), (1, 1.0), (1, 1.0)),
    }


@pytest.mark.parametrize(
    ("target", "options", "says"),
    [
        ("examples/sorting.py", {}, "is none: give file.py:function"),
        ("examples/missing.py:sort", {}, "missing"),
        (f"{SUBJECTS}:training", {"agent": "other"}, "--agent must be moves or qtip, but is 'other'"),
        (f"{SUBJECTS}:training", {"episodes": 0}, "--episodes must be at least 1"),
        (f"{SUBJECTS}:missing", {}, "missing"),
        (f"{SUBJECTS}:training", {"model": "/nowhere/agent.json"}, "cannot be written"),
    ],
)
def test_mistakes_are_told_before_the_training(tmp_path, target, options, says):
    with pytest.raises(UsageError, match=says):
        pessimal.train_agent(target, **{"model": tmp_path / "agent.json", "inputs": RANGES, **options})


def test_an_agent_of_another_kind_is_not_replaced(tmp_path):
    file = tmp_path / "agent.json"
    pessimal.train_agent(f"{SUBJECTS}:training", model=file, episodes=1, inputs=RANGES)
    text = file.read_text()
    with pytest.raises(UsageError, match="give another file"):
        pessimal.train_agent(f"{SUBJECTS}:training", model=file, agent="qtip", inputs=RANGES)
    assert file.read_text() == text


@pytest.mark.parametrize("function", ["training", "gcd", "remainder_of"])
def test_the_shipped_agent_covers_the_functions_of_the_paper(function):
    result = pessimal.cover(f"{SUBJECTS}:{function}", strategy="agent", budget=None, runs=2000, inputs=RANGES)
    assert result.unreached == []


def test_an_agent_reaches_an_equality_in_a_large_range(tmp_path):
    source = tmp_path / "lock.c"
    source.write_text("int lock(int a, int b) { if (a == 123456) if (b * 2 == a - 45678) return 1; return 0; }\n")
    result = pessimal.cover(f"{source}:lock", strategy="agent", budget=None, runs=2000)
    assert result.branches.covered == 4


def test_the_same_seed_gives_the_same_search(tmp_path):
    found = [
        pessimal.cover(f"{SUBJECTS}:remainder_of", strategy="agent", budget=None, runs=600, seed=2) for _ in range(2)
    ]
    assert found[0].executions == found[1].executions
    assert found[0].tests == found[1].tests


def test_commands(pessimal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target = f"{SUBJECTS}:training"
    ranges = ["--input", "a=int:-128..128", "--input", "b=int:-128..128"]
    done = pessimal("train", target, "--agent", "moves", "--model", "a.json", "--episodes", "30", *ranges)
    assert done.code == 0 and "moves" in done.out
    done = pessimal("cover", target, "--strategy", "agent", "--model", "a.json", "--runs", "900", *ranges)
    assert done.code == 0 and "branches  10 of 10" in done.out
    for arguments, says in [
        (("cover", target, "--strategy", "agent", "--model", "missing.json"), "cannot be read"),
        (("cover", target, "--strategy", "avm", "--model", "a.json"), "--model only applies"),
        (("cover", f"{ROOT}/examples/triangle.py", "--strategy", "agent", "--model", "missing.json"), "cannot be read"),
        (("train", target, "--agent", "moves", "--model", "b.json", "--reward", "new=1"), "--reward does not apply"),
        (("train", target, "--agent", "moves", "--model", "b.json", "--call", "f(x)"), "--call does not apply"),
    ]:
        done = pessimal(*arguments)
        assert (done.code, says in done.err) == (2, True), done.err
        assert "Traceback" not in done.err
