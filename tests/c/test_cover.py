"""``cover`` of C: all that can be reached is, gcov agrees, and the written tests compile and run."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import pessimal
from pessimal.errors import TargetError, UsageError
from pessimal.target_spec import Limits

SUBJECTS = Path(__file__).parent / "subjects.c"


def covered(function, **options):
    return pessimal.cover(f"{SUBJECTS}:{function}", budget=None, runs=20_000, **options)


@pytest.mark.parametrize(
    ("function", "branches"), [("guarded", 4), ("fall_through", 4), ("password", 4), ("describe", 12), ("jumps", 6)]
)
def test_every_branch_is_taken(function, branches):
    result = covered(function)
    assert (result.branches.covered, result.branches.total) == (branches, branches)
    assert result.unreached == []
    assert result.stopped == "every branch was taken"


@pytest.mark.parametrize("strategy", ["dynamosa", "avm", "avm-geometric", "avm-lattice", "hill", "anneal", "genetic"])
def test_every_algorithm_reaches_an_equality(strategy, tmp_path):
    source = tmp_path / "lock.c"
    source.write_text("int lock(int a, int b) { if (a == 321) if (b == a + 45) return 1; return 0; }\n")
    ranges = {"a": "int:-500..500", "b": "int:-500..500"}
    result = pessimal.cover(f"{source}:lock", strategy=strategy, budget=None, runs=40_000, inputs=ranges)
    assert result.branches.covered == 4


TEXTS = """
#include <stdio.h>
#include <stdlib.h>
int version(const char *s) {
    int major, minor;
    if (sscanf(s, "v%d.%d", &major, &minor) != 2) return 0;
    if (major == 37 && minor == 1999) return 2;
    return 1;
}
int port(const char *s) { long n = strtol(s, NULL, 10); if (n == 8080) return 1; if (n < -500) return 2; return 0; }
int rated(const char *s) { double rate = atof(s); int n = atoi(s); if (rate > 2.25 && n < 3) return 1; return n == 77; }
"""


@pytest.mark.parametrize(("function", "branches"), [("version", 6), ("port", 4), ("rated", 4)])
def test_numbers_in_texts_are_reached(function, branches, tmp_path):
    source = tmp_path / "texts.c"
    source.write_text(TEXTS)
    result = pessimal.cover(f"{source}:{function}", budget=None, runs=40_000)
    assert (result.branches.covered, result.branches.total) == (branches, branches)


def gcov(file, tests, directory):
    """The lines that gcov says were executed, and the outcomes of branches by line that were taken."""
    subprocess.run(["gcc", "-w", "--coverage", "-O0", tests, "-o", "tests", "-lm"], cwd=directory, check=True)
    ran = subprocess.run(["./tests"], cwd=directory, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    notes = next(directory.glob("*.gcda")).name
    subprocess.run(["gcov", "-b", "-c", "-p", notes], cwd=directory, check=True, capture_output=True)
    text = next(directory.glob(f"*{file.name}.gcov")).read_text()
    lines: dict[int, bool] = {}
    branches: dict[int, list[bool]] = {}
    line = 0
    for row in text.splitlines():
        place = re.match(r"\s*(\S+):\s*(\d+):", row)
        if place:
            line = int(place[2])
            if place[1] != "-":
                lines[line] = place[1][0] not in "#="
        taken = re.match(r"branch\s+\d+ (taken (\d+)|never)", row)
        if taken:
            branches.setdefault(line, []).append(bool(taken[2]) and int(taken[2]) > 0)
    return lines, branches


@pytest.mark.parametrize("function", ["fall_through", "describe"])
def test_gcov_agrees(function, tmp_path):
    tests = tmp_path / "tests.c"
    result = covered(function, tests=tests)
    lines, branches = gcov(SUBJECTS, tests, tmp_path)
    start = next(i for i, text in enumerate(SUBJECTS.read_text().splitlines(), 1) if f" {function}(" in text)
    end = start + SUBJECTS.read_text().splitlines()[start:].index("}") + 1
    own = {line: taken for line, taken in branches.items() if start <= line <= end}
    assert sum(map(len, own.values())) == result.branches.total
    assert sum(sum(taken) for taken in own.values()) == result.branches.covered
    assert all(executed for line, executed in lines.items() if start < line < end)


def test_gcov_agrees_on_inputs_that_abort(tmp_path):
    file, tests = tmp_path / "checked.c", tmp_path / "tests.c"
    file.write_text(
        "#include <assert.h>\n#include <stdlib.h>\n"
        "int f(int a) {\n    if (a == 77)\n        abort();\n    assert(a != 33);\n    return a;\n}\n"
    )
    result = pessimal.cover(f"{file}:f", budget=None, runs=3000, tests=tests)
    lines, branches = gcov(file, tests, tmp_path)
    assert {line: sum(taken) for line, taken in branches.items() if line in (4, 6)} == {4: 2, 6: 2}
    assert (result.branches.covered, result.branches.total) == (4, 4)
    assert lines[5]
    assert sorted(test.outcome for test in result.tests) == ["crashed", "crashed", "returned"]


def test_lengths_that_are_computed_are_those_of_the_declaration(front_end, tmp_path):
    file = tmp_path / "lengths.c"
    file.write_text(
        "#define N 256\nint f(const char buf[2 * N / 4], short xs[(1 << 3) - 1]) { return buf[127] > xs[6]; }\n"
    )
    target = front_end("f", size=2, file=file)
    assert len(target.domains) == 128 + 7
    assert target.native([9] * 135, 20.0).returned == "0"


def test_rows_have_the_length_that_a_parameter_gives(tmp_path):
    file, tests = tmp_path / "rows.c", tmp_path / "tests.c"
    file.write_text(
        "int f(int n, int m[n][n]) { if (n > 3 && m[3][1] == 77 && m[1][3] == m[3][1] + 1) return 1; return 0; }\n"
        "int g(int rows, int (*m)[rows], int k, const int a[k]) {\n"
        "    return rows == 2 && m[1][0] == 5 && k && a[k - 1] == 9;\n}\n"
    )
    result = pessimal.cover(f"{file}:f", budget=None, runs=20_000, tests=tests)
    assert (result.branches.covered, result.failures) == (6, [])
    subprocess.run(["gcc", "-w", tests, "-o", "tests", "-lm"], cwd=tmp_path, check=True)
    assert subprocess.run(["./tests"], cwd=tmp_path, capture_output=True, check=False).returncode == 0
    result = pessimal.cover(f"{file}:g", budget=None, runs=20_000)
    assert (result.branches.covered, result.failures) == (result.branches.total, [])


def test_tests_as_json(tmp_path):
    file = tmp_path / "tests.json"
    covered("name_of", tests=file)
    cases = json.loads(file.read_text())
    assert {case["returned"] for case in cases} == {'"one"', '"two"', "NULL"}
    assert all(case["outcome"] == "returned" and "number" in case["arguments"] for case in cases)


def test_failures_name_the_signal_and_the_input():
    result = covered("divide")
    assert [(failure.kind, failure.site) for failure in result.failures] == [("SIGFPE", "subjects.c:147")]
    assert result.failures[0].input.startswith("divide(1000, ")
    assert [item.reason for item in result.unreached] == ["only inputs that crash or do not end take it"]


def test_an_endless_loop_is_a_failure():
    result = pessimal.cover(f"{SUBJECTS}:endless", budget=None, runs=300, inputs={"a": "int:4..7"}, limits=Limits(0.3))
    assert {failure.kind for failure in result.failures} == {"timed out"}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("int f(int a, int b) { if (a > 3) return a / b; return 0; }", "SIGFPE"),
        ("#include <stdlib.h>\nint f(int a, int b) { if (a == 77) abort(); return b; }", "SIGABRT"),
        ("int f(int a, int b) { while (a > 5) b++; return b; }", "timed out"),
    ],
)
def test_failures_are_found_even_where_they_take_no_branch_of_their_own(tmp_path, body, kind):
    file = tmp_path / "failing.c"
    file.write_text(body)
    result = pessimal.cover(f"{file}:f", budget=None, runs=3000, limits=Limits(run_seconds=0.5))
    assert [failure.kind for failure in result.failures] == [kind]


def test_mathematical_functions_are_linked(tmp_path):
    file = tmp_path / "roots.c"
    file.write_text("#include <math.h>\nint f(double x) { return x >= 0 && sqrt(x) > 2.0 ? 1 : 0; }\n")
    result = pessimal.cover(f"{file}:f", budget=None, runs=3000)
    assert (result.branches.covered, result.failures) == (4, [])


def test_the_result_has_the_fields_of_a_result_for_python():
    ours = covered("guarded").to_json()
    theirs = pessimal.cover("examples/triangle.py:classify", budget=None, runs=50, workers=1).to_json()
    assert set(ours) == set(theirs)
    assert set(ours["solver"]) == set(theirs["solver"])


@pytest.mark.parametrize(
    ("target", "options", "words"),
    [
        ("subjects.c:guardde", {}, "has no function 'guardde': did you mean guarded"),
        (
            "subjects.c:opaque",
            {},
            "type struct __unseen * (never defined), which cannot be made: give it",
        ),
        ("nothing.c:f", {}, "is not a file"),
        ("subjects.c:guarded", {"strategy": "generational"}, "cannot cover C, which is not run symbolically"),
        ("subjects.c:guarded", {"tests": "tests.py"}, "must end with .c or .json"),
        ("subjects.c:guarded", {"seeds": "folder"}, "--seeds does not apply to"),
        ("subjects.c:divide", {"inputs": {"c": "int"}}, "divide has no parameter 'c': its parameters are a, b"),
        ("subjects.c:divide", {"inputs": {"a": "str:3"}}, "a of divide has the type int, which str:3 does not fit"),
    ],
)
def test_bad_input_is_one_line(target, options, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        pessimal.cover(str(SUBJECTS.parent / target), budget="20s", **options)


def test_the_first_error_of_the_compiler_with_its_place(tmp_path):
    source = tmp_path / "wrong.c"
    source.write_text("int f(int a) {\n  return a +;\n}\n")
    with pytest.raises(TargetError, match=r"does not compile: .*wrong\.c:2:\d+: expected expression"):
        pessimal.cover(f"{source}:f", budget="20s")


def test_several_files_and_flags(tmp_path):
    (tmp_path / "other.c").write_text("int limit(int a) { return a > 7 ? SMALL : 2; }\n")
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "other.h").write_text("int limit(int a);\n")
    source = tmp_path / "main.c"
    source.write_text('#include "other.h"\nint f(int a) { return limit(a) == 1 ? 10 : 20; }\n')
    flags = f"-I{tmp_path / 'inc'} -DSMALL=1 {tmp_path / 'other.c'}"
    assert pessimal.cover(f"{source}:f", budget=None, runs=2000, cc_flags=flags).branches.covered == 2
    database = [{"directory": str(tmp_path), "file": "main.c", "command": f"cc {flags} -c main.c -o main.o"}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(database))
    assert pessimal.cover(f"{source}:f", budget=None, runs=2000).branches.covered == 2
