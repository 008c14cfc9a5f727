"""What worker and parent say to each other: findings, counters and snapshots, and one message class per kind.

Messages travel from worker to parent as JSON, and are read by the types of their fields alone. A snapshot is also kept
in the run directory, as JSON; reading it back raises ``KeyError``, ``TypeError`` or ``ValueError`` where the JSON is
damaged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any, Literal

from pessimal.coverage import CoverageGain
from pessimal.expr import Leaf
from pessimal.json_values import rebuilt, typed
from pessimal.trace import Outcome, Trace

Origin = Literal["symbolic", "concrete"]
"""The kind of run that found an input."""

ENDED = frozenset((Outcome.RETURNED, Outcome.RAISED))
"""The outcomes of runs that came to their own end, and so have a cost."""


OUT_OF_TIME = "the budget was used up"
"""Why something was left out that needed more time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input with its outcome and its cost, as it travels from worker to parent to result.

    The cost of a run that did not end is minus infinity.
    """

    leaves: tuple[Leaf, ...]
    outcome: Outcome
    cost: float
    branches: int
    origin: Origin
    exception: str | None = None
    seconds: float = 0.0
    """How long a run took that did not end."""

    @classmethod
    def of(cls, trace: Trace, cost: float, origin: Origin) -> Finding:
        """The finding that a run makes."""
        return cls(tuple(trace.leaves), trace.outcome, cost, trace.length, origin, trace.exception)

    @property
    def ended(self) -> bool:
        """Whether the run came to its own end."""
        return self.outcome in ENDED

    def to_json(self) -> dict[str, Any]:
        """The finding as JSON values."""
        cost = None if self.cost == -inf else self.cost
        return {**asdict(self), "leaves": list(self.leaves), "outcome": self.outcome.value, "cost": cost}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Finding:
        """The finding that :meth:`to_json` wrote."""
        found: Finding = rebuilt(cls, {**data, "cost": -inf if data["cost"] is None else data["cost"]})
        return found


@dataclass(slots=True)
class Counters:
    """What a search has counted so far."""

    paths: int = 0
    runs: int = 0
    infeasible: int = 0
    unknown: int = 0
    concretisations: int = 0
    rejected: int = 0
    accepted: int = 0
    seconds: float = 0.0
    found_after: float | None = None
    solver_calls: int = 0
    solver_seconds: float = 0.0
    divergence: str | None = None
    failed: int = 0
    practised: int = 0
    found_run: int | None = None
    found_by: str | None = None
    learning_seconds: float = 0.0
    confidence: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The counters as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Counters:
        """The counters that :meth:`to_json` wrote."""
        counters: Counters = rebuilt(cls, data)
        return counters


@dataclass(frozen=True, slots=True)
class AttackReport:
    """How a claim was attacked: runs of other inputs, paths of the tree compared with native runs.

    ``withdrawn`` says why the claim does not hold, and ``call`` is the call that shows it.
    """

    runs: int
    compared: int
    withdrawn: str | None = None
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that is needed to go on with a search in another process."""

    counters: Counters = field(default_factory=Counters)
    best: Finding | None = None
    strategy: dict[str, Any] | None = None
    ledger: dict[str, Any] | None = None
    objective: dict[str, Any] | None = None
    claimed_paths: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The snapshot as JSON values."""
        return {
            "counters": self.counters.to_json(),
            "best": None if self.best is None else self.best.to_json(),
            "strategy": self.strategy,
            "ledger": self.ledger,
            "objective": self.objective,
            "claimed_paths": self.claimed_paths,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Snapshot:
        """The snapshot that :meth:`to_json` wrote."""
        return cls(
            Counters.from_json(data["counters"]),
            None if data["best"] is None else Finding.from_json(data["best"]),
            typed(data["strategy"], dict | None),
            typed(data["ledger"], dict | None),
            typed(data["objective"], dict | None),
            typed(data["claimed_paths"], dict | None),
        )


# A search


@dataclass(frozen=True, slots=True)
class OpeningStarted:
    """The runs before the search proper are being made."""


@dataclass(frozen=True, slots=True)
class OpeningRun:
    """One of the runs before the search proper; without a finding the input is none, or is known to be fatal."""

    finding: Finding | None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A member of a portfolio begins a turn; it is to blame if nothing more is heard."""

    name: str


@dataclass(frozen=True, slots=True)
class ProgressMade:
    """The search goes on; sent a few times a second."""

    counters: Counters


@dataclass(frozen=True, slots=True)
class BestFound:
    """An input costs more than all before."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class PathFound:
    """A path was run to its end; sent only by a search that collects paths."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class FailureFound:
    """A run did not come to its own end; its input is described for the case that no time is left to replay it."""

    finding: Finding
    described: InputDescribed | None = None


@dataclass(frozen=True, slots=True)
class SnapshotTaken:
    """The search can be resumed from here; the report is what the strategy would say if it ended now."""

    snapshot: Snapshot
    report: dict[str, Any] | None = None


SearchMessage = (
    OpeningStarted | OpeningRun | TurnStarted | ProgressMade | BestFound | PathFound | FailureFound | SnapshotTaken
)


@dataclass(frozen=True, slots=True)
class InputDescribed:
    """An input as a user reads it: its arguments as JSON values, and the call as Python text.

    ``assumed`` has the ranges of numbers that were given none, as ``--input`` has them, and ``inferred`` the inputs of
    parameters without hints.
    """

    input: dict[str, Any]
    call: str
    assumed: Mapping[str, str] = field(default_factory=dict)
    inferred: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchEnded:
    """The result of a search: why it stopped, what it found, and what the strategy reports."""

    stopped: str
    proof: str | None
    counters: Counters
    best: Finding | None
    ledger: dict[str, Any] | None
    report: dict[str, Any] | None
    leftover_threads: Sequence[str]
    attack: AttackReport | None = None
    ran_out_of_time: bool = False
    """Whether the clock ended it, and not the strategy, a number of paths, or a cost that was enough."""
    is_settled: bool = False
    """Whether what the search is after was reached or proved, so that no other lane needs to go on."""
    described: InputDescribed | None = None
    """The best input, for the case that no time is left to replay it."""


# Replays


@dataclass(frozen=True, slots=True)
class ReplayStarted:
    """An input is about to be replayed."""

    index: int
    described: InputDescribed


@dataclass(frozen=True, slots=True)
class ReplayEnded:
    """What a replay showed, where it differs from what was predicted, and whether two replays differ."""

    index: int
    outcome: Outcome
    exception: str | None
    returned: str | None = None
    cost: float | None = None
    branches: int | None = None
    difference: str | None = None
    nondeterministic: str | None = None
    unfinished: str | None = None
    """What was left out for want of time."""
    seconds: float | None = None
    """How long a run that did not end was given."""


ReplayMessage = ReplayStarted | ReplayEnded


# Coverage


@dataclass(frozen=True, slots=True)
class CoverageStarted:
    """An input is about to be run for its coverage."""

    index: int


@dataclass(frozen=True, slots=True)
class CoverageMeasured:
    """What one more input covers."""

    index: int
    gain: CoverageGain


CoverageMessage = CoverageStarted | CoverageMeasured


# The check of a proof


@dataclass(frozen=True, slots=True)
class PathsChecked:
    """How far the check of a certificate has come."""

    done: int
    total: int
