"""Targets that harm the engine in their process. Each spares inputs below ``SPARED``, unless it ends in ``always``."""

from __future__ import annotations

import asyncio
import ctypes
import faulthandler
import io
import json
import linecache
import math
import os
import random
import resource
import signal
import struct
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Iterator

SPARED = 3


def own_profile(x: int) -> int:
    if x > SPARED:
        sys.setprofile(lambda frame, event, argument: time.sleep(0.01))
    return x


def swallows_alarm_in_loop(x: int) -> int:
    while x > SPARED:
        try:
            time.sleep(0.01)
        except BaseException:
            continue
    return x


def resets_timer_always(x: int) -> int:
    signal.setitimer(signal.ITIMER_REAL, 0)
    return sum(1 for i in range(max(x, 0)) if i > SPARED)


def resets_timer_and_hangs(x: int) -> int:
    signal.setitimer(signal.ITIMER_REAL, 0)
    while x > SPARED:
        pass
    return x


def zero_recursion(x: int) -> int:
    if x > SPARED:
        sys.setrecursionlimit(sys.getrecursionlimit() - 900)
    return x


def breaks_json(x: int) -> int:
    if x > SPARED:
        json.dumps = None  # type: ignore[assignment]
    return x


def breaks_struct_always(x: int) -> int:
    struct.pack = struct.unpack = None  # type: ignore[assignment]
    return x


def breaks_time(x: int) -> int:
    if x > SPARED:
        time.monotonic = lambda: math.nan  # type: ignore[assignment]
    return x


def stops_clock_always(x: int) -> int:
    time.monotonic = time.perf_counter = lambda: 0.0  # type: ignore[assignment]
    return 1 if x > SPARED else 0


def seeds_random_always(x: int) -> int:
    random.seed(0)
    return 1 if x > SPARED else 0


def breaks_linecache_always(x: int) -> int:
    linecache.getline = linecache.getlines = None  # type: ignore[assignment]
    return 1 if x > SPARED else 0


def errors_as_warnings(x: int) -> int:
    warnings.simplefilter("error")
    if x > SPARED:
        warnings.warn("harm", stacklevel=1)
    return x


def no_more_files(x: int) -> int:
    if x > SPARED:
        resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
    return x


def little_cpu_time(x: int) -> int:
    if x > SPARED:
        resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    return x


def little_memory(x: int) -> int:
    if x > SPARED:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))
    return x


def many_threads(x: int) -> int:
    if x > SPARED:
        for _ in range(500):
            threading.Thread(target=time.sleep, args=(3600,)).start()
    return x


def kills_from_thread(x: int) -> int:
    if x > SPARED:
        threading.Timer(0.05, os._exit, (5,)).start()
    return x


def raises_in_main_thread(x: int) -> int:
    if x > SPARED:
        ident = ctypes.c_ulong(threading.main_thread().ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(KeyboardInterrupt))
    return x


def overwrites_small_int(x: int) -> int:
    if x > SPARED:
        ctypes.memset(id(7) + 24, 9, 1)
    return x


def corrupts_heap(x: int) -> int:
    if x > SPARED:
        ctypes.memset(id(x) - 64, 255, 256)
    return x


def reads_nowhere(x: int) -> int:
    if x > SPARED:
        ctypes.string_at(1, 1)
    return x


def holds_the_interpreter_lock(x: int) -> int:
    if x > SPARED:
        ctypes.PyDLL(None).sleep(3600)
    return x


def endless_generator(x: int) -> Iterator[int]:
    while x > SPARED:
        yield x


async def endless_coroutine(x: int) -> int:
    while x > SPARED:
        await asyncio.sleep(0)
    return x


async def never_scheduled(x: int) -> int:
    await asyncio.Event().wait() if x > SPARED else None
    return x


class Undead:
    """An object that comes back when it is deleted."""

    def __del__(self) -> None:
        weakref.finalize(Undead(), print)
        raise SystemExit(3)


def leaves_undead(x: int) -> int:
    if x > SPARED:
        Undead()
    return x


class Shapeshifter:
    """An object whose every look lies or hangs."""

    def __init__(self, x: int) -> None:
        self.x = x

    def __repr__(self) -> str:
        return "x" * (1 << 26)

    def __eq__(self, other: object) -> bool:
        raise SystemExit(4)

    def __hash__(self) -> int:
        os._exit(6)

    @property
    def __class__(self) -> type:
        return int


def returns_shapeshifter(x: int) -> object:
    return Shapeshifter(x) if x > SPARED else x


def returns_endless_repr(x: int) -> object:
    return type("Slow", (), {"__repr__": lambda self: time.sleep(3600) or ""})() if x > SPARED else x


def deep_structure(x: int) -> object:
    nested: list[object] = []
    for _ in range(100_000 if x > SPARED else 1):
        nested = [nested]
    return nested


def quadratic_exception(x: int) -> int:
    if x > SPARED:
        raise ValueError("x" * (1 << 28))
    return x


def chained_exceptions(x: int) -> int:
    error: BaseException = ValueError(x)
    for _ in range(50_000 if x > SPARED else 1):
        later = ValueError(x)
        later.__cause__, error = error, later
    raise error


def closes_standard_error(x: int) -> int:
    if x > SPARED:
        sys.stderr.close()
        sys.stdout = sys.stderr = io.StringIO()
    return x


def faults_later(x: int) -> int:
    if x > SPARED:
        faulthandler.dump_traceback_later(0.1, exit=True)
    return x


def ten_million_lines(x: int) -> int:
    total = 0
    for i in range(10_000_000 if x > SPARED else 1):
        total += i
    return total


def huge_int_text(x: int) -> int:
    return len(str(10 ** (10**6))) if x > SPARED else x
