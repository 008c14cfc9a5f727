"""The flight recorder: memory shared with the worker that still holds the input of the run that killed it.

The worker writes each decision, plus one, straight into the shared memory: the first zero ends them, and no length has
to be kept up to date in the hot loop. The other way round, the parent leaves notes for the worker there, which neither
waits for the other.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import inf

_HEADER = struct.Struct("=QQddq")  # running, kind, began, time limit, payload length (-1: did not fit)
_RUN = struct.Struct("=Q")
_RUN_OFFSET = _HEADER.size
_PAYLOAD = 64

DECISIONS = 64 << 20
"""Where the decisions start: decision ``i`` is written as ``memory[DECISIONS + i] = d + 1``."""

_CAPACITY = 64 << 20
_NOTE = struct.Struct("=QQ")  # number, length; an odd number means that the note is being written
_NOTES = DECISIONS + _CAPACITY
_NOTE_CAPACITY = 16 << 20
_SAMPLE = struct.Struct("=Q")  # length
_SAMPLES = _NOTES + _NOTE.size + _NOTE_CAPACITY
_SAMPLE_CAPACITY = 4096
_SIZE = _SAMPLES + _SAMPLE.size + _SAMPLE_CAPACITY
_MINUS_ONE = bytes((value - 1) % 256 for value in range(256))


@dataclass(frozen=True, slots=True)
class Record:
    """The run in progress; the payload is None if it was too large to be recorded.

    ``limit`` is how many seconds the run may take. ``sample`` is what was being tried on a sample, if anything was:
    that is then to blame, and not the run.
    """

    kind: int
    run: int
    seconds: float
    payload: bytes | None
    decisions: bytes
    limit: float = inf
    sample: bytes = b""


class Recorder:
    """Shared memory for one task at a time: the worker writes its runs, the parent reads the last one.

    The memory is sparse: pages that no run touches cost nothing.
    """

    def __init__(self, fd: int | None = None) -> None:
        self.fd = _anonymous_file() if fd is None else fd
        if fd is None:
            self.clear()
        self.memory = mmap.mmap(self.fd, _SIZE)
        self.run = 0
        self._noted = 0

    @property
    def capacity(self) -> int:
        """How many decisions fit; the worker must not write more."""
        return _CAPACITY

    def clear(self) -> None:
        """Clear everything, also what a killed worker left."""
        os.ftruncate(self.fd, 0)
        os.ftruncate(self.fd, _SIZE)

    def begin(self, kind: int, payload: bytes, written: int = 0, limit: float = inf) -> None:
        """Start a run of at most ``limit`` seconds; ``written`` decisions of the previous run have to be cleared."""
        memory = self.memory
        memory[0] = 0
        if written:
            memory[DECISIONS : DECISIONS + written] = bytes(written)
        self.run += 1
        _RUN.pack_into(memory, _RUN_OFFSET, self.run)
        length = len(payload) if len(payload) <= DECISIONS - _PAYLOAD else -1
        if length > 0:
            memory[_PAYLOAD : _PAYLOAD + length] = payload
        _HEADER.pack_into(memory, 0, 0, kind, time.monotonic(), limit, length)
        memory[0] = 1  # last, so that the parent never reads half a header

    def end(self) -> None:
        """No run is in progress any more."""
        self.memory[0] = 0

    def begin_sample(self, what: bytes) -> None:
        """Note what is tried on a sample from now on, in the middle of a run."""
        start = _SAMPLES + _SAMPLE.size
        length = min(len(what), _SAMPLE_CAPACITY)
        self.memory[start : start + length] = what[:length]
        _SAMPLE.pack_into(self.memory, _SAMPLES, length)

    def end_sample(self) -> None:
        """The run itself goes on."""
        _SAMPLE.pack_into(self.memory, _SAMPLES, 0)

    def read(self) -> Record | None:
        """The run in progress, or the run that was when the worker died."""
        running, kind, began, limit, length = _HEADER.unpack_from(self.memory)
        if not running:
            return None
        return Record(
            kind=kind,
            run=_RUN.unpack_from(self.memory, _RUN_OFFSET)[0],
            seconds=time.monotonic() - began,
            payload=None if length < 0 else self.memory[_PAYLOAD : _PAYLOAD + length],
            decisions=self._decisions(),
            limit=limit,
            sample=self._sample(),
        )

    def leave_note(self, note: bytes) -> None:
        """Leave a note for the worker in place of the last one; one that is too large is not left."""
        if len(note) > _NOTE_CAPACITY:
            return
        number = _NOTE.unpack_from(self.memory, _NOTES)[0] // 2 * 2
        _NOTE.pack_into(self.memory, _NOTES, number + 1, 0)
        start = _NOTES + _NOTE.size
        self.memory[start : start + len(note)] = note
        _NOTE.pack_into(self.memory, _NOTES, number + 2, len(note))

    def take_note(self) -> bytes | None:
        """The newest note of the parent, if the worker has not taken it before."""
        number, length = _NOTE.unpack_from(self.memory, _NOTES)
        if number == self._noted or number % 2:
            return None
        start = _NOTES + _NOTE.size
        note = self.memory[start : start + length]
        if _NOTE.unpack_from(self.memory, _NOTES)[0] != number:  # replaced meanwhile: the next look finds it whole
            return None
        self._noted = number
        return note

    def _sample(self) -> bytes:
        start = _SAMPLES + _SAMPLE.size
        return self.memory[start : start + _SAMPLE.unpack_from(self.memory, _SAMPLES)[0]]

    def _decisions(self) -> bytes:
        end = self.memory.find(b"\0", DECISIONS, _NOTES)
        return self.memory[DECISIONS : end if end >= 0 else _NOTES].translate(_MINUS_ONE)

    def close(self) -> None:
        """Release the memory; a view of it that is still in use keeps it until that is released."""
        with suppress(BufferError):
            self.memory.close()
        with suppress(OSError):  # the target may have closed it; the memory does not need it
            os.close(self.fd)


class RecordedRun:
    """A run in the flight recorder, from entering to leaving; gives what notes the decisions of the run.

    Without a recorder nothing is recorded. ``written`` decisions of the previous run have to be cleared.
    """

    def __init__(self, recorder: Recorder | None, kind: int, payload: bytes, written: int, limit: float) -> None:
        self._recorder = recorder
        self._run = kind, payload, written, limit

    def __enter__(self) -> Callable[[int, int], None] | None:
        recorder = self._recorder
        if recorder is None:
            return None
        recorder.begin(*self._run)
        memory, capacity = recorder.memory, recorder.capacity

        def note(position: int, taken: int) -> None:
            if position < capacity:
                memory[DECISIONS + position] = taken + 1

        return note

    def __exit__(self, *exception: object) -> None:
        if self._recorder is not None:
            self._recorder.end()


def _anonymous_file() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("pessimal-recorder")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
