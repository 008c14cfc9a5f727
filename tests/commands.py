"""The real command in a process of its own, and targets that are slow as long as a test wants them to be."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PESSIMAL = str(Path(sys.executable).with_name("pessimal"))
PATIENCE = 240.0
"""Seconds after which a process hangs for certain, on however busy a machine."""

PAUSE = 'time.sleep(0.5 if os.path.exists("slow") else 0)'
"""What a target says that is to be slow: its search then takes longer than any test needs to stop it."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@contextmanager
def slowly():
    """Make targets with a pause slow, in this directory."""
    marker = Path("slow")
    marker.touch()
    try:
        yield
    finally:
        marker.unlink()


def start(*arguments):
    """The command, with pipes; it can be interrupted even where this process was started to ignore interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([PESSIMAL, *map(str, arguments)], **pipes)
    finally:
        signal.signal(signal.SIGINT, before)


def finish(process):
    """What a command printed and said until its end."""
    return process.communicate(timeout=PATIENCE)


def wait_for(condition, process=None):
    """Wait until the condition holds, while the process lives."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def is_gone(pid):
    """Whether a process has ended, reaped or not."""
    try:
        return "Z" in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except OSError:
        return True


def kept(out, count="paths"):
    """How many paths or runs the state in a directory tells of."""
    try:
        return json.loads((out / "state.json").read_text())["lanes"][0]["snapshot"]["counters"][count]
    except FileNotFoundError:
        return 0


def workers(process):
    """The worker processes of a command: each leads a session, and is forked for the command's server."""
    return [pid for child in _children(process.pid) for pid in _descendants(child) if os.getsid(pid) == pid]


def _descendants(parent):
    return [pid for child in _children(parent) for pid in (child, *_descendants(child))]


def _children(parent):
    with suppress(FileNotFoundError):
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return []
