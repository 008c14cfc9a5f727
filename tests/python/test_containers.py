"""Containers with symbolic keys, members and places: both outcomes are reached, and nothing becomes concrete."""

import inspect

import pytest

from tests.python import container_programs
from tests.python.exploring import Collector, both_outcomes

PROGRAMS = [f for _, f in inspect.getmembers(container_programs, inspect.isfunction)]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_both_outcomes_are_reached(program):
    assert both_outcomes(program, paths=120) >= {0, 1}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_nothing_becomes_concrete(program):
    if program.__name__ in ("repeated", "named"):
        pytest.skip("a length and a name become concrete where nothing bounds them")
    traces = Collector(program, paths=40).explore().traces
    assert [trace.concretisations for trace in traces if trace.concretisations] == []


def test_the_order_of_a_set_makes_its_members_concrete():
    def first(x: int, y: int) -> int:
        return next(iter({x, y}))

    traces = Collector(first, paths=5).explore().traces
    assert {event.reason for trace in traces for event in trace.concretisations} == {"order of a set"}


def test_a_dict_keeps_its_class_and_its_order():
    def look(x: int) -> int:
        d = {x: 1, 5: 2}
        same = type(d) is dict and isinstance(d, dict) and d.__class__ is dict
        return 1 if same and list(d) == [x, 5] and repr({3: 1}) == "{3: 1}" else 0

    assert both_outcomes(look) == {0, 1}  # 0 where x is 5


def test_what_was_a_key_is_no_branch_any_more():
    def ask(x: int) -> int:
        return 1 if x in {5, 6} and x == 6 else 0

    found = Collector(ask).explore()
    assert found.proof == "tree exhausted"
    assert {trace.length for trace in found.traces} == {0}
