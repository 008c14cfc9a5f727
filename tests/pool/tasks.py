"""Tasks for the task runner, as data, and the functions that workers call for them."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import ClassVar

from pessimal.pool import Channel, Task


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
