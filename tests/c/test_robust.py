"""Functions of many shapes: every branch that can be taken is taken, and what cannot be run is said."""

import subprocess
from pathlib import Path

import pytest

import pessimal
from pessimal.covering.text import cover as report
from pessimal.errors import TargetError

ROBUST = Path(__file__).parent / "robust.c"


def covered(function, **options):
    return pessimal.cover(f"{ROBUST}:{function}", budget=None, runs=150_000, **options)


@pytest.mark.parametrize(
    ("function", "branches"),
    [
        ("shifted", 4), ("turned", 4), ("equal_floats", 8), ("address", 20), ("computed", 4), ("elvis", 4),
        ("fits", 8), ("wide", 2), ("keyed", 4), ("copied", 6), ("checked", 4), ("noisy", 4),
    ],
)  # fmt: skip
def test_every_branch_is_taken(function, branches):
    result = covered(function)
    assert (result.branches.covered, result.branches.total) == (branches, branches), result.unreached


def test_a_free_too_many_is_found():
    result = covered("twice", strategy="probe")
    assert [failure.kind for failure in result.failures] == ["SIGABRT"]
    assert result.failures[0].input == "twice(99)"


def test_a_function_that_is_not_defined_costs_the_runs_that_call_it():
    result = pessimal.stress(f"{ROBUST}:unlinked", budget=None, paths=300, size=8, workers=1)
    assert {failure.exception for failure in result.failures} == {"elsewhere is not defined"}


MISSING = """
double rate(int); int *found(int); int known(int);
int calls(int x) {
    if (x > 5 && rate(x) == 0.0) return known(x) + 1;
    if (x < -5) return *found(x);
    return 2;
}
"""


def test_a_function_that_is_not_defined_returns_0_in_cover_and_in_its_tests(tmp_path):
    file, tests = tmp_path / "calls.c", tmp_path / "tests.c"
    file.write_text(MISSING)
    result = pessimal.cover(f"{file}:calls", budget=None, runs=3000, tests=tests)
    assert {item.condition for item in result.unreached} == {"rate(x) == 0.0", "x < -5"}
    assert result.branches.covered == 4
    assert [failure.kind for failure in result.failures] == ["found is not defined"]
    assert result.stand_ins == ["rate"]
    assert "stand-ins rate: not defined, taken as 0" in report(result)
    subprocess.run(["cc", "-w", tests, "-o", tmp_path / "tests", "-lm"], check=True)
    assert b"0 failed" in subprocess.run([tmp_path / "tests"], check=True, capture_output=True).stdout


def test_what_the_compiler_refuses_when_it_is_instrumented_is_left_alone(tmp_path):
    file = tmp_path / "odd.c"
    inner = "int outer(int a) { int f(int b) { __label__ out; if (b > 3) goto out; out: return b; } return f(a); }"
    file.write_text(f"{inner}\nint plain(int a) {{ return a > 3 ? 1 : 2; }}\n")
    assert pessimal.cover(f"{file}:plain", budget=None, runs=300).branches.covered == 2


VARIABLES = """
struct table { int first; int (*call)(int); };
extern int other[3]; extern struct table known;
static int inner(int a) { return a > other[2]; }
int f(int a) { if (inner(a)) return known.first == 0 ? 2 : 1; return 0; }
int g(int a) { if (a > 5) return 1; return 0; }
"""


def test_a_variable_that_is_not_defined_is_zero_in_cover_and_in_its_tests(tmp_path):
    file, tests = tmp_path / "missing.c", tmp_path / "tests.c"
    file.write_text(VARIABLES)
    result = pessimal.cover(f"{file}:f", budget=None, runs=100, tests=tests)
    assert (result.branches.covered, [item.condition for item in result.unreached]) == (3, ["known.first == 0"])
    assert result.stand_ins == ["known", "other"]
    subprocess.run(["cc", "-w", tests, "-o", tmp_path / "tests", "-lm"], check=True)
    assert b"0 failed" in subprocess.run([tmp_path / "tests"], check=True, capture_output=True).stdout


def test_a_cost_that_depends_on_a_variable_that_is_not_defined_is_refused_in_one_line(tmp_path):
    file = tmp_path / "missing.c"
    file.write_text(VARIABLES)
    for function in ("f", "inner"):
        with pytest.raises(
            TargetError, match=r"(known|other) is not defined: name the file or library that defines it in --cc-flags"
        ):
            pessimal.stress(f"{file}:{function}", budget=None, paths=10, workers=1)
    result = pessimal.stress(f"{file}:g", budget=None, paths=10, workers=1, strategy="random")
    assert result.cost["value"] == 1


def test_the_users_fitness_is_minimised(tmp_path):
    file = tmp_path / "mixed.c"
    file.write_text("int f(int a) { int b = (a ^ 0x5a5a) * 3; if (b == 99999) return 1; return 0; }\n")
    covered = [
        pessimal.cover(f"{file}:f", strategy="probe", budget=None, runs=4000, fitness=fitness).branches.covered
        for fitness in (lambda trace: trace.distances(0)[1], lambda trace: 1.0)
    ]
    assert covered == [2, 1]


def test_not_a_number_is_shown_and_simplified():
    result = covered("equal_floats")
    assert any("NAN" in test.input for test in result.tests)
