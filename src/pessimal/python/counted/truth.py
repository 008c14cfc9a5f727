"""The truth of a comparison, which counts when somebody asks for it, and the tally that it counts into.

A comparison alone decides nothing: the program branches when it asks for the truth, so that is what is counted.
There are two truths only, shared by all comparisons; they look up the tally of the moment, because one run goes
at a time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeAlias

from pessimal.python.sites import PACKAGE
from pessimal.trace import Site

Locate: TypeAlias = Callable[[FrameType], Site]


class CountedBool(int):
    """A bool that counts when it is tested; there are two of them, as there are two bools."""

    __slots__ = ()

    def __new__(cls, value: int = False) -> CountedBool:  # noqa: D102
        return TRUE if int.__bool__(value) else FALSE

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return bool

    def __bool__(self) -> bool:
        _tally.count += 1
        return self is TRUE

    def __repr__(self) -> str:
        return "True" if self is TRUE else "False"

    __str__ = __repr__


TRUE: CountedBool = int.__new__(CountedBool, 1)
FALSE: CountedBool = int.__new__(CountedBool, 0)


class Tally:
    """What the truth tests between ``start`` and ``stop`` add up to.

    Given a way to locate sites, each test is recorded too: its site, its direction, and how many frames of the
    target were on the stack. That takes several times longer, so a search only counts.
    """

    __slots__ = ("_locate", "count", "depths", "directions", "sites")

    def __init__(self) -> None:
        self._reset(None)

    def _reset(self, recording: Locate | None) -> None:
        self.count = 0
        self.sites: list[Site] = []
        self.directions = bytearray()
        self.depths: list[int] = []
        self._locate = recording

    def start(self, recording: Locate | None = None) -> None:
        """Count from zero, here and in no other tally."""
        self._reset(recording)
        _switch(self, _counting if recording is None else _recording)

    def stop(self) -> None:
        """Leave the figures as they are, whatever is tested from now on."""
        _switch(_idle, _counting)

    def note(self, frame: FrameType, truth: bool) -> None:
        """Record one test, made by the nearest frame that is not ours."""
        frame = _nearest_outside(frame)
        assert self._locate is not None
        site, depth = self._locate(frame), _depth(frame)
        self.count += 1
        self.sites.append(site)
        self.directions.append(truth)
        self.depths.append(depth)


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
    _tally.note(sys._getframe(1), truth)
    return truth


_counting: Any = CountedBool.__bool__
_idle = _tally = Tally()


def _switch(tally: Tally, test: Any) -> None:
    global _tally
    _tally = tally
    if CountedBool.__bool__ is not test:
        CountedBool.__bool__ = test  # type: ignore[method-assign]
