"""The parent's side, with workers that follow a script: deaths, resumption, replays and interrupts, each exactly."""

import json
from dataclasses import replace
from math import inf
from time import monotonic

import pytest

from pessimal.coverage import CoverageGain, Jump
from pessimal.errors import InternalError, TargetError, UsageError
from pessimal.fatal_runs import CONCRETE, IMPORT, SYMBOLIC, FatalRun, RunStart
from pessimal.ledger import Ledger
from pessimal.messages import (
    BestFound,
    Counters,
    CoverageMeasured,
    CoverageStarted,
    FailureFound,
    Finding,
    InputDescribed,
    OpeningRun,
    OpeningStarted,
    PathFound,
    ProgressMade,
    ReplayEnded,
    ReplayStarted,
    SearchEnded,
    Snapshot,
    SnapshotTaken,
    TurnStarted,
)
from pessimal.pool import Record, WorkerDeath
from pessimal.runs import Request
from pessimal.search.opening_runs import OPENING_RUNS
from pessimal.search_spec import SearchSpec
from pessimal.store import Store
from pessimal.strategy import merge_reports
from pessimal.supervisor import Replayer, SearchFindings, Supervisor, TimePlan, explanation
from pessimal.supervisor.replay import BELIEVED_KILLS
from pessimal.trace import Concretisation, Outcome, Site, Trace
from pessimal.worker.tasks import CoverageTask, LocateTask, RecoverTask, ReplayTask, SearchTask

SPEC = SearchSpec(target="a:f", size=3, strategy="climb")
GOOD = Finding((1, 2, 3), Outcome.RETURNED, 5, 5, "symbolic")
BETTER = Finding((3, 2, 1), Outcome.RETURNED, 9, 9, "concrete")
HUNG = Finding((0, 0, 0), Outcome.TIMED_OUT, -inf, 2, "concrete")


class Script:
    """A task runner whose workers do as they are told; each part is the messages of a worker and its end."""

    def __init__(self, *parts):
        self.parts = list(parts)
        self.tasks = []
        self.notes = []
        self.started_ahead = []

    def start_ahead(self, task):
        self.started_ahead.append(task)

    def run_jobs(self, jobs, is_over=lambda: False):
        """The jobs side by side: the next task of each in turn."""
        running = [(job, job.tasks()) for job in jobs]
        ends = [None] * len(jobs)
        while running and not is_over():
            for index, (job, tasks) in enumerate(list(running)):
                end = ends[index]
                try:
                    task = tasks.throw(end) if isinstance(end, Exception) else tasks.send(end)
                except StopIteration:
                    running.remove((job, tasks))
                    ends.pop(index)
                    break
                try:
                    ends[index] = self.run(task, job.on_message)
                except Exception as error:
                    ends[index] = error
                self.notes.append([item.note() for item in jobs])

    def run(self, task, on_message):
        self.tasks.append(task)
        *messages, end = self.parts.pop(0)
        for message in messages:
            on_message(message)
        if isinstance(end, BaseException):
            raise end
        return end


def ended(best=BETTER, threads=(), **counted):
    return SearchEnded("nothing left to try", "tree exhausted", Counters(**counted), best, None, {"a": 1}, threads)


def killed(leaves=(7, 7, 7), decisions=b"", kind=CONCRETE, size=3, how="exit status 4", reason="exit"):
    payload = None if leaves is None else RunStart(tuple(leaves), None, size).pack()
    return WorkerDeath(reason, how, Record(kind, 1, 0.1, payload, decisions))


def searched(script, out=None, spec=SPEC, **options):
    """What a search found, the warnings, and the progress."""
    warnings, progress = [], []
    store = Store(out, warnings.append)
    supervisor = Supervisor(spec, script, store, progress=progress.append, warn=warnings.append, **options)
    return supervisor.search(), warnings, progress


def test_a_search_without_trouble_is_one_task():
    script = Script([BestFound(GOOD), ProgressMade(Counters(paths=1)), PathFound(GOOD), ended(paths=2)])
    found, warnings, progress = searched(script, explain=True)
    assert script.tasks == [SearchTask(SPEC, None, (), explain=True)]
    assert (found.best, found.paths, found.failures) == (BETTER, [GOOD], [])
    assert (found.stopped, found.proof, found.report) == ("nothing left to try", "tree exhausted", {"a": 1})
    assert [(news.size, news.best, news.counters.paths) for news in progress] == [(3, 5, 1)]
    assert found.effort().paths == 2
    assert warnings == []


