"""The tasks of a search, as data that crosses from the parent to a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pessimal.expr import Leaf
from pessimal.fatal_runs import FatalRun
from pessimal.messages import CoverageMessage, Finding, ReplayMessage, SearchEnded, SearchMessage, Snapshot
from pessimal.pool.task import Task
from pessimal.search_spec import SearchSpec


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a search a worker does: its lane, of how many, and what is left out of it."""

    lane: int = 0
    lanes: int = 1
    opened: int = 0
    """How many of the opening runs were made."""
    excluded: tuple[str, ...] = ()
    """The members of a portfolio that take part no more."""

    @property
    def is_first(self) -> bool:
        """Whether this is the lane that makes the opening runs."""
        return self.lane == 0


@dataclass(frozen=True, slots=True)
class SearchTask(Task[SearchMessage, SearchEnded]):
    """Search to the end; from the snapshot on, if there is one, and without the runs that are known to be fatal."""

    entry_point: ClassVar[str] = "pessimal.worker.search:search"

    spec: SearchSpec
    snapshot: Snapshot | None = None
    fatal: Sequence[FatalRun] = ()
    explain: bool = False
    ends_at: float | None = None
    part: Part = Part()
    silent_seconds: float | None = None
    """How long the worker may be without a run or a message."""


@dataclass(frozen=True, slots=True)
class RecoverTask(Task[None, list[Leaf]]):
    """Find the input of a symbolic run that killed its process."""

    entry_point: ClassVar[str] = "pessimal.worker.recover:recover"

    spec: SearchSpec
    fatal: FatalRun
    ends_at: float | None = None


@dataclass(frozen=True, slots=True)
class LocateTask(Task[None, None]):
    """Import and prepare the target again, after that killed its process, and record at which line it does so."""

    entry_point: ClassVar[str] = "pessimal.worker.locate:locate"

    spec: SearchSpec
    ends_at: float | None = None


@dataclass(frozen=True, slots=True)
class ReplayTask(Task[ReplayMessage, None]):
    """Replay findings natively; each has an index that its messages name."""

    entry_point: ClassVar[str] = "pessimal.worker.replay:replay"

    spec: SearchSpec
    findings: Sequence[tuple[int, Finding]]
    ends_at: float | None = None
    as_found: frozenset[int] = frozenset()
    """The findings that are not simplified, because a simpler input killed its process."""


@dataclass(frozen=True, slots=True)
class CoverageTask(Task[CoverageMessage, None]):
    """Measure what inputs cover after the places, given as file, function and line, where values became concrete."""

    entry_point: ClassVar[str] = "pessimal.worker.coverage:measure"

    spec: SearchSpec
    inputs: Sequence[tuple[int, Sequence[Leaf]]]
    places: Sequence[tuple[str, str, int]]
    ends_at: float | None = None
