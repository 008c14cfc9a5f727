"""The signal by which the parent ends a task: what it interrupts, and what it leaves alone."""

import os

import pytest

from pessimal.pool import audit, stop_signal
from pessimal.pool.process_state import ProcessState
from pessimal.pool.run_guard import RunGuard


class Stopped(BaseException):
    """What the signal raises here."""


def stop():
    raise Stopped


@pytest.fixture
def stoppable(monkeypatch):
    monkeypatch.setattr(audit.guard, "enabled", True)
    with stop_signal.calling(stop):
        yield


def send():
    os.kill(os.getpid(), stop_signal.NUMBER)


@pytest.mark.parametrize("method", ["__init__", "restore"])
def test_it_does_not_come_between_the_guard_and_the_run(stoppable, monkeypatch, method):
    original, sent = getattr(ProcessState, method), []

    def interrupted(self):
        sent.append(send())
        original(self)

    monkeypatch.setattr(ProcessState, method, interrupted)
    with RunGuard(60.0):
        send()
        is_active = audit.guard.active
    assert sent and is_active and not audit.guard.active


def test_it_ends_what_is_done_between_runs_but_no_message(stoppable):
    with pytest.raises(Stopped):
        send()
    with stop_signal.held_back():
        send()


def test_it_has_no_effect_after_what_it_ends_has_failed():
    with pytest.raises(ZeroDivisionError), stop_signal.calling(stop):
        raise ZeroDivisionError
    send()
