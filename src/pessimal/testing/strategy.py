"""The conformance check of strategies, on insertion sort of four elements."""

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
from pessimal.testing.programs import insertion_sort

SIZE = 4
WORST = SIZE * (SIZE - 1) // 2
PATHS = 60


@dataclass
class _Search:
    """One search of the function under test, and what came of it."""

    session: SearchSession
    messages: list[SearchMessage] = field(default_factory=list)
    stopped: str = ""


def _search(strategy: Strategy, paths: int, seed: int = 0, snapshot: Snapshot | None = None) -> _Search:
    messages: list[SearchMessage] = []
    session = SearchSession(
        InProcess(insertion_sort, SIZE),
        Budget(seconds=60.0, paths=paths),
        seed=seed,
        run_seconds=10.0,
        send=messages.append,
        snapshot=snapshot,
    )
    return _Search(session, messages, session.conduct(strategy))


def check_strategy(make: Callable[[], Strategy]) -> None:
    """Check that a strategy fulfils the contract of :class:`pessimal.strategy.Strategy`."""
    _check_shape(make())
    first, second = _search(make(), PATHS), _search(make(), PATHS)
    expect(first.session.best == second.session.best, "the same seed must give the same result")
    paths = [search.session.counters.paths for search in (first, second)]
    expect(paths[0] == paths[1], "the same seed must give the same number of paths")
    expect(paths[0] > 0, "search() must run the target at least once")
    _check_proof(first.session)
    _check_end(make())
    _check_resuming(make)


def _check_shape(strategy: Strategy) -> None:
    expect(isinstance(strategy, Strategy), "a strategy needs a name and a method search(session)")
    expect(bool(strategy.name) and strategy.name == strategy.name.lower(), "the name must be a lower-case word")


def _check_proof(session: SearchSession) -> None:
    withdrawn = None if session.attack is None else session.attack.withdrawn
    expect(withdrawn is None, f"it claims a proof, but {withdrawn}")
    if session.proof is not None:
        cost = session.best.cost if session.best else None
        expect(cost == WORST, f"it claims a proof for {cost}, but {WORST} is possible")


def _check_end(strategy: Strategy) -> None:
    """The session ends a search by raising SearchOver; a strategy that catches it would never end."""
    session = _search(strategy, paths=1).session
    expect(session.counters.paths <= 1 + session.counters.infeasible, "SearchOver must pass through search()")
    try:
        session.run()
    except SearchOver:
        return
    raise ConformanceError("the budget was exceeded: let SearchOver pass through search()")


def _check_resuming(make: Callable[[], Strategy]) -> None:
    """A search that is interrupted and resumed must give the same result as one without interruption."""
    half = make()
    before = _search(half, PATHS // 2)
    if state_of(half) is None:
        return
    snapshot = Snapshot.from_json(json.loads(json.dumps(before.session.snapshot().to_json())))
    resumed, whole = _search(make(), PATHS, snapshot=snapshot), _search(make(), PATHS)
    expect(resumed.session.best == whole.session.best, "state() and restore() must lead to the same result")
