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


COMBINATION = """
int combination(int a, int b, int c, int d) {
    int turns = 0;
    for (int i = 0; i < 20 && a == 21; i++) turns++;
    for (int i = 0; i < 20 && b == 7; i++) turns++;
    for (int i = 0; i < 20 && c == 30; i++) turns++;
    for (int i = 0; i < 20 && d == 12; i++) turns++;
    return turns;
}
int slope(int a, int b) {
    int turns = 0;
    for (int i = 0; i < 1000 - __builtin_abs(a - 621); i++) turns++;
    for (int i = 0; i < 1000 - __builtin_abs(b - 37); i++) turns++;
    return turns;
}
"""


@pytest.fixture
def searched(tmp_path):
    """Stresses one of the functions above."""
    file = tmp_path / "combination.c"
    file.write_text(COMBINATION)

    def stress(function, inputs, strategy, paths):
        target = f"{file}:{function}"
        return pessimal.stress(target, inputs=inputs, strategy=strategy, paths=paths, seed=1, workers=1, budget=None)

    return stress


NUMBERS = dict.fromkeys("abcd", "int:0..31")
PLANE = dict.fromkeys("ab", "int:0..1000")


@pytest.mark.parametrize(("strategy", "paths"), [("genetic", 3000), ("dynamosa", 3000), ("anneal", 60_000)])
def test_stress_puts_together_what_is_right(searched, strategy, paths):
    result = searched("combination", NUMBERS, strategy, paths)
    assert result.cost["value"] == 4 * 41  # a test of i and one of the number in each turn, and the last of i
    assert result.witness.input == {"a": 21, "b": 7, "c": 30, "d": 12}


@pytest.mark.parametrize("strategy", ["avm", "avm-geometric", "avm-lattice", "hill", "probe"])
def test_stress_climbs_to_the_one_input_that_is_worst(searched, strategy):
    result = searched("slope", PLANE, strategy, 3000)
    assert (result.cost["value"], result.witness.input) == (2 * 1001, {"a": 621, "b": 37})


def test_what_the_last_runs_find_is_not_lost(searched):
    assert (
        4 * 2 < searched("combination", NUMBERS, "random", 1000).cost["value"] < 4 * 41
    )  # one number is right in one input of eight


def test_a_function_that_never_ends_well_is_searched_all_the_same(tmp_path, capfd):
    file = tmp_path / "fails.c"
    file.write_text("int elsewhere(int *); int f(int *p, int x) { if (*p && x) *p = 1; return elsewhere(p); }\n")
    result = pessimal.stress(f"{file}:f", strategy="fuzz", paths=150, workers=1, budget=None)
    assert {failure.exception for failure in result.failures} == {"elsewhere is not defined"}
    assert "internal error" not in capfd.readouterr().err


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
