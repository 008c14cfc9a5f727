"""What workers do for test files, as data that crosses to them: observe scenarios, and run written tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pessimal.pool.task import Task
from pessimal.testfile.case import Module


@dataclass(frozen=True, slots=True)
class Observed:
    """A scenario is about to be observed, if nothing is said of it, or was observed, or is no test for a reason."""

    index: int
    data: dict[str, Any] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ObserveTask(Task[Observed, None]):
    """Observe scenarios, given as JSON values with their numbers."""

    entry_point: ClassVar[str] = "pessimal.testfile.observing_worker:observe_all"

    scenarios: Sequence[tuple[int, Any]]
    modules: Sequence[Module]
    run_seconds: float
    allow_side_effects: bool = False
    ends_at: float | None = None
    silent_seconds: float | None = None
    scratch: str | None = None
    """A directory for what the target writes."""


BROKE_PYTEST = "it broke pytest"
"""The reason of a test after which pytest could not go on; the result of the task, too, since the rest was not run."""


@dataclass(frozen=True, slots=True)
class TestReport:
    """A test is about to run, if nothing is known of it yet, or it passed, or it failed for a reason."""

    __test__ = False

    name: str
    passed: bool | None = None
    reason: str = ""
    arcs: Sequence[tuple[str, int, int]] = ()
    """What it is the first test to take in the files under test."""


@dataclass(frozen=True, slots=True)
class CheckTask(Task[TestReport, str]):
    """Run some tests of a test file with pytest; the result says why none could be run, if so."""

    entry_point: ClassVar[str] = "pessimal.testfile.checking_worker:check"

    text: str
    path: str
    names: Sequence[str]
    files: Sequence[str]
    search_path: Sequence[str]
    run_seconds: float
    allow_side_effects: bool = False
    ends_at: float | None = None
    silent_seconds: float | None = None
    scratch: str | None = None
    """A directory for what the target writes."""
