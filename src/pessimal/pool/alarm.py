"""A deadline inside the process: an alarm that interrupts the target, and again if the target swallows it."""

from __future__ import annotations

import signal
from _signal import signal as _set_handler  # type: ignore[import-not-found]  # without enums, which take long
from time import monotonic
from types import CodeType, FrameType, TracebackType

from pessimal.pool.waiting import waited

_REPEAT_SECONDS = 0.05
PUT_OFF_SECONDS = 2.0
"""For how long a patient deadline may be put off in all."""
_NEARLY = 0.95
"""The share of its seconds that a block must have had at least when it is interrupted."""
_ALARM = int(signal.SIGALRM)


class DeadlineExceeded(BaseException):
    """The target ran for too long; a BaseException, so that the target's own handlers let it pass.

    Its one argument is how many seconds it had.
    """


class Deadline:
    """Raises DeadlineExceeded once the time is over, and again every 50 ms until the block is left.

    A patient one does not count the time in which the process waited for a core, where the system tells that.
    """

    _armed: Deadline | None = None

    def __init__(self, seconds: float, patient: bool = False) -> None:
        self._seconds = max(seconds, 1e-6)
        self._patient = patient
        self._began = self._waited = 0.0
        self.used = 0.0
        """How long the block took, without the time in which the deadline was paused."""

    @classmethod
    def is_armed(cls) -> bool:
        """Whether a block with a deadline is being run."""
        return cls._armed is not None

    def __enter__(self) -> None:
        if Deadline._armed is not None:
            raise RuntimeError("deadlines cannot be nested")
        _set_handler(_ALARM, _on_alarm)
        if self._patient:
            self._began, self._waited = monotonic(), waited()
        Deadline._armed = self
        signal.setitimer(signal.ITIMER_REAL, self._seconds, _REPEAT_SECONDS)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        Deadline._armed = None
        left = signal.setitimer(signal.ITIMER_REAL, 0)[0]
        self.used = max(0.0, self._seconds - left)

    def is_put_off(self) -> bool:
        """Whether the block was kept waiting for a core, and goes on for as long as that took."""
        if not self._patient:
            return False
        taken = monotonic() - self._began
        if taken < _NEARLY * self._seconds:  # it is the alarm of a block inside this one
            return False
        left = self._seconds - (taken - (waited() - self._waited))
        if left <= (1 - _NEARLY) * self._seconds or taken > self._seconds + PUT_OFF_SECONDS:
            return False
        signal.setitimer(signal.ITIMER_REAL, left, _REPEAT_SECONDS)
        return True


class Sooner:
    """Lets the alarm of the deadline go off earlier inside a block, which therefore may be given up alone.

    Where no deadline is armed, it does nothing. ``is_last`` says afterwards whether the whole time is over as well.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._left = 0.0
        self._start = 0.0

    @property
    def is_last(self) -> bool:
        """Whether the time of the deadline itself is over."""
        return monotonic() - self._start >= self._left

    def __enter__(self) -> None:
        self._start = monotonic()
        self._left = signal.getitimer(signal.ITIMER_REAL)[0]
        if Deadline._armed is not None and self._left > self._seconds:
            signal.setitimer(signal.ITIMER_REAL, self._seconds, _REPEAT_SECONDS)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if Deadline._armed is not None:
            left = self._left - (monotonic() - self._start)
            signal.setitimer(signal.ITIMER_REAL, max(left, 1e-6), _REPEAT_SECONDS)


class Paused:
    """A block that the deadline does not interrupt: its time is not that of the target, such as that of an import.

    Inside of another such block it changes nothing.
    """

    _depth = 0

    def __init__(self) -> None:
        self._left = 0.0

    def __enter__(self) -> None:
        Paused._depth += 1
        if Paused._depth == 1:
            self._left = signal.setitimer(signal.ITIMER_REAL, 0)[0]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        Paused._depth -= 1
        if Paused._depth == 0 and Deadline._armed is not None:
            signal.setitimer(signal.ITIMER_REAL, max(self._left, 1e-6), _REPEAT_SECONDS)


_PROTECTED: set[CodeType] = {
    method.__code__ for kind in (Deadline, Sooner, Paused) for method in (kind.__enter__, kind.__exit__)
}


def protect(code: CodeType) -> None:
    """Let no deadline interrupt a function halfway, nor what it calls: that may be a trace function on its entry."""
    _PROTECTED.add(code)


def is_protected(frame: FrameType | None) -> bool:
    """Whether a function that must not be interrupted halfway is being run, or what it calls."""
    while frame is not None and frame.f_code not in _PROTECTED:
        frame = frame.f_back
    return frame is not None


def _on_alarm(number: int, frame: FrameType | None) -> None:
    # Arming and disarming must not be interrupted halfway. The handler stays in place after the block, where
    # a late signal has no effect: with the default handler restored, that signal would kill the process.
    armed = Deadline._armed
    if armed is not None and not is_protected(frame) and not armed.is_put_off():
        raise DeadlineExceeded(armed._seconds)


def deadline(seconds: float) -> Deadline:
    """Interrupt the block after so many wall seconds, also in C code that reacts to signals."""
    return Deadline(seconds)
