"""Tasks for the task runner, as data, and the functions that workers call for them."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import ClassVar

from pessimal.pool import Channel, Task, stop_signal


@dataclass(frozen=True, slots=True)
class Count(Task[int, str]):
    entry_point: ClassVar[str] = "tests.pool.tasks:count"

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fail(Task[None, None]):
    entry_point: ClassVar[str] = "tests.pool.tasks:fail"

    error: Exception


@dataclass(frozen=True, slots=True)
class Perish(Task[str, None]):
    """Dies in its second run, if it is to have runs at all."""

    entry_point: ClassVar[str] = "tests.pool.tasks:perish"

    runs: bool
    hangs: bool = False


@dataclass(frozen=True, slots=True)
class Mistaken(Task[None, None]):
    entry_point: ClassVar[str] = "tests.pool.tasks:count"


@dataclass(frozen=True, slots=True)
class Endless(Task[str, str]):
    """Never ends by itself; if it listens, it ends when it is asked to."""

    entry_point: ClassVar[str] = "tests.pool.tasks:endless"

    listens: bool
    ends_at: float
    silent_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Disconnect(Task[None, str]):
    """Closes all file descriptors."""

    entry_point: ClassVar[str] = "tests.pool.tasks:disconnect"


@dataclass(frozen=True, slots=True)
class Exhaust(Task[None, None]):
    """Fails as our own code does when the target left no resources."""

    entry_point: ClassVar[str] = "tests.pool.tasks:exhaust"

    error: Exception


@dataclass(frozen=True, slots=True)
class Daemonise(Task[int, None]):
    """Starts a process that leaves its session, and dies."""

    entry_point: ClassVar[str] = "tests.pool.tasks:daemonise"


class Asked(BaseException):
    """The parent asked for the end."""


def stop() -> None:
    raise Asked


def endless(payload: bytes, channel: Channel) -> str:
    task = Endless.unpack(payload)
    channel.send("started")
    try:
        with stop_signal.calling(stop) if task.listens else nullcontext():
            while True:
                time.sleep(0.01)
    except Asked:
        return "ended when asked"


def disconnect(payload: bytes, channel: Channel) -> str:
    os.closerange(0, 4096)
    for fd in range(256):
        with suppress(OSError):
            os.close(fd)
    return "still connected"


def exhaust(payload: bytes, channel: Channel) -> None:
    raise Exhaust.unpack(payload).error


def daemonise(payload: bytes, channel: Channel) -> None:
    process = subprocess.Popen(["sleep", "3600"], start_new_session=True)
    channel.send(process.pid)
    os._exit(0)


def count(payload: bytes, channel: Channel) -> str:
    task = Count.unpack(payload)
    for number in task.numbers:
        channel.send(number)
    return f"{len(task.numbers)} sent"


def fail(payload: bytes, channel: Channel) -> None:
    raise Fail.unpack(payload).error


def perish(payload: bytes, channel: Channel) -> None:
    task = Perish.unpack(payload)
    assert channel.recorder is not None
    channel.send("started")
    if task.runs:
        channel.recorder.begin(0, b"first")
        channel.recorder.end()
        channel.recorder.begin(1, b"second")
    if task.hangs:
        time.sleep(600)
    os._exit(3)