def test_threads_that_the_target_left_are_told():
    _, warnings, _ = searched(Script([ended(threads=["Thread-1", "Thread-2"])]))
    assert warnings == ["the target left threads behind: Thread-1, Thread-2"]


def test_a_death_takes_back_what_the_snapshot_does_not_know_and_adds_the_input():
    snapshot = Snapshot(Counters(paths=1), GOOD)
    script = Script(
        [PathFound(GOOD), SnapshotTaken(snapshot), PathFound(BETTER), FailureFound(HUNG), killed()],
        [PathFound(BETTER), ended()],
    )
    found, _, _ = searched(script)
    fatal = FatalRun(RunStart((7, 7, 7), None, 3), None, Outcome.CRASHED)
    assert script.tasks[1] == SearchTask(SPEC, snapshot, (fatal,))
    assert found.paths == [GOOD, BETTER]
    assert found.failures == [
        Finding((7, 7, 7), Outcome.CRASHED, -inf, 0, "concrete", "killed its process (exit status 4)")
    ]


DEFECT = InternalError('Traceback:\n  File "/a/b/climb.py", line 7, in climb\nZeroDivisionError: division by zero\n')
DEFECT_TEXT = "internal error, please report it: ZeroDivisionError: division by zero (climb.py:7)"


def test_an_internal_error_keeps_what_was_found():
    snapshot = SnapshotTaken(Snapshot(Counters(paths=1), GOOD))
    found, warnings, _ = searched(Script([PathFound(GOOD), snapshot, PathFound(BETTER), BestFound(BETTER), DEFECT]))
    assert (found.best, found.paths, found.stopped, found.proof) == (BETTER, [GOOD], "an internal error", None)
    assert warnings == [DEFECT_TEXT]


def test_an_internal_error_before_anything_was_found_is_raised():
    with pytest.raises(InternalError, match="division by zero"):
        searched(Script([DEFECT]))


def test_a_portfolio_goes_on_without_the_member_that_has_an_internal_error():
    spec = replace(SPEC, strategy="auto", workers=1)
    script = Script([TurnStarted("pattern"), BestFound(GOOD), DEFECT], [TurnStarted("climb"), ended()])
    found, warnings, _ = searched(script, spec=spec)
    assert (found.best, script.tasks[1].part.excluded) == (BETTER, ("pattern",))
    assert warnings == [f"{DEFECT_TEXT}: the search goes on without pattern"]


def test_an_internal_error_while_an_input_is_recovered_keeps_what_was_found():
    symbolic = killed(decisions=b"\x01", kind=SYMBOLIC)
    found, warnings, _ = searched(Script([BestFound(GOOD), symbolic], [DEFECT]))
    assert (found.best, found.stopped, warnings) == (GOOD, "an internal error", [DEFECT_TEXT])


def test_an_internal_error_of_a_replay_leaves_the_finding_as_it_was_found():
    (witness,) = replayed(Script([DEFECT]), [GOOD])
    assert (witness.cost, witness.replayed) == (5, False)
    assert witness.unfinished == f"not replayed: {DEFECT_TEXT}"


def test_the_best_that_a_dead_worker_found_is_not_lost(tmp_path):
    worse = Snapshot(Counters(paths=2), GOOD)
    death = WorkerDeath("signal", "SIGKILL", None)
    script = Script(
        [SnapshotTaken(worse), BestFound(BETTER), death], [BestFound(GOOD), SnapshotTaken(worse), ended(best=GOOD)]
    )
    found, _, _ = searched(script, tmp_path)
    assert found.best == BETTER
    state = json.loads((tmp_path / "state.json").read_text())
    assert Finding.from_json(state["lanes"][0]["snapshot"]["best"]) == BETTER


