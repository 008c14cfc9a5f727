"""What the parent knows of a search, or of one of its lanes: all that was found, and what it took."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from math import inf
from typing import Any

from pessimal.expr import Leaf
from pessimal.ledger import Ledger
from pessimal.messages import AttackReport, Counters, Finding, InputDescribed
from pessimal.objective import Maximise
from pessimal.pool import WorkerDeath
from pessimal.result import Effort
from pessimal.strategy import merge_reports
from pessimal.trace import Outcome, signal_of

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
    is_settled: bool = False
    """Whether what the search is after was reached or proved."""
    proof: str | None = None
    attack: AttackReport | None = None
    interrupted: bool = False
    ledger: dict[str, Any] | None = None
    report: dict[str, Any] | None = None
    assumed: dict[str, str] = field(default_factory=dict)
    inferred: dict[str, str] = field(default_factory=dict)
    """The ranges of numbers that were given none, as replays report them."""
    opening: list[Finding | None] = field(default_factory=list)
    """The findings of the opening runs, in their order; None where there was none."""
    leftover_threads: list[str] = field(default_factory=list)
    described: dict[tuple[Leaf, ...], InputDescribed] = field(default_factory=dict)
    """The best inputs of the lanes as a user reads them, by their leaves."""

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


def merged(lanes: Sequence[SearchFindings], objective: str) -> SearchFindings:
    """What several lanes found together.

    A proof of one lane holds unless another found an input that costs more or does not end.
    """
    if len(lanes) == 1:
        return lanes[0]
    best = _best(lanes, objective)
    settling = next((lane for lane in lanes if lane.is_settled), None)
    last = settling or next((lane for lane in lanes if lane.ran_out_of_time), lanes[-1])
    failures = _once((failure for lane in lanes for failure in lane.failures), _kind)
    # A symbolic run that did not end may only have been slow.
    is_refuted = any(failure.origin == "concrete" for failure in failures) or (
        settling is not None and settling is not best and _costs_more(best, settling)
    )
    return SearchFindings(
        best=best.best,
        paths=_once((path for lane in lanes for path in lane.paths), lambda path: path.leaves),
        failures=failures,
        counters=merged_counters(lanes, objective),
        stopped=last.stopped,
        ran_out_of_time=settling is None and any(lane.ran_out_of_time for lane in lanes),
        is_settled=settling is not None,
        proof=None if settling is None or is_refuted else settling.proof,
        attack=None if settling is None or is_refuted else settling.attack,
        ledger=_ledger([lane.ledger for lane in lanes if lane.ledger is not None]),
        report=merge_reports([lane.report for lane in lanes if lane.report is not None]),
        opening=[finding for lane in lanes for finding in lane.opening],
        leftover_threads=[name for lane in lanes for name in lane.leftover_threads],
        described={leaves: text for lane in lanes for leaves, text in lane.described.items()},
    )


def _once(findings: Iterable[Finding], key: Callable[[Finding], Any]) -> list[Finding]:
    """The first finding of each kind."""
    found: dict[Any, Finding] = {}
    for finding in findings:
        found.setdefault(key(finding), finding)
    return list(found.values())


def _kind(failure: Finding) -> tuple[Any, ...]:
    """What is the same for failures of which one is enough: where a signal ended the run, or else the input."""
    return failure.outcome, failure.exception if signal_of(failure.exception) else failure.leaves


def merged_counters(lanes: Sequence[SearchFindings], objective: str) -> Counters:
    """What several lanes spent together."""
    return _sum([lane.counters for lane in lanes], _best(lanes, objective).counters)


def _ledger(parts: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The ledgers of all lanes as one."""
    if len(parts) <= 1:
        return next(iter(parts), None)
    ledger = Ledger()
    for part in parts:
        ledger.include(Ledger.from_json(part))
    return ledger.to_json()


def _best(lanes: Sequence[SearchFindings], objective: str) -> SearchFindings:
    """The lane with the best finding: the most expensive one, or for other objectives the first."""
    found = [lane for lane in lanes if lane.best is not None]
    if not found or objective != Maximise.name:
        return found[0] if found else lanes[0]
    return max(found, key=lambda lane: -inf if lane.best is None else lane.best.cost)


def _costs_more(one: SearchFindings, other: SearchFindings) -> bool:
    return one.best is not None and (other.best is None or one.best.cost > other.best.cost)


def _sum(parts: Sequence[Counters], best: Counters) -> Counters:
    """The counters of all lanes, with the time of the longest, and the find of the one that found the best."""
    numbers = {
        item.name: sum(getattr(part, item.name) for part in parts)
        for item in fields(Counters)
        if isinstance(item.default, int | float)
    }
    divergence = next((part.divergence for part in parts if part.divergence is not None), None)
    return replace(best, **{**numbers, "seconds": max(part.seconds for part in parts), "divergence": divergence})
