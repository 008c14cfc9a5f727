"""Replaying what a search found: every witness was run natively in a fresh process before it is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from pessimal.errors import InternalError, TargetError
from pessimal.expr import Leaf
from pessimal.inputs import from_json
from pessimal.messages import ENDED, OUT_OF_TIME, Finding, InputDescribed, ReplayEnded, ReplayMessage, ReplayStarted
from pessimal.pool import TaskRunner, WorkerDeath
from pessimal.result import Witness
from pessimal.search_spec import SearchSpec
from pessimal.supervisor.findings import SearchFindings, outcome_of
from pessimal.supervisor.time_plan import TimePlan
from pessimal.trace import Outcome, place_of, signal_of
from pessimal.worker.tasks import ReplayTask

SHOWN_FAILURES = 10
BELIEVED_KILLS = 2
"""After so many replays that ended by SIGKILL, the next one is believed to be the target's own doing."""


class Replayer:
    """Turns the findings of a search into witnesses; a replay that kills its process is a failure with its input.

    An interrupt or the end of the budget ends replaying, too: what is not replayed by then is given as it was found,
    and says so.
    """

    def __init__(
        self, spec: SearchSpec, runner: TaskRunner, found: SearchFindings, plan: TimePlan | None = None
    ) -> None:
        self._spec = spec
        self._runner = runner
        self._found = found
        self._plan = plan or TimePlan()
        self._is_interrupted = False

    def witnesses(self, findings: Sequence[Finding]) -> list[Witness]:
        """Replay findings; one witness for each."""
        replies = _Replies()
        waiting = list(enumerate(findings))
        kills: Counter[int] = Counter()
        as_found: set[int] = set()
        defect = None
        while waiting and not self._is_interrupted and not self._plan.is_over:
            try:
                task = ReplayTask(self._spec, waiting, self._plan.ends_at, frozenset(as_found))
                end = self._runner.run(task, replies.add)
            except KeyboardInterrupt:
                self._is_interrupted = self._found.interrupted = True
                break
            except TargetError:
                if self._plan.ends_at is None:
                    raise
                break  # it was imported before: now there was not enough time
            except InternalError as error:
                defect = error.summary
                break
            waiting = [(index, finding) for index, finding in waiting if index not in replies.ended]
            if not isinstance(end, WorkerDeath) or end.reason == "budget" or not waiting:
                break
            index, finding = waiting[0]
            if end.detail == "SIGKILL" and kills[index] < BELIEVED_KILLS:
                kills[index] += 1  # perhaps by the kernel or a person: it is replayed once more
            elif finding.ended and index not in replies.described and index not in as_found:
                as_found.add(index)  # a simpler input may have killed it
            else:
                replies.add(_killed(end, *waiting.pop(0)))
        for reply in replies.ended.values():
            self._found.counters.divergence = self._found.counters.divergence or reply.nondeterministic
        for index, finding in enumerate(findings):
            if finding.leaves in self._found.described:
                replies.described.setdefault(index, self._found.described[finding.leaves])
        for described in replies.described.values():
            self._found.assumed.update(described.assumed)
            self._found.inferred.update(described.inferred)
        reason = defect or ("interrupted" if self._is_interrupted else OUT_OF_TIME)
        return [replies.witness(index, finding, reason) for index, finding in enumerate(findings)]

    def best_and_failures(self) -> tuple[Witness | None, list[Witness]]:
        """The best finding and the failures, replayed by one worker."""
        best = [] if self._found.best is None else [self._found.best]
        witnesses = self.witnesses([*best, *_distinct(self._found.failures)])
        return next(iter(witnesses[: len(best)]), None), self._failed(witnesses[len(best) :])

    def failures(self) -> list[Witness]:
        """The failures, replayed."""
        return self._failed(self.witnesses(_distinct(self._found.failures)))

    def _failed(self, witnesses: list[Witness]) -> list[Witness]:
        """Those that did fail: one that ends natively was only too slow with our values, and settles nothing."""
        failed = [item for item in witnesses if item.outcome not in ENDED or signal_of(item.exception)]
        self._found.counters.unknown += len(witnesses) - len(failed)
        return list({(item.call, item.outcome, item.exception): item for item in failed}.values())


@dataclass(frozen=True, slots=True)
class _Replies:
    """What workers sent about replays, by the index of the finding."""

    described: dict[int, InputDescribed] = field(default_factory=dict)
    ended: dict[int, ReplayEnded] = field(default_factory=dict)

    def add(self, message: ReplayMessage) -> None:
        if isinstance(message, ReplayStarted):
            self.described[message.index] = message.described
        else:
            self.ended[message.index] = message

    def witness(self, index: int, finding: Finding, reason: str) -> Witness:
        """The finding as a witness, with what its replay showed, or the reason why there is none."""
        described, ended = self.described.get(index), self.ended.get(index)
        given = {} if described is None else described.input
        witness = Witness(
            input={name: from_json(value) for name, value in given.items()},
            call=f"the leaves {list(finding.leaves)}" if described is None else described.call,
            outcome=finding.outcome.value,
            cost=None if finding.cost == -inf else finding.cost,
            branches=finding.branches,
            exception=finding.exception,
            unfinished=f"not replayed: {reason}" if ended is None else ended.unfinished,
            seconds=finding.seconds or None,
            place=place_of(finding.exception),
        )
        if ended is not None:
            witness.replayed = True
            witness.outcome, witness.exception = ended.outcome.value, ended.exception
            witness.returned, witness.difference = ended.returned, ended.difference
            witness.cost, witness.seconds = ended.cost, max(finding.seconds, ended.seconds or 0.0) or None
            witness.branches = (finding.branches or None) if ended.branches is None else ended.branches
        return witness


def _killed(death: WorkerDeath, index: int, finding: Finding) -> ReplayEnded:
    """The replay that killed its process; where the search saw the input end otherwise, that is a difference."""
    outcome = outcome_of(death)
    difference = f"predicted to be {finding.outcome.value}, but natively it {death.text}"
    return ReplayEnded(index, outcome, death.text, difference=None if outcome is finding.outcome else difference)


def _distinct(failures: Sequence[Finding]) -> list[Finding]:
    """A few failures, one for each way to fail and input."""
    kept: dict[tuple[Outcome, tuple[Leaf, ...]], Finding] = {}
    for item in failures:
        kept.setdefault((item.outcome, item.leaves), item)
    return list(kept.values())[:SHOWN_FAILURES]
