"""Practice: running the target at another size, where a strategy learns what it needs at the requested size."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import Protocol, Unpack

from pessimal.comparison import Comparison, Operand
from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.runs import Policy, Request, RunOptions
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Trace


class Host(Session, Protocol):
    """The session whose budget practice uses."""

    def practise(self) -> float:
        """Count a practice run, and return how many seconds it may take."""
        ...

    def allowed(self) -> float:
        """How many seconds a run that starts now may take."""
        ...


class Practice(SessionProxy):
    """A session at another size: it uses the budget of its host, and reports nothing.

    Its randomness is its own, so that a resumed search practises as it would have without the interruption.
    """

    def __init__(self, session: Host, front_end: FrontEnd, rng: Random) -> None:
        super().__init__(session)
        self.rng = rng
        self.size = front_end.size
        self.inputs = front_end.inputs
        self.domains = front_end.domains
        self.initial = front_end.initial
        self.is_exhausted = False
        self._host = session
        self.front_end = front_end

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution."""
        request = Request(policy, self.initial if start is None else start, **options)
        return self.front_end.run(request, self._host.practise())

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """The cost of one concrete execution; minus infinity if it is rejected or does not end."""
        return self.measure(leaves)[0]

    def measure(self, leaves: Sequence[Leaf]) -> tuple[float, Sequence[int]]:
        """The cost of one concrete execution, and how often each place in the code was executed."""
        trace = self.front_end.evaluate(leaves, self._host.practise())
        return (self.cost(trace) if trace.outcome in COMPLETED else -inf), trace.counts

    def survey(self, inputs: Sequence[Sequence[Leaf]]) -> tuple[Sequence[Leaf], float] | None:
        """Inputs are run one by one in practice."""
        return None

    def search_near(self, start: Sequence[Leaf], most: int, fresh: float = 0.0) -> tuple[Sequence[Leaf], float] | None:
        """Inputs are run one by one in practice."""
        return None

    def comparisons(self, leaves: Sequence[Leaf]) -> list[Comparison]:
        """What one concrete execution compares."""
        return self.front_end.comparisons(leaves, self._host.practise())

    def literals(self) -> list[Operand]:
        """The literals in the code of the target."""
        return self.front_end.literals()

    def observe(self, leaves: Sequence[Leaf]) -> Trace:
        """One concrete execution with its branches."""
        return self.front_end.evaluate(leaves, self._host.practise(), recording=True)

    def approach(self, leaves: Sequence[Leaf]) -> Trace | None:
        """Distances are not measured in practice."""
        return None

    def cost(self, trace: Trace) -> float:
        """The cost of a run at this size."""
        return self.front_end.cost(trace, self._host.allowed())

    def count_infeasible(self, leaves: int) -> None:
        """Infeasible leaves are not counted in practice."""

    def diverged(self, trace: Trace) -> None:
        """Divergence in practice is not reported."""

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Note that every path of this size was run."""
        self.is_exhausted = True
