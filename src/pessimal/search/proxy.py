"""The base class of sessions that wrap another session and change only some of its behaviour."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Unpack

from pessimal.comparison import Comparison, Operand
from pessimal.expr import Leaf
from pessimal.runs import Policy, RunOptions
from pessimal.strategy import Session
from pessimal.trace import Site, Trace


class SessionProxy:
    """Passes every call on to another session; subclasses override what they change."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.target = session.target
        self.size = session.size
        self.inputs = session.inputs
        self.domains = session.domains
        self.initial = session.initial
        self.rng = session.rng

    @property
    def current_strategy(self) -> str:
        """The name of the strategy whose runs these are."""
        return self._session.current_strategy

    @current_strategy.setter
    def current_strategy(self, name: str) -> None:
        self._session.current_strategy = name

    @property
    def run_seconds(self) -> float:
        """How long one run may take."""
        return self._session.run_seconds

    @run_seconds.setter
    def run_seconds(self, seconds: float) -> None:
        self._session.run_seconds = seconds

    @property
    def step_seconds(self) -> float:
        """How long a strategy may compute between two runs."""
        return self._session.step_seconds

    @step_seconds.setter
    def step_seconds(self, seconds: float) -> None:
        self._session.step_seconds = seconds

    @property
    def is_reproducible(self) -> bool:
        """Whether the same seed must lead to the same runs."""
        return self._session.is_reproducible

    @property
    def is_hurried(self) -> bool:
        """Whether runs get less time than the user grants."""
        return self._session.is_hurried

    @property
    def solver_calls(self) -> int:
        """The number of solver calls so far."""
        return self._session.solver_calls

    @property
    def seconds_left(self) -> float:
        """How much time the search has left."""
        return self._session.seconds_left

    def newest_input(self) -> tuple[list[Leaf], float] | None:
        """The best input of another lane."""
        return self._session.newest_input()

    @property
    def proof(self) -> str | None:
        """The proof that was accepted."""
        return self._session.proof

    def at(self, size: int) -> Session:
        """The same target at another size."""
        return self._session.at(size)

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution."""
        return self._session.run(policy, start, **options)

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """The value of one concrete execution."""
        return self._session.evaluate(leaves)

    def measure(self, leaves: Sequence[Leaf]) -> tuple[float, Sequence[int]]:
        """The value of one concrete execution, and how often each place in the code was executed."""
        return self._session.measure(leaves)

    def survey(self, inputs: Sequence[Sequence[Leaf]]) -> tuple[Sequence[Leaf], float] | None:
        """Run many inputs quickly and judge the worst of them."""
        return self._session.survey(inputs)

    def search_near(self, start: Sequence[Leaf], most: int, fresh: float = 0.0) -> tuple[Sequence[Leaf], float] | None:
        """Let the front-end choose and run inputs by itself."""
        return self._session.search_near(start, most, fresh)

    def comparisons(self, leaves: Sequence[Leaf]) -> list[Comparison]:
        """What one concrete execution compares."""
        return self._session.comparisons(leaves)

    def literals(self) -> list[Operand]:
        """The literals in the code of the target."""
        return self._session.literals()

    def observe(self, leaves: Sequence[Leaf]) -> Trace:
        """One concrete execution with its branches."""
        return self._session.observe(leaves)

    def approach(self, leaves: Sequence[Leaf]) -> Trace | None:
        """One concrete execution with the distances of its tests."""
        return self._session.approach(leaves)

    def cost(self, trace: Trace) -> float:
        """The value that the search maximises."""
        return self._session.cost(trace)

    def wants(self, site: Site) -> bool:
        """Whether the search is after other outcomes at a site."""
        return self._session.wants(site)

    def learning(self) -> AbstractContextManager[None]:
        """Count the time spent inside as learning."""
        return self._session.learning()

    def importing(self) -> AbstractContextManager[None]:
        """Import Pessimal's own code inside, invisible to the target."""
        return self._session.importing()

    def count_infeasible(self, leaves: int) -> None:
        """Count infeasible leaves of the tree, which need no run."""
        self._session.count_infeasible(leaves)

    def diverged(self, trace: Trace) -> None:
        """Report that the target is not deterministic."""
        self._session.diverged(trace)

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Claim that no larger cost exists."""
        self._session.claim(proof, every_input=every_input)
