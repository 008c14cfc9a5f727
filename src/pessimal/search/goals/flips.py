"""``flips``: takes the outcomes that paths did not take, one after the other, by descending the distance to each."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import inf
from typing import Any

from pessimal.errors import NotSymbolicError, UsageError
from pessimal.search.goals.algorithms import algorithm
from pessimal.search.goals.landscape import Input, Reached
from pessimal.strategy import Session
from pessimal.trace import Trace

DESCENT, MOST_POSITIONS = 150, 80
"""How many inputs are run to flip one branch, and how many branches of one path are flipped."""


class Observer:
    """Runs inputs so that their distances are known: measured in a concrete run, else by the conditions of its path.

    Where nothing is measured in the first run, such as in code without source, no other one is measured.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._is_measured = self._is_symbolic = self._is_first = True

    def run(self, leaves: Input) -> Trace:
        """The path of an input with its distances."""
        if self._is_measured:
            trace = self._session.approach(leaves)
            is_first, self._is_first = self._is_first, False
            if trace is not None and (trace.sites or not is_first):
                return trace
            self._is_measured = False
        if self._is_symbolic:
            try:
                return self._session.run(start=leaves)
            except NotSymbolicError:
                self._is_symbolic = False
        return self._session.observe(leaves)


class Flips:
    """Flips branches of the paths that are known, then of those that are found.

    ``runs`` is how many inputs are run for one of them, ``by`` the algorithm that descends.
    """

    name = "flips"
    stop_after = 10.0

    def __init__(self, runs: int = DESCENT, by: str = "avm") -> None:
        if runs < 1:
            raise UsageError(f"runs must be at least 1, but is {runs}")
        self.runs = runs
        self._algorithm = algorithm(by)
        self._wanted: set[tuple[int, int]] = set()

    def search(self, session: Session) -> None:
        """Flip until the session ends the search."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Flip, and yield after each descent: to outcomes that are wanted first."""
        observer = Observer(session)
        waiting = deque([observer.run(list(session.initial))])
        yield
        while session.domains:
            if not waiting:
                waiting.append(observer.run([domain.sample(session.rng) for domain in session.domains]))
                yield
            trace = waiting.popleft()
            positions = range(min(len(trace), MOST_POSITIONS))
            for position in sorted(positions, key=lambda at: not session.wants(trace.sites[at])):
                for outcome in range(trace.arity(position)):
                    if outcome != trace.decisions[position] and self._is_new(trace, position, outcome):
                        waiting += self._flip(session, observer, trace, position, outcome)
                        yield

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a search that is resumed starts anew."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""

    def _is_new(self, trace: Trace, position: int, outcome: int) -> bool:
        key = hash((tuple(map(id, trace.sites[: position + 1])), bytes(trace.decisions[:position]))), outcome
        is_new = key not in self._wanted
        self._wanted.add(key)
        return is_new

    def _flip(self, session: Session, observer: Observer, trace: Trace, position: int, outcome: int) -> list[Trace]:
        path = bytes(trace.decisions[:position]) + bytes([outcome])
        descent = _Flip(session, observer, path, self.runs)
        with suppress(Reached):
            self._algorithm.descend(descent, list(trace.leaves))
        return [] if descent.found is None else [descent.found]


class _Flip:
    """The landscape of one flip: how far along the path an input comes, and how near it is to leaving it there."""

    def __init__(self, session: Session, observer: Observer, path: bytes, runs: int) -> None:
        self._observer = observer
        self._path = path
        self._left = runs
        self.domains, self.rng = session.domains, session.rng
        self.found: Trace | None = None

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The value of each input: 0 if it takes the wanted outcome."""
        return [self._value(leaves) for leaves in inputs]

    def _value(self, leaves: Input) -> float:
        if self._left <= 0:
            raise Reached
        self._left -= 1
        trace = self._observer.run(leaves)
        pairs = enumerate(zip(self._path, trace.decisions, strict=False))
        at = next((i for i, (wanted, taken) in pairs if wanted != taken), min(len(self._path), len(trace)))
        if at == len(self._path):
            self.found = trace
            raise Reached
        distances = trace.distances(at) if at < len(trace) else ()
        wanted = self._path[at]
        distance = distances[wanted] if wanted < len(distances) else 1.0
        return len(self._path) - 1 - at + distance / (distance + 1.0) if distance < inf else float(len(self._path) - at)
