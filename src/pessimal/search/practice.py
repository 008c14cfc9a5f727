"""Practice: the target at another size, where a strategy learns what it needs at the size that was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Unpack

from pessimal.expr import Leaf
from pessimal.runs import Policy, Request, RunOptions
from pessimal.trace import Outcome, Trace

if TYPE_CHECKING:
    from pessimal.search.session import FrontEnd, SearchSession


class Practice:
    """A session within a session: it spends the same budget and shares the randomness, and reports nothing."""

    def __init__(self, session: SearchSession, front_end: FrontEnd) -> None:
        self.target = front_end.name
        self.size = front_end.size
        self.current_strategy = session.current_strategy
        self.inputs = front_end.inputs
        self.domains = front_end.domains
        self.initial = front_end.initial
        self.rng = session.rng
        self.run_seconds = session.run_seconds
        self.is_exhausted = False
        self._session = session
        self.front_end = front_end

    @property
    def solver_calls(self) -> int:
        """How often a solver was called so far in the whole search."""
        return self._session.solver_calls

    def at(self, size: int) -> Practice:
        """The same target at yet another size."""
        return self._session.at(size)

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **how: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution."""
        request = Request(policy, self.initial if start is None else start, **how)
        return self.front_end.run(request, self._session.practise())

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """The cost of one concrete execution; minus infinity for one that is rejected or does not end."""
        trace = self.front_end.evaluate(leaves, self._session.practise())
        ended = trace.outcome in (Outcome.RETURNED, Outcome.RAISED)
        return self.cost(trace) if ended else -inf

    def cost(self, trace: Trace) -> float:
        """What the search maximises."""
        return self.front_end.cost(trace, self._session.allowed())

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Count the time that is spent in learning."""
        with self._session.learning():
            yield

    def count_infeasible(self, leaves: int) -> None:
        """Nobody counts the leaves of a tree that is not the one asked for."""

    def diverged(self, trace: Trace) -> None:
        """What happens in practice is no finding."""

    def claim(self, proof: str) -> None:
        """Remember that the tree of this size is known completely."""
        self.is_exhausted = True
