"""The algorithms as strategies of ``stress``, where they maximise the cost, and ``flips``, which explores paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from math import inf

from pessimal.errors import NotSymbolicError, UsageError
from pessimal.search.goals.algorithms import AlternatingVariable, Input, Reached, algorithm, sample
from pessimal.strategy import Session
from pessimal.trace import Trace

WORST = 1e300
DESCENT, MOST_POSITIONS = 150, 80
"""How many inputs are run to flip one branch, and how many branches of one path are flipped."""


class _Costs:
    """The landscape of a cost, upside down."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.domains, self.rng = session.domains, session.rng

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """Minus the value of each input."""
        values = [self._session.evaluate(leaves) for leaves in inputs]
        return [WORST if value == -inf else -value for value in values]


class _Descending:
    """Minimises minus the cost by one algorithm until the session ends the search."""

    name = ""
    stop_after = 10.0

    def search(self, session: Session) -> None:
        """Start from the simplest input."""
        if not session.domains:
            session.evaluate(session.initial)
            return
        algorithm(self.name).descend(_Costs(session), list(session.initial))


class Hill(_Descending):
    """Steepest descent."""

    name = "hill"


class Avm(_Descending):
    """Alternating variable, with pattern moves."""

    name = "avm"


class AvmGeometric(_Descending):
    """Alternating variable, with geometric moves."""

    name = "avm-geometric"


class AvmLattice(_Descending):
    """Alternating variable, with lattice moves."""

    name = "avm-lattice"


class Anneal(_Descending):
    """Simulated annealing."""

    name = "anneal"


class Genetic(_Descending):
    """A genetic algorithm."""

    name = "genetic"


class Probe(_Descending):
    """Steps of all sizes in all leaves at once."""

    name = "probe"


class Flips:
    """Takes the outcomes that a path did not take, one after the other, by descending the distance to each.

    ``runs`` is how many inputs are run for one of them.
    """

    name = "flips"
    stop_after = 10.0

    def __init__(self, runs: int = DESCENT) -> None:
        if runs < 1:
            raise UsageError(f"runs must be at least 1, but is {runs}")
        self.runs = runs
        self._wanted: set[tuple[int, int]] = set()
        self._is_symbolic = True

    def search(self, session: Session) -> None:
        """Flip the branches of the paths that are known, then of those that are found."""
        waiting = deque([self.observe(session, session.initial)])
        while session.domains:
            if not waiting:
                waiting.append(self.observe(session, [domain.sample(session.rng) for domain in session.domains]))
            trace = waiting.popleft()
            for position in range(min(len(trace), MOST_POSITIONS)):
                for outcome in range(trace.arity(position)):
                    if outcome != trace.decisions[position]:
                        waiting += self._flip(session, trace, position, outcome)

    def observe(self, session: Session, leaves: Input) -> Trace:
        """The path of an input with its distances: from its conditions where there are some, else as measured."""
        if self._is_symbolic:
            try:
                return session.run(start=leaves)
            except NotSymbolicError:
                self._is_symbolic = False
        return session.observe(leaves)

    def _flip(self, session: Session, trace: Trace, position: int, outcome: int) -> list[Trace]:
        key = hash((tuple(map(id, trace.sites[: position + 1])), bytes(trace.decisions[:position]))), outcome
        if key in self._wanted:
            return []
        self._wanted.add(key)
        descent = _Flip(self, session, trace.decisions[:position], outcome)
        with suppress(Reached):
            AlternatingVariable().descend(descent, list(trace.leaves))
        return [] if descent.found is None else [descent.found]


class _Flip:
    """The landscape of one flip: how far along the path an input comes, and how near it is to leaving it there."""

    def __init__(self, strategy: Flips, session: Session, before: bytearray, outcome: int) -> None:
        self._strategy = strategy
        self._session = session
        self._path = bytes(before) + bytes([outcome])
        self._left = strategy.runs
        self.domains, self.rng = session.domains, session.rng
        self.found: Trace | None = None

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """The value of each input: 0 if it takes the wanted outcome."""
        return [self._value(leaves) for leaves in inputs]

    def _value(self, leaves: Input) -> float:
        if self._left <= 0:
            raise Reached
        self._left -= 1
        trace = self._strategy.observe(self._session, leaves)
        pairs = enumerate(zip(self._path, trace.decisions, strict=False))
        at = next((i for i, (wanted, taken) in pairs if wanted != taken), min(len(self._path), len(trace)))
        if at == len(self._path):
            self.found = trace
            raise Reached
        distances = trace.distances(at) if at < len(trace) else ()
        wanted = self._path[at]
        distance = distances[wanted] if wanted < len(distances) else 1.0
        return len(self._path) - 1 - at + distance / (distance + 1.0) if distance < inf else float(len(self._path) - at)


def random_inputs(session: Session) -> None:
    """Random inputs until the session ends the search, for targets that cannot be run symbolically."""
    landscape = _Costs(session)
    while True:
        session.evaluate(sample(landscape))
