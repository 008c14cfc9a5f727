"""Costs by name: what each reads or measures, and what a mistake is told."""

import math
import py_compile
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from pessimal import registry
from pessimal.cost import BRANCHES
from pessimal.errors import TargetError, UnknownNameError, UsageError
from pessimal.python.costs import find, names
from pessimal.python.meters import Allocated, Block, Calls, Depth, Lines, PeakMemory, WallTime
from pessimal.trace import Site, Trace


def site(file, line):
    return Site(file, "f", line, 0, "x < y")


def trace_through(*sites, choices=()):
    return Trace(sites=list(sites), decisions=bytearray(len(sites)), choices=set(choices))


@pytest.mark.parametrize(
    "name, path_determined, meter",
    [
        ("branches", True, None),
        ("site:sort.py:4", True, None),
        ("lines", True, Lines),
        ("block:sort.py:4", True, Block),
        ("calls:sort", True, Calls),
        ("depth", True, Depth),
        ("allocated", False, Allocated),
        ("memory", False, PeakMemory),
        ("time", False, WallTime),
    ],
)
def test_a_name_tells_how_the_cost_is_obtained(name, path_determined, meter):
    cost = find(name)
    assert (cost.name, cost.path_determined, cost.from_trace) == (name, path_determined, meter is None)
    assert meter is None or type(cost.meter()) is meter


def test_branches_leave_choices_out():
    assert BRANCHES.of(trace_through(site("a.py", 1), site("a.py", 2), site("a.py", 1), choices=[2])) == 2


@pytest.mark.parametrize(
    "place, tests",
    [
        ("sort.py:4", 3),
        ("lib/sort.py:4", 2),
        ("./lib/sort.py:4", 2),
        ("/home/lib/sort.py:4", 1),
        ("sort.py:5", 1),
        ("ort.py:4", 0),
        ("other.py:4", 0),
    ],
)
def test_tests_at_a_site_count_by_the_end_of_the_path(place, tests):
    files = ("/home/lib/sort.py", "/lib/sort.py", "/home/sort.py")
    trace = trace_through(
        *(site(file, 4) for file in files), site("/sort.py", 5), site("/home/sort.py", 4), choices=[4]
    )
    assert find(f"site:{place}").of(trace) == tests


def test_a_path_that_goes_up_starts_from_the_current_directory(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    cost = find("site:../sort.py:4")
    assert cost.of(trace_through(site(str(tmp_path / "sort.py"), 4), site("/elsewhere/sort.py", 4))) == 1


def test_a_metered_cost_is_read_where_it_was_noted():
    assert find("lines").of(Trace(costs={"lines": 12.0})) == 12


def test_a_function_of_a_trace_is_a_cost_that_proves_nothing():
    def distinct_sites(trace):
        return len(set(trace.sites))

    cost = find(distinct_sites)
    assert (cost.name, cost.path_determined, cost.from_trace) == ("distinct_sites", False, True)
    assert cost.of(trace_through(site("a.py", 1), site("a.py", 2), site("a.py", 1))) == 2


def test_a_function_is_found_by_file(tmp_path):
    file = tmp_path / "my_cost_of_traces.py"
    file.write_text("def falses(trace):\n    return trace.decisions.count(0)\n")
    cost = find(f"{file}:falses")
    assert cost.name == f"{file}:falses"
    assert cost.of(Trace(decisions=bytearray([0, 1, 0]))) == 2


def test_a_function_is_found_by_module():
    assert find("builtins:len").of(trace_through(site("a.py", 1))) == 1


@pytest.fixture
def plug_ins(monkeypatch):
    points = [
        EntryPoint("function", "builtins:len", "pessimal.costs"),
        EntryPoint("finished", "pessimal.cost:BRANCHES", "pessimal.costs"),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda: EntryPoints(points))


def test_plug_ins_are_found_by_name(plug_ins):
    assert find("finished") is BRANCHES
    cost = find("function")
    assert (cost.name, cost.path_determined) == ("function", False)
    assert cost.of(trace_through(site("a.py", 1))) == 1
    assert {"function", "finished"} <= set(names())


@pytest.mark.parametrize(
    "name, cure",
    [
        ("branch", ", did you mean branches?"),
        ("sites:sort.py:4", ", did you mean site:FILE:LINE?"),
        ("qqqq", "."),
    ],
)
def test_an_unknown_name_is_told_what_is_known(name, cure):
    with pytest.raises(UnknownNameError) as error:
        find(name)
    assert str(error.value) == f"unknown cost {name!r}{cure} Known costs: {', '.join(names())}"


def test_a_module_that_is_not_there_is_told():
    with pytest.raises(TargetError, match="there is no module 'nowhere_to_be_found'"):
        find("nowhere_to_be_found:function")


@pytest.mark.parametrize("name", ["site:", "site:sort.py", "block:sort.py:", "block::4", "site:sort.py:x"])
def test_a_place_without_file_or_line_is_refused(name):
    with pytest.raises(UsageError, match=f"cost '{name}' does not name a line: write {name[:4]}"):
        find(name)


def test_calls_of_nothing_are_refused():
    with pytest.raises(UsageError, match="cost 'calls:' names no function: write calls:QUALNAME"):
        find("calls:")


@pytest.mark.parametrize(
    "function, message",
    [
        (lambda trace: 1 / 0, "cost '<lambda>' raises ZeroDivisionError: division by zero: it must return"),
        (lambda trace: "many", "cost '<lambda>' raises ValueError: could not convert"),
        (lambda trace: math.nan, "cost '<lambda>' returns nan"),
    ],
)
def test_a_users_cost_that_gives_no_number_is_told_in_one_line(function, message):
    with pytest.raises(UsageError, match=message):
        find(function).of(Trace())


CLASSES = """
from collections import namedtuple

class Sum:
    def __init__(self, n: int) -> None:
        self.total = 0
        for i in range(n):
            self.total += i

def named(n: int) -> int:
    total = 0
    for i in range(n):
        total += i
    return total if n < 9 else namedtuple("Pair", "a b")(total, n).a
"""


@pytest.mark.parametrize(("target", "worst"), [("Sum", 2 + 2 * 4), ("named", 3 + 2 * 4)])
def test_functions_without_a_stub_are_counted_from_their_first_call(pessimal, write, target, worst):
    """Some function of the library that is called __init__ looks at the frames of its callers, as namedtuple does."""
    result = pessimal("stress", f"{write(CLASSES)}:{target}", "--size", "4", "--budget", "30s", "--json").json
    assert (result["cost"]["value"], result["input"]) == (worst, {"n": 4})
    assert result["proof"] is not None


def test_statements_that_cannot_be_counted_prove_nothing(pessimal, write):
    source = write("def count(n):\n    return [i for i in range(n)]\n", "hidden.py")
    py_compile.compile(str(source), cfile=str(Path(source).with_suffix(".pyc")))
    Path(source).unlink()
    file = write("from hidden import count\n\ndef calls(n: int) -> int:\n    return len(count(n))\n")
    result = pessimal("stress", f"{file}:calls", "--size", "3", "--budget", "30s", "--json").json
    assert result["proof"] is None
    assert result["difference"] == "the statements of hidden.py are not counted"
