"""The session of a search: runs the target for a strategy, keeps count, and reports findings to the parent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from math import inf
from random import Random
from time import monotonic
from typing import Any, NoReturn, Unpack

from pessimal.comparison import Comparison, Operand
from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd, MeasuresDistances, SearchesNear
from pessimal.ledger import Ledger
from pessimal.local_search import LocalSearch
from pessimal.messages import (
    AttackReport,
    BestFound,
    FailureFound,
    Finding,
    Origin,
    PathFound,
    ProgressMade,
    SearchMessage,
    Snapshot,
    SnapshotTaken,
    TurnStarted,
)
from pessimal.objective import Maximise, Objective, Verdict
from pessimal.runs import Policy, Request, RunOptions
from pessimal.search.attack import Attack
from pessimal.search.budget import Budget, Clock
from pessimal.search.claimed_paths import ClaimedPaths
from pessimal.search.goals.sequences import runs as sequence_runs
from pessimal.search.practice import Practice
from pessimal.search.quick_random import QuickRandom
from pessimal.search.run_limit import RunLimit
from pessimal.solve import Statistics
from pessimal.strategy import SearchOver, Strategy, report_of, restore, state_of
from pessimal.trace import COMPLETED, Outcome, Side, Site, Trace, signal_of

VALUE = "objective"
"""The entry of a trace's costs that holds the objective's value, where that is not the cost."""

PROGRESS_EVERY = 0.2
SNAPSHOT_EVERY = 2.0
NOTABLE_SECONDS = 1.0
"""A run that does not end within so long is reported as a failure, even if it could have taken longer."""

UNDETERMINED = "what an input costs depends on earlier runs, or on more than its path"
"""Why all inputs of a domain were run and that is no proof."""

REPLAYED_RUNS, MIN_RESERVE = 4, 0.5
"""A replay takes about so many runs; the search ends earlier for them, if they take more than so many seconds."""

NEAR_SECONDS, NEAR_SHARE = 0.05, 0.8
"""How long a front-end may search by itself at a time, at most so much of the time that is left."""
NEAR_REPLAYS = 2
"""The runs that are kept back for what such a search finds: its best input and a failure, which would be lost."""

SNAPSHOT_SHARE = 20
"""The time between two snapshots is at least so many times what the last one took, since large ones take long."""


class SearchSession:
    """Implements :class:`pessimal.strategy.Session` over a front-end, within a budget."""

    def __init__(
        self,
        front_end: FrontEnd,
        budget: Budget,
        *,
        seed: int,
        run_seconds: float,
        send: Callable[[SearchMessage], None],
        snapshot: Snapshot | None = None,
        objective: Objective | None = None,
        explain: bool = False,
        ends_at: float | None = None,
        opening: Callable[[Callable[[], float | None]], None] | None = None,
        receive: Callable[[], Sequence[Finding]] = tuple,
    ) -> None:
        snapshot = snapshot or Snapshot()
        self.target = front_end.name
        self.size = front_end.size
        self._current_strategy = ""
        self.inputs = front_end.inputs
        self.domains = front_end.domains
        self.initial = front_end.initial
        self.rng: Random = QuickRandom(seed)
        self.counters = snapshot.counters
        self._solved_before = self.counters.solver_calls, self.counters.solver_seconds
        self.best = snapshot.best
        self.proof: str | None = None
        self.attack: AttackReport | None = None
        self.claimed_maximum: float | None = None
        self._seed = seed
        self._paths = _claimed_paths(snapshot)
        self.refusal = "a precondition is not met"
        self._resumed = snapshot.strategy
        self._front_end = front_end
        self._objective = Maximise(budget.stop_at) if objective is None else objective
        if snapshot.objective is not None:
            self._objective.restore(snapshot.objective)
        self._clock = Clock(budget, (self.counters.seconds, self.counters.runs), ends_at)
        self.run_seconds = self._granted_seconds = run_seconds
        self.step_seconds = inf
        self._is_reproducible = budget.paths is not None
        self._run_limit = RunLimit()
        self._receive = receive
        self._received: deque[Finding] = deque()
        self._heard: set[tuple[Leaf, ...]] = set()
        self._send = send
        self._ledger = _ledger(snapshot, explain)
        self._strategy: Strategy | None = None
        self._next_progress = self._next_snapshot = 0.0
        self._opening = opening
        self._began = monotonic()
        self._run_allowed = 0.0
        self._reserved = 0.0
        self._is_searching = self.was_stopped = self.ran_out_of_time = self.is_settled = False
        self._practices: dict[int, Practice] = {}
        self._signals: set[str] = set()

    def conduct(self, strategy: Strategy) -> str:
        """Let the strategy search until it is done or the budget is used up; return why it ended."""
        self._strategy = strategy
        self.current_strategy = strategy.name
        restore(strategy, self._resumed)
        self._is_searching = True
        try:
            strategy.search(self)
            self._open()
            reason = "nothing left to try"
        except SearchOver as over:
            reason = str(over)
            self.ran_out_of_time = reason == self._clock.reason_of_time
        except BaseException:
            if not self.was_stopped:  # what stopped it may have become another error on its way
                raise
            reason = self._clock.out_of_time
            self.ran_out_of_time = True
        finally:
            self._is_searching = False
        self._update_counters()
        return reason

    def stop(self) -> None:
        """End the search wherever it is, because its time is up; the only call that may come from a signal."""
        if self._is_searching:
            self.was_stopped = True
            self._end(self._clock.out_of_time)

    def _end(self, reason: str) -> NoReturn:
        self._is_searching = False  # nothing else may end it again on its way out
        raise SearchOver(reason)

    def _open(self) -> None:
        """Make the opening runs, before the first run of the strategy, which may have to check something before."""
        opening, self._opening = self._opening, None
        if opening is not None:
            opening(lambda: self._clock.remaining)

    @property
    def current_strategy(self) -> str:
        """The name of the strategy whose runs these are; the parent is told, since it may hang."""
        return self._current_strategy

    @current_strategy.setter
    def current_strategy(self, name: str) -> None:
        self._current_strategy = name
        self._send(TurnStarted(name))

    @property
    def is_reproducible(self) -> bool:
        """A search that ends after so many paths is the same each time."""
        return self._is_reproducible

    @property
    def is_hurried(self) -> bool:
        """Whether a strategy gives runs less time than the user grants."""
        return self.run_seconds < self._granted_seconds

    def newest_input(self) -> tuple[list[Leaf], float] | None:
        """An input of another lane, if it is better than all that this one knew, or reached what no other lane had."""
        if not self._received:
            return None
        received = self._received.popleft()
        return list(received.leaves), received.cost

    def _listen(self) -> None:
        """Take the note that the parent has left, if it is news."""
        for finding in self._receive():
            if type(self._objective) is not Maximise:
                if finding.leaves not in self._heard:
                    self._heard.add(finding.leaves)
                    self._received.append(finding)
            elif self.best is None or finding.cost > self.best.cost:
                self._received = deque((finding,))
                self._clock.improved()

    @property
    def ledger(self) -> dict[str, Any] | None:
        """The ledger as JSON values, if an explanation was requested."""
        return None if self._ledger is None else self._ledger.to_json()

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution, judged by the objective."""
        self._start_run()
        request = Request(policy, self.initial if start is None else start, **options)
        self._run_allowed = self.allowed()
        trace = self._front_end.run(request, self._run_allowed)
        self._count(trace, request)
        if trace.outcome in COMPLETED:
            self._paths.add(trace)
        if self._ledger is not None:
            self._ledger.add(trace, request)
        if trace.outcome is not Outcome.INFEASIBLE:
            self._judge(trace, "symbolic")
        return trace

    def _count(self, trace: Trace, request: Request) -> None:
        counters = self.counters
        counters.concretisations += len(trace.concretisations)
        counters.unknown += trace.count(Side.UNKNOWN, request.known_prefix) + (trace.refused is not None)
        confidence = trace.confidence(request.known_prefix)
        if confidence is not None:
            counters.confidence = max(confidence, counters.confidence or 0.0)
        if not request.probe_other:
            counters.infeasible += trace.count(Side.INFEASIBLE, request.known_prefix)
        elif trace.outcome is Outcome.INFEASIBLE and request.avoid is None:
            counters.infeasible += 1

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """The value of one concrete execution."""
        return self.measure(leaves)[0]

    def measure(self, leaves: Sequence[Leaf]) -> tuple[float, Sequence[int]]:
        """The value of one concrete execution, and how often each place in the code was executed."""
        self._start_run()
        trace = self._evaluate(leaves, self._objective.needs_branches)
        return self._judge(trace, "concrete"), trace.counts

    def survey(self, inputs: Sequence[Sequence[Leaf]]) -> tuple[Sequence[Leaf], float] | None:
        """Run many inputs quickly and judge the worst of them; None, and nothing is counted, where that cannot be."""
        self._check_budget()
        if type(self._objective) is not Maximise or not self._clock.has_room(len(inputs)):
            return None
        start = monotonic()
        costs = self._front_end.survey(inputs, self.allowed())
        if costs is None:
            return None
        self._run_limit.note(monotonic() - start)  # one of them may have taken nearly all of it
        cost = max(costs)
        worst = inputs[costs.index(cost)]
        self._clock.improved()  # every input that was run brings the proof nearer
        others = len(costs) - 1 if self._paths.maximum is None or cost > self._paths.maximum else len(costs)
        self._count_runs(others)
        self.counters.accepted += others
        return worst, (self.evaluate(worst) if others < len(costs) else cost)

    def search_near(self, start: Sequence[Leaf], most: int, fresh: float = 0.0) -> tuple[Sequence[Leaf], float] | None:
        """Let the front-end run up to so many inputs by itself, each chosen by how the one before it went."""
        self._check_budget()
        front_end = self._front_end
        if not isinstance(front_end, SearchesNear) or type(self._objective) is not Maximise:
            return None
        most, seconds = int(min(most, self._clock.paths_left - NEAR_REPLAYS)), NEAR_SHARE * self.seconds_left
        if most <= 0:
            return None
        ends_at = inf if self.is_reproducible else monotonic() + min(NEAR_SECONDS, seconds)
        sequences = [(run.length, run.first, run.most) for run in sequence_runs(self.domains)]
        seed = self.rng.getrandbits(63)
        found = front_end.search_near(LocalSearch(start, self.domains, seed, most, sequences, ends_at, fresh=fresh))
        if found is None:
            return None
        self._count_runs(found.runs)
        self.counters.accepted += found.runs
        for _, _, leaves in found.failures[:1]:
            self.evaluate(leaves)
        return found.best, self.evaluate(found.best)

    def _evaluate(self, leaves: Sequence[Leaf], recording: bool) -> Trace:
        """One concrete execution; one that takes much longer than all before is repeated with more time."""
        limit, granted = self._run_limit, self.allowed()
        seconds = self._run_allowed = limit.seconds(granted)
        trace = self._front_end.evaluate(leaves, seconds, recording)
        if trace.outcome is not Outcome.TIMED_OUT:
            limit.note(monotonic() - self._began if trace.seconds is None else trace.seconds)
            return trace
        longer = limit.repetition(seconds, granted, self.seconds_left)
        if longer is not None and not trace.known_fatal:
            self._began, self._run_allowed = monotonic(), longer
            trace = self._front_end.evaluate(leaves, longer, recording)
            limit.note_repetition(monotonic() - self._began, trace.outcome in COMPLETED)
        return trace

    def comparisons(self, leaves: Sequence[Leaf]) -> list[Comparison]:
        """What one concrete execution compares."""
        self._start_run()
        return self._front_end.comparisons(leaves, self.allowed())

    def literals(self) -> list[Operand]:
        """The literals in the code of the target."""
        return self._front_end.literals()

    def observe(self, leaves: Sequence[Leaf]) -> Trace:
        """One concrete execution with its branches."""
        self._start_run()
        trace = self._evaluate(leaves, recording=True)
        self._judge(trace, "concrete")
        return trace

    def approach(self, leaves: Sequence[Leaf]) -> Trace | None:
        """One concrete execution with the distances of its tests; its value is that of another one, if it has any."""
        front_end = self._front_end
        if not isinstance(front_end, MeasuresDistances):
            return None
        self._start_run()
        is_input_enough = getattr(self._objective, "judges_inputs", False)
        run = Trace(leaves=list(leaves)) if is_input_enough else self._evaluate(leaves, self._objective.needs_branches)
        value = self._judge(run, "concrete")  # first, since it is recorded: the run may end its process
        trace = front_end.approach(leaves, self.allowed())
        trace.costs[VALUE] = value
        return trace

    def cost(self, trace: Trace) -> float:
        """The value that the search maximises."""
        known = trace.costs.get(VALUE)
        return self._front_end.cost(trace, self.allowed()) if known is None else known

    def wants(self, site: Site) -> bool:
        """Whether the objective is after other outcomes at a site: most are after any."""
        wants = getattr(self._objective, "wants", None)
        return wants is None or bool(wants(site))

    def at(self, size: int) -> Practice:
        """The same target at another size, for practice."""
        if size not in self._practices:
            self._practices[size] = Practice(self, self._front_end.resized(size), QuickRandom(f"{self._seed}:{size}"))
        return self._practices[size]

    @property
    def solver_calls(self) -> int:
        """The number of solver calls so far, practice included."""
        return self._solved_before[0] + sum(item.calls for item in self._statistics)

    @property
    def _statistics(self) -> list[Statistics]:
        """The solver statistics of this size and of all practice sizes."""
        fronts = [self._front_end, *(practice.front_end for practice in self._practices.values())]
        return [front.statistics for front in fronts]

    def practise(self) -> float:
        """Count a practice run, and return how many seconds it may take."""
        self._check_budget()
        self.counters.practised += 1
        now = monotonic()
        if now >= self._next_progress:
            self._report(now, pending=0)
        return self.allowed()

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Count the time spent inside as learning, which is reported separately."""
        start = monotonic()
        try:
            yield
        finally:
            self.counters.learning_seconds += monotonic() - start

    def importing(self) -> AbstractContextManager[None]:
        """Import Pessimal's own code inside, invisible to the target."""
        return self._front_end.importing()

    def count_infeasible(self, leaves: int) -> None:
        """Count infeasible leaves of the tree, which need no run."""
        self.counters.infeasible += leaves
        self.counters.paths += leaves

    def diverged(self, trace: Trace) -> None:
        """Note that the same decisions led to another path."""
        if self.counters.divergence is None:
            site = trace.sites[-1] if trace.sites else "its start"
            self.counters.divergence = f"the same decisions led elsewhere at {site}"

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Accept a proof that withstands an attack.

        None is possible if the cost depends on more than the path, a run failed, or the target diverged.
        """
        if self._front_end.path_determined and not self.counters.failed and self.counters.divergence is None:
            self._attack(check_paths=not every_input)
            is_withdrawn = self.attack is not None and self.attack.withdrawn is not None
            if not is_withdrawn and self._front_end.path_determined:  # as far as the attack has shown
                self.proof = proof
                self.is_settled = True
        if every_input and not self._front_end.path_determined:
            attack = self.attack or AttackReport(runs=0, compared=0)
            self.attack = replace(attack, withdrawn=attack.withdrawn or UNDETERMINED)

    def _attack(self, check_paths: bool) -> None:
        """Attack the claim that nothing costs more than the best; what refutes it is judged like any other run."""
        attack = Attack(
            self._front_end,
            self._paths,
            seed=self._seed,
            run_seconds=self.run_seconds,
            seconds_left=lambda: self.seconds_left,
            check_paths=check_paths,
        )
        self.claimed_maximum = self._paths.maximum
        self.attack = attack.report(self._clock.seconds)
        found = attack.counterexample
        if found is None or found.outcome not in COMPLETED:
            return
        if found.leaves not in (self._paths.worst, *self._paths.raised):  # otherwise it was judged before
            self._judge(found, "concrete")

    @property
    def seconds_left(self) -> float:
        """How much time the search has left; infinite if there is no limit."""
        remaining = self._clock.remaining
        return inf if remaining is None else remaining

    def _start_run(self) -> None:
        self._check_budget()
        self._count_runs(1)

    def _count_runs(self, number: int) -> None:
        self._clock.paths += number
        self.counters.paths += number
        self.counters.runs += number
        now = self._began = monotonic()
        if now >= self._next_progress:
            self._report(now)

    def _check_budget(self) -> None:
        self._open()
        reason = self._clock.over()
        if reason is not None:
            self._end(reason)

    def allowed(self) -> float:
        """How many seconds a run that starts now may take."""
        remaining = self._clock.remaining
        return self.run_seconds if remaining is None else max(0.05, min(self.run_seconds, remaining))

    def _judge(self, trace: Trace, origin: Origin) -> float:
        if trace.outcome is Outcome.REJECTED:
            self._clock.paths -= 1
            self.counters.paths -= 1
            self.counters.runs -= 1
            self.counters.rejected += 1
            self.refusal = trace.exception or self.refusal
            return -inf
        self.counters.accepted += 1
        if trace.outcome not in COMPLETED:
            # Of a symbolic run that was hurried, strategies know themselves that it settles nothing.
            is_hurried = origin == "symbolic" and trace.outcome is Outcome.TIMED_OUT and self.is_hurried
            self.counters.failed += not is_hurried
            if origin == "symbolic" and trace.outcome is Outcome.TIMED_OUT:
                self._judge_as_it_is(trace)
            elif not trace.known_fatal and not self._was_cut_short(trace):
                failure = Finding.of(trace, -inf, origin)
                self._send(FailureFound(replace(failure, seconds=monotonic() - self._began)))
            return -inf
        cost = self._front_end.cost(trace, self.allowed())
        if signal_of(trace.exception) and trace.exception not in self._signals:
            self._signals.add(str(trace.exception))
            self._send(FailureFound(Finding.of(trace, cost, origin)))
        self._paths.note_cost(cost, trace.leaves)
        verdict = self._objective.judge(trace, cost)
        if verdict.is_best or verdict.is_kept:
            self._keep(Finding.of(trace, cost, origin), verdict)
        if verdict.value != cost:
            trace.costs[VALUE] = verdict.value
        if verdict.done is not None:
            self.is_settled = True
            self._end(verdict.done)
        return verdict.value

    def _judge_as_it_is(self, slow: Trace) -> None:
        """Run the input of a symbolic run that took too long: only that tells how long the target takes."""
        if self.seconds_left <= 0:
            return
        self._began = monotonic()
        self._judge(self._evaluate(slow.leaves, self._objective.needs_branches), "concrete")

    def _was_cut_short(self, trace: Trace) -> bool:
        """Whether a run did not end only because it had hardly any time; what it was interrupted for is not its own."""
        notable = min(self._granted_seconds, NOTABLE_SECONDS)
        return trace.outcome is Outcome.TIMED_OUT and self._run_allowed < notable

    def _keep(self, finding: Finding, verdict: Verdict) -> None:
        self._clock.improved()
        if verdict.is_best:
            self._reserve(monotonic() - self._began)
            self.counters.found_after = self._clock.seconds
            self.counters.found_run = self.counters.runs
            self.counters.found_by = self.current_strategy
            self.best = finding
            self._send(BestFound(finding))
            self._report(monotonic())
        if verdict.is_kept:
            self._send(PathFound(finding))

    def _reserve(self, seconds: float) -> None:
        """Leave time to replay the best input, which takes several runs."""
        more = REPLAYED_RUNS * seconds - self._reserved
        if more > MIN_RESERVE:
            self._reserved += more
            self._clock.reserve(more)

    def _report(self, now: float, pending: int = 1) -> None:
        """Send the progress and, from time to time, a snapshot.

        Pending runs are not counted in the snapshot: a resumed search runs them again.
        """
        self._next_progress = now + PROGRESS_EVERY
        self._listen()
        self._update_counters()
        self._send(ProgressMade(replace(self.counters)))
        if now >= self._next_snapshot and self._strategy is not None:
            self._send(SnapshotTaken(self.snapshot(pending), report_of(self._strategy)))
            self._next_snapshot = now + max(SNAPSHOT_EVERY, SNAPSHOT_SHARE * (monotonic() - now))

    def snapshot(self, pending: int = 0) -> Snapshot:
        """All that is needed to continue this search in another process; pending runs are not counted."""
        counters = replace(self.counters, paths=self.counters.paths - pending, runs=self.counters.runs - pending)
        strategy = None if self._strategy is None else state_of(self._strategy)
        return Snapshot(counters, self.best, strategy, self.ledger, self._objective.state(), self._paths.to_json())

    def _update_counters(self) -> None:
        self.counters.seconds = self._clock.seconds
        self.counters.solver_calls = self.solver_calls
        self.counters.solver_seconds = self._solved_before[1] + sum(item.seconds for item in self._statistics)


def _ledger(snapshot: Snapshot, explain: bool) -> Ledger | None:
    """The ledger of a resumed search, or a new one if an explanation was requested."""
    if snapshot.ledger is not None:
        return Ledger.from_json(snapshot.ledger)
    return Ledger(snapshot.counters.runs) if explain else None


def _claimed_paths(snapshot: Snapshot) -> ClaimedPaths:
    """The paths of a resumed search, as far as the snapshot has them, or none yet."""
    if snapshot.claimed_paths is not None:
        return ClaimedPaths.from_json(snapshot.claimed_paths)
    paths = ClaimedPaths()
    if snapshot.best is not None:
        paths.is_complete = False
        paths.note_cost(snapshot.best.cost, snapshot.best.leaves)
    return paths
