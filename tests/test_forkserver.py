"""Workers of the fork server are like workers that are spawned, and die like them."""

import os
import signal

import pytest

from pessimal.pool import Died, Finished, Pool, process
from pessimal.pool.orphans import ENVIRONMENT_MARK
from tests.commands import is_gone, wait_for
from tests.forkserver import ForkServer

FAULTS = "tests.pool.faults:"


@pytest.fixture(scope="module")
def server():
    server = ForkServer()
    yield server
    server.close()


@pytest.fixture
def forking(server, monkeypatch):
    """A pool whose workers are forked, whatever their task is."""
    monkeypatch.setattr(process, "_start", lambda task, hash_seed, fd, stderr, mark: server.start(task, fd, stderr))
    with Pool() as pool:
        yield pool


def environment(pool):
    (event,) = pool.wait([pool.submit(FAULTS + "environment", None)])
    assert isinstance(event, Finished)
    assert event.value["session"] == event.value.pop("pid") != os.getpid()
    del event.value["session"], event.value["environ"][ENVIRONMENT_MARK]  # which differ from worker to worker
    return event.value


def test_a_forked_worker_has_the_environment_of_a_spawned_one(forking, spawn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NAP", "0.125")
    forked = environment(forking)
    monkeypatch.setattr(process, "_start", spawn)
    with Pool() as pool:
        assert environment(pool) == forked


@pytest.mark.parametrize(
    ("task", "payload", "reason", "detail"),
    [
        ("crashes", None, "signal", "SIGSEGV"),
        ("exits", 3, "exit", "exit status 3"),
        ("loops", None, "deadline", "0.2 s"),
    ],
)
def test_the_death_of_a_forked_worker_has_its_reason(forking, task, payload, reason, detail):
    handle = forking.submit(FAULTS + task, payload, deadline=0.2 if task == "loops" else None)
    (died,) = forking.wait([handle])
    assert isinstance(died, Died)
    assert (died.reason, died.detail) == (reason, detail)


def test_a_forked_worker_can_be_killed_from_outside(forking):
    handle = forking.submit(FAULTS + "tells_pid_and_sleeps", None)
    (message,) = forking.wait([handle])
    os.kill(message.value, signal.SIGKILL)
    assert forking.wait([handle]) == [Died(handle, "signal", "SIGKILL", "")]


def test_forked_workers_end_with_their_server(server, forking, monkeypatch):
    other = ForkServer()
    monkeypatch.setattr(process, "_start", lambda task, hash_seed, fd, stderr, mark: other.start(task, fd, stderr))
    handle = forking.submit(FAULTS + "tells_pid_and_sleeps", None)
    (message,) = forking.wait([handle])
    other.close()
    wait_for(lambda: is_gone(message.value))
