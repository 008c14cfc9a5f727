"""The tasks of ``cover``, as data that crosses from the parent to a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pessimal.covering.messages import CoverEnded, CoverMessage
from pessimal.covering.spec import CoverSpec
from pessimal.covering.time_plan import TimePlan
from pessimal.pool.task import Task


@dataclass(frozen=True, slots=True)
class CoverTask(Task[CoverMessage, CoverEnded]):
    """Search in one lane; ``start`` has scenarios to run first, ``fatal`` those that killed their process."""

    entry_point: ClassVar[str] = "pessimal.covering.worker:cover"

    spec: CoverSpec
    lane: int
    start: Sequence[list[Any]] = ()
    fatal: Sequence[list[Any]] = ()
    life: int = 0
    is_flipping: bool = True
    """Whether symbolic runs take part; without them, if they seem to kill the worker."""
    ends_at: float | None = None
    plan: TimePlan | None = None
    """How the budget is shared, by which the search ends earlier where the rest takes long."""
