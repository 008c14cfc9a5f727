"""The pool itself: queueing, reuse, isolation, cancelling, and what is left when it is closed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pessimal.errors import UsageError
from pessimal.pool import Died, Event, Finished, Handle, Message, Pool, limits
from tests.commands import is_gone, wait_for

FAULTS = "tests.pool.faults:"


def gather(pool: Pool, handles: list[Handle]) -> list[Event]:
    events: list[Event] = []
    while new := pool.wait(handles):
        events += new
    return events


def values(pool: Pool, handles: list[Handle]) -> dict[Handle, Any]:
    return {event.handle: event.value for event in gather(pool, handles) if isinstance(event, Finished)}


def value(pool: Pool, task: str, payload: Any = None, **options: Any) -> Any:
    handle = pool.submit(FAULTS + task, payload, **options)
    return values(pool, [handle])[handle]


def test_many_small_tasks_queue_up_and_each_gets_its_own_answer() -> None:
    with Pool(2) as pool:
        handles = [pool.submit(FAULTS + "echo", i) for i in range(500)]
        answers = values(pool, handles)
    assert [answers[handle] for handle in handles] == list(range(500))


def test_messages_come_in_order_before_the_end() -> None:
    with Pool() as pool:
        handle = pool.submit(FAULTS + "stream", 100)
        events = gather(pool, [handle])
    assert events == [*(Message(handle, i) for i in range(100)), Finished(handle, "done")]


def test_large_payloads_and_answers_pass() -> None:
    with Pool(2) as pool:
        big = [str(i) * 3_000_000 for i in range(4)]
        handles = [pool.submit(FAULTS + "echo", payload) for payload in big]
        answers = values(pool, handles)
    assert [answers[handle] for handle in handles] == big


def test_workers_are_reused_unless_fresh_is_asked_for() -> None:
    with Pool() as pool:
        first, second, fresh, last = (
            value(pool, "environment", fresh=fresh)["pid"] for fresh in (False, False, True, False)
        )
    assert first == second != fresh == last


def test_fresh_keeps_an_idle_worker_while_there_is_room() -> None:
    with Pool(2) as pool:
        idle = value(pool, "environment")["pid"]
        fresh = value(pool, "environment", fresh=True)["pid"]
        after = {value(pool, "environment")["pid"] for _ in range(4)}
    assert fresh != idle
    assert after == {idle}


def test_worker_has_its_own_session_the_same_path_and_no_main_module() -> None:
    with Pool() as pool:
        report = value(pool, "environment")
    assert report["path"] == [path for path in sys.path if isinstance(path, str)]
    assert report["session"] == report["pid"] != os.getpid()
    assert (report["stdin"], report["main"], report["argv"]) == ("", None, ["-c"])


def test_hash_seed_is_fixed_and_can_be_chosen() -> None:
    def hash_of(pool: Pool) -> int:
        with pool:
            return int(value(pool, "environment")["hash"])

    assert hash_of(Pool()) == hash_of(Pool(hash_seed=0)) != hash_of(Pool(hash_seed=1))


def test_death_of_one_task_leaves_its_neighbours_alone() -> None:
    with Pool(2) as pool:
        doomed = [
            pool.submit(FAULTS + "crashes", None),
            pool.submit(FAULTS + "loops", None, deadline=0.2),
            pool.submit(FAULTS + "exits", 1),
        ]
        steady = [pool.submit(FAULTS + "stream", 5) for _ in range(20)]
        events = gather(pool, [*doomed, *steady])
    deaths = {event.handle: event.reason for event in events if isinstance(event, Died)}
    assert [deaths[handle] for handle in doomed] == ["signal", "deadline", "exit"]
    for handle in steady:
        report = [event for event in events if event.handle is handle]
        assert report == [*(Message(handle, i) for i in range(5)), Finished(handle, "done")]


def test_wait_gives_only_what_was_asked_for_and_loses_nothing() -> None:
    with Pool() as pool:
        first = pool.submit(FAULTS + "echo", 1)
        second = pool.submit(FAULTS + "echo", 2)
        assert pool.wait([second]) == [Finished(second, 2)]
        assert pool.wait([first]) == [Finished(first, 1)]
        assert pool.wait([first, second]) == []


def test_wait_gives_up_after_its_timeout() -> None:
    with Pool() as pool:
        handle = pool.submit(FAULTS + "loops", None)
        assert pool.wait([handle], timeout=0) == []
        assert pool.wait([handle], timeout=0.05) == []
        assert not handle.done


def test_what_was_said_in_time_counts_even_if_it_is_heard_late() -> None:
    with Pool() as pool:
        value(pool, "echo")
        handle = pool.submit(FAULTS + "stream", 20, deadline=2.0)
        time.sleep(2.1)
        assert gather(pool, [handle])[-1] == Finished(handle, "done")


def test_what_was_said_too_late_is_not_heard() -> None:
    with Pool() as pool:
        value(pool, "echo")
        handle = pool.submit(FAULTS + "talks_too_long", 1.2, deadline=1.0)
        time.sleep(1.5)
        assert gather(pool, [handle]) == [Message(handle, "in time"), Died(handle, "deadline", "1 s", "")]


def test_thread_left_by_an_earlier_task_is_not_heard() -> None:
    with Pool() as pool:
        value(pool, "leaves_talker")
        handle = pool.submit(FAULTS + "naps", 0.3)
        assert gather(pool, [handle]) == [Finished(handle, "rested")]


def test_cancelled_tasks_stay_silent_and_free_their_worker() -> None:
    with Pool() as pool:
        running = pool.submit(FAULTS + "tells_pid_and_sleeps", None)
        queued = pool.submit(FAULTS + "echo", 1)
        (message,) = pool.wait([running])
        assert isinstance(message, Message)
        queued.cancel()
        running.cancel()
        running.cancel()
        assert (running.done, queued.done) == (True, True)
        assert pool.wait([running, queued]) == []
        assert value(pool, "echo", "next") == "next"
        with pytest.raises(ProcessLookupError):
            os.kill(message.value, 0)


def test_close_kills_busy_and_idle_workers_and_leaves_no_descriptor() -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    with Pool(2) as pool:
        idle = value(pool, "environment")["pid"]
        busy = pool.submit(FAULTS + "tells_pid_and_sleeps", None)
        (message,) = pool.wait([busy])
        pool.submit(FAULTS + "loops", None)
        pool.submit(FAULTS + "echo", "queued")
    assert isinstance(message, Message)
    for pid in (idle, message.value):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert len(list(Path("/dev/fd").iterdir())) == before
    assert pool.wait([busy]) == []
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(FAULTS + "echo", 1)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_die_with_a_killed_parent() -> None:
    script = f"""
