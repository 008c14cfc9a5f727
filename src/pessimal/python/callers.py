"""Which decisions belong together because they were made on behalf of one and the same call."""

from __future__ import annotations

from sys import _getframe
from types import FrameType

from pessimal.python.sites import PACKAGE


class Callers:
    """Links each decision of a run to the one before it under the same caller.

    The caller is the frame that called the function which makes the decision: the decisions of all functions that one
    frame calls form one row, and those of another frame, even of the same function, form another. A frame is kept
    while it runs, since another may be born at its address, and let go at the next decision elsewhere.
    """

    def __init__(self) -> None:
        self._rows: dict[FrameType | None, int] = {}
        self._frame: FrameType | None = None

    def link(self, index: int) -> int:
        """The index of the last decision of the caller's row, or -1; the one with this index is the last now."""
        frame = _outwards(_getframe(1))
        if frame is not self._frame:
            self._frame = frame
            self._release(frame)
        caller = None if frame is None else _outwards(frame.f_back)
        last = self._rows.get(caller, -1)
        self._rows[caller] = index
        return last

    def forget(self) -> None:
        """Let all frames go when the run is over."""
        self._rows.clear()
        self._frame = None

    def _release(self, frame: FrameType | None) -> None:
        running: set[FrameType | None] = {None}
        while frame is not None:
            running.add(frame)
            frame = frame.f_back
        for caller in [caller for caller in self._rows if caller not in running]:
            del self._rows[caller]


def _outwards(frame: FrameType | None) -> FrameType | None:
    """The nearest frame that is not ours."""
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame
