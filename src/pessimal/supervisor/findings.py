"""What the parent knows of a search: all that was found, and what it took."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from pessimal.messages import AttackReport, Counters, Finding
from pessimal.pool import WorkerDeath
from pessimal.result import Effort
from pessimal.trace import Outcome


@dataclass(slots=True)
class SearchFindings:
    """All that a search found; replays and the explanation add to it what they learn of the target."""

    best: Finding | None = None
    paths: list[Finding] = field(default_factory=list)
    failures: list[Finding] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    stopped: str = "interrupted"
    proof: str | None = None
    attack: AttackReport | None = None
    interrupted: bool = False
    ledger: dict[str, Any] | None = None
    report: dict[str, Any] | None = None

    def attack_report(self) -> dict[str, Any] | None:
        """How the claim was attacked, as JSON values; None if nothing was claimed."""
        return None if self.attack is None else asdict(self.attack)

    def effort(self) -> Effort:
        """What the search spent."""
        counters = self.counters
        return Effort(
            paths=counters.paths,
            infeasible=counters.infeasible,
            unknown=counters.unknown,
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
    return Outcome.TIMED_OUT if death.reason == "deadline" else Outcome.CRASHED
