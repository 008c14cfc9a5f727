"""A claim is attacked before it is shown: the tree of paths that it rests on is compared with runs of the target.

Leaves of the tree are run again with counted and with plain values, which must end alike and execute the same lines:
the input of the largest cost, all leaves that ended in an exception, some others. Then other inputs are run, random
ones, extreme ones and small changes of the leaves: none may cost more, or take a path that is not in the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from time import process_time

from pessimal.endings import difference
from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.inputs import Domain
from pessimal.messages import AttackReport
from pessimal.runs import Request
from pessimal.search.claimed_paths import ClaimedPaths
from pessimal.trace import COMPLETED, Outcome, Trace

RUNS = 100
"""How many other inputs are run, in addition to one for every ten paths."""
SHARE = 0.1
LEAST_SECONDS = 1.0
"""Other inputs are run for at most this share of the time that the search took, but at least for so many seconds.

These are seconds of the processor, so that a busy machine makes the same runs.
"""
_EXTREMES = tuple(
    sign * size + shift
    for size in (0, 10, 256, 2**31, 2**53, 2**63, 10**400)
    for sign in (1, -1)
    for shift in (-1, 0, 1)
)
_EXTREME_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, 1e-300, 2.0**53, 1e16, 1e308, -1e308, 1.7976931348623157e308)


class _Refuted(Exception):
    """Why the claim does not hold, and the run that shows it."""

    def __init__(self, reason: str, trace: Trace) -> None:
        super().__init__(reason)
        self.trace = trace


class Attack:
    """One attack on the claim that the paths are all there are, and that no input costs more than the worst of them.

    Without ``check_paths`` only the second part is attacked: the claim does not rest on paths. ``seconds_left`` says
    how long the attack may go on, ``run_seconds`` how long a run may take.
    """

    def __init__(
        self,
        front_end: FrontEnd,
        paths: ClaimedPaths,
        *,
        seed: int,
        run_seconds: float,
        seconds_left: Callable[[], float],
        check_paths: bool = True,
    ) -> None:
        self._front_end = front_end
        self._paths = paths
        self._rng = Random(seed)
        self._run_seconds = run_seconds
        self._seconds_left = seconds_left
        self._check_paths = check_paths and paths.is_complete
        self._runs = self._compared = 0
        self._extremes: dict[Domain, list[Leaf]] = {}
        self.counterexample: Trace | None = None

    def report(self, spent: float) -> AttackReport:
        """Attack; ``spent`` is how many seconds the search took, of which the attack takes a share."""
        try:
            self._compare_leaves()
            self._run_others(process_time() + max(LEAST_SECONDS, SHARE * spent))
        except _Refuted as refuted:
            self.counterexample = refuted.trace
            call = self._front_end.describe_call(refuted.trace.leaves)
            return AttackReport(self._runs, self._compared, str(refuted), call)
        return AttackReport(self._runs, self._compared, self._left_out())

    def _left_out(self) -> str | None:
        left = len(self._known_inputs) - self._compared
        if left <= 0:
            return None
        return f"{left} of its paths were not compared with native runs, for want of time"

    @property
    def _known_inputs(self) -> list[list[Leaf]]:
        """The worst input of the paths, if there is a path that ended, and those that raise."""
        return [*([] if self._paths.maximum is None else [self._paths.worst]), *self._paths.raised]

    def _compare_leaves(self) -> None:
        for leaves in self._known_inputs:
            if self._seconds_left() <= 0:
                return
            self._run(leaves)
            self._compared += 1

    def _run_others(self, end: float) -> None:
        wanted = RUNS + len(self._paths) // 10
        done = set(map(repr, self._known_inputs))
        for leaves in self._other_inputs(wanted):
            if process_time() > end or self._seconds_left() <= 0:
                return
            if repr(leaves) not in done:
                done.add(repr(leaves))
                self._run(leaves)
                self._runs += 1

    def _run(self, leaves: Sequence[Leaf]) -> None:
        seconds = min(self._run_seconds, self._seconds_left())
        is_counted = self._check_paths or self._front_end.counts_branches
        trace = self._front_end.evaluate(leaves, seconds, recording=is_counted)
        if trace.outcome is Outcome.REJECTED:
            return
        if trace.outcome not in COMPLETED:
            if seconds == self._run_seconds or trace.known_fatal:
                raise _Refuted(f"a run is {trace.outcome.value}", trace)
            return
        cost = self._front_end.cost(trace, seconds)
        maximum = self._paths.maximum
        if maximum is not None and cost > maximum:
            raise _Refuted(f"an input costs {cost:g}, more than {maximum:g}", trace)
        if self._check_paths and trace not in self._paths:
            raise _Refuted(self._other_path(trace), trace)
        found = self._differs(trace, seconds, is_counted)
        is_cut_short = seconds < self._run_seconds and Outcome.TIMED_OUT.value in (found or "")
        if found is not None and not is_cut_short:
            raise _Refuted(f"counted and native runs differ: {found}", trace)

    def _differs(self, trace: Trace, seconds: float, is_counted: bool) -> str | None:
        """How a run differs from a native one; where nothing rests on its branches, how it ends."""
        if is_counted:
            return self._front_end.differs_natively(trace.leaves, seconds)
        native = self._front_end.native(trace.leaves, seconds)
        trace.returned = native.returned  # which is not kept where branches are not
        return difference(trace, native)

    def _other_path(self, trace: Trace) -> str:
        """What is wrong with a concrete run whose branches are those of no path."""
        symbolic = self._front_end.run(Request(start=trace.leaves), self._run_seconds)
        if symbolic.outcome in COMPLETED and symbolic in self._paths:
            return f"an input has {trace.length} branches, but {symbolic.length} in a symbolic run"
        return "an input takes a path that is not in the tree"

    def _other_inputs(self, wanted: int) -> Iterator[list[Leaf]]:
        """Some leaves as they are; then random inputs, extreme ones, and changed leaves in turn."""
        yield from self._paths.sample
        for number in range(wanted - len(self._paths.sample)):
            yield self._changed() if number % 2 and self._paths.sample else self._drawn(extreme=number % 4 == 0)

    def _drawn(self, extreme: bool) -> list[Leaf]:
        draw = self._extreme if extreme else self._sampled
        return [draw(domain) for domain in self._front_end.domains]

    def _changed(self) -> list[Leaf]:
        """The input of a path with one leaf changed."""
        leaves = list(self._rng.choice(self._paths.sample))
        if leaves:
            index = self._rng.randrange(len(leaves))
            domain = self._front_end.domains[index]
            step = domain.clip(leaves[index] + self._rng.choice((-2, -1, 1, 2)))
            leaves[index] = self._rng.choice((self._extreme(domain), self._sampled(domain), step))
        return leaves

    def _sampled(self, domain: Domain) -> Leaf:
        return domain.sample(self._rng)

    def _extreme(self, domain: Domain) -> Leaf:
        known = self._extremes.get(domain)
        if known is None:
            known = self._extremes[domain] = extremes(domain)
        return self._rng.choice(known)


def extremes(domain: Domain) -> list[Leaf]:
    """The values of a domain at its ends, and those at which numbers behave differently."""
    ends = [end for end in (domain.low, domain.high, domain.initial) if end is not None]
    if domain.kind == "float":
        near = [float(end) for end in ends]
        return [value for value in (*near, *_EXTREME_FLOATS) if value in domain]
    near_ends: Iterable[Leaf] = (end + shift for end in ends for shift in (-1, 0, 1))
    return [value for value in (*near_ends, *_EXTREMES) if value in domain]
