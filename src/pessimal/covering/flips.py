"""Flip search: new values for the inputs of one scenario that take other branches, found by symbolic runs.

It is a strategy on a session of its own. What a run is worth is what its input is worth to the search around it, which
runs the input concretely (``judge``); sites where that search has something to gain are flipped first (``wanted``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from time import monotonic
from typing import Any, Unpack

from pessimal.covering.flip_reasons import FlippedOutcomes, Reason
from pessimal.covering.flip_strategies import FlipStrategies
from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.inputs.examples import limits_of
from pessimal.objective import Verdict
from pessimal.runs import Policy, RunOptions
from pessimal.search.budget import Budget
from pessimal.search.proxy import SessionProxy
from pessimal.search.session import SearchSession
from pessimal.solve import Statistics
from pessimal.strategy import Stepwise
from pessimal.trace import Outcome, Site, Trace

RUN_SECONDS = 0.25
"""How long a symbolic run may take; what is slow is dropped."""
FIRST_RUN, SLOWER = 4.0, 2.0
"""The first run may take so many times as long. The others may take so many times as long as it did, up to that."""
MOST_RUN_SECONDS = 10.0

Judge = Callable[[list[Leaf]], float]


class FlipSearch:
    """The flips of one scenario's branches, made step by step.

    ``judge`` runs an input concretely and says what it is worth, such as the number of arcs that it is the first to
    cover; it is asked once for each input. ``wanted`` says whether another outcome at a site is worth trying for. With
    ``is_whole`` everything that can vary in the scenario is an input, and what is proved holds for all of them. Without
    ``is_alone`` other steps come first, so that what no values reach may be reached after other steps.
    """

    def __init__(
        self,
        front_end: FrontEnd,
        judge: Judge,
        wanted: Callable[[Site], bool] = lambda site: True,
        *,
        strategy: Stepwise | None = None,
        seed: int = 0,
        is_whole: bool = False,
        is_alone: bool = True,
    ) -> None:
        self._front_end = front_end
        self._is_whole = is_whole
        self._is_alone = is_alone
        self._strategy = FlipStrategies().next() if strategy is None else strategy
        objective = _Judged(judge, wanted)
        session = SearchSession(
            front_end,
            Budget(seconds=None),
            seed=seed,
            run_seconds=MOST_RUN_SECONDS,
            send=lambda message: None,
            objective=objective,
        )
        self._session = _FlipSession(session, objective)
        self._steps = self._strategy.steps(self._session)
        self._first_seconds: float | None = None
        self.is_over = False
        """Whether nothing is left to flip."""

    def search(self, seconds: float, run_seconds: float = RUN_SECONDS) -> bool:
        """Flip for so long, and at least once; whether something is left to flip."""
        end = monotonic() + seconds
        while not self.is_over:
            self._step(run_seconds)
            if monotonic() >= end:
                break
        return not self.is_over

    def _step(self, run_seconds: float) -> None:
        """Make the next run; all others build on the first one, which shows how long they take."""
        began, is_first = monotonic(), self._first_seconds is None
        most = FIRST_RUN * run_seconds
        needed = most if self._first_seconds is None else min(SLOWER * self._first_seconds, most)
        self._session.run_seconds = min(max(run_seconds, needed), MOST_RUN_SECONDS)
        self.is_over = next(self._steps, self) is self
        if is_first:
            self._first_seconds = monotonic() - began

    @property
    def statistics(self) -> Statistics:
        """What solving cost so far."""
        return copy(self._front_end.statistics)

    @property
    def counts(self) -> Counter[str]:
        """How many symbolic runs ended how, by :class:`Outcome`, and how many were ``refused``: left their own way."""
        return self._session.counts

    @property
    def flips(self) -> int:
        """How many of the runs asked the solvers for another outcome."""
        return self._session.flips

    @property
    def runs(self) -> int:
        """How many symbolic runs were made."""
        return self.counts.total() - self.counts["refused"]

    def reasons(self) -> dict[tuple[Site, int], Reason]:
        """Why outcomes of sites that were passed are not reached, as far as flips have shown."""
        is_exhausted = self._is_alone and self.is_over and bool(getattr(self._strategy, "is_exhausted", False))
        limits = limits_of(self._front_end.inputs) if is_exhausted else None
        return self._session.outcomes.reasons(limits, self._is_whole)


class _Judged:
    """The objective of a flip search: a run is worth what the judge says of its input."""

    name = "flips"
    needs_branches = False
    judges_inputs = True
    """No cost needs to be taken of a run: its input alone is judged."""

    def __init__(self, judge: Judge, wanted: Callable[[Site], bool]) -> None:
        self._ask = judge
        self._known: dict[str, float] = {}
        self.wants = wanted

    def judge(self, trace: Trace, cost: float) -> Verdict:
        """Ask the judge, unless the input was judged before."""
        key = str(trace.leaves)
        value = 0.0
        if key not in self._known:
            value = self._known[key] = self._ask(list(trace.leaves))
        return Verdict(value, is_kept=value > 0)

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a flip search is not resumed in another process."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""


class _FlipSession(SessionProxy):
    """Also judges the inputs of runs that took too long, and notes what runs show about outcomes."""

    def __init__(self, session: SearchSession, objective: _Judged) -> None:
        super().__init__(session)
        self._objective = objective
        self.outcomes = FlippedOutcomes()
        self.counts: Counter[str] = Counter()
        self.flips = 0

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution."""
        trace = super().run(policy, start, **options)
        self.flips += policy is not None
        self.outcomes.add(trace)
        self.counts[trace.outcome.value] += 1
        self.counts["refused"] += trace.refused is not None
        if trace.outcome is Outcome.TIMED_OUT:  # a concrete run of what was found until then does not take so long
            self._objective.judge(trace, 0.0)
        return trace
