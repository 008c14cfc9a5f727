"""What the parent knows of a search: all that was found, and what it took."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from pessimal.messages import AttackReport, Counters, Finding
from pessimal.pool import WorkerDeath
from pessimal.result import Effort
from pessimal.trace import Outcome

UNFINISHED = "interrupted"
"""Why a search stopped that has not ended yet."""


@dataclass(slots=True)
class SearchFindings:
    """All that a search found; replays and the explanation add to it what they learn of the target."""

    best: Finding | None = None
    paths: list[Finding] = field(default_factory=list)
    failures: list[Finding] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    stopped: str = UNFINISHED
    ran_out_of_time: bool = False
    proof: str | None = None
    attack: AttackReport | None = None
    interrupted: bool = False
    ledger: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    opening: list[Finding | None] = field(default_factory=list)
    """The findings of the opening runs, in their order; None where there was none."""

    @property
    def opened(self) -> list[Finding]:
        """What the opening runs found that ended, the most expensive first."""
        ended = [finding for finding in self.opening if finding is not None and finding.ended]
        return sorted(ended, key=lambda finding: -finding.cost)

    @property
    def is_empty(self) -> bool:
        """Whether no run has ended so far."""
        return self.best is None and not self.paths and not self.opened

    def attack_report(self) -> dict[str, Any] | None:
        """How the claim was attacked, as JSON values; None if nothing was claimed."""
        return None if self.attack is None else asdict(self.attack)

    def effort(self) -> Effort:
        """What the search spent."""
        counters = self.counters
        return Effort(
            paths=counters.paths,
            opening_runs=len(self.opening),
            infeasible=counters.infeasible,
            unknown=counters.unknown,
            confidence=counters.confidence,
            concretisations=counters.concretisations,
            solver={"calls": counters.solver_calls, "seconds": round(counters.solver_seconds, 6)},
            seconds=round(counters.seconds, 6),
            found_after=None if counters.found_after is None else round(counters.found_after, 6),
            found_run=counters.found_run,
            found_by=counters.found_by,
            practised=counters.practised,
            learning_seconds=round(counters.learning_seconds, 6),
            stopped=self.stopped,
            nondeterministic=counters.divergence,
        )


def outcome_of(death: WorkerDeath) -> Outcome:
    """How the run ended that a worker died of."""
    return Outcome.TIMED_OUT if death.reason in ("deadline", "budget") else Outcome.CRASHED
