"""The task runner: what a task sends and returns, what its errors become, and which runs cost the worker its life."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar

import pytest

from pessimal.errors import InternalError, UsageError
from pessimal.pool import Pool, Task, TaskRunner, WorkerDeath, task_runner
from pessimal.pool.waiting import waited_by
from tests.commands import is_gone, linux, wait_for
from tests.pool.tasks import Count, Daemonise, Disconnect, Endless, Exhaust, Fail, Mistaken, Perish

GIB = 1 << 30


@pytest.fixture(scope="module")
def runner() -> Iterator[TaskRunner]:
    with Pool() as pool:
        yield TaskRunner(pool, memory=GIB, run_seconds=60.0)


def ignore(message: Any) -> None:
    pass


@pytest.mark.parametrize("numbers", [(), (3,), tuple(range(100))])
def test_messages_arrive_in_order_before_the_result(runner: TaskRunner, numbers: tuple[int, ...]) -> None:
    received: list[int] = []
    assert runner.run(Count(numbers), received.append) == f"{len(numbers)} sent"
    assert tuple(received) == numbers


def test_a_mistake_of_the_users_is_raised_as_it_was(runner: TaskRunner) -> None:
    with pytest.raises(UsageError, match=r"^no such size$") as raised:
        runner.run(Fail(UsageError("no such size", slug="size")), ignore)
    assert raised.value.slug == "size"


def test_any_other_error_is_internal_and_has_its_traceback(runner: TaskRunner) -> None:
    with pytest.raises(InternalError, match=r"(?s)Traceback.*LookupError: nothing there"):
        runner.run(Fail(LookupError("nothing there")), ignore)


def test_a_job_may_go_on_after_an_error(runner: TaskRunner) -> None:
    class Stubborn:
        ends: ClassVar[list[Any]] = []

        def tasks(self) -> Generator[Task[Any, Any], Any, None]:
            with suppress(InternalError):
                yield Fail(LookupError("nothing there"))
            self.ends.append((yield Count((1, 2))))

        def on_message(self, message: Any) -> None:
            pass

        def note(self) -> bytes | None:
            return None

    runner.run_jobs([Stubborn()])
    assert Stubborn.ends == ["2 sent"]


def test_a_task_of_another_class_is_refused(runner: TaskRunner) -> None:
    with pytest.raises(InternalError, match="expected a Count, but got a Mistaken"):
        runner.run(Mistaken(), ignore)


def test_a_death_names_the_run_that_was_in_progress(runner: TaskRunner) -> None:
    death = runner.run(Perish(runs=True), ignore)
    assert isinstance(death, WorkerDeath)
    assert (death.reason, death.text) == ("exit", "killed its process (exit status 3)")
    assert death.record is not None
    assert (death.record.kind, death.record.run, death.record.payload) == (1, 2, b"second")


def test_a_death_between_runs_names_none_even_if_the_worker_before_died_in_one(runner: TaskRunner) -> None:
    runner.run(Perish(runs=True), ignore)
    death = runner.run(Perish(runs=False), ignore)
    assert isinstance(death, WorkerDeath)
    assert death.record is None


def test_a_run_that_is_overdue_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "GRACE", 0.0)
    with Pool() as pool:
        runner = TaskRunner(pool, memory=GIB, run_seconds=0.1)
        death = runner.run(Perish(runs=True, hangs=True), ignore)
        assert isinstance(death, WorkerDeath)
        assert (death.reason, death.text) == ("deadline", "did not end in time")
        assert death.record is not None
        assert death.record.payload == b"second"
        assert runner.run(Count((1,)), ignore) == "1 sent"


def test_what_the_listener_raises_ends_the_task_and_the_next_one_runs(runner: TaskRunner) -> None:
    def interrupt(message: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(Perish(runs=True, hangs=True), interrupt)
    assert runner.run(Count(()), ignore) == "0 sent"


def test_a_task_whose_time_is_up_is_asked_to_end(runner: TaskRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "STOP_GRACE", 600.0)
    assert runner.run(Endless(listens=True, ends_at=monotonic()), ignore) == "ended when asked"


def test_a_task_that_does_not_end_when_asked_is_killed_and_its_messages_stay(runner: TaskRunner) -> None:
    received: list[str] = []
    death = runner.run(Endless(listens=False, ends_at=monotonic() + 2), received.append)
    assert isinstance(death, WorkerDeath)
    assert (death.reason, death.record, received) == ("budget", None, ["started"])


@pytest.mark.parametrize(("waited", "reason"), [(lambda: 0.0, "silence"), (monotonic, "budget")])
def test_a_silent_worker_is_killed_unless_it_has_no_core(
    runner: TaskRunner, monkeypatch: pytest.MonkeyPatch, waited: Callable[[], float], reason: str
) -> None:
    monkeypatch.setattr(Pool, "waited", lambda pool, handle: waited())
    death = runner.run(Endless(listens=False, ends_at=monotonic() + 3, silent_seconds=0.6), ignore)
    assert isinstance(death, WorkerDeath)
    assert death.reason == reason


@linux
def test_how_long_a_process_waited_is_known() -> None:
    assert 0 < waited_by(os.getpid()) <= waited_by(os.getpid())
    assert waited_by(-1) == 0.0


def test_a_worker_that_was_started_ahead_gets_the_next_task(runner: TaskRunner) -> None:
    runner.warm_up(Count)
    assert runner.run(Count((5,)), ignore) == "1 sent"


def test_an_interrupt_while_a_worker_starts_is_raised_by_the_next_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: Pool, task: str, workers: int) -> None:
        raise KeyboardInterrupt

    with Pool() as pool:
        runner = TaskRunner(pool, memory=GIB, run_seconds=60.0)
        monkeypatch.setattr(Pool, "warm_up", interrupt)
        runner.warm_up(Count)
        with pytest.raises(KeyboardInterrupt):
            runner.run(Count(()), ignore)
        assert runner.run(Count(()), ignore) == "0 sent"


def test_a_task_that_closes_all_descriptors_stays_connected(runner: TaskRunner) -> None:
    assert runner.run(Disconnect(), ignore) == "still connected"


@pytest.mark.parametrize("error", [MemoryError(), OSError(24, "Too many open files")])
def test_a_task_without_resources_is_a_death_and_no_internal_error(runner: TaskRunner, error: Exception) -> None:
    death = runner.run(Exhaust(error), ignore)
    assert isinstance(death, WorkerDeath)
    assert death.text.startswith("killed its process (left no resources for the search: ")


@linux
def test_a_process_that_left_its_session_does_not_survive_the_worker(runner: TaskRunner) -> None:
    pids: list[int] = []
    runner.run(Daemonise(), pids.append)
    wait_for(lambda: is_gone(pids[0]))
