"""Task functions that go wrong in every way a target can, and some that do not."""

from __future__ import annotations

import ctypes
import itertools
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from pessimal.errors import TargetError
from pessimal.pool import DECISIONS, Channel, sandbox
from pessimal.pool.alarm import Paused, Sooner

MiB = 1 << 20


class Unreadable:
    """Pickles well, but reading it back raises an exception, or calls a function as an attacker would."""

    def __init__(self, function: Any = None, *arguments: Any) -> None:
        self._called = (_refuse if function is None else function), arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self._called


def _refuse() -> None:
    raise ValueError("refused")


# Well-behaved


def echo(payload: Any, channel: Channel) -> Any:
    return payload


def stream(count: int, channel: Channel) -> str:
    for i in range(count):
        channel.send(i)
    return "done"


def environment(payload: None, channel: Channel) -> dict[str, Any]:
    return {
        "pid": os.getpid(),
        "hash": hash("pessimal"),
        "path": sys.path,
        "argv": sys.argv,
        "cwd": str(Path.cwd()),
        "environ": dict(os.environ),
        "session": os.getsid(0),
        "stdin": os.read(0, 1).decode(),
        "main": sys.modules["__main__"].__dict__.get("__file__"),
    }


def address(payload: None, channel: Channel) -> int:
    return resource.getrlimit(resource.RLIMIT_AS)[0]


def leaves_talker(payload: None, channel: Channel) -> None:
    threading.Timer(0.1, channel.send, ["stale"]).start()


def naps(seconds: float, channel: Channel) -> str:
    time.sleep(seconds)
    return "rested"


# Failures


def raises(payload: None, channel: Channel) -> None:
    raise ZeroDivisionError("seven")


def misused(payload: str, channel: Channel) -> None:
    raise TargetError(f"no such target: {payload!r}", slug="lost")


def leaves(status: int, channel: Channel) -> None:
    sys.exit(status)


def recurses(payload: None, channel: Channel) -> None:
    recurses(payload, channel)


def recurses_in_c(payload: None, channel: Channel) -> None:
    sys.setrecursionlimit(1 << 30)
    nested: list[Any] = []
    for _ in range(1_000_000):
        nested = [nested]
    repr(nested)


def returns_what_cannot_be_sent(payload: None, channel: Channel) -> Any:
    return threading.Lock()


def forges_a_reply(payload: bytes, channel: Channel) -> None:
    """What a target can do that takes over its process: send bytes of its own."""
    channel.connection.send_bytes(payload)
    time.sleep(600)


# Deaths


def loops(payload: None, channel: Channel) -> None:
    while True:
        pass


def loops_in_regular_expression(payload: None, channel: Channel) -> None:
    re.match(r"(a+)+$", "a" * 60 + "b")


def loops_in_c(payload: None, channel: Channel) -> None:
    sum(itertools.repeat(0))


def floods_with_messages(payload: None, channel: Channel) -> None:
    while True:
        channel.send("x" * 1000)


def talks_too_long(seconds: float, channel: Channel) -> None:
    channel.send("in time")
    time.sleep(seconds)
    channel.send("too late")
    time.sleep(600)


def crashes(payload: None, channel: Channel) -> None:
    ctypes.string_at(0)


def exits(status: int, channel: Channel) -> None:
    os._exit(status)


def says_its_last_words(payload: str, channel: Channel) -> None:
    os.write(2, payload.encode())
    os.abort()


def tells_pid_and_sleeps(payload: None, channel: Channel) -> None:
    channel.send(os.getpid())
    time.sleep(600)


def hangs_up(payload: None, channel: Channel) -> None:
    channel.connection.close()
    os.closerange(3, 64)
    time.sleep(600)


def stops_in_mid_message(payload: None, channel: Channel) -> None:
    os.write(channel.connection.fileno(), b"\0\0\1\0half")
    time.sleep(600)


def exits_in_mid_message(payload: None, channel: Channel) -> None:
    os.write(channel.connection.fileno(), b"\0\0\1\0half")
    os._exit(5)


# Memory


def hogs(limit_lifted: bool, channel: Channel) -> int:
    if limit_lifted:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    kept = []
    try:
        while len(kept) < 1000:
            kept.append(b"x" * MiB)
            time.sleep(0.001)
    except MemoryError:
        return len(kept)
    return -1


