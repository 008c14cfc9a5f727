"""What every solver answers, and the one protocol by which a back-end is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias

from pessimal.expr import Expr, Leaf

Literal: TypeAlias = tuple[Expr, bool]
"""A condition and the truth value that it shall have."""

Bounds: TypeAlias = Sequence[tuple[Leaf | None, Leaf | None]]
"""The range of each leaf, both ends included; None where there is none."""


class Status(StrEnum):
    """``UNSAT`` means that a solver proved it; whatever is not settled is ``UNKNOWN``."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, for ``SAT`` the values of the leaves that the solver cared about, for ``UNKNOWN`` a confidence."""

    status: Status
    values: dict[int, Leaf] = field(default_factory=dict)
    confidence: float | None = None


class Solver(Protocol):
    """A back-end for conditions that the order solver cannot settle.

    ``path`` is append-only during one run, so that an incremental solver keeps what it has asserted before; ``extra``
    is the literal in question and is not kept. An answer ``SAT`` must come with values that, put into the current
    model, satisfy path and extra exactly; ``UNSAT`` must be a proof.
    """

    def solve(self, path: Sequence[Literal], extra: Literal, model: Sequence[Leaf]) -> Answer:
        """Settle whether the path and the extra literal can hold together."""
        ...


@dataclass(slots=True)
class Statistics:
    """How much solving cost: calls of back-ends and their seconds, and how many branches each layer settled."""

    calls: int = 0
    seconds: float = 0.0
    agreed: int = 0
    ordered: int = 0
    repaired: int = 0

    def add(self, other: Statistics) -> None:
        """Sum up the statistics of several runs."""
        self.calls += other.calls
        self.seconds += other.seconds
        self.agreed += other.agreed
        self.ordered += other.ordered
        self.repaired += other.repaired
