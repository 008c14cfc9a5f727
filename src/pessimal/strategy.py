"""The seam between strategies and the rest: what a strategy is, and what it can ask for.

A strategy decides what to run next. It runs in the same process as the target and sees only its :class:`Session`:
symbolic runs steered by a policy, concrete runs on an input, the domains of the leaves, one source of randomness.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, Unpack, runtime_checkable

from pessimal.expr import Leaf
from pessimal.inputs import Domain, Inputs
from pessimal.runs import Policy, RunOptions
from pessimal.trace import Trace


class Session(Protocol):
    """What a strategy can ask for. Any call may end the search by raising :class:`SearchOver`: let it pass.

    ``target`` is the name of what is under test and ``inputs`` turns leaves into its arguments;
    ``current_strategy`` is the name of the strategy whose runs these are; ``run_seconds`` is how long one run may take,
    which a strategy may lower.
    """

    target: str
    size: int
    current_strategy: str
    run_seconds: float
    inputs: Inputs
    domains: Sequence[Domain]
    initial: list[Leaf]
    rng: random.Random

    @property
    def solver_calls(self) -> int:
        """How often a solver was called so far: the part of the work that the number of runs does not tell."""
        ...

    def at(self, size: int) -> Session:
        """The same target at another size, to practise on: within the budget, but nothing found there is reported."""
        ...

    @property
    def proof(self) -> str | None:
        """The proof that was claimed and accepted."""
        ...

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution from an input, steered by a policy; the options are those of a request."""
        ...

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """What a concrete execution is worth; minus infinity for an input that breaks a precondition."""
        ...

    def observe(self, leaves: Sequence[Leaf]) -> Trace:
        """The trace of a concrete execution, with its branches."""
        ...

    def cost(self, trace: Trace) -> float:
        """What the search maximises, for a trace that :meth:`run` gave."""
        ...

    def learning(self) -> AbstractContextManager[None]:
        """Count the time that is spent in learning, which is reported beside that of the search."""
        ...

    def importing(self) -> AbstractContextManager[None]:
        """Import what a strategy needs while the search goes on, out of the target's reach."""
        ...

    def count_infeasible(self, leaves: int) -> None:
        """Count leaves of the tree that are directions proved infeasible, which need no run."""
        ...

    def diverged(self, trace: Trace) -> None:
        """Report that the same decisions led elsewhere this time: the target is not deterministic."""
        ...

    def claim(self, proof: str) -> None:
        """Claim that no larger cost exists, because of the proof; the session withdraws what it knows better."""
        ...


@runtime_checkable
class Strategy(Protocol):
    """Decides what to run next. ``search`` returns when there is nothing left to try.

    A strategy is built from its options as keyword arguments. To resume without doing its work again it may have
    ``state() -> dict`` and ``restore(dict)``, of JSON values; without them it starts anew with the same seed, which
    leads to the same place. One that can take turns with others has ``steps(session)``, a generator that yields after
    each run. What users should know of how it searched it says in ``report() -> dict``: see :func:`report_of`. One that
    never ends by itself may say with ``stop_after`` how many seconds without improvement are enough, unless the user
    says otherwise.
    """

    name: str

    def search(self, session: Session) -> None:
        """Run the target again and again through the session."""
        ...


@runtime_checkable
class Stepwise(Strategy, Protocol):
    """A strategy that can take turns with others."""

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run, when :meth:`state` tells all that is needed to go on."""
        ...

    def state(self) -> dict[str, Any]:
        """What is needed to go on, as JSON values."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from where another stood."""
        ...


class SearchOver(BaseException):
    """Ends a search from inside the session: the budget is spent, or the goal is reached."""


def state_of(strategy: Strategy) -> dict[str, Any] | None:
    """What a strategy needs to resume; None if it starts anew."""
    state = getattr(strategy, "state", None)
    return None if state is None else state()


def report_of(strategy: Strategy) -> dict[str, Any] | None:
    """What a strategy reports of its search, as JSON values; None if it reports nothing.

    These keys mean the same for all strategies: ``note``, one line for the user; ``lines``, rows ``[label, text]`` for
    the text of the result; ``member_lines``, rows that a portfolio shows whoever found the result; ``generator`` with
    ``generator_cost``, the text of a function ``worst_case(n)``; ``details``, the reports of members by name.
    """
    report = getattr(strategy, "report", None)
    return None if report is None else dict(report())


def restore(strategy: Strategy, state: dict[str, Any] | None) -> None:
    """Put a strategy back to where it was."""
    if state is not None:
        strategy.restore(state)  # type: ignore[attr-defined]
