"""Functions that are not ours, called in a process of their own: it may die or hang, and another takes its place.

That process loads the functions and is confined first. What it says is data, one line of JSON for each call.
"""

from __future__ import annotations

import json
import math
import os
import select
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from numbers import Integral
from time import monotonic
from typing import Any, BinaryIO, NamedTuple

FIRST_SECONDS, LATER_SECONDS = 1.0, 0.1
"""How long a call may take, until the first took too long and from then on."""
LOADING_SECONDS = 60.0
MOST_FAILURES = 12
"""After so many calls that ended the process, and none that did not, no more are made."""

Load = Callable[[], Mapping[str, Callable[..., Any]]]
"""Finds the functions by name, in the process in which they are called."""


class Refused(Exception):
    """The functions cannot be loaded; the arguments are the message and its slug."""


class Outcome(NamedTuple):
    """What came of a call: the number that was returned, or None and what happened instead."""

    value: int | float | None
    problem: str = ""


class Fence:
    """Calls functions across a process boundary until a deadline; what is asked later has no value."""

    def __init__(self, load: Load, deadline: float) -> None:
        self._load = load
        self._deadline = deadline
        self._seconds = FIRST_SECONDS
        self._buffer = b""
        self._is_running = False
        self._failures = 0.0
        self._start()

    def call(self, name: str, args: tuple[Any, ...]) -> Outcome:
        """What a function makes of numbers."""
        limit = min(self._seconds, self._deadline - monotonic())
        if limit <= 0 or self._failures >= MOST_FAILURES:
            reason = "it never answered" if limit > 0 else "the time was up"
            return Outcome(None, f"was not called, since {reason},")
        try:
            if not self._is_running:
                self._start()
            os.write(self._requests, json.dumps([name, args]).encode() + b"\n")
            line = self._line(limit)
            if line is not None:
                self._failures = -math.inf
                return Outcome(*json.loads(line))
            problem = "killed its process" if self._has_ended() else "did not end in time"
        except Refused:
            return Outcome(None, "could not be loaded again")
        except (OSError, ValueError, TypeError):  # it died after its last answer, or says what is no answer
            problem = "left its process in disorder"
        if problem == "did not end in time":
            self._seconds = LATER_SECONDS
        self._failures += 1
        self.close()
        return Outcome(None, problem)

    def close(self) -> None:
        """End the process, if it runs."""
        if not self._is_running:
            return
        self._is_running = False
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)
        for fd in (self._requests, self._answers):
            os.close(fd)

    def _start(self) -> None:
        inner_requests, self._requests = os.pipe()
        self._answers, inner_answers = os.pipe()
        self._buffer = b""
        self._process = os.fork()
        if self._process == 0:
            os.close(self._requests)
            os.close(self._answers)
            _serve(self._load, os.fdopen(inner_requests, "rb"), inner_answers)
        os.close(inner_requests)
        os.close(inner_answers)
        self._is_running = True
        line = self._line(min(LOADING_SECONDS, max(self._deadline - monotonic(), 0.0)))
        problem = json.loads(line) if line is not None else ["the black boxes could not be loaded in time", None]
        if problem:
            self.close()
            raise Refused(*problem)

    def _line(self, seconds: float) -> bytes | None:
        """The next line of the process; None if it ends or says nothing in time."""
        ends_at = monotonic() + seconds
        while b"\n" not in self._buffer:
            if not select.select([self._answers], [], [], max(ends_at - monotonic(), 0.0))[0]:
                return None
            part = os.read(self._answers, 1 << 16)
            if not part:
                return None
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _has_ended(self) -> bool:
        """Whether the process has closed its side, which it does when it dies."""
        return bool(select.select([self._answers], [], [], 0.0)[0]) and not os.read(self._answers, 1)


def _serve(load: Load, requests: BinaryIO, answers: int) -> None:
    """The life of the process: load the functions, then answer until nobody asks any more."""
    try:
        functions: Mapping[str, Callable[..., Any]] = {}
        try:
            functions, problem = load(), []
        except Exception as error:
            problem = [str(error) or type(error).__name__, getattr(error, "slug", None)]
        _say(answers, problem)
        for line in requests:
            name, args = json.loads(line)
            _say(answers, list(_outcome(functions[name], args)))
    finally:
        os._exit(0)


def _say(answers: int, value: Any) -> None:
    os.write(answers, json.dumps(value).encode() + b"\n")


def _outcome(function: Callable[..., Any], args: list[Any]) -> Outcome:
    try:
        result = function(*args)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return Outcome(None, f"raised {type(error).__name__}")
    value = _number(result)
    if value is None:
        return Outcome(None, f"returned a {type(result).__name__}, which is no number,")
    if isinstance(value, int) and value.bit_length() > 10_000:
        return Outcome(None, "returned a number with too many digits")
    return Outcome(value)


def _number(result: Any) -> int | float | None:
    """A number as Python's own; integers and truth values of NumPy are equal to it, its narrower floats are not."""
    if isinstance(result, float):
        return float(result)
    if isinstance(result, Integral):
        return int(result)
    is_truth = type(result).__module__ == "numpy" and type(result).__name__ in ("bool", "bool_")
    return int(bool(result)) if is_truth else None