def allocates(size: int, channel: Channel) -> str:
    try:
        return f"got {len(bytearray(size))}"
    except MemoryError:
        return "MemoryError"


def allocates_carelessly(size: int, channel: Channel) -> int:
    return len(bytearray(size))


# Children


def leaves_child(payload: None, channel: Channel) -> int:
    return subprocess.Popen(["sleep", "600"]).pid


def dies_before_child(payload: None, channel: Channel) -> None:
    child = os.fork()
    if child == 0:
        time.sleep(600)
    channel.send(child)
    os.kill(os.getpid(), signal.SIGKILL)


def forks_and_returns(payload: None, channel: Channel) -> str:
    child = os.fork()
    if child == 0:
        return "child"
    os.waitpid(child, 0)
    return "parent"


# Output


def floods(payload: None, channel: Channel) -> str:
    """Much more than a pipe or a small disk holds, on every way out."""
    sandbox.enter(allow_side_effects=False)
    block = "x" * MiB
    with sandbox.guarded():
        for _ in range(200):
            print(block)
            sys.stderr.write(block)
            sys.stdout.buffer.write(block.encode())
        for descriptor in (1, 2):
            _flood_descriptor(descriptor, block.encode())
    return "done"


def _flood_descriptor(descriptor: int, block: bytes) -> None:
    for _ in range(200):
        try:
            os.write(descriptor, block)
        except BlockingIOError:
            continue


# Sandbox


def side_effects(payload: tuple[str, bool], channel: Channel) -> tuple[list[str], list[str]]:
    """Tries each side effect in a folder; tells the errors and what the guard noted."""
    folder, allowed = Path(payload[0]), payload[1]
    sandbox.enter(allow_side_effects=allowed)
    old = folder / "old.txt"
    attempts = [
        lambda: (folder / "new.txt").write_text("new"),
        lambda: old.open("a").close(),
        lambda: os.close(os.open(folder / "raw.txt", os.O_CREAT | os.O_RDWR)),
        lambda: (folder / "made").mkdir(),
        lambda: old.chmod(0o600),
        lambda: os.truncate(old, 0),
        lambda: (folder / "link").symlink_to(old),
        lambda: subprocess.run(["true"], check=True),
        lambda: os.waitpid(os.spawnlp(os.P_NOWAIT, "true", "true"), 0),
        lambda: os.system("true"),
        lambda: os.kill(os.getppid(), 0),
        lambda: socket.socket().bind(("127.0.0.1", 0)),
        lambda: old.rename(folder / "renamed.txt"),
        lambda: (folder / "renamed.txt").unlink(),
    ]
    errors: list[str] = []
    with sandbox.guarded() as blocked:
        for attempt in attempts:
            try:
                attempt()
            except sandbox.SideEffectBlocked as error:
                errors.append(str(error))
    return errors, list(blocked)


def harmless(payload: str, channel: Channel) -> list[Any]:
    sandbox.enter(allow_side_effects=False)
    with sandbox.guarded() as blocked:
        import sqlite3

        results = [
            Path(payload).read_text(),
            Path(os.devnull).write_text("gone"),
            os.kill(os.getpid(), 0),
            sqlite3.connect(":memory:").execute("select 7").fetchone(),
            sys.stdin.read(),
        ]
    return [*results, blocked]


def writes_outside_guard(payload: str, channel: Channel) -> int:
    sandbox.enter(allow_side_effects=False)
    with sandbox.guarded():
        pass
    return Path(payload).write_text("report")


def imports_without_trace(payload: str, channel: Channel) -> str:
    sandbox.enter(allow_side_effects=False)
    sys.path.insert(0, payload)
    with sandbox.guarded():
        import imported_by_target  # type: ignore[import-not-found]
    return str(imported_by_target.WORD)


def interrupted(payload: str, channel: Channel) -> tuple[int, str]:
    """How often a loop was interrupted, and how the block ended."""
    swallowed = 0
    try:
        with sandbox.deadline(0.05):
            while True:
                try:
                    _TARGETS[payload]()
                except BaseException:
                    swallowed += 1
                    if swallowed == 3:
                        raise
    except sandbox.DeadlineExceeded:
        return swallowed, "DeadlineExceeded"


def _spin() -> None:
    while True:
        pass


_TARGETS = {
    "loop": _spin,
    "regular expression": lambda: re.match(r"(a+)+$", "a" * 60 + "b"),
    "sleep": lambda: time.sleep(600),
}


