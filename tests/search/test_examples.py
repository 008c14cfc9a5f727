"""Examples: the worst paths of small sizes, equally bad ones side by side, kept over a break."""

import json
from math import inf

import pytest

from pessimal.errors import UsageError
from pessimal.search.examples import MAX_KEPT, Collection, Examples
from pessimal.search.rule_learning import coincidences
from pessimal.testing import InProcess
from pessimal.trace import Outcome, Site, Trace
from tests.search.watching import Watched
from tests.subjects import bst, insertion_sort, shapes
from tests.subjects.insertion_sort import insertion_sort as sort


def collected(target, size, *rounds, paths=None, **options):
    """The examples of a target below a size, and the session."""
    collection, session = Collection(**options), Watched(target, size, paths)
    for wanted, largest in rounds or [(100, 7)]:
        for _ in collection.steps(session, wanted, largest):
            pass
    return collection, session


def costs(collection):
    return {size: found.cost for size, found in sorted(collection.by_size.items())}


HERE = Site("f.py", "f", 1, 0, "x")


def path(*decisions, **rest):
    """A trace of these decisions at one site, without conditions."""
    return Trace([HERE] * len(decisions), [None] * len(decisions), bytearray(decisions), **rest)


# One size.


def test_only_the_worst_paths_are_kept():
    examples = Examples()
    for trace, cost in [(path(1, 0), 2), (path(0), 1), (path(1, 1, 0), 3), (path(0, 0, 0), 3), (path(1, 1, 0), 3)]:
        examples.consider(trace, cost)
    assert examples.cost == 3
    assert sorted(bytes(item.decisions) for item in examples.paths) == [bytes([0, 0, 0]), bytes([1, 1, 0])]


def test_at_most_so_many_are_kept_and_the_simplest_come_first():
    examples = Examples()
    for number in range(200):
        examples.consider(path(*(int(digit) for digit in f"{number:08b}")), 8)
    assert len(examples.paths) == MAX_KEPT
    ranks = [item.rank for item in examples.paths]
    assert ranks == sorted(ranks)
    simple = path(*[1] * 8)
    examples.consider(simple, 8)
    assert simple in [item.trace for item in examples.paths]
    assert len(examples.paths) == MAX_KEPT


def test_paths_that_were_cut_or_did_not_go_their_own_way_are_no_examples():
    examples = Examples()
    examples.consider(path(1, truncated=True), 9)
    examples.consider(path(1, refused="no"), 9)
    assert (examples.cost, examples.paths) == (-inf, [])


def test_ties_of_the_worst_case_are_all_found():
    """Each element of the worst lists but the first may be the least so far or as small as the least."""
    collection, _ = collected(sort, 6)
    assert [len(collection.by_size[n].paths) for n in (1, 2, 3, 4)] == [1, 2, 4, 8]
    assert len(collection.by_size[5].paths) == MAX_KEPT
    for n, found in collection.by_size.items():
        assert {item.trace.length for item in found.paths} == {found.cost} == {insertion_sort.longest(n)}
        assert [coincidences(item.trace) for item in found.paths] == sorted(
            coincidences(item.trace) for item in found.paths
        )


# All sizes.


def test_sizes_from_one_up_to_the_largest_without_the_wanted():
    assert list(costs(collected(bst.build, 30, (50, 6))[0])) == [1, 2, 3, 4, 5, 6]
    assert list(costs(collected(bst.build, 5, (50, 6))[0])) == [1, 2, 3, 4, 6]


def test_the_worst_cases_are_found():
    assert costs(collected(shapes.valley, 30)[0]) == {n: shapes.longest_valley(n) for n in range(1, 8)}


def test_sizes_that_are_asked_for():
    found = costs(collected(sort, 40, (100, 5), sizes=[3, 6, 11])[0])
    assert found == {n: insertion_sort.longest(n) for n in (3, 6, 11)}


def test_sizes_that_are_known_completely_are_not_searched_again():
    collection, session = collected(sort, 6, (200, 3))
    assert [n for n, found in collection.by_size.items() if found.is_complete] == [1, 2, 3]
    before = session.counters.practised
    list(collection.steps(session, 5000, 3))
    assert session.counters.practised == before


def test_sizes_are_searched_again_with_more_paths_alone():
    collection, session = collected(bst.build, 30, (20, 7))
    before = session.counters.practised
    list(collection.steps(session, 20, 7))
    assert session.counters.practised == before
    list(collection.steps(session, 30, 7))
    assert session.counters.practised > before


