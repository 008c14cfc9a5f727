"""Sites, branches and traces: what a front-end records of a run, the same for every front-end.

A front-end fills a :class:`Trace` while the target runs; strategies, solvers and reports only read it. Branches are
kept in parallel columns, because a worst-case path can have a million of them; :class:`Branch` is a view made on
demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from pessimal.expr import Expr, Leaf, distances, variables
from pessimal.project import project_path


@dataclass(frozen=True, slots=True)
class Site:
    """A static branch point, identified by its source text and not by its position in the file.

    ``id`` survives edits elsewhere in the file: it is made of the path from the project's root, the function, the text
    of the expression and a counter for equal texts; ``line`` and ``column`` are for display.
    """

    file: str
    function: str
    line: int
    column: int
    text: str
    counter: int = 0

    @property
    def path(self) -> str:
        """The file's path from the root of its project."""
        return project_path(self.file)

    @property
    def id(self) -> str:
        """The identity, stable over runs and over edits elsewhere in the file."""
        suffix = f"#{self.counter}" if self.counter else ""
        return f"{self.path}:{self.function}:{self.text}{suffix}"

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which users may refer to it: its identity, or its file and line in several forms."""
        place = f"{self.file.rpartition('/')[2]}:{self.line}"
        return self.id, str(self), place, f"{self.path}:{self.line}", f"{self.file}:{self.line}"

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


COMPLETED = frozenset((Outcome.RETURNED, Outcome.RAISED))
"""The outcomes of a run in which the target came to its own end, so that the cost counts."""


def signal_of(exception: str | None) -> str | None:
    """The signal that killed the target, if the description of what ended a run begins with one: ``SIGABRT``."""
    name = (exception or "").partition(":")[0]
    return name if name.startswith("SIG") else None


def place_of(exception: str | None) -> str | None:
    """Where a signal ended a run, if that is part of the description."""
    return None if signal_of(exception) is None else (exception or "").partition(": ")[2] or None


PATH_ENDS = COMPLETED | {Outcome.REJECTED}
"""The outcomes that leave nothing to explore further along a path: rejecting an input ends its path, too."""


class Side(IntEnum):
    """What is known about an outcome that a branch did not take."""

    UNTRIED = 0
    FEASIBLE = 1
    INFEASIBLE = 2
    UNKNOWN = 3


@dataclass(frozen=True, slots=True)
class Branch:
    """One evaluation of a site: which of ``arity`` outcomes was taken, on what condition, and how near the others were.

    ``condition`` holds if outcome 1 was taken and does not hold if outcome 0 was; for a branch with more outcomes it is
    the condition of the one taken. A choice is a decision that the program itself does not make, such as the value
    chosen when something symbolic had to be made concrete. It determines the path, but it is not a branch of the
    program and costs nothing.
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
    confidence: float | None = None
    caller: int | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """A branch with any number of outcomes: the condition of each, and what is known about each.

    For every input exactly one of the conditions holds.
    """

    conditions: tuple[Expr, ...]
    sides: bytearray

    def others(self, taken: int) -> bytes:
        """What is known about the outcomes that were not taken."""
        return bytes(side for outcome, side in enumerate(self.sides) if outcome != taken)

    def summary(self, taken: int) -> Side:
        """The others as one value: feasible if any is, otherwise unknown, untried or infeasible, in this order."""
        known = self.others(taken)
        order = (Side.FEASIBLE, Side.UNKNOWN, Side.UNTRIED)
        return next((side for side in order if side in known), Side.INFEASIBLE)


@dataclass(frozen=True, slots=True)
class Concretisation:
    """A symbolic value that had to be made concrete: where, why, and which values its parts were given.

    A truth value has no ``values``: it is the decision at the position.
    """

    site: Site
    reason: str
    values: tuple[Leaf, ...]
    position: int


