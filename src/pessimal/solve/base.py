"""What a solver is asked and what it answers: the one protocol for all back-ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from time import monotonic
from typing import Protocol, TypeAlias, runtime_checkable

from pessimal.expr import Evaluator, Expr, Leaf

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
    """A status; for ``SAT`` the values of the leaves that must change, for ``UNKNOWN`` perhaps a confidence.

    The confidence estimates the probability that the question is satisfiable after all. ``near`` has values that are
    no solution but may be close to one. ``domains`` are ranges in which all solutions lie, if they are narrower than
    those of the question. ``solver`` names the member of a portfolio that answered, and ``samples`` is how many samples
    were evaluated.
    """

    status: Status
    values: Mapping[int, Leaf] = field(default_factory=dict)
    confidence: float | None = None
    near: Mapping[int, Leaf] = field(default_factory=dict)
    domains: Bounds = ()
    solver: str = ""
    samples: int = 0

    def __post_init__(self) -> None:
        if self.values and self.status is not Status.SAT:
            raise ValueError(f"only a satisfiable question has values, not one that is {self.status}")
        if self.confidence is not None and self.status is not Status.UNKNOWN:
            raise ValueError(f"only an unknown answer has a confidence, not {self.status}")
        if self.confidence is not None and not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence is a probability between 0 and 1, not {self.confidence}")


UNSAT = Answer(Status.UNSAT)
UNKNOWN = Answer(Status.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Query:
    """One question: can ``extra`` hold together with all of ``path``, with every leaf inside its domain?

    ``path`` only grows during one run, so that an incremental solver keeps what it has asserted; ``extra`` is not kept.
    ``model`` has the current value of each leaf: it satisfies the path, and tells by its type whether a leaf is an
    integer or a float. The answer is due when ``time.monotonic()`` reads ``deadline``. ``rng`` is the only source of
    randomness. ``hints`` are values that may be close to a solution, such as one over the reals. ``evaluated`` is how
    many samples others have evaluated already, which count against a limit on them.
    """

    path: Sequence[Literal]
    extra: Literal
    domains: Bounds
    model: Sequence[Leaf]
    rng: Random = field(default_factory=lambda: Random(0))
    deadline: float | None = None
    hints: Sequence[Mapping[int, Leaf]] = ()
    evaluated: int = 0

    def seconds_left(self) -> float:
        """How long the solver may take from now on, without end if there is no deadline."""
        return math.inf if self.deadline is None else self.deadline - monotonic()

    def milliseconds(self, longest: int) -> int:
        """The same for solvers that count milliseconds: in few different values, since setting one takes time."""
        left = min(float(longest), self.seconds_left() * 1000)
        return int(left) if left < 500 else int(left) // 500 * 500

    def satisfied_by(self, values: Mapping[int, Leaf]) -> bool:
        """Whether some values, put into the model, answer the question with yes, by exact evaluation."""
        leaves = list(self.model)
        for var, value in values.items():
            if not (0 <= var < len(leaves) and admits(self.domains[var], leaves[var], value)):
                return False
            leaves[var] = value
        try:
            return satisfies(leaves, (*self.path, self.extra))
        except (ArithmeticError, ValueError):
            return False


@runtime_checkable
class Solver(Protocol):
    """A back-end for conditions that the layers of :class:`~pessimal.solve.PathSolver` cannot settle.

    It is built from its options as keyword arguments, anew for each run. An answer ``SAT`` must come with values that
    satisfy the query exactly (what does not is taken as unknown); ``UNSAT`` must be a proof.
    """

    name: str

    def solve(self, query: Query) -> Answer:
        """Settle whether the path and the extra literal can hold together."""
        ...


def solver_factory(cls: Callable[[], Solver]) -> Callable[[], Solver]:
    """What makes the solvers of one search: the class itself, or what its ``for_search`` returns if it has that.

    Solvers that learn share what they have learned in that way, since each run has a solver of its own.
    """
    shared: Callable[[], Callable[[], Solver]] | None = getattr(cls, "for_search", None)
    return cls if shared is None else shared()


@dataclass(slots=True)
class Statistics:
    """How much solving cost: calls of back-ends and their seconds, and how many branches each layer settled.

    ``refuted`` counts the models of back-ends that exact evaluation showed to be wrong.
    """

    calls: int = 0
    seconds: float = 0.0
    agreed: int = 0
    ordered: int = 0
    repaired: int = 0
    refuted: int = 0

    def add(self, other: Statistics) -> None:
        """Sum up the statistics of several runs."""
        self.calls += other.calls
        self.seconds += other.seconds
        self.agreed += other.agreed
        self.ordered += other.ordered
        self.repaired += other.repaired
        self.refuted += other.refuted


def admits(domain: tuple[Leaf | None, Leaf | None], old: Leaf, value: Leaf) -> bool:
    """Whether a leaf may take a value: of the type of its old one, finite, and within its range."""
    if isinstance(old, float):
        if type(value) is not float or not math.isfinite(value):
            return False
    elif type(value) is not int:
        return False
    low, high = domain
    return (low is None or low <= value) and (high is None or value <= high)


def satisfies(leaves: Sequence[Leaf], path: Iterable[Literal]) -> bool:
    """Whether an input satisfies a path condition, by exact evaluation."""
    evaluator = Evaluator(leaves)
    return all(evaluator.condition(condition) is want for condition, want in path)
