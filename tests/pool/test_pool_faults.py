"""Every way in which a task can fail or die: the pool tells it exactly and goes on working."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pessimal.errors import TargetError
from pessimal.pool import Died, Event, Failed, Finished, Handle, Message, Pool, process
from tests.commands import wait_for
from tests.pool.faults import Unreadable

FAULTS = "tests.pool.faults:"
MiB = 1 << 20
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="memory limits need /proc")


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as pool:
        yield pool


def events_of(pool: Pool, handle: Handle) -> list[Event]:
    events: list[Event] = []
    while new := pool.wait([handle]):
        events += new
    return events


def outcome(pool: Pool, task: str, payload: Any = None, **limits: Any) -> Any:
    """The only event of a task, after which the pool must still work."""
    (event,) = events_of(pool, pool.submit(FAULTS + task, payload, **limits))
    works = pool.submit(FAULTS + "echo", "still works")
    assert events_of(pool, works) == [Finished(works, "still works")]
    return event


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def assert_gone(pid: int) -> None:
    """A killed orphan is gone as soon as whoever adopted it has reaped it."""
    wait_for(lambda: not is_alive(pid) or is_zombie(pid))


def is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
            return stat.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


@pytest.mark.parametrize("task", ["loops", "loops_in_regular_expression", "loops_in_c", "floods_with_messages"])
def test_endless_loop_ends_at_its_deadline(pool: Pool, task: str) -> None:
    seconds = 1.0 if task == "floods_with_messages" else 0.3  # long enough for a message on a busy machine
    events = events_of(pool, pool.submit(FAULTS + task, None, deadline=seconds))
    last = events.pop()
    assert isinstance(last, Died)
    assert (last.reason, last.detail) == ("deadline", f"{seconds:g} s")
    assert all(isinstance(event, Message) for event in events)
    assert bool(events) == (task == "floods_with_messages")


def test_segmentation_fault_is_named_and_leaves_a_traceback(pool: Pool) -> None:
    died = outcome(pool, "crashes")
    assert (type(died), died.reason, died.detail) == (Died, "signal", "SIGSEGV")
    assert "Segmentation fault" in died.stderr_tail
    assert "in crashes" in died.stderr_tail


def test_exit_status_is_told(pool: Pool) -> None:
    died = outcome(pool, "exits", 3)
    assert (type(died), died.reason, died.detail) == (Died, "exit", "exit status 3")


def test_last_words_are_kept_and_bounded(pool: Pool) -> None:
    died = outcome(pool, "says_its_last_words", "begin" + "x" * 20_000 + "heap corrupted")
    assert (died.reason, died.detail) == ("signal", "SIGABRT")
    assert "heap corrupted" in died.stderr_tail
    assert "begin" not in died.stderr_tail
    assert len(died.stderr_tail) <= 8192


def test_last_words_of_an_earlier_task_are_forgotten(pool: Pool) -> None:
    outcome(pool, "floods")
    assert "x" * 100 not in outcome(pool, "exits", 3).stderr_tail


def test_kill_from_outside(pool: Pool) -> None:
    handle = pool.submit(FAULTS + "tells_pid_and_sleeps", None)
    (message,) = pool.wait([handle])
    assert isinstance(message, Message)
    os.kill(message.value, signal.SIGKILL)
    (died,) = events_of(pool, handle)
    assert died == Died(handle, "signal", "SIGKILL", "")


def test_kill_from_outside_between_tasks_is_not_noticed(pool: Pool) -> None:
    pid = outcome(pool, "environment").value["pid"]
    os.kill(pid, signal.SIGKILL)
    assert_gone(pid)
    assert outcome(pool, "environment").value["pid"] != pid


def test_worker_that_hangs_up_is_killed(pool: Pool) -> None:
    died = outcome(pool, "hangs_up")
    assert (type(died), died.reason, died.detail) == (Died, "exit", "closed its connection to the parent")


def test_exit_in_the_middle_of_a_message(pool: Pool) -> None:
    died = outcome(pool, "exits_in_mid_message")
    assert (type(died), died.reason, died.detail) == (Died, "exit", "exit status 5")


def test_hang_in_the_middle_of_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_STALL_SECONDS", bytes(9) + b"\xc0\x03" + bytes(5))  # about 0.25 s
    with Pool() as pool:
        died = outcome(pool, "stops_in_mid_message")
    assert (type(died), died.reason, died.detail) == (Died, "exit", "closed its connection to the parent")


def test_exception_comes_as_text_with_its_traceback(pool: Pool) -> None:
    failed = outcome(pool, "raises")
    assert isinstance(failed, Failed)
    assert str(failed.error).startswith("Traceback")
    assert "in raises" in str(failed.error)
    assert str(failed.error).endswith("ZeroDivisionError: seven\n")


def test_usage_error_comes_as_itself(pool: Pool) -> None:
    failed = outcome(pool, "misused", "f")
    assert type(failed.error) is TargetError
    assert (str(failed.error), failed.error.slug) == ("no such target: 'f'", "lost")


def test_sys_exit_is_a_failure_and_keeps_the_worker(pool: Pool) -> None:
    pid = outcome(pool, "environment").value["pid"]
    assert outcome(pool, "leaves", 4).error.endswith("SystemExit: 4\n")
    assert outcome(pool, "environment").value["pid"] == pid


def test_deep_recursion_is_a_failure(pool: Pool) -> None:
    assert "RecursionError: maximum recursion depth exceeded" in outcome(pool, "recurses").error


def test_overflow_of_the_c_stack(pool: Pool) -> None:
    event = outcome(pool, "recurses_in_c", fresh=True)
    if sys.version_info < (3, 12):
        assert (event.reason, event.detail) == ("signal", "SIGSEGV")
    else:
        assert "RecursionError" in event.error


@pytest.mark.parametrize(
    ("task", "payload", "text"),
    [
        ("nothing_there", None, "AttributeError"),
        ("returns_what_cannot_be_sent", None, "TypeError: a worker cannot send a lock"),
    ],
)
def test_what_cannot_be_found_or_sent_is_a_failure(pool: Pool, task: str, payload: Any, text: str) -> None:
    assert text in outcome(pool, task, payload).error


def test_a_reply_runs_no_code_in_the_parent(pool: Pool, tmp_path: Path) -> None:
    file = tmp_path / "written"
    died = outcome(pool, "forges_a_reply", pickle.dumps(Unreadable(Path.touch, file)))
    assert (type(died), died.reason) == (Died, "exit")
    assert died.detail.startswith("sent a reply that cannot be read: ")
    assert not file.exists()


@pytest.mark.parametrize(
    "reply",
    [
        *(b"", b"{}", b"[]", b"[7, 0, 0.0, null]", b"[1, 0, 0.0]", b"[1, 0, 0.0, 1, 1]", b'["1", 0, 0.0, null]'),
        *(b"\xff\xfe", b"[" * 100_000, b'{"kind": 1}', b"[3, 0, 0.0, {}]"),
    ],
)
def test_a_worker_that_sends_no_reply_is_killed(reply: bytes) -> None:
    with Pool() as pool:
        died = outcome(pool, "forges_a_reply", reply)
    assert died.detail.startswith("sent a reply that cannot be read: ")


def test_a_message_of_another_type_than_the_task_declares_is_refused(pool: Pool) -> None:
    (died,) = events_of(pool, pool.submit(FAULTS + "stream", 1, kinds=(str, str)))
    assert isinstance(died, Died)
    assert died.detail.startswith("sent a reply that cannot be read: TypeError")


def test_payload_that_the_worker_cannot_read_is_a_failure(pool: Pool) -> None:
    assert "ValueError: refused" in outcome(pool, "echo", Unreadable()).error


def test_module_that_cannot_be_imported_is_a_failure() -> None:
    with Pool() as pool:
        (failed,) = events_of(pool, pool.submit("no_such_module:f", None))
    assert isinstance(failed, Failed)
    assert "No module named 'no_such_module'" in str(failed.error)


@linux_only
def test_memory_hog_meets_memory_error_at_the_limit(pool: Pool) -> None:
    taken = outcome(pool, "hogs", False, memory=64 * MiB).value
    assert 32 <= taken <= 64


@linux_only
def test_memory_hog_that_lifts_its_limit_is_killed(pool: Pool) -> None:
    died = outcome(pool, "hogs", True, memory=64 * MiB)
    assert (type(died), died.reason) == (Died, "memory")
    assert 64 < int(died.detail.split()[1]) < 1000


@linux_only
def test_giant_allocation_is_a_memory_error_at_once(pool: Pool) -> None:
    assert outcome(pool, "allocates", 1 << 40, memory=256 * MiB).value == "MemoryError"
    assert outcome(pool, "allocates", 16 * MiB, memory=256 * MiB).value == f"got {16 * MiB}"
    assert "MemoryError" in outcome(pool, "allocates_carelessly", 1 << 40, memory=256 * MiB).error


@linux_only
def test_memory_limit_ends_with_its_task(pool: Pool) -> None:
    before = outcome(pool, "address").value
    during = outcome(pool, "address", memory=256 * MiB).value
    assert outcome(pool, "address").value == before
    assert 256 * MiB < during != before


def test_output_flood_neither_blocks_nor_shows(pool: Pool, capfd: pytest.CaptureFixture[str]) -> None:
    assert outcome(pool, "floods", deadline=60).value == "done"
    assert capfd.readouterr() == ("", "")


def test_child_left_behind_ends_with_its_worker() -> None:
    with Pool() as pool:
        child = outcome(pool, "leaves_child").value
        assert is_alive(child)
    assert_gone(child)


def test_death_is_noticed_while_a_child_holds_the_line(pool: Pool) -> None:
    message, died = events_of(pool, pool.submit(FAULTS + "dies_before_child", None))
    assert isinstance(message, Message)
    assert isinstance(died, Died)
    assert (died.reason, died.detail) == ("signal", "SIGKILL")
    assert_gone(message.value)


def test_forked_copy_of_a_worker_keeps_silent(pool: Pool) -> None:
    assert outcome(pool, "forks_and_returns").value == "parent"
