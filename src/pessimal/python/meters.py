"""Costs that are measured while the target runs natively on plain values.

A meter is a context manager around the run, with the measure in ``value`` afterwards. Those that count what the
interpreter does (lines, executions, calls, depth) give the same figure each time; memory does once the target's own
caches are warm; time does not.
"""

from __future__ import annotations

import gc
import os
import sys
import sysconfig
import tracemalloc
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from time import perf_counter
from types import FrameType
from typing import Any, TypeAlias

from pessimal.python.sites import PACKAGE

IsMeasured: TypeAlias = Callable[[str], bool]
TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]

_PATHS = sysconfig.get_paths()
_LIBRARY = (_PATHS["stdlib"], _PATHS["platstdlib"])
_INSTALLED = (_PATHS["purelib"], _PATHS["platlib"])
_IMPORT_SYSTEM = f"{_PATHS['stdlib']}{os.sep}importlib{os.sep}"


@cache
def is_users(file: str) -> bool:
    """Whether a file is neither ours nor the standard library's: the target's, or a package that it uses."""
    if file.startswith((PACKAGE, "<frozen ")):
        return False
    return is_installed(file) or not file.startswith(_LIBRARY)


def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package."""
    return file.startswith(_INSTALLED)


@cache
def is_executed(file: str) -> bool:
    """Whether lines of a file count: all but ours and those of the import system."""
    return not file.startswith((PACKAGE, "<frozen importlib", "<frozen zipimport", _IMPORT_SYSTEM))


class CollectorOff:
    """Keeps the collector from running: when it does, and whose finalizers it calls, depends on what ran before."""

    def __enter__(self) -> None:
        self._collects = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception: object) -> None:
        if self._collects:
            gc.enable()


class Settling:
    """A meter that notices whether modules were imported during the run."""

    def __init__(self) -> None:
        self.value = 0.0
        self.counts: Sequence[int] = ()
        self._modules = 0

    def _begin(self) -> None:
        self._modules = len(sys.modules)

    @property
    def own_value(self) -> float:
        """All of it: what belongs to libraries is not known."""
        return self.value

    @property
    def settled(self) -> bool:
        """Whether nothing was imported since the beginning."""
        return len(sys.modules) == self._modules


class _Tracing(Settling, ABC):
    """Follows the calls of the target with ``sys.settrace``, putting back what was there; never sees our own."""

    def __init__(self) -> None:
        super().__init__()
        self._previous: Any = None
        self._undisturbed: AbstractContextManager[None] = CollectorOff()

    def __enter__(self) -> _Tracing:
        self._begin()
        self._undisturbed.__enter__()
        self._previous = sys.gettrace()
        sys.settrace(self._enter)
        return self

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._previous)
        self._undisturbed.__exit__(None, None, None)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        return None if frame.f_code.co_filename.startswith(PACKAGE) else self.called(frame)

    @abstractmethod
    def called(self, frame: FrameType) -> TraceFunction | None:
        """A frame was entered, or a generator resumed: how to follow it, if at all."""


class Lines(_Tracing):
    """Executed lines in the files that are measured, by default all but ours, the standard library included."""

    def __init__(self, is_measured: IsMeasured = is_executed) -> None:
        super().__init__()
        self._is_measured = is_measured

    def called(self, frame: FrameType) -> TraceFunction | None:
        """Follow the frames of measured files."""
        return self._line if self._is_measured(frame.f_code.co_filename) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        if event == "line":
            self.value += 1
        return self._line


class Block(Lines):
    """Executions of one line, which stand for those of the block that it begins."""

    def __init__(self, line: int, is_measured: IsMeasured) -> None:
        super().__init__(is_measured)
        self._number = line

    def _line(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        if event == "line" and frame.f_lineno == self._number:
            self.value += 1
        return self._line


class Calls(_Tracing):
    """Calls of a Python function by its qualified name; each resumption of a generator is a call."""

    def __init__(self, qualname: str) -> None:
        super().__init__()
        self._qualname = qualname

    def called(self, frame: FrameType) -> None:
        """Count the call; what happens inside is of no interest."""
        if frame.f_code.co_qualname == self._qualname:
            self.value += 1


class Depth(_Tracing):
    """The largest number of Python frames above the start; the target itself is the first."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def called(self, frame: FrameType) -> TraceFunction:
        """Go one deeper, until the frame returns."""
        frame.f_trace_lines = False
        self._depth += 1
        self.value = max(self.value, self._depth)
        return self._leave

    def _leave(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        if event == "return":
            self._depth -= 1
        return self._leave


@contextmanager
def _traced_memory() -> Iterator[None]:
    """Trace allocations, independent of what ran before: a collection empties the stocks of free objects."""
    tracing = tracemalloc.is_tracing()
    with CollectorOff():
        gc.collect()
        if not tracing:
            tracemalloc.start()
        try:
            yield
        finally:
            if not tracing:
                tracemalloc.stop()


def _in_use() -> int:
    return tracemalloc.get_traced_memory()[0]


class PeakMemory(Settling):
    """The most bytes in use at any time above what was in use at the start."""

    def __init__(self) -> None:
        super().__init__()
        self._memory: AbstractContextManager[None] = _traced_memory()
        self._start = 0

    def __enter__(self) -> PeakMemory:
        self._begin()
        self._memory.__enter__()
        tracemalloc.reset_peak()
        self._start = _in_use()
        return self

    def __exit__(self, *exception: object) -> None:
        self.value = float(max(0, tracemalloc.get_traced_memory()[1] - self._start))
        self._memory.__exit__(None, None, None)


class Allocated(_Tracing):
    """Bytes allocated: the sum, over all executed lines, of what each adds to the memory in use.

    What a line allocates and frees again is not seen, and what tracing needs itself (a frame object for each call)
    is part of the sum.
    """

    def __init__(self) -> None:
        super().__init__()
        self._memory: AbstractContextManager[None] = _traced_memory()
        self._last = 0

    def __enter__(self) -> Allocated:
        self._memory.__enter__()
        self._last = _in_use()
        super().__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        super().__exit__()
        self._grow()
        self._memory.__exit__(None, None, None)

    def called(self, frame: FrameType) -> TraceFunction:
        """Follow every frame, those of the standard library too: their memory is the target's."""
        return self._event(frame, "call", None)

    def _event(self, frame: FrameType, event: str, argument: Any) -> TraceFunction:
        self._grow()
        self._last = _in_use()
        return self._event

    def _grow(self) -> None:
        self.value += max(0, _in_use() - self._last)


class WallTime(Settling):
    """Seconds by the clock on the wall."""

    def __init__(self) -> None:
        super().__init__()
        self._start = 0.0

    def __enter__(self) -> WallTime:
        self._begin()
        self._start = perf_counter()
        return self

    def __exit__(self, *exception: object) -> None:
        self.value = perf_counter() - self._start
