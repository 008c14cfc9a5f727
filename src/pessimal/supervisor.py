"""Driving a search from outside: start the worker, listen, replace it when it dies or hangs, replay what it found.

The target never runs in this process. A run that kills or hangs its process becomes a failure with its input, and the
search goes on from its last snapshot, knowing not to run that again.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pessimal.errors import InternalError, TargetError
from pessimal.explain import Coverage, Ledger
from pessimal.inputs import from_json
from pessimal.pool import Died, Failed, Finished, Message, Pool, Recorder
from pessimal.pool.recorder import Record
from pessimal.result import Effort, Witness
from pessimal.runs import Avoid
from pessimal.search.session import Counters, Snapshot
from pessimal.search_spec import SYMBOLIC, Fatal, Run, SearchSpec
from pessimal.store import Store
from pessimal.trace import Outcome
from pessimal.worker_tasks import ENDED, TaskPayload

GRACE = 3.0
"""Seconds beyond its deadline after which a run that cannot be interrupted from inside is killed from outside."""

LISTEN = 0.25
SHOWN_FAILURES = 10
MAX_REPEATED_DEATHS = 3
MAX_DEATHS = 1000


@dataclass(slots=True)
class Death:
    """The end of a worker, and the run that was in progress."""

    reason: str
    detail: str
    record: Record | None
    last_words: str = ""

    @property
    def outcome(self) -> Outcome:
        """What became of the run."""
        return Outcome.TIMED_OUT if self.reason == "deadline" else Outcome.CRASHED

    @property
    def text(self) -> str:
        """The death in words."""
        if self.reason == "deadline":
            return "did not end in time"
        if self.reason == "memory":
            return f"ran out of memory ({self.detail})"
        return f"killed its process ({self.detail})"


@dataclass(slots=True)
class Progress:
    """What a search has to say while it goes on."""

    size: int
    counters: Counters
    best: float | None


@dataclass(slots=True)
class Found:
    """All that a search found, before and after replay."""

    best: dict[str, Any] | None = None
    paths: list[dict[str, Any]] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    counters: Counters = field(default_factory=Counters)
    stopped: str = "interrupted"
    proof: str | None = None
    interrupted: bool = False
    ledger: dict[str, Any] | None = None
    report: dict[str, Any] | None = None

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


class Supervisor:
    """One search and its replays, in worker processes of one pool."""

    def __init__(
        self,
        spec: SearchSpec,
        pool: Pool,
        store: Store,
        *,
        progress: Callable[[Progress], None],
        warn: Callable[[str], None],
        explain: bool = False,
    ) -> None:
        self._spec = spec
        self._pool = pool
        self._store = store
        self._progress = progress
        self.warn = warn
        self._recorder = Recorder()
        self._explain = explain
        self._found = Found()
        self._snapshot: dict[str, Any] | None = None
        self._kept = (0, 0)
        self._fatal: list[Fatal] = []
        self._suspects: list[Fatal] = []
        self._deaths = 0
        self._hurried = False

    def search(self) -> Found:
        """Search until the strategy or the budget ends; an interrupt keeps what was found."""
        self._resume()
        try:
            while not self._attempt():
                pass
        except KeyboardInterrupt:
            self._found.interrupted = True
        return self._found

    def _resume(self) -> None:
        state = self._store.resume(self._spec.identity)
        if state is None:
            return
        try:
            self._take_up(state)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self._store.damaged() from None
        self.warn(f"resuming after {self._found.counters.paths} paths")

    def _take_up(self, state: dict[str, Any]) -> None:
        snapshot = state["snapshot"]
        self._snapshot = Snapshot.from_json(snapshot).to_json()
        self._fatal = [
            Fatal(_run(item["run"]), _from_hex(item["decisions"]), Outcome(item["outcome"])) for item in state["fatal"]
        ]
        self._found.paths, self._found.failures = state["paths"], state["failures"]
        self._found.best = snapshot["best"]
        self._found.counters = Counters(**snapshot["counters"])
        self._found.ledger = snapshot.get("ledger")
        if self._found.ledger is not None:
            Ledger.from_json(self._found.ledger)  # or it is damaged
        self._kept = len(self._found.paths), len(self._found.failures)

    def _attempt(self) -> bool:
        """One worker's part of the search; False if it died and the search must go on in another."""
        payload = TaskPayload(self._spec, self._snapshot, self._fatal, explain=self._explain)
        end = self._call("search", payload, self._on_message)
        if isinstance(end, Death):
            self._handle_death(end)
            return False
        found = self._found
        found.stopped, found.proof = end["stopped"], end["proof"]
        if end["threads"]:
            self.warn(f"the target left threads behind: {', '.join(end['threads'][:SHOWN_FAILURES])}")
        found.counters, found.best = Counters(**end["counters"]), end["best"]
        found.ledger, found.report = end["ledger"], end["report"]
        return True

    def _call(self, task: str, payload: TaskPayload, on_message: Callable[[dict[str, Any]], None]) -> Any:
        """Run one task in a fresh process and listen to it; a :class:`Death` if it did not live to answer."""
        self._recorder.clear()  # what a dead worker left there must not condemn the next one while it starts
        handle = self._pool.submit(
            f"pessimal.worker_tasks:{task}",
            payload.pack(),
            memory=self._spec.limits.memory,
            fresh=True,
            recorder=self._recorder,
        )
        overdue = None
        try:
            while True:
                for event in self._pool.wait([handle], timeout=LISTEN):
                    if isinstance(event, Message):
                        on_message(event.value)
                    else:
                        return self._ended(event)
                record = self._recorder.read()
                if record is not None and record.seconds > self._spec.limits.run_seconds + GRACE:
                    if record.run == overdue:  # seen twice, so that the look itself is above suspicion
                        return Death("deadline", "", record)
                    overdue = record.run
        finally:
            handle.cancel()

    def _ended(self, event: Finished | Failed | Died) -> Any:
        if isinstance(event, Finished):
            return event.value
        if isinstance(event, Died):
            return Death(event.reason, event.detail, self._recorder.read(), event.stderr_tail)
        if isinstance(event.error, BaseException):
            raise event.error
        raise InternalError(event.error)

    def _on_message(self, message: dict[str, Any]) -> None:
        found = self._found
        kind = message.pop("kind")
        if kind == "progress":
            found.counters = Counters(**message["counters"])
            best = None if found.best is None else found.best["cost"]
            self._progress(Progress(self._spec.size, found.counters, best))
        elif kind == "best":
            found.best = message
        elif kind == "path":
            found.paths.append(message)
        elif kind == "failure":
            found.failures.append(message)
        elif kind == "snapshot":
            self._keep(message["snapshot"])

    def _keep(self, snapshot: dict[str, Any]) -> None:
        self._snapshot = snapshot
        self._found.ledger = snapshot["ledger"]
        self._kept = len(self._found.paths), len(self._found.failures)
        self._store.save_state(
            self._spec.identity,
            {
                "snapshot": snapshot,
                "paths": self._found.paths,
                "failures": self._found.failures,
                "fatal": [
                    {"run": f.run, "decisions": f.decisions and f.decisions.hex(), "outcome": f.outcome.value}
                    for f in self._fatal
                ],
            },
        )

    def _handle_death(self, death: Death) -> None:
        """Make a failure with its input of a run that killed its process."""
        del self._found.paths[self._kept[0] :], self._found.failures[self._kept[1] :]
        record = death.record
        self._deaths += 1
        if record is None and (self._snapshot is None or self._deaths > MAX_DEATHS):
            raise TargetError(f"importing or preparing the target {death.text}")
        if record is None:
            return  # between two runs: nothing is to blame, the search goes on from its snapshot
        if record.payload is None:
            raise TargetError(f"the target {death.text} on an input too large to be recorded")
        run = Run(*pickle.loads(record.payload))  # from our own worker's memory
        decisions = record.decisions if record.kind == SYMBOLIC else None
        fatal = Fatal(run, decisions, death.outcome)
        if death.detail == "SIGKILL" and fatal not in self._suspects:
            # Somebody else may have killed it, for want of memory or by mistake: it is run once more.
            self._suspects.append(fatal)
            return
        if self._fatal.count(fatal) >= MAX_REPEATED_DEATHS:
            raise TargetError(f"the target {death.text} again and again on the same input: nothing more can be run")
        self._fatal.append(fatal)
        if run.size != self._spec.size:
            return  # practice: the strategy learns that it failed, and the user asked for another size
        leaves = list(run.leaves) if decisions is None else self._recover(fatal)
        if leaves is not None:
            self._found.failures.append(
                {
                    "leaves": leaves,
                    "outcome": death.outcome.value,
                    "exception": death.text,
                    "cost": None,
                    "branches": len(record.decisions),
                    "origin": "symbolic" if decisions is not None else "concrete",
                }
            )
            self._kept = self._kept[0], len(self._found.failures)

    def _recover(self, fatal: Fatal) -> list[Any] | None:
        answer = self._call("recover", TaskPayload(self._spec, fatal=[fatal]), lambda message: None)
        return None if isinstance(answer, Death) else list(answer)

    def replay(self, findings: Sequence[dict[str, Any]]) -> list[Witness]:
        """Replay findings natively in fresh processes; one that kills its process is told so.

        An interrupt ends this, too: what is not replayed by then is given as it was found, and says so.
        """
        replies: dict[int, dict[str, Any]] = {}
        waiting = list(enumerate(findings))

        def on_message(message: dict[str, Any]) -> None:
            replies.setdefault(message.pop("index"), {}).update(message)

        while waiting and not self._hurried:
            try:
                end = self._call("replay", TaskPayload(self._spec, findings=waiting), on_message)
            except KeyboardInterrupt:
                self._hurried = self._found.interrupted = True
                break
            done = [i for i, _ in waiting if "outcome" in replies.get(i, {})]
            waiting = [(i, finding) for i, finding in waiting if i not in done]
            if isinstance(end, Death) and waiting:
                index, _ = waiting.pop(0)
                on_message({"index": index, "outcome": end.outcome.value, "exception": end.text})
        for message in replies.values():
            self._found.counters.divergence = self._found.counters.divergence or message.get("nondeterministic")
        return [_witness(replies.get(i, {}), finding) for i, finding in enumerate(findings)]

    def failures(self) -> list[Witness]:
        """What failed, replayed; what ends natively after all was only too slow for us and settles nothing."""
        witnesses = self.replay(_distinct(self._found.failures))
        failed = [witness for witness in witnesses if witness.outcome not in ENDED]
        self._found.counters.unknown += len(witnesses) - len(failed)
        return failed

    def explanation(self) -> dict[str, Any] | None:
        """What was made concrete and what that may have hidden, if anybody asked."""
        if not self._explain:
            return None
        ledger = Ledger() if self._found.ledger is None else Ledger.from_json(self._found.ledger)
        return ledger.report(None if self._found.interrupted else self._cover(ledger))

    def _cover(self, ledger: Ledger) -> Coverage | None:
        """Measure what the inputs cover; None if nothing was made concrete or it could not be done."""
        coverage = Coverage()
        waiting = [(i, {"leaves": leaves}) for i, leaves in enumerate(ledger.inputs)] if ledger.places else []
        begun = -1

        def on_message(message: dict[str, Any]) -> None:
            nonlocal begun
            begun = message.pop("index")
            if message:
                coverage.add(**message)

        for _ in range(MAX_REPEATED_DEATHS):
            if not waiting:
                break
            try:
                end = self._call("cover", TaskPayload(self._spec, findings=waiting, places=ledger.places), on_message)
            except KeyboardInterrupt:
                self._found.interrupted = True
                return None
            if not isinstance(end, Death):
                break
            waiting = [item for item in waiting if item[0] > begun]
        return coverage if coverage.runs else None

    def close(self) -> None:
        """Give the flight recorder's memory back."""
        self._recorder.close()


def _witness(replies: dict[str, Any], finding: dict[str, Any]) -> Witness:
    return Witness(
        input={name: from_json(value) for name, value in replies.get("input", {}).items()},
        call=replies.get("call", f"the leaves {finding['leaves']}"),
        outcome=replies.get("outcome", finding["outcome"]),
        cost=replies.get("cost", finding["cost"]),
        branches=replies.get("branches", finding["branches"]),
        returned=replies.get("returned"),
        exception=replies.get("exception", finding["exception"]),
        replayed="outcome" in replies,
        difference=replies.get("difference"),
    )


def _distinct(failures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few failures, one for each way to fail and input."""
    kept = {(item["outcome"], tuple(item["leaves"])): item for item in reversed(failures)}
    return list(reversed(kept.values()))[:SHOWN_FAILURES]


def _run(data: list[Any]) -> Run:
    leaves, avoid, size = data
    return Run(tuple(leaves), None if avoid is None else Avoid(avoid[0], tuple(map(tuple, avoid[1]))), size)


def _from_hex(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)
