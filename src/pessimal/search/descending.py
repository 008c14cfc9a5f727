"""The algorithms as strategies: ``stress`` maximises the cost by them, ``cover`` descends to branches by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count
from math import inf
from typing import Any

from pessimal.search.descents import Descents
from pessimal.search.goals.algorithms import algorithm
from pessimal.search.goals.landscape import Input, Reached, sample
from pessimal.search.goals.many import Dynamosa
from pessimal.search.goals.outcomes import ManyOutcomes
from pessimal.strategy import Session

POPULATION = 24
WORST = 1e300
STEP_RUNS, NEAR_RUNS = 500, 20_000
"""How many inputs one step runs, one by one and where the front-end runs them by itself."""


class _Costs:
    """The landscape of a cost, upside down, for so many runs."""

    def __init__(self, session: Session, runs: float = inf) -> None:
        self._session = session
        self._left = runs
        self.domains, self.rng = session.domains, session.rng
        self.best: tuple[float, Input | None] = (inf, None)

    def fitness(self, inputs: Sequence[Input]) -> list[float]:
        """Minus the value of each input."""
        if self._left <= 0:
            raise Reached
        self._left -= len(inputs)
        values = [self._session.evaluate(leaves) for leaves in inputs]
        found = [WORST if value == -inf else -value for value in values]
        self.best = min(self.best, *zip(found, inputs, strict=True), key=lambda pair: pair[0])
        return found


class _Descending:
    """One algorithm: a search maximises the cost by it, steps take the branches that are wanted."""

    name = ""
    stop_after = 10.0

    def __init__(self) -> None:
        self._adopted: Input | None = None

    def search(self, session: Session) -> None:
        """Minimise minus the cost, from the simplest input, until the session ends the search."""
        if not session.domains:
            session.evaluate(session.initial)
            return
        algorithm(self.name).descend(_Costs(session), list(session.initial))

    def steps(self, session: Session) -> Iterator[None]:
        """Minimise minus the cost for some runs at a time: from the best input, and from a random one, in turn."""
        if not session.domains:
            session.evaluate(session.initial)
            return
        best: tuple[float, Input | None] = (inf, list(session.initial))
        for turn in count():
            start = self._adopted or best[1] if turn % 2 == 0 else None
            self._adopted = None
            costs = _Costs(session, STEP_RUNS)
            with suppress(Reached):
                algorithm(self.name).descend(costs, start or sample(costs))
            best = min(best, costs.best, key=lambda pair: pair[0])
            yield

    def adopt(self, leaves: Input, cost: float) -> None:
        """Go on from an input that another strategy found."""
        self._adopted = list(leaves)

    def flipping(self) -> Descents:
        """The strategy that takes the branches which are wanted by this algorithm."""
        return Descents(self.name)

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a search that is resumed starts anew."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""


class Hill(_Descending):
    """Steepest descent."""

    name = "hill"


class AvmExploratory(_Descending):
    """Alternating variable, with steps of one size."""

    name = "avm-exploratory"


class Avm(_Descending):
    """Alternating variable, with pattern moves."""

    name = "avm"


class AvmGeometric(_Descending):
    """Alternating variable, with geometric moves."""

    name = "avm-geometric"


class AvmLattice(_Descending):
    """Alternating variable, with lattice moves."""

    name = "avm-lattice"


class Probe(_Descending):
    """Steps of all sizes in all leaves at once."""

    name = "probe"


class Anneal(_Descending):
    """Simulated annealing, which the front-end makes by itself where it can."""

    name = "anneal"

    def search(self, session: Session) -> None:
        """Minimise minus the cost until the session ends the search."""
        for _ in self._beside(session):
            pass
        super().search(session)

    def steps(self, session: Session) -> Iterator[None]:
        """Minimise minus the cost for some runs at a time."""
        yield from self._beside(session)
        yield from super().steps(session)

    def _beside(self, session: Session) -> Iterator[None]:
        """Let the front-end search, each time from the best input so far, as long as it can."""
        best = -inf, list(session.initial)
        while session.domains and (found := session.search_near(self._adopted or best[1], NEAR_RUNS)) is not None:
            self._adopted = None
            best = max(best, (found[1], list(found[0])), key=lambda pair: pair[0])
            yield


class Genetic(_Descending):
    """A genetic algorithm."""

    name = "genetic"


class DynamosaSearch:
    """Generations of one population, for as long as the session wants."""

    name = "dynamosa"
    stop_after = 10.0

    def search(self, session: Session) -> None:
        """Go from generation to generation."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Go from generation to generation, and yield after each."""
        if not session.domains:
            session.evaluate(session.initial)
            return
        yield from Dynamosa(POPULATION).generations(ManyOutcomes(session), [list(session.initial)])

    def flipping(self) -> Descents:
        """The strategy that takes the branches which are wanted, and lets the cost be."""
        return Descents(self.name)

    def state(self) -> dict[str, Any]:
        """Nothing is kept: a search that is resumed starts anew."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """There is nothing to restore."""


def random_inputs(session: Session) -> Iterator[None]:
    """Random inputs until the session ends the search, for targets that cannot be run symbolically."""
    landscape = _Costs(session)
    while session.domains and session.search_near(sample(landscape), NEAR_RUNS, fresh=1.0) is not None:
        yield
    while True:
        session.evaluate(sample(landscape))
        yield
