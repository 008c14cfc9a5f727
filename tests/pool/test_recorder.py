"""The flight recorder: what it tells of the run in progress, also when that run killed its process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.pool import DECISIONS, Died, Finished, Pool, Recorder
from pessimal.pool import recorder as module

Runs = list[tuple[int, bytes, bytes, str]]


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    recorder = Recorder()
    yield recorder
    recorder.close()


def last_event(pool: Pool, runs: Runs, recorder: Recorder, **options: Any) -> Any:
    handle = pool.submit("tests.pool.faults:records", runs, recorder=recorder, **options)
    (event,) = pool.wait([handle])
    return event


def write(recorder: Recorder, decisions: bytes) -> None:
    for i, decision in enumerate(decisions):
        recorder.memory[DECISIONS + i] = decision + 1


def test_nothing_is_in_progress_at_first_and_after_the_end(recorder: Recorder) -> None:
    assert recorder.read() is None
    recorder.begin(1, b"leaves")
    assert recorder.read() is not None
    recorder.end()
    assert recorder.read() is None


run = st.tuples(
    st.integers(0, 2**32),
    st.binary(max_size=50),
    st.binary(max_size=50).map(lambda b: b.replace(b"\xff", b"")),
)


@given(st.lists(run, min_size=1, max_size=8))
def test_each_run_is_read_as_written_however_long_the_one_before(
    runs: list[tuple[int, bytes, bytes]],
) -> None:
    recorder = Recorder()
    written = 0
    for number, (kind, payload, decisions) in enumerate(runs, start=1):
        recorder.begin(kind, payload, written)
        write(recorder, decisions)
        written = len(decisions)
        record = recorder.read()
        assert record is not None
        assert (record.kind, record.run, record.payload, record.decisions) == (
            kind,
            number,
            payload,
            decisions,
        )
        assert record.seconds >= 0
    recorder.close()


def test_decisions_up_to_the_capacity(recorder: Recorder) -> None:
    recorder.begin(1, b"")
    recorder.memory[DECISIONS : DECISIONS + recorder.capacity] = b"\1" * recorder.capacity
    recorder.leave_note(b"\1" * 100)
    record = recorder.read()
    assert record is not None
    assert len(record.decisions) == recorder.capacity


def test_the_newest_note_is_taken_once(recorder: Recorder) -> None:
    worker = Recorder(os.dup(recorder.fd))
    assert worker.take_note() is None
    recorder.leave_note(b"first")
    recorder.leave_note(b"second")
    assert worker.take_note() == b"second"
    assert worker.take_note() is None
    recorder.leave_note(b"")
    assert worker.take_note() == b""
    worker.close()


def test_a_note_that_is_too_large_or_half_written_is_not_taken(recorder: Recorder) -> None:
    recorder.leave_note(b"n" * (module._NOTE_CAPACITY + 1))
    assert recorder.take_note() is None
    recorder.leave_note(b"whole")
    module._NOTE.pack_into(recorder.memory, module._NOTES, 3, 5)  # as while the next one is written
    assert recorder.take_note() is None
    recorder.leave_note(b"next")
    assert recorder.take_note() == b"next"


def test_payload_that_does_not_fit_is_told_as_none(recorder: Recorder) -> None:
    fits = DECISIONS - module._PAYLOAD
    recorder.begin(1, b"p" * fits)
    record = recorder.read()
    assert record is not None
    assert record.payload == b"p" * fits
    assert record.decisions == b""
    recorder.begin(1, b"p" * (fits + 1))
    record = recorder.read()
    assert record is not None
    assert record.payload is None


@pytest.mark.parametrize(
    ("ending", "reason", "detail"),
    [("crashes", "signal", "SIGSEGV"), ("loops", "deadline", "0.3 s"), ("exits", "exit", "exit status 1")],
)
def test_the_run_that_killed_its_process_is_told(recorder: Recorder, ending: str, reason: str, detail: str) -> None:
    runs: Runs = [(1, b"first", b"\1\1\1\1\1\1", "returns"), (2, b"second", b"\0\1\2\0", ending)]
    with Pool() as pool:
        died = last_event(pool, runs, recorder, deadline=0.3 if ending == "loops" else None)
    assert isinstance(died, Died)
    assert (died.reason, died.detail) == (reason, detail)
    record = recorder.read()
    assert record is not None
    assert (record.kind, record.run, record.payload, record.decisions) == (2, 2, b"second", b"\0\1\2\0")


def test_finished_task_leaves_no_run_in_progress(recorder: Recorder) -> None:
    with Pool() as pool:
        event = last_event(pool, [(1, b"only", b"\1", "returns")], recorder)
    assert isinstance(event, Finished)
    assert recorder.read() is None


def test_next_task_starts_on_a_clean_sheet(recorder: Recorder) -> None:
    with Pool() as pool:
        last_event(pool, [(1, b"long", b"\1" * 5000, "crashes")], recorder)
        last_event(pool, [(7, b"short", b"\0\0", "exits")], recorder)
    record = recorder.read()
    assert record is not None
    assert (record.kind, record.run, record.payload, record.decisions) == (7, 1, b"short", b"\0\0")


def test_tasks_with_different_recorders_share_a_worker() -> None:
    recorders = [Recorder() for _ in range(3)]
    with Pool() as pool:
        pool.wait([pool.submit("tests.pool.faults:records", [], recorder=recorders[0])])
        last_event(pool, [(1, b"b", b"\1", "returns")], recorders[1])
        last_event(pool, [(1, b"c", b"\0", "crashes")], recorders[2])
    records = [recorder.read() for recorder in recorders]
    assert records[:2] == [None, None]
    assert records[2] is not None
    assert records[2].payload == b"c"
    for recorder in recorders:
        recorder.close()


def test_without_memfd_a_temporary_file_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(module.os, "memfd_create", raising=False)
    recorder = Recorder()
    with Pool() as pool:
        last_event(pool, [(1, b"file", b"\1\0", "crashes")], recorder)
    record = recorder.read()
    assert record is not None
    assert (record.payload, record.decisions) == (b"file", b"\1\0")
    recorder.close()