from pessimal.pool import Pool
pool = Pool()
print(pool.wait([pool.submit({FAULTS!r} + "tells_pid_and_sleeps", None)])[0].value, flush=True)
pool.wait([pool.submit({FAULTS!r} + "loops", None)])
"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=env) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    wait_for(lambda: is_gone(pid))


def test_watcher_kills_an_orphan() -> None:
    script = "from pessimal.pool import parent_watch; parent_watch.poll(parent=0)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    orphan = subprocess.run([sys.executable, "-c", script], env=env, start_new_session=True, check=False)
    assert orphan.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deadline": 0}, "a deadline must be more than 0 seconds, but is 0"),
        ({"deadline": float("nan")}, "a deadline must be more than 0 seconds, but is nan"),
        ({"memory": -5}, "a memory limit must be more than 0 bytes, but is -5"),
    ],
)
def test_impossible_limits_are_refused(options: dict[str, Any], message: str) -> None:
    with Pool() as pool, pytest.raises(UsageError) as raised:
        pool.submit(FAULTS + "echo", 1, **options)
    assert str(raised.value) == message


def test_pool_without_workers_is_refused() -> None:
    with pytest.raises(UsageError) as raised:
        Pool(0)
    assert str(raised.value) == "the number of workers must be at least 1, but is 0"


def test_unenforced_memory_limit_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SUPPORTED", False)
    with Pool() as pool, pytest.warns(RuntimeWarning, match="not enforced"):
        assert value(pool, "echo", 1, memory=1 << 30) == 1