def disarmed(rounds: int, channel: Channel) -> tuple[float, float]:
    """Ends blocks just when the alarm rings; an alarm that rings outside of a block fails the task."""
    for i in range(rounds):
        with suppress(sandbox.DeadlineExceeded), sandbox.deadline(i * 1e-7):
            for _ in range(i % 300):
                pass
    time.sleep(0.15)
    return signal.getitimer(signal.ITIMER_REAL)


def _goes_off_at_last(seconds: float, alarm: Sooner) -> bool:
    """Whether the time of a deadline was over when the alarm went off inside it."""
    with suppress(sandbox.DeadlineExceeded), sandbox.deadline(seconds), alarm:
        while True:
            pass
    return alarm.is_last


def sooner(payload: None, channel: Channel) -> tuple[Any, ...]:
    """An alarm before the deadline, one that would come after it, what is left of a deadline, and none at all."""
    first, second = _goes_off_at_last(60, Sooner(0.01)), _goes_off_at_last(0.01, Sooner(60))
    with sandbox.deadline(60):
        with Sooner(30):
            pass
        left = signal.getitimer(signal.ITIMER_REAL)[0]
    with Sooner(0.001):
        time.sleep(0.01)
    return first, second, 30 < left <= 60, signal.getitimer(signal.ITIMER_REAL)


def paused(payload: None, channel: Channel) -> list[str]:
    """A deadline that is over before its time is counted."""
    seen = []
    with suppress(sandbox.DeadlineExceeded), sandbox.deadline(0.02):
        with Paused():
            with Paused():
                time.sleep(0.05)
            time.sleep(0.05)
            seen.append("paused")
        while True:
            pass
    return [*seen, str(signal.getitimer(signal.ITIMER_REAL))]


def nested_deadlines(payload: None, channel: Channel) -> None:
    with sandbox.deadline(60), sandbox.deadline(60):
        pass


def leaves_threads(payload: None, channel: Channel) -> list[str]:
    before = sandbox.leftover_threads()
    stop = threading.Event()
    threads = [
        threading.Thread(target=stop.wait, name="steady"),
        threading.Thread(target=stop.wait, name="daemon", daemon=True),
        threading.Thread(target=int, name="gone"),
    ]
    for thread in threads:
        thread.start()
    threads[2].join()
    return [*before, *sandbox.leftover_threads()]


# Flight recorder


def records(payload: list[tuple[int, bytes, bytes, str]], channel: Channel) -> None:
    """Runs with kind, payload and decisions, each ended as its last field says."""
    recorder = channel.recorder
    assert recorder is not None
    written = 0
    for kind, leaves_of_run, decisions, ending in payload:
        recorder.begin(kind, leaves_of_run, written)
        for i, decision in enumerate(decisions):
            recorder.memory[DECISIONS + i] = decision + 1
        written = len(decisions)
        _ENDINGS[ending]()
        recorder.end()


_ENDINGS = {
    "returns": lambda: None,
    "crashes": lambda: ctypes.string_at(0),
    "loops": _spin,
    "exits": lambda: os._exit(1),
}


def interrupted_decisions(rounds: int, channel: Channel) -> list[int]:
    """Interrupts endless runs at moments of all kinds; how much longer the longest column is than the shortest."""
    from pessimal.inputs import Inputs
    from pessimal.python import frontend
    from pessimal.runs import Request

    def endless(x: int) -> None:
        while x * x >= 0:
            pass

    symbolic = frontend.Symbolic(endless, Inputs.of(endless, 1))
    differences = set()
    for i in range(rounds):
        guard = sandbox.deadline(0.002 + i * 1e-5)
        trace = symbolic.run(Request(), guard=guard, timeout=sandbox.DeadlineExceeded)
        lengths = [len(column) for column in (trace.sites, trace.conditions, trace.others, trace.depths)]
        differences.add(max(*lengths, len(trace)) - min(*lengths, len(trace)))
    return sorted(differences)


def leaves_a_daemon(payload: object, channel: Channel) -> None:
    """Start a process that leaves the group, the session and the environment, report its id, and die."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(writing, str(os.getpid()).encode())
            os.execve("/bin/sleep", ["sleep", "600"], {})
        os._exit(0)
    os.wait()
    channel.send(int(os.read(reading, 20)))
    os.kill(os.getpid(), signal.SIGKILL)
