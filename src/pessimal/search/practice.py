"""Practice: the target at another size, where a strategy learns what it needs at the size that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Protocol, Unpack

from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.messages import ENDED
from pessimal.runs import Policy, Request, RunOptions
from pessimal.search.proxy import SessionProxy
from pessimal.strategy import Session
from pessimal.trace import Trace


class Host(Session, Protocol):
    """The session whose budget practice spends."""

    def practise(self) -> float:
        """Count a run of practice; how many seconds it may take."""
        ...

    def allowed(self) -> float:
        """How many seconds a run may take that starts now."""
        ...


class Practice(SessionProxy):
    """A session within a session: it spends the same budget and shares the randomness, and reports nothing."""

    def __init__(self, session: Host, front_end: FrontEnd) -> None:
        super().__init__(session)
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
        """The cost of one concrete execution; minus infinity for one that is rejected or does not end."""
        trace = self.front_end.evaluate(leaves, self._host.practise())
        return self.cost(trace) if trace.outcome in ENDED else -inf

    def observe(self, leaves: Sequence[Leaf]) -> Trace:
        """One concrete execution with its branches."""
        return self.front_end.evaluate(leaves, self._host.practise(), recording=True)

    def cost(self, trace: Trace) -> float:
        """What the target costs at this size."""
        return self.front_end.cost(trace, self._host.allowed())

    def count_infeasible(self, leaves: int) -> None:
        """The leaves of a tree that is not the one asked for are not counted."""

    def diverged(self, trace: Trace) -> None:
        """What happens in practice is not a finding."""

    def claim(self, proof: str) -> None:
        """Remember that the tree of this size is known completely."""
        self.is_exhausted = True