def test_the_best_that_was_shown_survives_the_command(tmp_path):
    messages = [SnapshotTaken(Snapshot(best=GOOD)), BestFound(BETTER), ProgressMade(Counters(paths=3))]
    searched(Script([*messages, KeyboardInterrupt()]), tmp_path)
    found, _, _ = searched(Script([ended(best=GOOD)]), tmp_path)
    assert found.best == BETTER


def test_a_worker_that_is_killed_at_its_start_is_started_again_a_few_times():
    death = [WorkerDeath("signal", "SIGKILL", None)]
    survived = [None]  # the import is not to blame
    assert searched(Script(death, death, survived, [ended()]))[0].best == BETTER
    with pytest.raises(TargetError, match="importing or preparing"):
        searched(Script(death, *[death, survived] * 3))


@pytest.mark.parametrize("times", range(1, BELIEVED_KILLS + 1))
def test_a_replay_that_is_killed_is_repeated(times):
    death = WorkerDeath("signal", "SIGKILL", None)
    (witness,) = replayed(Script(*[[death]] * times, [*replied(0, cost=4), None]), [GOOD])
    assert (witness.cost, witness.outcome, witness.difference) == (4, "returned", None)


def test_a_replay_that_is_killed_again_and_again_is_believed():
    death = WorkerDeath("signal", "SIGKILL", None)
    (witness,) = replayed(Script(*[[death]] * (BELIEVED_KILLS + 2)), [GOOD])  # once more as it was found
    assert witness.outcome == "crashed"


def test_the_input_of_a_symbolic_run_is_recovered_by_another_worker():
    death = killed((1, 1, 1), b"\1\0\1", SYMBOLIC, how="", reason="deadline")
    script = Script([death], [[4, 5, 6]], [ended()])
    found, _, _ = searched(script)
    fatal = FatalRun(RunStart((1, 1, 1), None, 3), b"\1\0\1", Outcome.TIMED_OUT)
    assert script.tasks[1] == RecoverTask(SPEC, fatal)
    assert found.failures == [Finding((4, 5, 6), Outcome.TIMED_OUT, -inf, 3, "symbolic", "did not end in time")]


def test_an_input_that_cannot_be_recovered_is_no_failure_but_is_not_run_again():
    script = Script([killed(decisions=b"\1", kind=SYMBOLIC)], [killed()], [ended()])
    found, _, _ = searched(script)
    assert found.failures == []
    assert len(script.tasks[2].fatal) == 1


def test_a_death_in_practice_is_no_failure_of_the_size():
    script = Script([killed(size=2)], [ended()])
    found, _, _ = searched(script)
    assert found.failures == []
    assert [item.run.size for item in script.tasks[1].fatal] == [2]


def test_a_worker_killed_from_outside_is_given_a_second_chance_and_no_third():
    script = Script([killed(how="SIGKILL", reason="signal")], [killed(how="SIGKILL", reason="signal")], [ended()])
    found, _, _ = searched(script)
    assert [len(task.fatal) for task in script.tasks] == [0, 0, 1]
    assert [failure.exception for failure in found.failures] == ["killed its process (SIGKILL)"]


def test_the_same_death_again_and_again_ends_the_search():
    found, _, _ = searched(Script(*[[killed()]] * 9))
    assert "again and again on the same input" in found.stopped
    assert [failure.leaves for failure in found.failures] == [(7, 7, 7)] * 3


def test_a_death_before_the_first_run_is_the_targets():
    with pytest.raises(TargetError, match="importing or preparing the target killed its process"):
        searched(Script([WorkerDeath("exit", "exit status 1", None)], [None]))


def died_on_import(place, detail="exit status 1"):
    return WorkerDeath("exit", detail, None if place is None else Record(IMPORT, 1, 0.1, place.encode(), b""))


def test_a_death_on_import_is_repeated_to_see_at_which_line():
    script = Script([died_on_import(None)], [died_on_import("a.py, line 3")])
    with pytest.raises(TargetError) as error:
        searched(script)
    assert str(error.value) == "importing or preparing the target killed its process (exit status 1) in a.py, line 3"
    assert [type(task) for task in script.tasks] == [SearchTask, LocateTask]


