"""Results as text: what strategies report is shown by what it means, whichever strategy reports it."""

import pytest

from pessimal.report import text
from pessimal.result import Effort, StressResult, Witness

CODE = "def worst_case(n):\n    return [0] * n\n"


def stressed(strategy="mine", cost=7, found_by=None, **report):
    """A result of a made-up strategy, with what it reports."""
    return StressResult(
        target="a:f",
        strategy=strategy,
        size=3,
        cost={"name": "branches", "value": cost},
        witness=Witness({"x": 1}, "f(1)", "returned", cost, returned="2", replayed=True),
        proof=None,
        effort=Effort(paths=2, seconds=1.5, stopped="nothing left to try", found_by=found_by or strategy),
        seed=0,
        report=report or None,
    )


def shown(result):
    """The lines after the effort."""
    return text.stress(result).splitlines()[6:]


STOPPED = "  stopped   nothing left to try"


def test_a_result_without_a_report_is_shown_as_before():
    assert text.stress(stressed()).splitlines() == [
        "a:f  size 3  strategy mine",
        "  cost      7 branches",
        "  input     f(1)",
        "  outcome   returned 2",
        "  proof     none: best found",
        "  replayed  yes, as predicted",
        "  effort    2 paths, 0 infeasible, 0 unknown, 0 concretisations, 0 solver calls (0.00s), 1.50s",
        STOPPED,
    ]


def test_note_and_lines_of_any_strategy_are_shown():
    result = stressed(note="odd", lines=[["model", "of a kind"], ["very long label", "short"]])
    assert shown(result)[1:] == ["  note      odd", "  model     of a kind", "  very long label short", STOPPED]


def test_of_a_portfolio_the_lines_of_the_member_that_found_the_result_are_shown():
    details = {"one": {"lines": [["model", "of one"]], "note": "unseen"}, "two": {"lines": [["model", "of two"]]}}
    result = stressed("team", found_by="two", lines=[["left out", "three: pip install 'it'"]], details=details)
    assert shown(result)[1:] == ["  left out  three: pip install 'it'", "  model     of two", STOPPED]


@pytest.mark.parametrize(
    ("report", "expected", "lines"),
    [
        ({}, None, []),
        ({"generator": None}, None, ["  generator none found"]),
        ({"generator": CODE}, CODE, ["  generator", "    def worst_case(n):", "        return [0] * n"]),
        (
            {"generator": CODE, "generator_cost": 7},
            CODE,
            ["  generator", "    def worst_case(n):", "        return [0] * n"],
        ),
        ({"generator": CODE, "generator_cost": 6}, None, ["  generator none found"]),
    ],
)
def test_a_generator_is_shown_unless_it_is_worse_than_the_result(report, expected, lines):
    result = stressed(**report)
    assert result.generator == expected
    assert shown(result)[2:] == lines


def test_a_generator_of_a_result_without_a_cost_is_shown():
    assert stressed(cost=None, generator=CODE, generator_cost=6).generator == CODE


@pytest.mark.parametrize(
    ("replayed", "unfinished", "lines"),
    [
        (False, "not replayed: the budget was used up", ["  replayed  no: the budget was used up"]),
        (
            True,
            "not simplified: the budget was used up",
            ["  replayed  yes, as predicted", "  note      not simplified: the budget was used up"],
        ),
        (
            True,
            "neither simplified nor compared with its path: the budget was used up",
            ["  replayed  yes", "  note      neither simplified nor compared with its path: the budget was used up"],
        ),
    ],
)
def test_what_was_left_out_for_want_of_time_is_told(replayed, unfinished, lines):
    result = stressed()
    result.witness.replayed, result.witness.unfinished = replayed, unfinished
    assert text.stress(result).splitlines()[5 : 5 + len(lines)] == lines
    assert result.to_json()["unfinished"] == unfinished


def test_the_first_failure_is_the_headline_and_the_others_follow():
    result = stressed()
    result.failures = [
        Witness({"x": 2}, "f(2)", "timed out", None, replayed=True, seconds=10.0),
        Witness({"x": 3}, "f(3)", "crashed", None, exception="killed its process (SIGSEGV)", replayed=True),
    ]
    lines = text.stress(result).splitlines()
    assert lines[1] == "  HANGS     f(2) did not end within 10 s"
    assert "  failure   crashed: killed its process (SIGSEGV): f(3)" in lines
    result.failures.pop(0)
    assert text.stress(result).splitlines()[1] == "  CRASHES   the interpreter: f(3) killed its process (SIGSEGV)"


@pytest.mark.parametrize(
    ("assumed", "line"),
    [
        ({"n": "int:-9..9"}, "n in -9..9; --input n=int:0..1000 changes it"),
        ({"p.x": "int:-9..9", "r": "float:-9..9"}, "p.x, r in -9..9; --input r=float:0..1000 changes it"),
        ({"p.x": "float:-9..9"}, "p.x in -9..9; Annotated[float, (0, 1000)] changes it"),
    ],
)
def test_ranges_that_were_assumed_are_told(assumed, line):
    result = stressed()
    result.assumed = assumed
    assert f"  assumed   {line}" in text.stress(result).splitlines()


def test_a_failure_that_was_not_replayed_says_so():
    result = stressed()
    result.failures = [Witness({"x": 2}, "f(2)", "timed out", None, unfinished="not replayed: interrupted")]
    assert "  HANGS     f(2) did not end (not replayed)" in text.stress(result).splitlines()


def test_what_was_not_replayed_says_nothing_of_what_it_returned():
    result = stressed()
    result.witness.returned, result.witness.replayed = None, False
    assert "  outcome   returned" in text.stress(result).splitlines()
