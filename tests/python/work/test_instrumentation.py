"""Counting in all functions of a process; each check runs in a fresh interpreter, whose functions it changes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PRELUDE = """
import inspect, json, sys, traceback
from tests.python.work import program
from pessimal.python.work.meter import Work

def measured(function, *args):
    for runs in range(1, 11):
        with Work() as work:
            result = function(*args)
        if work.settled:
            return [result, work.value, runs]
"""


def tell(expression):
    """What an expression is in a fresh interpreter."""
    script = f"{PRELUDE}\nprint(json.dumps({expression}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[3], check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("call", "result", "work"),
    [
        ("program.shapes", [9, 1, True], 1 + 2 * 3 + 3 * 2 + 3),
        ("program.closures", 9, 4 + 3 * 2 + 3),
    ],
)
def test_functions_of_every_shape_do_what_they_did(call, result, work):
    assert tell(f"measured({call})")[:2] == [result, work]


def test_the_standard_library_is_counted_frozen_or_not():
    results = tell("[measured(program.wraps), measured(program.paths), measured(program.paths)]")
    assert results[0][0] == ["one two", "three", "four five", "six"]
    assert results[0][1] > 50
    assert results[1][:2] == results[2][:2] and results[1][1] > 8


def test_what_was_frozen_before_a_fork_is_counted_and_stays_frozen():
    work, is_frozen = tell(
        "[gc.freeze(), [measured(program.wraps)[1], gc.get_freeze_count() > 0]][1]".replace("gc", "__import__('gc')")
    )
    assert work == tell("measured(program.wraps)[1]")
    assert is_frozen


def test_a_run_is_measured_again_until_nothing_is_new():
    (result, work, runs), again = tell("[measured(program.imports), measured(program.imports)]")
    assert result == 0.5 and runs > 1
    assert again == [result, work, 1]


def test_what_a_cache_remembers_is_no_work():
    assert tell("[measured(program.cached)[1], measured(program.cached)[1]]") == [1, 1]


def test_recursion_goes_as_deep_as_before():
    depth, counted = tell("[program.deepest(), measured(program.deepest)[0]]")
    assert abs(depth - counted) < 20


def test_functions_look_the_same():
    signature, file, lines = tell(
        "[measured(program.shapes) and str(inspect.signature(program.Square.of)),"
        " program.closures.__code__.co_filename,"
        " [line for _, _, line in program.closures.__code__.co_lines() if line is not None]]"
    )
    assert signature == "(size)"
    assert file.endswith("program.py")
    assert min(lines) > 40 and max(lines) < 60


def test_an_exception_comes_from_the_line_that_raises():
    assert tell("""(lambda: [
        [frame.name, frame.line] for frame in traceback.extract_tb(caught(program.raises).__traceback__)[-1:]
    ])() if exec(
        "def caught(function):\\n"
        "  try:\\n    measured(function)\\n"
        "  except ValueError as error:\\n    return error", globals()
    ) is None else 0""") == [["raises", 'raise ValueError("here")']]


def test_the_locals_of_callers_can_be_looked_at_and_runtime_protocols_work():
    """A stub has the free variables of its function, and is no frame more where frames are counted."""
    assert tell("[measured(program.looks_up)[0], measured(program.checks_protocol)[0]]") == [["value"], [True, False]]


def test_an_alarm_does_not_leave_functions_without_counters():
    script = """
from contextlib import suppress
from time import sleep
from pessimal.pool.alarm import Deadline, DeadlineExceeded
import pessimal.python.work.instrumentation
module = sys.modules["pessimal.python.work.instrumentation"]
take_in = module.Instrumentation._take_in
def slowly(self, function, is_stubbed):
    if function is program.closures:
        sleep(0.2)
    take_in(self, function, is_stubbed)
module.Instrumentation._take_in = slowly
with suppress(DeadlineExceeded), Deadline(0.05), Work():
    program.closures()
"""
    assert tell(f"exec({script!r}, globals()) or measured(program.closures)[1]") == 4 + 3 * 2 + 3