def test_a_line_is_blamed_for_a_kill_that_may_come_from_outside_if_it_happens_again():
    start = died_on_import(None, "SIGKILL")
    script = Script([start], [start], [died_on_import("a.py, line 3", "SIGKILL")])
    with pytest.raises(TargetError, match=r"killed its process \(SIGKILL\) in a.py, line 3$"):
        searched(script)
    assert [type(task) for task in script.tasks] == [SearchTask, SearchTask, LocateTask]


def test_a_death_between_two_runs_is_nothing_to_tell():
    snapshot = Snapshot(Counters(paths=1))
    script = Script([SnapshotTaken(snapshot), WorkerDeath("signal", "SIGKILL", None)], [ended()])
    found, warnings, _ = searched(script)
    assert (found.failures, warnings) == ([], [])
    assert script.tasks[1].snapshot == snapshot


def test_an_input_that_was_too_large_to_be_recorded_ends_the_search():
    with pytest.raises(TargetError, match="too large to be recorded"):
        searched(Script([killed(leaves=None)]))


def test_an_interrupted_search_is_resumed_with_all_that_it_knew(tmp_path):
    snapshot = Snapshot(Counters(paths=4, runs=3), GOOD, {"done": 3})
    first = Script(
        [killed((8, 8, 8))], [PathFound(GOOD), FailureFound(HUNG), SnapshotTaken(snapshot), KeyboardInterrupt()]
    )
    found, _, _ = searched(first, tmp_path)
    assert (found.interrupted, found.stopped) == (True, "interrupted")
    second = Script([ended()])
    found, warnings, _ = searched(second, tmp_path)
    fatal = FatalRun(RunStart((8, 8, 8), None, 3), None, Outcome.CRASHED)
    assert second.tasks == [SearchTask(SPEC, snapshot, (fatal,))]
    assert found.paths == [GOOD]
    assert [failure.leaves for failure in found.failures] == [(8, 8, 8), (0, 0, 0)]
    assert warnings == ["resuming after 4 paths"]


@pytest.mark.parametrize("field", ["counters", "best", "strategy", "ledger"])
def test_a_damaged_state_is_one_clear_line(tmp_path, field):
    searched(Script([SnapshotTaken(Snapshot(best=GOOD)), KeyboardInterrupt()]), tmp_path)
    state = json.loads((tmp_path / "state.json").read_text())
    state["lanes"][0]["snapshot"][field] = 3
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(UsageError, match=r"state\.json is not the state of a search") as raised:
        searched(Script(), tmp_path)
    assert raised.value.slug == "out"


# The opening runs, and the end of the budget

CHEAP = Finding((0, 0, 0), Outcome.RETURNED, 1, 1, "concrete")
DEAR = Finding((9, 9, 9), Outcome.RETURNED, 12, 12, "concrete")


def test_the_best_of_the_opening_runs_is_reported_where_the_search_found_nothing_better():
    script = Script([OpeningStarted(), OpeningRun(CHEAP), OpeningRun(None), OpeningRun(DEAR), ended(best=None)])
    found, _, _ = searched(script)
    assert (found.best, found.failures, found.effort().opening_runs, found.effort().paths) == (DEAR, [], 3, 0)
    found, _, _ = searched(Script([OpeningRun(CHEAP), ended()]))
    assert (found.best, found.proof) == (BETTER, "tree exhausted")
    late = replace(ended(), proof=None, ran_out_of_time=True)
    assert searched(Script([OpeningRun(DEAR), late]))[0].best == DEAR


def test_an_opening_run_that_costs_more_than_was_proved_withdraws_the_proof():
    found, warnings, _ = searched(Script([OpeningRun(DEAR), ended()]))
    assert (found.best, found.proof, found.effort().found_by) == (DEAR, None, "opening runs")
    assert warnings == ["an input costs 12, more than was proved: the proof is withdrawn"]


def test_a_search_that_ended_by_itself_keeps_its_witness():
    assert searched(Script([OpeningRun(DEAR), replace(ended(), proof=None)]))[0].best == BETTER


def test_a_death_in_the_opening_goes_on_with_the_next_input_and_is_unknown_to_the_search():
    script = Script(
        [OpeningStarted(), OpeningRun(CHEAP), killed()],
        [OpeningStarted(), killed()],
        [ended(best=None)],
    )
    found, _, _ = searched(script)
    assert [task.part.opened for task in script.tasks] == [0, 2, OPENING_RUNS]
    assert [task.fatal for task in script.tasks] == [(), (), ()]
    assert (found.best, found.failures) == (CHEAP, [])


