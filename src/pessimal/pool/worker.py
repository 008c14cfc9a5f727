"""The worker's side of the pool: receive a request, call the task function, reply, until the parent disconnects."""

from __future__ import annotations

import faulthandler
import os
import pickle
import resource
import socket
import sys
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from pessimal.errors import UsageError
from pessimal.pool import descriptors, limits, parent_watch, stop_signal, wire
from pessimal.pool.recorder import Recorder


class Kind(IntEnum):
    """What a reply means."""

    READY = 0
    MESSAGE = 1
    FINISHED = 2
    FAILED = 3


class Request(NamedTuple):
    """One task for the worker; the descriptor of its recorder follows on the socket if it has one.

    The payload is pickled apart, so that one that the worker cannot read fails only its own task.
    """

    number: int
    task: str
    payload: bytes
    memory: int | None
    recorded: bool


class Reply(NamedTuple):
    """One reply of the worker; its time shows the parent what was sent before the deadline."""

    kind: Kind
    number: int
    sent: float
    value: Any


@dataclass(frozen=True, slots=True)
class Channel:
    """What a task function gets besides its payload: the connection to the parent and the flight recorder.

    Do not send within ``sandbox.deadline``: its alarm could interrupt the message halfway.
    """

    connection: Connection
    number: int
    recorder: Recorder | None

    def send(self, message: Any) -> None:
        """Send a message, made of JSON values and dataclasses, to the parent while the task goes on."""
        self.reply(Kind.MESSAGE, message)

    def reply(self, kind: Kind, value: Any) -> None:
        """Send one reply of any kind."""
        with stop_signal.held_back():
            self.connection.send_bytes(wire.encode(Reply(kind, self.number, time.monotonic(), value)))


def main(fd: int, parent: int, task: str) -> None:
    """Serve requests until the parent disconnects; the first task is imported before its time limit starts."""
    os.set_inheritable(fd, False)
    parent_watch.exit_with(parent)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    stop_signal.ignore()
    descriptors.protect(fd)
    faulthandler.enable(file=2)
    del sys.argv[1:]
    with suppress(Exception):  # the request imports it again and reports what is wrong
        find(task)
    status = 1
    try:
        _serve(Connection(fd))
        status = 0
    except BaseException:
        os.write(2, traceback.format_exc().encode(errors="replace"))
    finally:
        os._exit(status)  # threads that a target left behind must not keep the process


def _serve(connection: Connection) -> None:
    own = os.getpid()
    connection.send_bytes(wire.encode(Reply(Kind.READY, -1, time.monotonic(), None)))
    with suppress(EOFError, ConnectionError):
        while os.getpid() == own:  # a copy that the task forked must not talk to the parent
            _handle(connection, connection.recv(), own)


def _handle(connection: Connection, request: Request, own: int) -> None:
    recorder = _receive_recorder(connection) if request.recorded else None
    channel = Channel(connection, request.number, recorder)
    kind, value = _call(request, channel)
    if recorder is not None:
        recorder.close()
    if os.getpid() == own:
        _send_result(channel, kind, value)


def _call(request: Request, channel: Channel) -> tuple[Kind, Any]:
    try:
        with limits.at_most(request.memory):
            return Kind.FINISHED, find(request.task)(pickle.loads(request.payload), channel)
    except UsageError as error:
        return Kind.FAILED, error.to_json()
    except BaseException as error:
        return Kind.FAILED, _text(error)


def _send_result(channel: Channel, kind: Kind, value: Any) -> None:
    try:
        channel.reply(kind, value)
    except OSError:
        raise
    except Exception as error:  # the value is nothing that can be sent; nothing of it was
        channel.reply(Kind.FAILED, _text(error))


def _text(error: BaseException) -> str:
    return "".join(traceback.format_exception(error, limit=-20))


def _receive_recorder(connection: Connection) -> Recorder:
    with socket.socket(fileno=os.dup(connection.fileno())) as line:
        _, received, _, _ = socket.recv_fds(line, 1, 1)
    return Recorder(received[0])


def find(task: str) -> Any:
    """The function that a task names as ``module:function``."""
    module, _, name = task.partition(":")
    return getattr(import_module(module), name)
