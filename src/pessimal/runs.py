"""What a search asks of a front-end: one run, from an input, steered by a policy. The same for every kind of target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypedDict

from pessimal.expr import Expr, Leaf
from pessimal.trace import Site


class Avoid(NamedTuple):
    """Values that the concretisation at a position must not take, because they were explored before."""

    position: int
    values: tuple[tuple[Leaf, ...], ...]


class Step(NamedTuple):
    """A decision that was made: where, on what condition, which of how many outcomes was taken."""

    site: Site
    condition: Expr | None
    taken: int
    arity: int = 2


class RunView(Protocol):
    """What a policy may see of the run that asks it; nothing here can be changed."""

    @property
    def position(self) -> int:
        """How many decisions were made so far."""
        ...

    @property
    def site(self) -> Site:
        """Where the decision is to be made."""
        ...

    @property
    def condition(self) -> Expr | None:
        """What is decided; None for a decision with more than two outcomes."""
        ...

    @property
    def arity(self) -> int:
        """How many outcomes the decision has."""
        ...

    @property
    def depth(self) -> int:
        """How deep the calls of the target are nested."""
        ...

    @property
    def caller(self) -> int:
        """A number for the activation that called the function which decides: equal while that activation runs."""
        ...

    def open_outcomes(self) -> list[int]:
        """The outcomes that are not known to be infeasible; this asks a solver."""
        ...

    def step(self, position: int) -> Step:
        """A decision that was made earlier in this run."""
        ...


class Policy(Protocol):
    """Chooses the outcome of a branch while the program runs."""

    def choose(self, run: RunView) -> int | None:
        """The outcome wanted at a branch of the program; None leaves it to the current input."""
        ...

    def pick(self, run: RunView) -> int | None:
        """The outcome wanted at a choice, a decision that the program does not make itself."""
        ...


class FollowInput:
    """Wants nothing: every decision goes the way that the current input takes."""

    def choose(self, run: RunView) -> int | None:
        """Leave the branch to the input."""
        return None

    pick = choose


class Follow:
    """Repeats a sequence of decisions, then leaves everything to the input."""

    def __init__(self, decisions: bytes | Sequence[int]) -> None:
        self._decisions = decisions

    def choose(self, run: RunView) -> int | None:
        """The decision at this position, while there is one."""
        position = run.position
        return self._decisions[position] if position < len(self._decisions) else None

    pick = choose


class RunOptions(TypedDict, total=False):
    """How a symbolic execution is to be done: the fields of :class:`Request` that a strategy gives by name."""

    probe_other: bool
    stop_when_infeasible: bool
    known_prefix: int
    avoid: Avoid | None


@dataclass(frozen=True, slots=True)
class Request:
    """One symbolic execution that is asked for; without a policy it follows the input that it starts from.

    With ``stop_when_infeasible`` the policy insists: the run ends where its wish is infeasible. ``probe_other`` also
    settles whether the other outcomes are feasible, at every branch beyond the first ``known_prefix`` decisions, unless
    the policy insists on one; ``avoid`` asks for another value where something is made concrete.
    """

    policy: Policy | None = None
    start: Sequence[Leaf] | None = None
    probe_other: bool = False
    stop_when_infeasible: bool = False
    avoid: Avoid | None = None
    known_prefix: int = 0
