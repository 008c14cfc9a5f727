"""The algorithms as strategies: ``stress`` maximises the cost by them, ``cover`` descends to branches by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from pessimal.search.goals.algorithms import algorithm
from pessimal.search.goals.flips import Flips
from pessimal.search.goals.landscape import Input, sample
from pessimal.strategy import Session

__all__ = ["Flips"]
WORST = 1e300


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
    """One algorithm: a search maximises the cost by it, steps take the branches that are wanted."""

    name = ""
    stop_after = 10.0

    def search(self, session: Session) -> None:
        """Minimise minus the cost, from the simplest input, until the session ends the search."""
        if not session.domains:
            session.evaluate(session.initial)
            return
        algorithm(self.name).descend(_Costs(session), list(session.initial))

    def steps(self, session: Session) -> Iterator[None]:
        """Descend to one branch after the other, and yield after each."""
        return Flips(by=self.name).steps(session)

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
    """Simulated annealing."""

    name = "anneal"


class Genetic(_Descending):
    """A genetic algorithm."""

    name = "genetic"


def random_inputs(session: Session) -> Iterator[None]:
    """Random inputs until the session ends the search, for targets that cannot be run symbolically."""
    landscape = _Costs(session)
    while True:
        session.evaluate(sample(landscape))
        yield