def test_where_no_run_ended_the_first_of_the_opening_is_the_failure():
    script = Script([OpeningStarted(), killed((0, 0, 0))], [OpeningRun(HUNG), ended(best=None)])
    found, _, _ = searched(script)
    assert [(failure.leaves, failure.outcome) for failure in found.failures] == [((0, 0, 0), Outcome.CRASHED)]


def test_a_worker_that_is_killed_at_the_end_of_the_budget_leaves_all_that_it_sent():
    record = Record(CONCRETE, 1, 0.1, RunStart((7, 7, 7), None, 3).pack(), b"")
    script = Script(
        [SnapshotTaken(Snapshot(), {"a": 2}), BestFound(GOOD), PathFound(GOOD), WorkerDeath("budget", "", record)]
    )
    found, _, _ = searched(script)
    assert (found.best, found.paths, found.report, found.stopped) == (GOOD, [GOOD], {"a": 2}, "budget of 60s")
    assert [(failure.leaves, failure.outcome) for failure in found.failures] == [((7, 7, 7), Outcome.TIMED_OUT)]


def test_an_import_that_takes_the_whole_budget_is_one_clear_line():
    with pytest.raises(TargetError, match=r"^importing or preparing the target did not end within the budget$"):
        searched(Script([WorkerDeath("budget", "", None)]))


def test_no_worker_is_started_when_no_time_is_left():
    script = Script([BestFound(GOOD), killed()], [ended()])
    found, _, _ = searched(script, plan=TimePlan(ends_at=monotonic()))
    assert (len(script.tasks), found.best, found.stopped) == (1, GOOD, "budget of 60s")


def test_deaths_between_runs_end_a_search_with_what_it_found():
    died = WorkerDeath("exit", "exit status 1", None)
    found, _, _ = searched(Script(*[[OpeningRun(CHEAP), died]] * 4))
    assert (found.best, found.stopped) == (
        CHEAP,
        "the target killed its process (exit status 1) again and again between two runs",
    )


def test_findings_that_there_is_no_time_to_replay_say_so():
    script = Script([*replied(0, cost=5), WorkerDeath("budget", "", None)])
    first, second = replayed(script, [GOOD, BETTER])
    assert (first.replayed, first.unfinished) == (True, None)
    assert (second.replayed, second.cost, second.unfinished) == (False, 9, "not replayed: the budget was used up")
    plan = TimePlan(ends_at=monotonic())
    (third,) = Replayer(SPEC, Script(), SearchFindings(), plan).witnesses([GOOD])
    assert third.unfinished == "not replayed: the budget was used up"


def test_a_target_that_cannot_be_imported_again_in_time_loses_nothing():
    plan = TimePlan(ends_at=monotonic() + 600)
    script = Script([TargetError("importing a did not end within 0.1 s")])
    (witness,) = Replayer(SPEC, script, SearchFindings(), plan).witnesses([GOOD])
    assert (witness.replayed, witness.cost) == (False, 5)


def test_the_reserve_for_replays_is_granted_after_a_search_that_took_too_long():
    plan = TimePlan.of(10.0)
    assert plan.search_ends_at == plan.ends_at - 1.5
    late = TimePlan(ends_at=monotonic() - 5, reserve=100.0)
    late.start_replays()
    assert not late.is_over
    assert TimePlan.of(None).search_ends_at is None


# Replays


def replied(index, outcome=Outcome.RETURNED, **more):
    return [
        ReplayStarted(index, InputDescribed({"x": index}, f"f({index})")),
        ReplayEnded(index, outcome, None, **more),
    ]


def replayed(script, findings, found=None):
    return Replayer(SPEC, script, found or SearchFindings()).witnesses(findings)


def test_all_findings_are_replayed_by_one_worker_and_have_the_replayed_cost():
    script = Script([*replied(0, returned="1", cost=4, branches=6), *replied(1, cost=9, branches=9), None])
    first, second = replayed(script, [GOOD, BETTER])
    assert script.tasks == [ReplayTask(SPEC, [(0, GOOD), (1, BETTER)])]
    assert (first.input, first.call, first.outcome, first.returned) == ({"x": 0}, "f(0)", "returned", "1")
    assert (first.cost, first.branches, first.replayed) == (4, 6, True)
    assert second.cost == 9


