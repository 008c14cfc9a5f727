"""Points: the events of a trace, terms in single-assignment form, preconditions, choices, how they are written."""

from itertools import pairwise

import pytest

from pessimal.expr import App, Compare, Junction, Not, Offset, Var
from pessimal.synthesis.points import (
    BRANCH,
    CHOICE,
    FLOAT,
    LARGEST,
    LET,
    NUMBER,
    REQUIRE,
    SHIFTED,
    TERM,
    VARIABLE,
    Constant,
    Point,
    event_text,
    read,
)
from pessimal.synthesis.terms import NoModel
from pessimal.testing import InProcess
from pessimal.trace import Site, Trace
from tests.search.watching import Watched
from tests.subjects.dijkstra_matrix import shortest, worst
from tests.subjects.insertion_sort import insertion_sort

HERE, THERE = (Site("/some/where/here.py", "f", line, 4, text) for line, text in ((3, "a > b"), (5, "c")))


def trace(*rows, assumed=(), choices=()):
    """A trace of rows of site, condition and decision."""
    sites, conditions, decisions = zip(*rows, strict=True) if rows else ((), (), ())
    return Trace(list(sites), list(conditions), bytearray(decisions), assumed=list(assumed), choices=set(choices))


def ran(target, leaves, size):
    return Watched(target, size, None).run(start=leaves)


def shapes(events):
    return [(point.kind, point.shape, numbers) for point, numbers in events]


def test_the_events_of_insertion_sort():
    events = read(ran(insertion_sort, [3, 2, 1], 3))
    (point,) = {point for point, _ in events}
    assert point == Point(
        BRANCH, "tests/subjects/insertion_sort.py:insertion_sort:result[j] > x", 1, (">", VARIABLE, VARIABLE)
    )
    assert [numbers for _, numbers in events] == [(0, 1), (0, 2), (1, 2)]


def test_a_direction_is_part_of_the_point():
    events = read(ran(insertion_sort, [1, 2, 3], 3))
    assert {(point.taken, numbers) for point, numbers in events} == {(0, (0, 1)), (0, (1, 2))}


def test_a_trace_without_branches():
    assert read(trace()) == []


@pytest.mark.parametrize(
    ("condition", "shape", "numbers"),
    [
        (Compare("<", Offset(4), Offset(2, -7)), ("<", VARIABLE, SHIFTED), (4, 2, -7)),
        (Compare("==", Offset(4, 3), 12), ("==", SHIFTED, NUMBER), (4, 3, 12)),
        (Compare("<=", Var(1), 0.5), ("<=", FLOAT, Constant(0.5)), (1,)),
        (Not(Compare("<", Var(1), Var(2))), ("not", ("<", FLOAT, FLOAT)), (1, 2)),
        (
            Junction("or", (Compare("<", Offset(0), 1), Compare(">", Offset(2), 3))),
            ("or", ("<", VARIABLE, NUMBER), (">", VARIABLE, NUMBER)),
            (0, 1, 2, 3),
        ),
        (Compare("<", Offset(0), LARGEST - 1), ("<", VARIABLE, NUMBER), (0, LARGEST - 1)),
        (Compare("<", Offset(0), LARGEST), ("<", VARIABLE, Constant(LARGEST)), (0,)),
        (True, Constant(True), ()),
        (None, Constant(True), ()),
    ],
)
def test_shapes_and_their_numbers(condition, shape, numbers):
    assert read(trace((HERE, condition, 1))) == [(Point(BRANCH, HERE.id, 1, shape), numbers)]


@pytest.mark.parametrize("const", [LARGEST, -LARGEST, 10**30])
def test_a_variable_moved_beyond_arrays_is_refused(const):
    with pytest.raises(NoModel, match="arrays cannot hold"):
        read(trace((HERE, Compare("<", Offset(0, const), 1), 1)))
    assert len(read(trace((HERE, Compare("<", Offset(0, LARGEST - 1), 1), 1)))) == 1


def plus(a, b):
    return App("+", (a, b), "int")


ADDED = ("+", "int", VARIABLE, VARIABLE)


def test_a_term_is_defined_once_and_referred_to_afterwards():
    total = plus(Offset(0), Offset(1))
    rows = [(HERE, Compare("<", total, Offset(n)), 1) for n in (2, 3)]
    assert shapes(read(trace(*rows))) == [
        (LET, ADDED, (0, 1)),
        (BRANCH, ("<", TERM, VARIABLE), (1, 2)),
        (BRANCH, ("<", TERM, VARIABLE), (1, 3)),
    ]


def test_equal_terms_are_one_whoever_made_them():
    rows = [(HERE, Compare("<", plus(plus(Offset(0), Offset(1)), Offset(2)), n), 1) for n in (7, 8)]
    assert shapes(read(trace(*rows))) == [
        (LET, ADDED, (0, 1)),
        (LET, ("+", "int", TERM, VARIABLE), (1, 2)),
        (BRANCH, ("<", TERM, NUMBER), (1, 7)),
        (BRANCH, ("<", TERM, NUMBER), (1, 8)),
    ]


