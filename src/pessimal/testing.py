"""Conformance checks that authors of plug-ins run on their own classes; our own tests run them on ours.

from pessimal.testing import check_strategy

def test_my_strategy():
    check_strategy(MyStrategy)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pessimal.cost import find
from pessimal.expr import Leaf
from pessimal.inputs import Domain, Inputs
from pessimal.messages import SearchMessage, Snapshot
from pessimal.python.concrete import Concrete
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.search.base import SearchOver, Strategy, state_of
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.solve import Statistics
from pessimal.trace import Trace

SIZE = 4
WORST = SIZE * (SIZE - 1) // 2
PATHS = 60


class ConformanceError(AssertionError):
    """The plug-in breaks the contract, in the words of the message."""


def insertion_sort(xs: list[int]) -> None:
    """What strategies are tried on: its worst case of N elements is N(N-1)/2 branches."""
    for i in range(1, len(xs)):
        x, j = xs[i], i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x


class InProcess:
    """A front-end without processes or guards, for functions that are known to behave."""

    def __init__(self, function: Callable[..., Any], size: int) -> None:
        self.name = function.__name__
        self.size = size
        self._function = function
        self.inputs = Inputs.of(function, size)
        self.initial: list[Leaf] = self.inputs.initial()
        self._symbolic = Symbolic(function, self.inputs)
        self._cost = find("branches")
        self._concrete = Concrete(function, self.inputs.decode, self._cost, timeout=TimeoutError)

    @property
    def domains(self) -> Sequence[Domain]:
        """The domains of the leaves."""
        return self.inputs.domains

    def resized(self, size: int) -> InProcess:
        """The same function at another size."""
        return InProcess(self._function, size)

    @property
    def path_determined(self) -> bool:
        """Branches are a matter of the path alone."""
        return True

    @property
    def statistics(self) -> Statistics:
        """What solving cost."""
        return self._symbolic.statistics

    def run(self, request: Request, seconds: float) -> Trace:
        """One symbolic execution."""
        return self._symbolic.run(request)

    def evaluate(self, leaves: Sequence[Leaf], seconds: float) -> Trace:
        """One concrete execution."""
        return self._concrete.run(list(leaves))

    def cost(self, trace: Trace, seconds: float) -> float:
        """The number of branches."""
        return trace.costs.get("branches", trace.length)


@dataclass
class _Watched:
    """One search on the reference target, with everything that the strategy did."""

    session: SearchSession
    messages: list[SearchMessage] = field(default_factory=list)
    stopped: str = ""


def _search(strategy: Strategy, paths: int, seed: int = 0, snapshot: Snapshot | None = None) -> _Watched:
    messages: list[SearchMessage] = []
    session = SearchSession(
        InProcess(insertion_sort, SIZE),
        Budget(seconds=60.0, paths=paths),
        seed=seed,
        run_seconds=10.0,
        send=messages.append,
        snapshot=snapshot,
    )
    return _Watched(session, messages, session.conduct(strategy))


def check_strategy(make: Callable[[], Strategy]) -> None:
    """Check that a strategy keeps the contract of :class:`pessimal.search.base.Strategy`."""
    _check_shape(make())
    first, second = _search(make(), PATHS), _search(make(), PATHS)
    _expect(first.session.best == second.session.best, "the same seed must give the same result")
    _expect(first.session.counters.paths == second.session.counters.paths, "the same seed must give as many paths")
    _expect(first.session.counters.paths > 0, "search() must run the target at least once")
    _check_proof(first.session)
    _check_end(make())
    _check_resuming(make)


def _check_shape(strategy: Strategy) -> None:
    _expect(isinstance(strategy, Strategy), "a strategy needs a name and search(session)")
    _expect(bool(strategy.name) and strategy.name == strategy.name.lower(), "the name must be a lower-case word")


def _check_proof(session: SearchSession) -> None:
    if session.proof is not None:
        cost = session.best.cost if session.best else None
        _expect(cost == WORST, f"claims a proof for {cost}, but {WORST} is possible")


def _check_end(strategy: Strategy) -> None:
    """The session ends a search by raising; a strategy that swallows that would never end."""
    session = _search(strategy, paths=1).session
    _expect(session.counters.paths <= 1 + session.counters.infeasible, "SearchOver must pass through search()")
    try:
        session.run()
    except SearchOver:
        return
    raise ConformanceError("the budget was not kept: let SearchOver pass through search()")


def _check_resuming(make: Callable[[], Strategy]) -> None:
    """Half a search and its continuation must come to the same place as one without a break."""
    half = make()
    before = _search(half, PATHS // 2)
    state = state_of(half)
    if state is None:
        return
    state = json.loads(json.dumps(state))
    snapshot = Snapshot(before.session.counters, before.session.best, state)
    resumed, whole = _search(make(), PATHS, snapshot=snapshot), _search(make(), PATHS)
    _expect(resumed.session.best == whole.session.best, "state() and restore() must lead to the same result")


def _expect(truth: bool, message: str) -> None:
    if not truth:
        raise ConformanceError(message)
