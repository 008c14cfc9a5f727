"""Programs are what all sizes share; they expand to exactly the events that unfolding gives."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.synthesis.expand import count, expand
from pessimal.synthesis.program import Program, fit_programs
from pessimal.synthesis.terms import Event, NoModel, Term
from tests.synthesis import nests
from tests.synthesis.nests import fold, in_order, unfold


def unify(folded):
    """The simplest program of them all."""
    return next(fit_programs(folded))


def learned(sequence: nests.Callable[[int], list[Event]], *sizes: int) -> Program:
    return unify({n: fold(sequence(n)) for n in sizes})


def test_insertion_sort_reads_as_a_person_would_write_it() -> None:
    program = learned(nests.insertion_sort, 5, 6, 7, 8)
    assert program.text() == "for i in range(n - 1):\n    for j in range(i + 1):\n        s(i - j, i + 1)"
    assert program.symbols == {"s"}
    assert program.count(5000) == 5000 * 4999 // 2


def test_coefficients_may_depend_on_the_size() -> None:
    program = learned(nests.matrices, 3, 4, 5, 6)
    assert program.text().splitlines()[-1].strip() == "m(n * i + k, j + n * k + n * n)"
    assert in_order(program.expand(9)) == nests.matrices(9)


def test_trips_that_decrease_are_written_from_the_size_down() -> None:
    program = learned(nests.loops_in_sequence, 6, 7, 8)
    assert "for j in range(n - i):" in program.text()


@pytest.mark.parametrize("sequence", nests.KNOWN)
def test_known_nests_expand_exactly(sequence: nests.Callable[[int], list[Event]]) -> None:
    program = learned(sequence, 7, 8, 9, 10, 12)
    for n in (2, 13, 21):
        expansion = program.expand(n)
        assert in_order(expansion) == sequence(n)
        assert expansion.total == program.count(n) == len(sequence(n))
        assert unfold(program.at(n)) == sequence(n)


def event_text(program: Program, n: int) -> list[Event]:
    """The events that the text of a program has if it is run as Python."""
    events: list[Event] = []

    def recorder(symbol: str) -> nests.Callable[..., None]:
        return lambda *numbers: events.append((symbol, numbers))

    exec(program.text(), {"n": n, **{str(symbol): recorder(str(symbol)) for symbol in program.symbols}})
    return events


@pytest.mark.parametrize("sequence", [*nests.KNOWN, nests.strided, nests.downhill])
def test_the_text_is_python_that_means_the_same(sequence: nests.Callable[[int], list[Event]]) -> None:
    program = learned(sequence, 7, 8, 9, 10, 11, 12)
    assert all(event_text(program, n) == sequence(n) for n in (2, 9, 20, 21))


def test_a_large_nest_is_made_of_small_numbers() -> None:
    expansion = learned(nests.insertion_sort, 5, 6, 7, 8).expand(2001, ordered=False)
    rows = expansion.rows["s"]
    assert expansion.total == 2001 * 2000 // 2
    assert rows.order is None
    assert rows.values.dtype == np.int32
    assert rows.values.shape == (expansion.total, 2)
    assert rows.values[-1].tolist() == [0, 2000]
    with pytest.raises(ValueError, match="without the order"):
        in_order(expansion)


def test_numbers_that_need_them_have_64_bits() -> None:
    program = unify({n: fold([("s", (i * 10**6 * n,)) for i in range(n)]) for n in range(4, 8)})
    assert program.expand(10).rows["s"].values.dtype == np.int32
    values = program.expand(3000).rows["s"].values
    assert values.dtype == np.int64
    assert values[-1].tolist() == [2999 * 3000 * 10**6]


@pytest.mark.parametrize("sequence", nests.KNOWN)
def test_json_keeps_programs(sequence: nests.Callable[[int], list[Event]]) -> None:
    program = learned(sequence, 7, 8, 9, 10)
    assert Program.from_json(json.loads(json.dumps(program.to_json()))) == program


def test_json_keeps_symbols_that_are_tuples() -> None:
    program = unify({n: fold([(("site", 3, True), (i,)) for i in range(n)]) for n in (4, 5, 6)})
    assert Program.from_json(json.loads(json.dumps(program.to_json()))).symbols == {("site", 3, True)}


def test_a_number_without_a_law_is_refused_with_its_values() -> None:
    trips = {4: 3, 5: 5, 6: 9, 7: 14}
    with pytest.raises(NoModel, match="the trip of loop 1 is 3, 5, 9, 14 at sizes 4, 5, 6, 7, which no law fits"):
        unify({n: fold([("s", (i,)) for i in range(trip)]) for n, trip in trips.items()})


def test_different_shapes_are_refused() -> None:
    with pytest.raises(NoModel, match="the sequence at size 4 has 1 loops and events, but 2 at size 5"):
        unify({4: fold([("s", (1,))]), 5: fold([("s", (1,)), ("s", (1,))])})
    with pytest.raises(NoModel, match="of other kinds"):
        unify({4: fold([("s", (1,))]), 5: fold([("t", (1,))])})


def test_events_of_one_symbol_must_have_equally_many_numbers() -> None:
    with pytest.raises(NoModel, match="1 numbers here and 2 there"):
        unify({n: fold([("s", (1,)), ("s", (1, 2))]) for n in (4, 5)})


def test_nothing_is_refused() -> None:
    with pytest.raises(NoModel, match="no sequences"):
        unify({})


def test_empty_programs_have_no_events() -> None:
    program = unify({4: (), 5: ()})
    assert program.count(9) == 0
    assert program.expand(9).rows == {}
    assert program.text() == ""


@given(nests.terms(), st.integers(0, 6))
def test_expansion_equals_unfolding(nest: tuple[Term[nests.Line], ...], n: int) -> None:
    terms = nests.at(nest, n)
    events = unfold(terms)
    assert in_order(expand(terms)) == events
    assert count(terms) == len(events)
    unordered = expand(terms, ordered=False)
    assert sum(len(rows.values) for rows in unordered.rows.values()) == len(events)
