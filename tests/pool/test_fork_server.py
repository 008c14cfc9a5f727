"""Workers of the fork server are like workers that are spawned, and die like them."""

import os
import signal
import threading

import pytest

from pessimal.pool import Died, Finished, Pool, fork_server
from pessimal.pool.orphans import ENVIRONMENT_MARK
from tests.commands import is_gone, wait_for

FAULTS = "tests.pool.faults:"


@pytest.fixture
def forking():
    """A pool whose workers are forked."""
    with Pool() as pool:
        yield pool


def environment(pool):
    (event,) = pool.wait([pool.submit(FAULTS + "environment", None)])
    assert isinstance(event, Finished)
    assert event.value["session"] == event.value.pop("pid") != os.getpid()
    del event.value["session"], event.value["environ"][ENVIRONMENT_MARK]  # which differ from worker to worker
    return event.value


def test_a_forked_worker_has_the_environment_of_a_spawned_one(forking, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NAP", "0.125")
    forked = environment(forking)
    monkeypatch.setattr(fork_server, "SUPPORTED", False)
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


def test_forked_workers_end_with_their_server(forking):
    handle = forking.submit(FAULTS + "tells_pid_and_sleeps", None)
    (message,) = forking.wait([handle])
    fork_server.current().close()
    wait_for(lambda: is_gone(message.value))
    assert forking.wait([handle]) == [Died(handle, "signal", "SIGKILL", "")]


def test_a_server_that_was_killed_is_replaced(forking):
    server = fork_server.current()
    server._process.kill()
    server._process.wait()
    for _ in range(2):
        (event,) = forking.wait([forking.submit(FAULTS + "echo", 5, fresh=True)])
        assert isinstance(event, Finished) and event.value == 5
    assert fork_server.current() is not server


def test_a_server_that_does_not_answer_is_replaced(forking, monkeypatch):
    monkeypatch.setattr(fork_server, "_ANSWER_SECONDS", 0.1)
    server = fork_server.current()
    os.kill(server._process.pid, signal.SIGSTOP)
    (event,) = forking.wait([forking.submit(FAULTS + "echo", 5)])
    assert isinstance(event, Finished) and event.value == 5
    assert server._process.poll() == -signal.SIGKILL


def test_a_copy_of_the_process_has_a_server_of_its_own():
    with Pool() as pool:
        pool.wait([pool.submit(FAULTS + "echo", 5)])
    pid = os.fork()
    if pid == 0:
        with Pool() as pool:
            (event,) = pool.wait([pool.submit(FAULTS + "echo", 5)])
            os._exit(0 if isinstance(event, Finished) else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_threads_have_servers_that_end_with_them():
    def work():
        with Pool() as pool:
            found.append((pool.wait([pool.submit(FAULTS + "echo", 5)]), fork_server.current()._process))

    found = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    ((event,), process) = found[0]
    assert isinstance(event, Finished)
    assert process.wait() == -signal.SIGKILL
    with Pool() as pool:
        (event,) = pool.wait([pool.submit(FAULTS + "echo", 5)])
    assert isinstance(event, Finished)


def test_what_a_worker_leaves_behind_is_killed(forking):
    """Even if it has left its group and has no environment, by which others are found."""
    handle = forking.submit(FAULTS + "leaves_a_daemon", None)
    message, died = (event for _ in range(2) for event in forking.wait([handle]))
    assert isinstance(died, Died)
    wait_for(lambda: is_gone(message.value))