def test_a_replay_that_kills_its_process_differs_and_the_others_go_on():
    script = Script(
        [ReplayStarted(0, InputDescribed({"x": 0}, "f(0)")), killed()],
        [*replied(1, cost=9), None],
    )
    first, second = replayed(script, [GOOD, BETTER])
    assert [index for index, _ in script.tasks[1].findings] == [1]
    assert (first.outcome, first.cost, first.replayed, first.call) == ("crashed", None, True, "f(0)")
    assert first.difference == "predicted to be returned, but natively it killed its process (exit status 4)"
    assert second.difference is None


def test_a_failure_that_fails_again_in_the_same_way_is_no_difference():
    (witness,) = replayed(Script([WorkerDeath("deadline", "", None)]), [HUNG])
    assert (witness.outcome, witness.exception) == ("timed out", "did not end in time")
    assert (witness.difference, witness.cost, witness.branches) == (None, None, 2)


def test_an_interrupt_leaves_the_rest_as_it_was_found():
    found = SearchFindings(failures=[HUNG])
    replayer = Replayer(SPEC, Script([*replied(0, cost=5), KeyboardInterrupt()]), found)
    first, second = replayer.witnesses([GOOD, BETTER])
    assert (first.replayed, second.replayed, second.cost, second.call) == (True, False, 9, "the leaves [3, 2, 1]")
    assert [witness.replayed for witness in replayer.failures()] == [False]
    assert found.interrupted is True


def test_what_is_not_replayed_is_shown_as_the_search_described_it():
    found = SearchFindings(described={BETTER.leaves: InputDescribed({"x": 9}, "f(9)", {"x": "int:-3..3"})})
    (witness,) = Replayer(SPEC, Script([KeyboardInterrupt()]), found).witnesses([BETTER])
    assert (witness.replayed, witness.call, witness.input) == (False, "f(9)", {"x": 9})
    assert found.assumed == {"x": "int:-3..3"}


def test_a_replay_that_is_not_deterministic_is_noted_once():
    found = SearchFindings()
    script = Script([*replied(0, nondeterministic="first"), *replied(1, nondeterministic="second"), None])
    replayed(script, [GOOD, BETTER], found)
    assert found.counters.divergence == "first"


def test_failures_are_distinct_and_those_that_end_natively_are_unknown():
    crashed = Finding((0, 0, 0), Outcome.CRASHED, -inf, 2, "concrete")
    found = SearchFindings(failures=[HUNG, crashed, HUNG])
    script = Script([*replied(0), *replied(1, Outcome.CRASHED), None])
    (failure,) = Replayer(SPEC, script, found).failures()
    assert [finding for _, finding in script.tasks[0].findings] == [HUNG, crashed]
    assert failure.outcome == "crashed"
    assert found.counters.unknown == 1


# Explanations

PLACE = Site("/app/app.py", "parse", 12, 4, "d[key]")
JUMPS = [Jump("/app/app.py", "parse", 12, to, "if x:") for to in (13, 15)]


def losing(inputs=2):
    """The findings of a search that made something concrete in each of its runs."""
    ledger = Ledger()
    for i in range(inputs):
        trace = Trace(leaves=[i], decisions=bytearray(b"\1"), others=bytearray(1), sites=[PLACE])
        trace.concretisations.append(Concretisation(PLACE, "hash", (i,), 0))
        trace.choices.add(0)
        ledger.add(trace, Request())
    return SearchFindings(ledger=ledger.to_json())


def covered(index):
    return CoverageMeasured(index, CoverageGain(JUMPS[:1], [(("/app/app.py", "parse", 12), JUMPS)]))


def test_an_explanation_measures_what_the_inputs_never_reached():
    script = Script([CoverageStarted(0), covered(0), CoverageStarted(1), covered(1), None])
    report = explanation(SPEC, script, losing())
    assert script.tasks == [CoverageTask(SPEC, [(0, [0]), (1, [1])], [("/app/app.py", "parse", 12)])]
    assert report["measured"] == 2
    assert [row["missed"] for row in report["concretisations"]] == [1]


