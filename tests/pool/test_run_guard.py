"""The guards around runs and imports: what is left of them after their block."""

from __future__ import annotations

import signal
import sys
from time import monotonic
from types import FrameType

import pytest

from pessimal.errors import TargetError
from pessimal.importing import ImportGuard
from pessimal.pool import audit
from pessimal.pool.alarm import Deadline, Paused
from pessimal.pool.run_guard import RunGuard


def test_a_deadline_that_strikes_beside_an_import_is_a_mistake_in_the_target() -> None:
    with pytest.raises(TargetError, match=r"^importing slow did not end within 0\.05 s"), ImportGuard(0.05, "slow"):
        ends_at = monotonic() + 60
        while monotonic() < ends_at:
            pass
    assert not audit.guard.active
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_an_alarm_in_a_trace_function_does_not_keep_the_guard_from_being_lifted() -> None:
    def trace(frame: FrameType, event: str, arg: object) -> None:
        if frame.f_code is RunGuard.__exit__.__code__:
            signal.raise_signal(signal.SIGALRM)

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with RunGuard(60.0):
            pass
    finally:
        sys.settrace(before)
    assert not Deadline.is_armed()
    assert not audit.guard.active
    with RunGuard(60.0):
        assert Deadline.is_armed()


def test_another_error_is_not_changed() -> None:
    with pytest.raises(LookupError, match=r"^nothing$"), ImportGuard(60.0, "fast"):
        raise LookupError("nothing")
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_the_time_in_which_a_deadline_is_paused_is_not_that_of_the_target() -> None:
    guard = RunGuard(600.0)
    began = monotonic()
    with guard, Paused():
        paused = monotonic()
        while monotonic() - paused < 0.3:
            pass
    whole = monotonic() - began
    assert guard.used <= whole - 0.3
