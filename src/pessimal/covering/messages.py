"""What the workers of ``cover`` send to the parent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pessimal.covering.time_plan import Observed
from pessimal.scenario import Scenario
from pessimal.search.model_worth import ModelWorth

ArcRow = tuple[str, int, int]
"""File, line and the line that follows it; 0 if it is the line itself that counts, whatever follows."""


CRASHED, HUNG = "crashed", "timed out"
"""Kinds of failures that cost their process."""


@dataclass(frozen=True, slots=True)
class CaseFound:
    """A scenario, as JSON values, that is the first to take some arcs; and how it ended."""

    scenario: list[Any]
    arcs: Sequence[ArcRow]
    outcome: str
    exception: str | None = None

    @property
    def steps(self) -> Scenario:
        """The scenario itself."""
        return Scenario.from_json(self.scenario)


@dataclass(frozen=True, slots=True)
class FailureSeen:
    """A scenario that did not end well: it raised what nobody announced, or took too long."""

    scenario: list[Any]
    kind: str
    text: str
    place: str
    is_fatal: bool = False
    """Whether it cost its process, and so is not run again."""


@dataclass(frozen=True, slots=True)
class BranchesKnown:
    """The branches and lines that there are, sent once when the modules are imported."""

    files: Sequence[str]
    branches: Sequence[ArcRow]
    lines: Sequence[ArcRow]
    modules: Sequence[str]
    skipped: Sequence[tuple[str, str]] = ()
    """Modules that could not be imported, each with the reason."""


@dataclass(frozen=True, slots=True)
class CoverProgress:
    """How far a worker has come."""

    executions: int = 0
    symbolic_runs: int = 0
    flips: int = 0
    """Runs that asked the solvers for another outcome."""
    solver_calls: int = 0
    """What of that came to a solver behind our own ones."""
    solver_seconds: float = 0.0
    worth: ModelWorth | None = None
    """What the model of the strategy of flips was worth, if it has one."""

    @classmethod
    def total(cls, parts: Sequence[CoverProgress]) -> CoverProgress:
        """The sum of several."""
        worths = [part.worth for part in parts if part.worth is not None]
        names = ("executions", "symbolic_runs", "flips", "solver_calls", "solver_seconds")
        sums = {name: sum(getattr(part, name) for part in parts) for name in names}
        return cls(**sums, worth=ModelWorth.total(worths) if worths else None)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why symbolic runs did not take an outcome of a test on a line; ``test`` tells tests and outcomes apart."""

    file: str
    line: int
    test: str
    text: str
    confidence: float | None = None
    weight: int = 0
    to: int | None = None
    """Where the line leads, if the reason is about this way alone and does not come from symbolic runs."""


@dataclass(frozen=True, slots=True)
class CoverEnded:
    """The end of one worker's search."""

    stopped: str
    progress: CoverProgress
    reasons: Sequence[Reason] = field(default_factory=tuple)
    note: str | None = None
    """What users should know about the strategy of flips."""
    observed: Observed = field(default_factory=Observed)
    """What the worker has seen of the machine."""


CoverMessage = CaseFound | FailureSeen | BranchesKnown | CoverProgress