def test_an_input_that_kills_the_measuring_process_is_left_out():
    script = Script([CoverageStarted(0), killed()], [CoverageStarted(1), covered(1), None])
    assert explanation(SPEC, script, losing())["measured"] == 1
    assert [index for index, _ in script.tasks[1].inputs] == [1]


def test_an_explanation_of_a_search_that_lost_nothing_measures_nothing():
    script = Script()
    assert explanation(SPEC, script, SearchFindings())["concretisations"] == []
    assert script.tasks == []


def test_an_interrupt_ends_an_explanation_without_coverage():
    found = losing()
    report = explanation(SPEC, Script([CoverageStarted(0), covered(0), KeyboardInterrupt()]), found)
    assert [row["missed"] for row in report["concretisations"]] == [None]
    assert found.interrupted is True
    again = Script()
    assert explanation(SPEC, again, found)["measured"] == 0
    assert again.tasks == []


# Lanes

PARALLEL = replace(SPEC, strategy="auto", workers=2)


def out_of_time(best, **counted):
    return replace(ended(best, **counted), stopped="budget of 60s", proof=None, ran_out_of_time=True)


def settled(best, **counted):
    return replace(ended(best, **counted), is_settled=True)


def test_a_portfolio_has_a_lane_for_each_worker_and_other_strategies_have_one():
    assert (PARALLEL.lanes, replace(PARALLEL, strategy="climb").lanes) == (2, 1)
    assert replace(PARALLEL, objective="paths").lanes == 1
    script = Script([out_of_time(GOOD, paths=3)], [out_of_time(BETTER, paths=4, found_by="climb")])
    found, _, _ = searched(script, spec=PARALLEL)
    assert [(task.part.lane, task.part.lanes) for task in script.tasks] == [(0, 2), (1, 2)]
    assert [task.part.opened for task in script.tasks] == [0, OPENING_RUNS]  # one of them makes the opening runs
    assert (found.best, found.counters.paths, found.counters.found_by) == (BETTER, 7, "climb")
    assert (found.stopped, found.ran_out_of_time) == ("budget of 60s", True)


def test_a_better_input_of_one_lane_is_passed_on_to_the_others():
    script = Script([BestFound(GOOD), out_of_time(GOOD)], [BestFound(BETTER), out_of_time(BETTER)])
    searched(script, spec=PARALLEL)
    notes = [[note and [Finding.from_json(item) for item in json.loads(note)] for note in row] for row in script.notes]
    assert notes == [[None, [GOOD]], [[BETTER], None]]


def test_what_one_lane_reaches_is_passed_on_and_reported_once():
    spec = replace(PARALLEL, strategy="generational", objective="branches")
    assert (spec.lanes, replace(spec, strategy="ranked").lanes, replace(spec, objective="paths").lanes) == (2, 1, 1)
    abort = replace(GOOD, exception="SIGABRT: top")
    script = Script(
        [PathFound(GOOD), PathFound(BETTER), FailureFound(abort), out_of_time(GOOD)],
        [PathFound(GOOD), FailureFound(replace(abort, leaves=BETTER.leaves)), out_of_time(GOOD)],
    )
    found, _, _ = searched(script, spec=spec)
    assert [Finding.from_json(item) for item in json.loads(script.notes[0][1])] == [GOOD, BETTER]
    assert (found.paths, found.failures) == ([GOOD, BETTER], [abort])


def test_a_worse_input_is_not_passed_on():
    script = Script([BestFound(BETTER), out_of_time(BETTER)], [BestFound(GOOD), out_of_time(GOOD)])
    searched(script, spec=PARALLEL)
    assert script.notes[1] == [None, None]


def test_a_proof_of_one_lane_ends_all():
    script = Script([settled(BETTER)], [BestFound(GOOD), out_of_time(GOOD)], [out_of_time(GOOD)])
    found, _, _ = searched(script, spec=PARALLEL)
    assert (found.proof, found.best, found.stopped) == ("tree exhausted", BETTER, "nothing left to try")
    assert found.ran_out_of_time is False


