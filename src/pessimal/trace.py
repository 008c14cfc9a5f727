"""The common currency: sites, branches and traces, the same for every front-end.

A front-end fills a :class:`Trace` while the target runs; strategies, solvers and reports only read it. Branches are
kept in parallel columns, because a worst-case path has a million of them; :class:`Branch` is a view made on demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from pessimal.expr import Expr, Leaf, distances, variables


@dataclass(frozen=True, slots=True)
class Site:
    """A static branch point, named by what the code says and not by where it stands.

    ``id`` survives edits elsewhere in the file: it is made of the function, the text of the expression and a counter
    for equal texts; ``line`` and ``column`` are for people.
    """

    file: str
    function: str
    line: int
    column: int
    text: str
    counter: int = 0

    @property
    def id(self) -> str:
        """The identity that is stable over runs and over edits elsewhere in the file."""
        suffix = f"#{self.counter}" if self.counter else ""
        return f"{self.file.rpartition('/')[2]}:{self.function}:{self.text}{suffix}"

    @property
    def names(self) -> tuple[str, ...]:
        """What users may call it: its identity, or its place with or without the column and the directory."""
        place = f"{self.file.rpartition('/')[2]}:{self.line}"
        return self.id, str(self), place, f"{self.file}:{self.line}"

    def __str__(self) -> str:
        return f"{self.file.rpartition('/')[2]}:{self.line}:{self.column}"

    def __hash__(self) -> int:
        return hash((self.line, self.column, self.counter))  # policies look sites up at every branch


class Outcome(StrEnum):
    """How an execution ended."""

    RETURNED = "returned"
    RAISED = "raised"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    INFEASIBLE = "infeasible"
    REJECTED = "rejected"


class Side(IntEnum):
    """What is known of the outcomes that a branch did not take."""

    UNTRIED = 0
    FEASIBLE = 1
    INFEASIBLE = 2
    UNKNOWN = 3


@dataclass(frozen=True, slots=True)
class Branch:
    """One evaluation of a site: which of ``arity`` outcomes was taken, on what condition, and how near the others were.

    A choice is a decision that the program itself does not make, such as the value picked when something symbolic had
    to be made concrete; it steers the path but is no branch of the program and costs nothing.
    """

    site: Site
    condition: Expr | None
    taken: int
    other: Side
    depth: int
    arity: int = 2
    is_choice: bool = False
    distances: tuple[float, ...] = ()
    variables: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Concretisation:
    """A symbolic value that had to become concrete: where, why, and which values its parts were given.

    There are no values where a truth value was settled: the decision at the position tells.
    """

    site: Site
    reason: str
    values: tuple[Leaf, ...]
    position: int


@dataclass(slots=True)
class Trace:
    """One execution: its branches in order, the input that drives it there, its outcome and its costs.

    ``leaves`` is the input as the flat vector of leaf values that the input specification decodes. ``decisions`` are
    the outcomes taken, choices included: following them again leads to the same place. ``assumed`` are the
    preconditions, which hold beside the path condition. A ``truncated`` trace was cut
    at the limit of branches; a ``foreseen`` one was ended because it is known to kill its process; a ``refused`` one
    did not go its own way, because something refused a symbolic value, a side effect was blocked or memory ran out.
    """

    sites: list[Site] = field(default_factory=list)
    conditions: list[Expr | None] = field(default_factory=list)
    decisions: bytearray = field(default_factory=bytearray)
    others: bytearray = field(default_factory=bytearray)
    depths: list[int] = field(default_factory=list)
    choices: set[int] = field(default_factory=set)
    concretisations: list[Concretisation] = field(default_factory=list)
    assumed: list[Expr] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)
    outcome: Outcome = Outcome.RETURNED
    returned: str | None = None
    exception: str | None = None
    costs: dict[str, float] = field(default_factory=dict)
    truncated: bool = False
    foreseen: bool = False
    refused: str | None = None

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def length(self) -> int:
        """The number of branches of the program, choices not counted: the default cost."""
        return len(self.decisions) - len(self.choices)

    def branch(self, position: int) -> Branch:
        """The branch at a position, with its distances and variables computed now."""
        condition = self.conditions[position]
        return Branch(
            site=self.sites[position],
            condition=condition,
            taken=self.decisions[position],
            other=Side(self.others[position]),
            depth=self.depths[position],
            is_choice=position in self.choices,
            distances=() if condition is None else distances(condition, self.leaves),
            variables=frozenset(() if condition is None else variables(condition)),
        )

    @property
    def branches(self) -> Iterator[Branch]:
        """All branches of the program in order, choices left out."""
        return (self.branch(i) for i in range(len(self.decisions)) if i not in self.choices)

    @property
    def path_condition(self) -> Sequence[tuple[Expr, bool]]:
        """The conditions with the direction taken, of which the conjunction is the path condition."""
        return [
            (condition, bool(taken))
            for condition, taken in zip(self.conditions, self.decisions, strict=True)
            if condition is not None
        ]
