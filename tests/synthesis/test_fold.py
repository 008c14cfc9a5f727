"""Folding finds nests of loops and loses nothing; from a small size on the nest is the same at all sizes."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.synthesis.fold import description_length, foldings, reverse
from pessimal.synthesis.terms import Atom, Event, Loop, Term, shape
from tests.synthesis import nests
from tests.synthesis.nests import fold, unfold

events = st.lists(st.tuples(st.sampled_from("ab"), st.tuples(st.integers(0, 3))), max_size=40)
plain = st.lists(st.tuples(st.just("s"), st.tuples(st.integers(0, 2), st.integers(0, 1))), max_size=60)


def test_insertion_sort_is_one_nest_without_a_prologue() -> None:
    for n in range(5, 12):
        inner: Loop[int] = Loop((1, 1), (Atom("s", ((0, 1, -1), (1, 1, 0))),))
        assert fold(nests.insertion_sort(n)) == (Loop((n - 1,), (inner,)),)


@pytest.mark.parametrize(
    ("sequence", "first", "loops_and_events"),
    [
        (nests.tree, 5, 5),
        (nests.matrices, 3, 4),
        (nests.merge_in_runs, 4, 4),
        (nests.loops_in_sequence, 6, 6),
        (nests.three_deep, 7, 4),
        (nests.stealing, 3, 4),
        (nests.strided, 6, 2),
    ],
)
def test_the_shape_is_the_same_from_a_small_size_on(
    sequence: Callable[[int], list[Event]], first: int, loops_and_events: int
) -> None:
    shapes = {shape(fold(sequence(n))) for n in range(first, first + 5)}
    assert len(shapes) == 1
    assert str(shapes).count("Atom(") + str(shapes).count("Loop(") == loops_and_events


def test_decreasing_loops_end_with_their_shortest_turns() -> None:
    bubbles: list[Event] = [("s", (j,)) for i in range(6) for j in range(6 - i)]
    assert fold(bubbles) == (Loop((6,), (Loop((6, -1), (Atom("s", ((0, 0, 1),)),)),)),)


def test_a_loop_starts_where_its_turn_does() -> None:
    """Even though the blocks that are first seen to be alike begin in the middle of a turn."""
    (loop,) = fold(nests.loops_in_sequence(7))
    assert isinstance(loop, Loop)
    assert loop.trip == (7,)
    assert [type(term) for term in loop.body] == [Atom, Loop, Loop]


def test_nothing_and_single_events_stay_as_they_are() -> None:
    assert fold([]) == ()
    assert fold([("s", ())]) == (Atom("s", ()),)
    assert fold([("s", ())] * 3) == (Loop((3,), (Atom("s", ()),)),)


def test_two_turns_are_no_loop() -> None:
    assert fold([("s", (1,)), ("s", (2,))]) == (Atom("s", ((1,),)), Atom("s", ((2,),)))


def test_weight_counts_terms_and_numbers() -> None:
    terms: tuple[Term[int], ...] = (Loop((3,), (Atom("s", ((0, 1), (0, 0))),)),)
    assert description_length(terms) == 4


@given(events | plain)
def test_unfolding_is_the_inverse_of_every_folding(sequence: list[Event]) -> None:
    found = foldings(sequence)
    assert all(unfold(terms) == sequence for terms in found)
    assert [description_length(terms) for terms in found] == sorted(map(description_length, found))
    assert fold(sequence) == found[0] == fold(tuple(sequence))


@given(nests.terms(), st.integers(2, 6))
def test_nests_fold_to_no_more_than_their_events(nest: tuple[Term[nests.Line], ...], n: int) -> None:
    sequence = unfold(nests.at(nest, n))
    terms = fold(sequence)
    assert unfold(terms) == sequence
    assert description_length(terms) <= sum(1 + sum(number != 0 for number in vector) for _, vector in sequence)


@given(nests.terms(), st.integers(0, 5))
def test_reversed_nests_run_backwards(nest: tuple[Term[nests.Line], ...], n: int) -> None:
    terms = nests.at(nest, n)
    assert unfold(reverse(terms)) == unfold(terms)[::-1]