def test_terms_by_how_long_ago_or_by_number():
    first, second, third = (plus(Offset(n), Offset(n + 1)) for n in range(3))
    rows = [(HERE, Compare("<", first, second), 1), (HERE, Compare("<", first, third), 1)]
    ago = [numbers for point, numbers in read(trace(*rows)) if point.kind == BRANCH]
    by_number = [numbers for point, numbers in read(trace(*rows), absolute=True) if point.kind == BRANCH]
    assert (ago, by_number) == ([(2, 1), (3, 1)], [(0, 1), (0, 2)])


def test_an_accumulator_of_any_length():
    total = Offset(0)
    for n in range(1, 5000):
        total = plus(total, Offset(n))
    events = read(trace((HERE, Compare("<", total, 9), 1)))
    assert len(events) == 5000
    assert {numbers[0] for point, numbers in events[1:-1]} == {1}


def test_terms_inside_conditions_inside_terms():
    inner = plus(Offset(0), Offset(1))
    chosen = App("ite", (Compare("<", inner, 3), inner, Offset(2)), "int")
    assert shapes(read(trace((HERE, Compare("==", chosen, 4), 0)))) == [
        (LET, ADDED, (0, 1)),
        (LET, ("ite", "int", ("<", TERM, NUMBER), TERM, VARIABLE), (1, 3, 1, 2)),
        (BRANCH, ("==", TERM, NUMBER), (1, 4)),
    ]


def test_dijkstra_defines_each_way_once():
    size = 5
    leaves = [cost for row in worst(size) for cost in row]
    run = ran(shortest, leaves, size)
    events = read(run)
    lets = [(point, numbers) for point, numbers in events if point.kind == LET]
    branches = [point for point, _ in events if point.kind == BRANCH]
    assert len(branches) == run.length == (size - 1) * (size - 2)
    assert len(lets) == (size - 1) * (size - 2) // 2  # one way through each node to each that is open
    absolute = read(run, absolute=True)
    assert [point for point, _ in absolute] == [point for point, _ in events]
    made = [numbers for point, numbers in absolute if point.kind == LET]
    assert len(set(made)) == len(made)


def test_preconditions_come_first_part_by_part():
    def in_order(*parts):
        return Junction("and", tuple(Compare("<=", Offset(a), Offset(b)) for a, b in pairwise(parts)))

    assumed = [in_order(0, 1, 2), True, Compare(">", Offset(0), 5)]
    events = read(trace((HERE, Compare("<", Offset(0), 1), 0), assumed=assumed))
    assert [(point.kind, point.place, point.taken, numbers) for point, numbers in events] == [
        (REQUIRE, "0", 1, (0, 1)),
        (REQUIRE, "0", 1, (1, 2)),
        (REQUIRE, "2", 1, (0, 5)),
        (BRANCH, HERE.id, 0, (0, 1)),
    ]


def test_choices_are_told_from_branches():
    def picks(xs: list[int]) -> str:
        return "abc"[xs[0] % 3] if xs[1] > 0 else ""

    run = ran(picks, [1, 1], 2)
    kinds = [point.kind for point, _ in read(run) if point.kind != LET]
    assert kinds == [CHOICE if n in run.choices else BRANCH for n in range(len(run))]
    assert kinds.count(CHOICE) > 0


def test_some_sites_alone():
    rows = [(HERE, Compare("<", Offset(0), 1), 1), (THERE, Compare("<", plus(Offset(1), Offset(2)), 3), 0)]
    whole = trace(*rows, assumed=[Compare(">", Offset(0), -9)])
    events = read(whole, keep=lambda site: site == HERE)
    assert [point.place for point, _ in events] == ["0", HERE.id]
    assert [point.kind for point, _ in read(whole, keep=lambda site: site == THERE)] == [REQUIRE, LET, BRANCH]


@pytest.mark.parametrize(
    ("condition", "taken", "text"),
    [
        (Compare(">", Offset(0), Offset(1)), 1, "x[0] > x[1]"),
        (Compare(">", Offset(0), Offset(1, 2)), 0, "not (x[0] > x[1] + 2)"),
        (Compare("==", Var(3), 0.5), 1, "x[3] == 0.5"),
        (Not(Compare("<", Offset(0), 4)), 1, "not (x[0] < 4)"),
        (Junction("and", (Compare("<", Offset(0), 4), Compare("<", Offset(1), 5))), 1, "(x[0] < 4) and (x[1] < 5)"),
    ],
)
def test_events_as_people_write_them(condition, taken, text):
    ((point, numbers),) = read(trace((HERE, condition, taken)))
    assert event_text(point, list(map(str, numbers))) == f"{text}  # {HERE.id}"


def test_terms_and_preconditions_as_people_write_them():
    events = read(trace(assumed=[Compare("<", plus(Offset(3), Offset(1)), 7)]))
    texts = [event_text(point, list(map(str, numbers))) for point, numbers in events]
    assert texts == ["let +(x[3], x[1])", "t[1] < 7  # the precondition"]


def test_the_numbers_may_be_any_text():
    ((point, _),) = read(ran(insertion_sort, [2, 1], 2))
    assert event_text(point, ["i", "n - j"]).startswith("x[i] > x[n - j]  # ")


def test_events_of_a_front_end_can_be_read_twice():
    front = Watched(insertion_sort, 4, None, front=InProcess)
    run = front.run(start=[4, 3, 2, 1])
    assert read(run) == read(run)
