"""Requests for runs: what a search asks of any front-end, and the policies that steer a run."""

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
    """A decision that was made: its site, its condition, and which of how many outcomes was taken."""

    site: Site
    condition: Expr | None
    taken: int
    arity: int = 2


class RunView(Protocol):
    """What a policy sees of the run in progress; it is read-only."""

    @property
    def position(self) -> int:
        """How many decisions were made so far."""
        ...

    @property
    def site(self) -> Site:
        """The site of the decision to be made."""
        ...

    @property
    def condition(self) -> Expr | None:
        """The condition to be decided; None for a decision with more than two outcomes."""
        ...

    @property
    def arity(self) -> int:
        """How many outcomes the decision has."""
        ...

    @property
    def depth(self) -> int:
        """How deeply the target's calls are nested."""
        ...

    @property
    def caller(self) -> int:
        """A number that identifies the call from which the deciding function was called, as long as that call lasts."""
        ...

    def open_outcomes(self) -> list[int]:
        """The outcomes that are not known to be infeasible; this calls a solver."""
        ...

    def step(self, position: int) -> Step:
        """A decision that was made earlier in this run."""
        ...


class Policy(Protocol):
    """Chooses the outcome of a branch while the program runs."""

    def choose(self, run: RunView) -> int | None:
        """The outcome to take at a branch of the program; None leaves it to the current input."""
        ...

    def pick(self, run: RunView) -> int | None:
        """The outcome to take at a choice, a decision that the program does not make itself."""
        ...


class FollowInput:
    """Leaves every decision to the current input."""

    def choose(self, run: RunView) -> int | None:
        """Leave the branch to the input."""
        return None

    pick = choose


class Follow:
    """Repeats a sequence of decisions, then leaves everything to the input."""

    def __init__(self, decisions: bytes | Sequence[int]) -> None:
        self._decisions = decisions

    def choose(self, run: RunView) -> int | None:
        """The decision at this position, if there is one."""
        position = run.position
        return self._decisions[position] if position < len(self._decisions) else None

    pick = choose


class RunOptions(TypedDict, total=False):
    """The options of a symbolic execution: the fields of :class:`Request` that a strategy gives by name."""

    probe_other: bool
    stop_when_infeasible: bool
    known_prefix: int
    avoid: Avoid | None


@dataclass(frozen=True, slots=True)
class Request:
    """A request for one symbolic execution; without a policy it follows the input that it starts from.

    With ``stop_when_infeasible`` the run ends where the outcome that the policy chose is infeasible; otherwise another
    outcome is taken. With ``probe_other`` the run also finds out whether the other outcomes are feasible, at every
    decision after the first ``known_prefix``, unless it would end if the chosen one is not. ``avoid`` asks for another
    value where something is made concrete.
    """

    policy: Policy | None = None
    start: Sequence[Leaf] | None = None
    probe_other: bool = False
    stop_when_infeasible: bool = False
    avoid: Avoid | None = None
    known_prefix: int = 0