def test_a_proof_is_refuted_by_a_dearer_input_or_a_failure_of_another_lane():
    found, _, _ = searched(Script([BestFound(BETTER), out_of_time(BETTER)], [settled(GOOD)]), spec=PARALLEL)
    assert (found.best, found.proof) == (BETTER, None)
    found, _, _ = searched(Script([FailureFound(HUNG), out_of_time(GOOD)], [settled(BETTER)]), spec=PARALLEL)
    assert (found.failures, found.proof) == ([HUNG], None)


def test_a_death_in_one_lane_leaves_the_other_alone():
    script = Script([killed()], [BestFound(GOOD), out_of_time(GOOD)], [out_of_time(BETTER)])
    found, _, _ = searched(script, spec=PARALLEL)
    assert [(task.part.lane, len(task.fatal)) for task in script.tasks] == [(0, 0), (1, 0), (0, 1)]
    assert (found.best, [failure.leaves for failure in found.failures]) == (BETTER, [(7, 7, 7)])


TOO_SLOW = TargetError("importing a did not end within 0.1 s")


def test_a_lane_that_cannot_import_the_target_again_loses_nothing():
    for parts in ([killed()], [out_of_time(GOOD)], [TOO_SLOW]), ([BestFound(GOOD), killed()], [TOO_SLOW], [TOO_SLOW]):
        found, _, _ = searched(Script(*parts), spec=PARALLEL)
        assert (found.best, [failure.leaves for failure in found.failures]) == (GOOD, [(7, 7, 7)])


def test_a_target_that_no_lane_can_import_is_one_clear_line():
    with pytest.raises(TargetError, match="importing a did not end"):
        searched(Script([TOO_SLOW], [TOO_SLOW]), spec=PARALLEL)


def test_a_member_that_computes_without_end_is_left_out():
    silent = WorkerDeath("silence", "", None)
    spec = replace(PARALLEL, workers=1)
    script = Script([TurnStarted("qlearn"), silent], [out_of_time(GOOD)])
    found, warnings, _ = searched(script, spec=spec)
    assert [task.part.excluded for task in script.tasks] == [(), ("qlearn",)]
    assert warnings == ["qlearn computed too long without a run: the search goes on without it"]
    assert found.best == GOOD
    assert all(task.silent_seconds == 10.0 for task in script.tasks)
    assert SearchTask(SPEC).silent_seconds is None


def test_lanes_are_resumed_also_with_fewer_workers(tmp_path):
    snapshots = [Snapshot(Counters(paths=4, runs=4), GOOD), Snapshot(Counters(paths=3, runs=3), BETTER)]
    script = Script(
        [SnapshotTaken(snapshots[0]), PathFound(GOOD), killed()],
        [FailureFound(HUNG), SnapshotTaken(snapshots[1]), KeyboardInterrupt()],
    )
    searched(script, tmp_path, spec=PARALLEL)
    again = Script([out_of_time(GOOD)], [KeyboardInterrupt()])
    found, warnings, _ = searched(again, tmp_path, spec=PARALLEL)
    assert [task.snapshot for task in again.tasks] == snapshots
    assert (found.best, found.failures) == (BETTER, [HUNG])
    assert warnings == ["resuming after 7 paths"]
    alone = Script([out_of_time(GOOD)])
    found, _, _ = searched(alone, tmp_path, spec=replace(PARALLEL, workers=1))
    assert [task.snapshot for task in alone.tasks] == snapshots[:1]
    assert (found.best, found.failures) == (BETTER, [HUNG])


def test_reports_of_lanes_are_united():
    reports = [
        {"members": ["fuzz"], "nodes": 1, "work": {"fuzz": 5}, "generator": "a", "generator_cost": 3, "note": "x"},
        {
            "members": ["fuzz", "wise"],
            "nodes": 2,
            "work": {"wise": 2, "fuzz": 3},
            "generator": "b",
            "generator_cost": 4,
        },
    ]
    assert merge_reports(reports) == {
        "members": ["fuzz", "wise"],
        "nodes": 3,
        "work": {"fuzz": 8, "wise": 2},
        "generator": "b",
        "generator_cost": 4,
        "note": "x",
    }
    assert merge_reports([]) is None
    assert merge_reports(reports[:1]) is reports[0]
