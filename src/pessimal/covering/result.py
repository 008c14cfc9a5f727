"""What ``cover`` gives back: the same fields in Python and in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class Share:
    """How many of how many were covered."""

    covered: int = 0
    total: int = 0

    @property
    def percent(self) -> float:
        """The share in percent; of nothing, all is covered."""
        return 100.0 * self.covered / self.total if self.total else 100.0


@dataclass(slots=True)
class CoveringTest:
    """An input of the result: the call as Python text, how it ended, and the branches that it is the first to take."""

    input: str
    outcome: str
    new_sites: list[str]
    exception: str | None = None
    scenario: list[Any] = field(default_factory=list)
    """The input as data, from which another search can start (``--seeds``)."""


@dataclass(slots=True)
class Unreached:
    """A branch that no input takes: where it leads from and to, why, and how probable it is that one could."""

    site: str
    condition: str
    to: str
    reason: str
    confidence: float | None = None


@dataclass(slots=True)
class Failure:
    """An input on which the covered code fails: the kind of failure, where, and the call as Python text."""

    kind: str
    text: str
    site: str
    input: str
    count: int = 1


@dataclass(slots=True)
class CoverResult:
    """The inputs that were found, what they cover, and what is left."""

    targets: list[str]
    branches: Share
    lines: Share
    tests: list[CoveringTest]
    unreached: list[Unreached]
    failures: list[Failure]
    solver: dict[str, float]
    executions: int
    symbolic_runs: int
    seconds: float
    seed: int
    strategy: str
    stopped: str = ""
    interrupted: bool = False
    curve: list[tuple[float, int]] = field(default_factory=list)
    """Seconds and branches covered by then."""
    files: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    """Modules that could not be imported, with the reason."""
    stand_ins: list[str] = field(default_factory=list)
    """Functions and variables that tests of C use and nobody defines: they returned 0 and were 0."""
    test_file: dict[str, Any] | None = None
    confined_by: tuple[str, ...] = ()
    model: dict[str, Any] | None = None
    """The file of the model that was used, its flips, and how many the search would have needed without it."""

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        return asdict(self) | {"confined_by": list(self.confined_by)}
