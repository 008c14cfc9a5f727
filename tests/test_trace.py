"""Traces: what is known of outcomes, two or many, and columns that only some front-ends fill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import Compare, Offset, conjunction, negation
from pessimal.trace import Outcome, Side, Site, Switch, Trace

HERE = Site("/app/app.py", "parse", 12, 4, "x < y")
CASES = tuple(Compare("==", Offset(0), number) for number in range(3))
SWITCH = (*CASES, conjunction([negation(case) for case in CASES]))


def trace_of(*rows, leaves=(1, 5), **columns):
    """A trace of decisions: outcome and side of the other one, or outcome and sides of all outcomes of a switch."""
    trace = Trace(leaves=list(leaves), **columns)
    for position, (taken, known) in enumerate(rows):
        trace.sites.append(HERE)
        trace.decisions.append(taken)
        trace.depths.append(1)
        if isinstance(known, Side):
            trace.conditions.append(Compare("<", Offset(0), Offset(1)))
            trace.others.append(known)
        else:
            switch = trace.switches[position] = Switch(SWITCH, bytearray(known))
            trace.conditions.append(None)
            trace.others.append(switch.summary(taken))
    return trace


def test_a_branch_with_two_outcomes():
    trace = trace_of((1, Side.INFEASIBLE), (0, Side.FEASIBLE))
    assert [trace.arity(i) for i in range(2)] == [2, 2]
    assert [trace.side(0, outcome) for outcome in (0, 1)] == [Side.INFEASIBLE, Side.FEASIBLE]
    assert (trace.untaken(0), trace.untaken(0, Side.INFEASIBLE), trace.untaken(1)) == ([], [0], [1])
    assert [holds for _, holds in trace.path_condition] == [True, False]


def test_a_branch_with_many_outcomes():
    trace = trace_of((1, [Side.FEASIBLE, Side.FEASIBLE, Side.INFEASIBLE, Side.UNKNOWN]))
    assert trace.arity(0) == 4
    assert trace.others[0] == Side.FEASIBLE
    assert [trace.untaken(0, side) for side in (Side.FEASIBLE, Side.INFEASIBLE, Side.UNKNOWN)] == [[0], [2], [3]]
    assert trace.literal(0) == (SWITCH[1], True)
    assert trace.path_condition == [(SWITCH[1], True)]
    assert trace.branch(0).arity == 4
    assert trace.branch(0).condition is SWITCH[1]


@pytest.mark.parametrize(
    ("sides", "summary"),
    [
        ([2, 1, 2, 2], Side.INFEASIBLE),
        ([2, 1, 3, 2], Side.UNKNOWN),
        ([0, 1, 3, 2], Side.UNKNOWN),
        ([0, 1, 2, 2], Side.UNTRIED),
        ([1, 1, 3, 2], Side.FEASIBLE),
    ],
)
def test_what_is_known_of_many_outcomes_in_one_word(sides, summary):
    assert Switch(SWITCH, bytearray(sides)).summary(1) == summary


ROWS = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(Side))
    | st.tuples(st.integers(0, 3), st.lists(st.sampled_from(Side), min_size=4, max_size=4)),
    max_size=8,
)


@given(ROWS, st.sampled_from(Side), st.integers(0, 8))
def test_outcomes_are_counted_one_by_one(rows, side, start):
    trace = trace_of(*rows)
    counted = sum(len(trace.untaken(position, side)) for position in range(start, len(trace)))
    assert trace.count(side, start) == counted


@given(ROWS)
def test_what_is_known_can_be_forgotten(rows):
    trace = trace_of(*rows)
    for position in range(len(trace)):
        trace.set_untried(position)
    assert trace.count(Side.UNTRIED) == sum(trace.arity(position) - 1 for position in range(len(trace)))


def test_distances_are_computed_unless_they_were_measured():
    rows = (1, Side.FEASIBLE), (1, [Side.FEASIBLE] * 4)
    computed = trace_of(*rows)
    assert computed.distances(0) == (5.0, 0.0)
    assert computed.distances(1) == (2.0, 0.0, 2.0, 1.0)
    measured = trace_of(*rows, measured=[(7.0, 0.0), (1.0, 0.0, 3.0, 4.0)])
    assert [branch.distances for branch in measured.branches] == [(7.0, 0.0), (1.0, 0.0, 3.0, 4.0)]


def test_columns_that_no_front_end_filled_are_empty():
    branch = trace_of((1, Side.UNKNOWN)).branch(0)
    assert (branch.caller, branch.confidence) == (None, None)
    branch = trace_of((1, Side.UNKNOWN), callers=[3], confidences={0: 0.25}).branch(0)
    assert (branch.caller, branch.confidence) == (3, 0.25)


def test_choices_are_not_branches_of_the_program():
    trace = trace_of((1, Side.FEASIBLE), (0, Side.FEASIBLE), choices={0}, outcome=Outcome.RETURNED)
    assert (trace.length, len(trace), len(list(trace.branches))) == (1, 2, 1)
