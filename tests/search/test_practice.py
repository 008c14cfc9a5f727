"""Practice: the same target at another size, within the same budget, and nobody else's business."""

from dataclasses import replace

import pytest

from pessimal.errors import UsageError
from pessimal.messages import Snapshot
from pessimal.search.exhaustive import Exhaustive
from pessimal.search.options import natural, number, sizes, truth
from pessimal.strategy import SearchOver
from pessimal.testing import InProcess
from pessimal.trace import Outcome
from tests.search.watching import Watched, watched
from tests.subjects.insertion_sort import insertion_sort


def session(paths=None, **options):
    return Watched(insertion_sort, 6, paths, **options)


def test_it_is_the_target_at_another_size():
    here = session()
    field = here.at(3)
    assert (field.size, here.size, len(field.domains), len(field.initial)) == (3, 6, 3, 3)
    assert field.rng is not here.rng  # a resumed search practises the same
    assert field.evaluate([3, 2, 1]) == 3
    trace = field.run(start=[3, 2, 1])
    assert field.cost(trace) == 3
    assert field.at(4).size == 4
    assert here.at(3) is field
    assert field.at(6).evaluate([6, 5, 4, 3, 2, 1]) == 15


def test_nothing_that_is_found_there_is_reported():
    here = session()
    field = here.at(8)
    Exhaustive().search(here.at(3))
    field.evaluate([8, 7, 6, 5, 4, 3, 2, 1])
    field.diverged(field.run())
    field.count_infeasible(9)
    field.claim("tree exhausted")
    counters = here.counters
    assert (here.best, here.proof, here.traces) == (None, None, [])
    assert (counters.paths, counters.runs, counters.infeasible, counters.divergence, counters.failed) == (
        0,
        0,
        0,
        None,
        0,
    )
    assert counters.practised == 6 + 2
    assert field.is_exhausted
    assert here.at(3).is_exhausted
    assert not here.at(4).is_exhausted


def test_its_runs_are_not_paths_but_end_with_the_budget():
    here = session(paths=1)
    field = here.at(3)
    for _ in range(5):
        field.run()
    here.run()
    for use in (field.run, lambda: field.evaluate([1, 2, 3])):
        with pytest.raises(SearchOver, match="1 paths"):
            use()
    assert here.counters.practised == 5


def test_an_input_that_does_not_end_well_has_no_cost():
    class Picky(InProcess):
        def evaluate(self, leaves, seconds, recording=False):
            trace = super().evaluate(leaves, seconds, recording)
            trace.outcome = Outcome.REJECTED
            return trace

        def resized(self, size):
            return Picky(insertion_sort, size)

    here = session(front=Picky)
    assert here.at(3).evaluate([3, 2, 1]) == -float("inf")


def test_learning_is_timed_wherever_it_happens():
    here = session()
    with here.learning(), pytest.raises(KeyError), here.at(3).learning():
        raise KeyError
    assert here.counters.learning_seconds > 0


def product(xs: list[int]) -> int:
    """A solver is needed for the last of its branches."""
    return 1 if xs[0] > 1 and xs[1] > 1 and xs[0] * xs[1] == 35 else 0


def test_solving_is_counted_in_practice_too():
    class Practises:
        name = "practises"

        def search(self, session):
            Exhaustive().search(session.at(2))
            self.after_practice = session.solver_calls
            Exhaustive().search(session.at(3))

    strategy = Practises()
    done = watched(product, 4, strategy, None)
    calls, seconds = zip(*((field.calls, field.seconds) for field in solving(done, 4, 2, 3)), strict=True)
    assert calls[0] == seconds[0] == 0.0
    assert min(calls[1:]) > 0
    assert (done.counters.solver_calls, done.counters.solver_seconds) == (sum(calls), sum(seconds))
    assert strategy.after_practice == calls[1]
    counters = done.counters
    again = watched(product, 4, strategy, None, snapshot=Snapshot(replace(counters)))
    assert again.counters.solver_calls == 2 * counters.solver_calls
    assert again.counters.solver_seconds == pytest.approx(
        counters.solver_seconds + sum(field.seconds for field in solving(again, 2, 3))
    )


def solving(session, *sizes):
    """What solving cost at each size; that of the search itself is first if it is named."""
    return [(session._front_end if size == session.size else session.at(size).front_end).statistics for size in sizes]


class Tells:
    """A strategy that speaks for others."""

    name = "tells"

    def search(self, session):
        assert session.current_strategy == "tells"
        session.evaluate([1, 2, 3, 4, 5, 6])
        session.current_strategy = "another"
        session.evaluate([1, 3, 2, 4, 5, 6])
        session.current_strategy = "third"
        session.evaluate([1, 2, 3, 4, 5, 6])
        session.evaluate([6, 5, 4, 3, 2, 1])
        session.evaluate([6, 5, 4, 3, 2, 1])


@pytest.mark.parametrize(
    ("stop_at", "found_run", "found_by", "stopped"),
    [
        (None, 4, "third", "nothing left to try"),
        (5, 1, "tells", "a cost of 5 was enough"),
        (6, 2, "another", "a cost of 6 was enough"),
        (15, 4, "third", "a cost of 15 was enough"),
        (16, 4, "third", "nothing left to try"),
    ],
)
def test_who_found_the_best_and_when_and_a_cost_that_is_enough(stop_at, found_run, found_by, stopped):
    done = watched(insertion_sort, 6, Tells(), None, stop_at=stop_at)
    assert (done.counters.found_run, done.counters.found_by, done.stopped) == (found_run, found_by, stopped)


@pytest.mark.parametrize(
    ("given", "read"), [("3,4", [3, 4]), (" 3 , 4 ", [3, 4]), (5, [5]), ([1, 2], [1, 2]), ((0,), [0]), ("7", [7])]
)
def test_sizes(given, read):
    assert sizes("train", given) == read


@pytest.mark.parametrize("given", ["", "x", "3,,4", -1, [1.0], [True], 2.5, [[1]]])
def test_sizes_that_are_none(given):
    with pytest.raises(UsageError, match="train must be a list of sizes such as 3,4, but is"):
        sizes("train", given)


def test_numbers_and_truths():
    assert (natural("n", 0), natural("n", 3, 3)) == (0, 3)
    assert (number("x", 1, 0, 1), number("x", 0.5, 0, 1)) == (1, 0.5)
    assert [truth("t", value) for value in (True, "TRUE", False, "false")] == [True, True, False, False]
    for wrong in (1, "yes", None, ""):
        with pytest.raises(UsageError, match="t must be true or false, but is"):
            truth("t", wrong)
    for low, high, allowed in (
        (0, 1, "between 0 and 1"),
        (0, float("inf"), "at least 0"),
        (-float("inf"), -5, "at most -5"),
    ):
        with pytest.raises(UsageError, match=f"x must be {allowed}, but is -2"):
            number("x", -2, low, high)
