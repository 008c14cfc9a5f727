"""Which decisions belong together because they were made on behalf of one and the same call."""

from __future__ import annotations

from types import FrameType

from pessimal.python.sites import PACKAGE


class Callers:
    """Numbers the callers of the frames that make decisions, so that a policy can tell them apart without frames.

    The caller is the frame that called the function which makes the decision: all functions that one frame calls have
    the same caller, and another frame, even of the same function, is another caller. A frame is kept while it runs,
    since another may be created at its address, and released at the next decision elsewhere.
    """

    def __init__(self) -> None:
        self._numbers: dict[FrameType | None, int] = {}
        self._next = 0
        self._frame: FrameType | None = None

    def number(self, frame: FrameType | None) -> int:
        """The number of the caller of a frame, or of the nearest frame around it that is not ours."""
        frame = _outwards(frame)
        if frame is not self._frame:
            self._frame = frame
            self._release(frame)
        caller = None if frame is None else _outwards(frame.f_back)
        known = self._numbers.get(caller)
        if known is None:
            known = self._numbers[caller] = self._next
            self._next += 1
        return known

    def forget(self) -> None:
        """Release all frames when the run is over."""
        self._numbers.clear()
        self._frame = None

    def _release(self, frame: FrameType | None) -> None:
        running: set[FrameType | None] = {None}
        while frame is not None:
            running.add(frame)
            frame = frame.f_back
        for caller in [caller for caller in self._numbers if caller not in running]:
            del self._numbers[caller]


def _outwards(frame: FrameType | None) -> FrameType | None:
    """The nearest frame that is not ours."""
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame
