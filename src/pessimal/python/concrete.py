"""Concrete runs: the target on one input, with its outcome and its cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf
from typing import Any

from pessimal.cost import BRANCHES, Cost, Meter
from pessimal.expr import Leaf
from pessimal.importing import describe
from pessimal.inputs import Maker, Native, safe_repr
from pessimal.pool.process_state import restore_builtins
from pessimal.python.counted import BranchCounter, Counted, LocateSite
from pessimal.python.sites import Sites
from pessimal.trace import COMPLETED, Outcome, Trace

MOST_RUNS = 10

Arguments = tuple[Sequence[Any], Mapping[str, Any]]


class Concrete:
    """Runs a target on leaves: with counted values, or natively where the cost is metered.

    ``timeout`` is the exception that a deadline raises inside the target. With ``counted`` false the target runs on
    plain values and no cost is taken. The tests in ``uncounted_files`` are not branches of the program. ``prepare`` is
    called before each run that is counted or measured.
    """

    def __init__(
        self,
        call: Callable[..., Any],
        decode: Callable[[Maker], Arguments],
        cost: Cost | None = BRANCHES,
        *,
        timeout: type[BaseException],
        counted: bool = True,
        uncounted_files: Collection[str] = (),
        prepare: Callable[[], None] = lambda: None,
    ) -> None:
        self._call = call
        self._decode = decode
        self._cost = cost or BRANCHES
        self._timeout = timeout
        self._counted = counted
        self._counter = BranchCounter(uncounted_files)
        self._needs_branches = self._cost.from_trace and self._cost is not BRANCHES
        self._locate: LocateSite = Sites().locate
        self._prepare = prepare
        self._largest = -inf
        self.keeps_state = False
        """Whether the target's own code did less when a call was repeated: its cost depends on earlier calls."""

    def run(self, leaves: Sequence[Leaf], recording: LocateSite | None = None, *, show_returned: bool = True) -> Trace:
        """Run once and tell how it ended and what it cost; with recording, through which branches.

        A metered cost is measured on plain values, which have no branches to record.
        """
        trace = Trace(leaves=list(leaves))
        try:
            if not self._counted:
                self._execute(trace, Native(trace.leaves), nullcontext(), show_returned)
            elif self._cost.meter is None:
                self._count(trace, recording or (self._locate if self._needs_branches else None), show_returned)
            else:
                self._measure(trace, self._cost.meter, show_returned)
        except self._timeout:  # before or after the target itself, which takes its time for a large input
            trace.outcome = Outcome.TIMED_OUT
        return trace

    def _count(self, trace: Trace, recording: LocateSite | None, show_returned: bool) -> None:
        counter = self._counter
        self._prepare()
        self._execute(trace, Counted(trace.leaves), _counting(counter, recording), show_returned)
        trace.sites, trace.decisions, trace.depths = counter.sites, counter.directions, counter.depths
        trace.conditions = [None] * len(trace.sites)
        trace.others = bytearray(len(trace.sites))
        trace.costs[BRANCHES.name] = counter.count
        if self._cost.name not in trace.costs:
            trace.costs[self._cost.name] = self._cost.of(trace)

    def _measure(self, trace: Trace, make: Callable[[], Meter], show_returned: bool) -> None:
        """Measure the cost; the largest so far is measured again, since a first run may do more than later ones."""
        name = self._cost.name
        first = self._measure_settled(trace, make, show_returned)
        for _ in range(self._cost.confirmations):
            if trace.outcome not in COMPLETED or trace.costs[name] <= self._largest:
                return
            again = Trace(leaves=trace.leaves)
            try:
                repeated = self._measure_settled(again, make, show_returned=False)
            except self._timeout:
                break
            if again.outcome not in COMPLETED:
                break  # there is no time for another run
            self.keeps_state = self.keeps_state or repeated.own_value < first.own_value
            if again.costs[name] < trace.costs[name]:
                trace.costs[name], trace.counts = again.costs[name], again.counts
        self._largest = max(self._largest, trace.costs[name])

    def _measure_settled(self, trace: Trace, make: Callable[[], Meter], show_returned: bool) -> Meter:
        """Run until nothing happens that only a first run does, such as an import."""
        meter = make()
        for _ in range(MOST_RUNS):
            self._prepare()
            self._execute(trace, Native(trace.leaves), meter, show_returned)
            trace.costs[self._cost.name], trace.counts = meter.value, meter.counts
            if meter.settled or trace.outcome is Outcome.TIMED_OUT:
                break
            meter = make()
        return meter

    def survey(self, inputs: Iterable[Sequence[Leaf]], begin: Callable[[Sequence[Leaf]], None]) -> list[float] | None:
        """The metered cost of each input, as quickly as possible; None if a run is not like the others.

        ``begin`` is called before each run. An alarm passes.
        """
        make, costs = self._cost.meter, []
        for leaves in inputs if make is not None else ():
            args, kwargs = self._decode(Native(leaves))
            self._prepare()
            begin(leaves)
            meter = make()  # type: ignore[misc]
            try:
                with meter:
                    self._call(*args, **kwargs)
            except Exception:
                pass
            if not meter.settled:
                return None
            costs.append(meter.value)
        return costs if make is not None else None

    def _execute(self, trace: Trace, maker: Maker, around: AbstractContextManager[Any], show_returned: bool) -> None:
        try:
            args, kwargs = self._decode(maker)
        except Exception as error:  # values that a constructor rejects are not an input
            trace.outcome, trace.exception = Outcome.REJECTED, describe(error)
            return
        try:
            try:
                with around:
                    returned = self._call(*args, **kwargs)
            finally:
                restore_builtins()
            trace.returned = safe_repr(returned) if show_returned else None
        except self._timeout:
            trace.outcome = Outcome.TIMED_OUT
        except BaseException as error:
            trace.outcome, trace.exception = Outcome.RAISED, describe(error)


@contextmanager
def _counting(counter: BranchCounter, recording: LocateSite | None) -> Iterator[None]:
    counter.start(recording)
    try:
        yield
    finally:
        counter.stop()
