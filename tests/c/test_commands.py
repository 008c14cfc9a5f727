"""``stress`` and ``explore`` of C functions, from the command to the replayed result."""

from pathlib import Path

import pytest

import pessimal
from pessimal.c import toolchain
from pessimal.errors import NotSymbolicError, UsageError

SUBJECTS = Path(__file__).parent / "subjects.c"


def test_stress_finds_the_worst_input_and_replays_it():
    result = pessimal.stress(f"{SUBJECTS}:nested", size=4, strategy="climb", paths=300, budget=None)
    assert result.cost == {"name": "branches", "value": 53}  # 5 + 4 * 5 tests of the loops, 16 and 12 of the ifs
    assert result.witness.replayed and result.witness.difference is None
    assert result.witness.call == "nested(4, 4)"


@pytest.mark.parametrize("strategy", ["avm", "hill", "genetic", "anneal", "random"])
def test_stress_by_each_algorithm(strategy):
    result = pessimal.stress(f"{SUBJECTS}:count_down", size=9, strategy=strategy, paths=200, budget=None)
    assert result.cost["value"] == 9


def test_failures_of_stress_name_the_signal():
    inputs = {"a": "int:999..1001", "b": "int:0..1"}
    result = pessimal.stress(f"{SUBJECTS}:divide", strategy="enumerate", inputs=inputs, paths=50, budget=None)
    assert {(failure.outcome, failure.exception) for failure in result.failures} == {("crashed", "SIGFPE")}
    assert all(failure.input["a"] == 1000 for failure in result.failures)


def test_explore_finds_the_paths_by_distances():
    result = pessimal.explore(f"{SUBJECTS}:fall_through", paths=400, budget=None)
    assert {path.returned for path in result.paths} == {"11", "10", "1100", "1000"}
    assert len(result.paths) == 4


def test_a_strategy_that_needs_symbolic_runs_says_so():
    with pytest.raises(NotSymbolicError, match="cannot be run symbolically: C is run on concrete inputs"):
        pessimal.stress(f"{SUBJECTS}:nested", strategy="exhaustive", paths=5, budget=None)


def test_without_a_compiler_one_line_says_what_to_install(monkeypatch):
    toolchain.compiler.cache_clear()
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    try:
        with pytest.raises(UsageError, match=r"need a C compiler.*apt-get install gcc libc6-dev"):
            pessimal.cover(f"{SUBJECTS}:nested", budget=None)
    finally:
        toolchain.compiler.cache_clear()