def test_more_paths_find_no_less():
    once, _ = collected(bst.build, 9, (10, 6))
    twice, _ = collected(bst.build, 9, (10, 6), (100, 7))
    assert all(twice.by_size[n].cost >= found.cost for n, found in once.by_size.items())
    assert max(twice.by_size) == 7


def test_sizes_end_where_paths_are_long():
    def cubic(xs: list[int]) -> int:
        n = len(xs)
        return sum(xs[i] > k for i in range(n) for _ in range(n * n) for k in range(n) if xs[i] > k)

    found = costs(collected(cubic, 50, (10, 9))[0])
    assert max(found) < 9
    assert sorted(costs(collected(cubic, 50, (3, 9), sizes=[1, 7])[0])) == [1, 7]


def test_a_size_where_no_run_ends_has_no_examples():
    class Hanging(InProcess):
        def run(self, request, seconds):
            return self._hung(super().run(request, seconds))

        def evaluate(self, leaves, seconds, recording=False):
            return self._hung(super().evaluate(leaves, seconds, recording))

        def resized(self, size):
            return Hanging(sort, size)

        def _hung(self, trace):
            if self.size == 3:
                trace.outcome = Outcome.TIMED_OUT
            return trace

    collection, session = Collection(), Watched(sort, 8, None, front=Hanging)
    list(collection.steps(session, 30, 6))
    assert (collection.by_size[3].cost, collection.by_size[3].paths) == (-inf, [])
    assert [collection.by_size[n].cost for n in (2, 4, 6)] == [1, 6, 15]


def test_no_input_of_some_sizes():
    class Picky(InProcess):
        def resized(self, size):
            if size in (2, 3):
                raise UsageError(f"no input of size {size}")
            return super().resized(size)

    collection, session = Collection(), Watched(sort, 9, None, front=Picky)
    with pytest.raises(UsageError, match="no input of size 3"):
        list(Collection(sizes=[1, 3]).steps(session, 30, 6))
    list(collection.steps(session, 30, 6))
    assert {2, 3}.isdisjoint(collection.by_size)
    assert collection.by_size[6].cost == 15


# Inputs of the user's.


def test_given_inputs_are_all_that_is_run():
    collection, session = Collection(), Watched(sort, 30, None)
    collection.given = [(n, insertion_sort.worst(n)) for n in (3, 5)] + [(5, [1, 2, 3, 4, 5])]
    assert len(list(collection.steps(session, 100, 10))) == 3
    assert costs(collection) == {3: 3, 5: 10}
    assert session.counters.practised == 3


# Over a break.


def test_examples_are_kept_over_a_break():
    collection, _ = collected(sort, 8, (100, 5))
    state = json.loads(json.dumps(collection.state()))
    other, session = Collection(), Watched(sort, 8, None)
    other.restore(state)
    assert other.by_size == {}
    list(other.steps(session, 100, 5))
    assert session.counters.practised == sum(map(len, state["inputs"].values()))  # all was searched before
    assert other.state() == state
    assert costs(other) == costs(collection)


@pytest.mark.parametrize("after", [0, 1, 7])
def test_nothing_is_lost_over_two_breaks(after):
    collection, _ = collected(sort, 8, (100, 5))
    state = json.loads(json.dumps(collection.state()))
    other = Collection()
    other.restore(state)
    steps = other.steps(Watched(sort, 8, None), 100, 5)
    for _ in range(after):
        next(steps)
    again = Collection()
    again.restore(json.loads(json.dumps(other.state())))
    list(again.steps(Watched(sort, 8, None), 100, 5))
    assert again.state() == state


def test_a_search_goes_on_with_what_was_found():
    collection = Collection()
    steps = collection.steps(Watched(bst.build, 9, None), 100, 6)
    for _ in range(300):
        next(steps)
    other = Collection()
    other.restore(json.loads(json.dumps(collection.state())))
    list(other.steps(Watched(bst.build, 9, None), 100, 6))
    assert costs(other) == {n: n * (n - 1) // 2 for n in range(1, 7)}


def test_the_same_seed_finds_the_same():
    first, second = (collected(bst.build, 9, (60, 7))[0].state() for _ in range(2))
    assert first == second


# Others who look.


def test_others_may_look():
    assert costs(collected(sort, 20, sources=["wise"])[0])[7] == 21
    assert costs(collected(sort, 20, sources=[])[0])[7] == 21


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sweep", "sweep cannot search for examples: it needs steps(session), state() and restore(state)"),
        ("nobody", "unknown strategy 'nobody'"),
    ],
)
def test_others_who_cannot_look(name, message):
    with pytest.raises(UsageError) as caught:
        collected(sort, 9, sources=["fixed", name])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
