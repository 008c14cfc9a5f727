"""Models are found among good and bad candidates, at few sizes, and say which sizes speak for them."""

import random
from collections.abc import Callable

import pytest
from hypothesis import assume, given

from pessimal.synthesis.family import Model, models
from pessimal.synthesis.terms import Event, NoModel, Term
from tests.profiles import examples
from tests.synthesis import nests
from tests.synthesis.nests import in_order, unfold


def first(sequence: Callable[[int], list[Event]], *sizes: int, wanted: int = 30) -> Model:
    return next(models({n: [sequence(n)] for n in sizes}, wanted))


@pytest.mark.parametrize("sequence", [*nests.KNOWN, nests.strided])
@pytest.mark.parametrize("sizes", [(3, 4, 5, 6, 7, 8), (4, 6, 9, 10, 12)])
def test_known_nests_are_found_and_expand_exactly(
    sequence: Callable[[int], list[Event]], sizes: tuple[int, ...]
) -> None:
    for wanted in (18, 19):
        model = first(sequence, *sizes, wanted=wanted)
        assert model.is_complete
        assert model.modulus == 1
        assert in_order(model.program.expand(wanted)) == sequence(wanted)


def test_sizes_too_small_for_the_structure_are_explained_by_it() -> None:
    model = first(nests.insertion_sort, 3, 4, 5, 6, 7, 8)
    assert model.fitted == (5, 6, 7, 8)
    assert model.explained == (3, 4, 5, 6, 7, 8)
    assert model.unexplained == ()


def test_two_sizes_with_the_structure_do_if_smaller_ones_confirm_it() -> None:
    model = first(nests.three_deep, 3, 4, 5, 6, 7, 8)
    assert model.fitted == (7, 8)
    assert model.explained == (3, 4, 5, 6, 7, 8)


def test_sizes_below_the_structure_may_be_otherwise() -> None:
    candidates = {n: [nests.insertion_sort(n)] for n in range(5, 9)}
    model = next(models({3: [[("other", ())]], **candidates}, 20))
    assert model.is_complete
    assert model.unexplained == (3,)


def test_structures_that_depend_on_parity_are_learned_from_sizes_of_one() -> None:
    for wanted in (20, 21):
        model = first(nests.by_parity, *range(3, 12), wanted=wanted)
        assert model.modulus == 2
        assert all(n % 2 == wanted % 2 for n in model.fitted)
        assert in_order(model.program.expand(wanted)) == nests.by_parity(wanted)


def test_trips_may_be_logarithms() -> None:
    model = first(nests.halving, 8, 12, 16, 20, 32, 64, wanted=1000)
    assert "range(n.bit_length() - 1)" in model.program.text()
    assert in_order(model.program.expand(1000)) == nests.halving(1000)


@pytest.mark.parametrize("sequence", [nests.insertion_sort, nests.loops_in_sequence, nests.tree])
def test_the_true_family_is_found_among_others(sequence: Callable[[int], list[Event]]) -> None:
    rng = random.Random(1)

    def shuffled(events: list[Event]) -> list[Event]:
        return rng.sample(events, len(events))

    candidates = {n: [shuffled(sequence(n)), sequence(n), shuffled(sequence(n))] for n in range(3, 9)}
    assert in_order(next(models(candidates, 20)).program.expand(20)) == sequence(20)


def test_families_that_only_partly_have_equal_shapes_are_told_apart() -> None:
    """Each size has a run up and a run down, in no fixed order, and one that follows no law."""

    def run(start: int, step: int, trip: int) -> list[Event]:
        return [("s", (start + step * i,)) for i in range(trip)]

    noise = {4: 11, 5: 3, 6: 17, 7: 8, 8: 2, 9: 13}
    candidates = {
        n: sorted([run(0, 1, n), run(n, -1, n), run(noise[n], 3, noise[n] + 3)], key=lambda r: hash((n, len(r))) % 7)
        for n in noise
    }
    found = [in_order(model.program.expand(20)) for model in models(candidates, 20) if model.is_complete]
    assert run(0, 1, 20) in found
    assert run(20, -1, 20) in found


def test_a_size_that_disagrees_is_named() -> None:
    candidates = {n: [nests.insertion_sort(n)] for n in range(3, 10)}
    candidates[7] = [[("s", (5, 5))] * 2]
    model = next(models(candidates, 20))
    assert not model.is_complete
    assert model.unexplained == (7,)
    assert in_order(model.program.expand(20)) == nests.insertion_sort(20)


def test_noise_is_refused_with_a_reason() -> None:
    rng = random.Random(3)
    candidates: dict[int, list[list[Event]]] = {
        n: [[("s", (rng.randrange(9),)) for _ in range(2 * n)]] for n in range(3, 9)
    }
    with pytest.raises(NoModel, match="no structure is common to 3 sizes"):
        next(models(candidates, 20))


def test_numbers_without_a_law_are_refused_with_their_values() -> None:
    trips = {4: 3, 5: 5, 6: 9, 7: 14, 8: 31}
    with pytest.raises(NoModel, match="the trip of loop 1 is 3, 5, 9, 14, 31 at sizes 4, 5, 6, 7, 8"):
        next(models({n: [[("s", (i,)) for i in range(trip)]] for n, trip in trips.items()}, 20))


def test_too_few_sizes_are_refused() -> None:
    with pytest.raises(NoModel, match="3 sizes with sequences are needed, found 2"):
        next(models({n: [nests.insertion_sort(n)] for n in (7, 8)}, 20))
    with pytest.raises(NoModel):
        next(models({}, 20))


@given(nests.terms())
@examples(40)
def test_random_nests_are_learned_from_small_sizes(nest: tuple[Term[nests.Line], ...]) -> None:
    candidates = {n: [unfold(nests.at(nest, n))] for n in range(4, 10)}
    assume(max(len(some[0]) for some in candidates.values()) < 1500)
    model = next(models(candidates, 40))
    assert model.program.count(40) == len(truth := unfold(nests.at(nest, 40)))
    assert in_order(model.program.expand(40)) == truth
