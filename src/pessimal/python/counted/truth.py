"""The truth of a comparison, which counts when it is tested, and the counter of these tests.

A comparison alone decides nothing: the program branches when it tests the result, so the test is what is counted. There
are only two such results, shared by all comparisons. They add to the counter that was started last, because there is
one run at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from types import FrameType
from typing import Any, TypeAlias

from pessimal.python.sites import PACKAGE
from pessimal.trace import Site

LocateSite: TypeAlias = Callable[[FrameType], Site]


class CountedBool(int):
    """A bool that counts when it is tested; there are two of them, as there are two bools."""

    __slots__ = ()

    def __new__(cls, value: int = False) -> CountedBool:  # noqa: D102
        return TRUE if int.__bool__(value) else FALSE

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bool

    def __bool__(self) -> bool:
        _counter.count += 1
        return self is TRUE

    def __repr__(self) -> str:
        return "True" if self is TRUE else "False"

    __str__ = __repr__


TRUE: CountedBool = int.__new__(CountedBool, 1)
FALSE: CountedBool = int.__new__(CountedBool, 0)


class BranchCounter:
    """Counts the truth tests between ``start`` and ``stop``, except those in files that stand for compiled code.

    Given a way to locate sites, each test is recorded too: its site, its direction, and how many frames of the
    target were on the stack. That takes several times longer, so a search only counts.
    """

    __slots__ = ("_locate", "_uncounted_files", "count", "depths", "directions", "sites")

    def __init__(self, uncounted_files: Collection[str] = ()) -> None:
        self._uncounted_files = uncounted_files
        self._reset(None)

    def _reset(self, recording: LocateSite | None) -> None:
        self.count = 0
        self.sites: list[Site] = []
        self.directions = bytearray()
        self.depths: list[int] = []
        self._locate = recording

    def start(self, recording: LocateSite | None = None) -> None:
        """Count from zero, in this counter only."""
        self._reset(recording)
        if recording is not None:
            _switch(self, _recording)
        else:
            _switch(self, _counting_elsewhere if self._uncounted_files else _counting)

    def stop(self) -> None:
        """Stop counting, and keep the figures."""
        _switch(_idle, _counting)

    def note(self, frame: FrameType, truth: bool) -> None:
        """Record one test, made by the nearest frame that is not ours."""
        frame = _nearest_outside(frame)
        if frame.f_code.co_filename in self._uncounted_files:
            return
        assert self._locate is not None
        site, depth = self._locate(frame), _depth(frame)
        self.count += 1
        self.sites.append(site)
        self.directions.append(truth)
        self.depths.append(depth)

    def count_at(self, frame: FrameType) -> None:
        """Count one test, unless the nearest frame that is not ours stands for compiled code."""
        if _nearest_outside(frame).f_code.co_filename not in self._uncounted_files:
            self.count += 1


def _nearest_outside(frame: FrameType) -> FrameType:
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


def _depth(frame: FrameType) -> int:
    depth = 0
    caller: FrameType | None = frame
    while caller is not None and not caller.f_code.co_filename.startswith(PACKAGE):
        depth += 1
        caller = caller.f_back
    return depth


def _recording(self: CountedBool) -> bool:
    truth = self is TRUE
    _counter.note(sys._getframe(1), truth)
    return truth


def _counting_elsewhere(self: CountedBool) -> bool:
    _counter.count_at(sys._getframe(1))
    return self is TRUE


_counting: Any = CountedBool.__bool__
_idle = _counter = BranchCounter()


def _switch(counter: BranchCounter, test: Any) -> None:
    global _counter
    _counter = counter
    if CountedBool.__bool__ is not test:
        CountedBool.__bool__ = test  # type: ignore[method-assign]