@dataclass(slots=True)
class Trace:
    """One execution: its branches in order, the input that drives it there, its outcome and its costs.

    ``leaves`` is the input as the flat vector of leaf values that the input specification decodes. ``decisions`` are
    the outcomes taken, choices included: following them again leads to the same path. Most branches have two outcomes;
    those with more are in ``switches`` by position, and ``others`` has a summary of them. ``assumed`` are the
    preconditions, which hold in addition to the path condition. ``wanted`` is the outcome that the policy insisted on,
    if the run ended because that outcome is infeasible.

    Columns that only some front-ends fill are empty otherwise: ``measured`` has the distances to each outcome as the
    front-end measured them, ``callers`` the number of the activation that called the function of each branch, and
    ``confidences``, by position, the probability that an unknown outcome is feasible. ``counts`` has how often each
    place in the code was executed, where the cost is made of such counts. ``seconds`` is how long the target itself
    took, without what was done for it meanwhile, such as inserting counters.

    A ``truncated`` trace was cut at the limit of branches. A ``known_fatal`` one was ended because it is known to kill
    its process. A ``refused`` one left its path because something refused a symbolic value, a side effect was blocked,
    or memory ran out.
    """

    sites: list[Site] = field(default_factory=list)
    conditions: list[Expr | None] = field(default_factory=list)
    decisions: bytearray = field(default_factory=bytearray)
    others: bytearray = field(default_factory=bytearray)
    depths: list[int] = field(default_factory=list)
    choices: set[int] = field(default_factory=set)
    switches: dict[int, Switch] = field(default_factory=dict)
    concretisations: list[Concretisation] = field(default_factory=list)
    assumed: list[Expr] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)
    outcome: Outcome = Outcome.RETURNED
    wanted: int | None = None
    returned: str | None = None
    exception: str | None = None
    costs: dict[str, float] = field(default_factory=dict)
    measured: Sequence[tuple[float, ...]] = ()
    callers: Sequence[int] = ()
    counts: Sequence[int] = ()
    seconds: float | None = None
    confidences: dict[int, float] = field(default_factory=dict)
    truncated: bool = False
    known_fatal: bool = False
    refused: str | None = None

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def length(self) -> int:
        """The number of branches of the program, choices not counted: PySE's cost."""
        return len(self.decisions) - len(self.choices)

    def arity(self, position: int) -> int:
        """How many outcomes the branch at a position has."""
        switch = self.switches.get(position)
        return 2 if switch is None else len(switch.sides)

    def side(self, position: int, outcome: int) -> Side:
        """What is known about an outcome; the one that was taken is feasible."""
        if outcome == self.decisions[position]:
            return Side.FEASIBLE
        switch = self.switches.get(position)
        return Side(self.others[position] if switch is None else switch.sides[outcome])

    def untaken(self, position: int, side: Side = Side.FEASIBLE) -> list[int]:
        """The outcomes at a position that were not taken and have this status."""
        taken = self.decisions[position]
        outcomes = range(self.arity(position))
        return [outcome for outcome in outcomes if outcome != taken and self.side(position, outcome) == side]

    def count(self, side: Side, start: int = 0) -> int:
        """How many outcomes that were not taken have this status, from a position on."""
        found = self.others.count(side, start)
        for position, switch in self.switches.items():
            if position >= start:
                known = switch.others(self.decisions[position])
                found += known.count(side) - (self.others[position] == side)
        return found

    def confidence(self, start: int = 0) -> float | None:
        """The largest confidence of an unknown outcome, from a position on; None if no solver has one."""
        found = [confidence for position, confidence in self.confidences.items() if position >= start]
        return max(found, default=None)

    def literal(self, position: int) -> tuple[Expr | None, bool]:
        """The condition at a position, None if it is not known, and whether it held."""
        switch = self.switches.get(position)
        taken = self.decisions[position]
        return (self.conditions[position], taken == 1) if switch is None else (switch.conditions[taken], True)

    def branch(self, position: int) -> Branch:
        """The branch at a position, with its distances and variables computed now unless they were measured."""
        condition, _ = self.literal(position)
        return Branch(
            site=self.sites[position],
            condition=condition,
            taken=self.decisions[position],
            other=Side(self.others[position]),
            depth=self.depths[position],
            arity=self.arity(position),
            is_choice=position in self.choices,
            distances=self.distances(position),
            variables=frozenset(() if condition is None else variables(condition)),
            confidence=self.confidences.get(position),
            caller=self.callers[position] if self.callers else None,
        )

    def distances(self, position: int) -> tuple[float, ...]:
        """How far the input is from each outcome: 0 for the one taken; empty if not known."""
        if self.measured:
            return self.measured[position]
        switch = self.switches.get(position)
        if switch is not None:
            return tuple(distances(condition, self.leaves)[1] for condition in switch.conditions)
        condition = self.conditions[position]
        return () if condition is None else distances(condition, self.leaves)

    @property
    def branches(self) -> Iterator[Branch]:
        """All branches of the program in order, choices left out."""
        return (self.branch(i) for i in range(len(self.decisions)) if i not in self.choices)

    @property
    def path_condition(self) -> Sequence[tuple[Expr, bool]]:
        """The conditions and whether each held; their conjunction is the path condition."""
        literals = (
            (self.literal(position) for position in range(len(self.decisions)))
            if self.switches
            else zip(self.conditions, map(bool, self.decisions), strict=True)
        )
        return [(condition, want) for condition, want in literals if condition is not None]

    def set_untried(self, position: int) -> None:
        """Forget what is known about the outcomes at a position that were not taken."""
        self.others[position] = Side.UNTRIED
        switch = self.switches.get(position)
        if switch is not None:
            switch.sides[:] = bytes(len(switch.sides))
