"""The contract of strategies, tried on insertion sort of four elements."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from pessimal.conformance import ConformanceError, expect
from pessimal.messages import SearchMessage, Snapshot
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.strategy import SearchOver, Strategy, state_of
from pessimal.testing.in_process import InProcess

SIZE = 4
WORST = SIZE * (SIZE - 1) // 2
PATHS = 60


def insertion_sort(xs: list[int]) -> None:
    """What strategies are tried on: its worst case of N elements is N(N-1)/2 branches."""
    for i in range(1, len(xs)):
        x, j = xs[i], i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x


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
    """Check that a strategy keeps the contract of :class:`pessimal.strategy.Strategy`."""
    _check_shape(make())
    first, second = _search(make(), PATHS), _search(make(), PATHS)
    expect(first.session.best == second.session.best, "the same seed must give the same result")
    expect(first.session.counters.paths == second.session.counters.paths, "the same seed must give as many paths")
    expect(first.session.counters.paths > 0, "search() must run the target at least once")
    _check_proof(first.session)
    _check_end(make())
    _check_resuming(make)


def _check_shape(strategy: Strategy) -> None:
    expect(isinstance(strategy, Strategy), "a strategy needs a name and search(session)")
    expect(bool(strategy.name) and strategy.name == strategy.name.lower(), "the name must be a lower-case word")


def _check_proof(session: SearchSession) -> None:
    if session.proof is not None:
        cost = session.best.cost if session.best else None
        expect(cost == WORST, f"claims a proof for {cost}, but {WORST} is possible")


def _check_end(strategy: Strategy) -> None:
    """The session ends a search by raising; a strategy that swallows that would never end."""
    session = _search(strategy, paths=1).session
    expect(session.counters.paths <= 1 + session.counters.infeasible, "SearchOver must pass through search()")
    try:
        session.run()
    except SearchOver:
        return
    raise ConformanceError("the budget was not kept: let SearchOver pass through search()")


def _check_resuming(make: Callable[[], Strategy]) -> None:
    """Half a search and its continuation must come to the same place as one without a break."""
    half = make()
    before = _search(half, PATHS // 2)
    if state_of(half) is None:
        return
    snapshot = Snapshot.from_json(json.loads(json.dumps(before.session.snapshot().to_json())))
    resumed, whole = _search(make(), PATHS, snapshot=snapshot), _search(make(), PATHS)
    expect(resumed.session.best == whole.session.best, "state() and restore() must lead to the same result")
