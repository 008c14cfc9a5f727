"""Malformed command lines and files from one source of randomness, and commands that run them in this process."""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from pessimal import cli
from pessimal.errors import InternalError, UsageError
from pessimal.pool import TaskRunner, alarm, sandbox, worker
from pessimal.python import world
from pessimal.python.work.instrumentation import Instrumentation

TARGET = """\
def sort(xs: list[int]) -> list[int]:
    result: list[int] = []
    for x in xs:
        j = len(result) - 1
        while j >= 0 and result[j] > x:
            j -= 1
        result.insert(j + 1, x)
    return result
"""
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 255, 2**31, -(2**63), 2**64, 10**400, 0.5, -0.0, 1e308),
    *(float("nan"), float("inf"), "", "x", "1", "-1", "null", "\0", "\ud800", "ä\n\u202e", "x" * 5000, "0" * 300),
    *([], {}, [[]], [None], [1, "a"], {"": 1}, {"a": {"b": []}}, [[1, 2], [3]], [-1], [10**9]),
)
WORDS = (
    *("", " ", "-", "--", "0", "1", "3", "-1", "1.5", "1e999", "nan", "inf", "none", "true", "10**9", "9" * 30, "\0"),
    *("sort.py:sort", "sort.py::sort", "sort.py", "sort.py:", ":sort", "sort.py:missing", "missing.py:sort", "a.b:c"),
    *("sort:sort", "sort.sort", "./sort.py:sort", "sort.py:sort.x", "sort.py:sort:3", "/", ".", "..", "/dev/null"),
    *("/dev/full", "sort.py/x", "x=1", "=", "xs=", "xs=list[int]:N", "xs=list[int]:0..3:N", "xs=list[", "xs=dict[int]"),
    *("xs=list[int]:-1", "xs=str:'", "n*(n-1)/2", "n**n**n", "1/0", "n(", "__import__('os')", "lambda: 0", "5s", "0s"),
    *("5m5", "1,2", "1,,2", ",", "2,2", "\ud800", "ä" * 200, "$(id)", "%s%n", "{}", "[1]", "members=auto", "load=/"),
    *("load=[", "train=-1", "paper=maybe", "save=/", "history=x", "len(xs) > 1", "xs[", "any(x for x in xs)", "yield"),
)
_LIMITS = {
    **{command: ["--paths", "20", "--budget", "1s"] for command in ("stress", "explore")},
    "cover": ["--runs", "20", "--budget", "1s"],
    "train": ["--episodes", "1", "--budget", "1s"],
    "solve": ["--budget", "1s"],
}


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed; ``crash`` is the traceback that escaped from it, if one did."""

    code: int
    out: str
    err: str
    crash: str = ""

    def fault(self) -> str:
        """What is wrong with this end; nothing if it is one of those that a command may have."""
        if self.crash or "Traceback" in self.err or "internal error" in self.err:
            return f"traceback: {(self.crash or self.err)[-2000:]}"
        if self.code not in (0, 1, 2):
            return f"exit code {self.code}"
        if self.code == 2 and len(self.err.strip().splitlines()) != 1 and not self.err.startswith("Usage:"):
            return f"not one line: {self.err!r}"
        return ""


def run(arguments: list[str]) -> Ended:
    """A command in this process; within :func:`without_workers` its workers' part, too."""
    out, err = io.StringIO(), io.StringIO()
    code, crash = 0, ""
    with redirect_stdout(out), redirect_stderr(err):
        try:
            cli.main(arguments)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 2
        except BaseException:
            crash = traceback.format_exc()
    return Ended(code, out.getvalue(), err.getvalue(), crash)


@contextmanager
def without_workers() -> Iterator[None]:
    """Lets tasks run in this process, for targets that are known to behave well."""

    def run_jobs(runner: TaskRunner, jobs: Sequence[Any], is_over: Callable[[], bool] = bool) -> None:
        for job in jobs:
            tasks, result = job.tasks(), None
            with suppress(StopIteration):
                while True:
                    result = call(tasks.send(result), job.on_message)

    def call(task: Any, on_message: Callable[[Any], None]) -> Any:
        channel = mock.Mock(recorder=None, send=on_message)
        modules, path = dict(sys.modules), list(sys.path)
        try:
            return worker.find(task.entry_point)(task.pack(), channel)
        except UsageError:
            raise
        except Exception:
            raise InternalError(traceback.format_exc()) from None
        finally:
            alarm.Deadline._armed = None
            entered = world._entered()
            if entered is not None:
                entered.leave()
            sys.modules.update(modules)  # a world forgets what it would import itself
            sys.path[:] = path

    with (
        mock.patch.object(TaskRunner, "run_jobs", run_jobs),
        mock.patch.object(Instrumentation, "extend", lambda self: None),  # not in the process of the tests
        mock.patch.object(sys, "unraisablehook", lambda error: None),  # a worker says nothing on standard error
        mock.patch.object(sandbox, "enter", lambda allow_side_effects: None),
        mock.patch.object(sandbox, "confine", lambda allow_side_effects, writable=(): None),
    ):
        yield


def command_line(rng: Random) -> list[str]:
    """A command with a few options, most of which are wrong."""
    options = cli._options()
    command = rng.choice([*options, *options, *options, rng.choice(WORDS)])
    known = [name.replace("_", "-") for name in options.get(command, options["stress"])]
    if rng.random() < 0.5:  # one mistake in a command that is right otherwise
        words = [command, "sort.py:sort", *(["proof"] if command == "check" else []), "--size", "3"]
        return [*words, f"--{rng.choice(known)}", rng.choice(WORDS), *_LIMITS.get(command, [])]
    words = [command]
    if rng.random() < 0.9:
        words.append("sort.py:sort" if rng.random() < 0.7 else rng.choice(WORDS))
    if command == "check" and rng.random() < 0.8:
        words.append(rng.choice(["proof", *WORDS]))
    for _ in range(rng.randrange(4)):
        words.append(f"--{rng.choice(known)}" if rng.random() < 0.9 else rng.choice(WORDS))
        if rng.random() < 0.8:
            words.append(rng.choice(WORDS))
    # Last, so that no command takes long; a word before may still have made them something else.
    return [*words, *_LIMITS.get(command, [])]


def configuration(rng: Random) -> bytes:
    """A pyproject.toml with wrong names, wrong types or wrong syntax."""
    names = [name.replace("_", "-") for name in cli._options()["stress"]]
    lines = [
        rng.choice(
            ["[tool.pessimal]", "[tool.pessimal.stress]", "[tool]", "[tool.pessimal.explore]", "[[tool.pessimal]]"]
        )
    ]
    values = [
        *("1", "-1", "0", "1.5", "inf", "nan", "true", '""', '"x"', "[]", "[1]", '["a", 1]', "{}", "{a = 1}"),
        *("1979-05-27", "07:32:00", '"1s"', '"sort"', "[[1]]", "'''\n'''", "99999999999999999999", '"\\u0000"'),
    ]
    for _ in range(rng.randrange(1, 4)):
        lines.append(f"{rng.choice([*names, 'unknown', 'stress'])} = {rng.choice(values)}")
    text = "\n".join(lines).encode()
    return damaged_bytes(rng, text) if rng.random() < 0.3 else text


def damaged_file(rng: Random, content: bytes) -> bytes:
    """A file of JSON, or of lines of JSON, that is damaged in its bytes or in its values."""
    if rng.random() < 0.35:
        return damaged_bytes(rng, content)
    try:
        return json.dumps(damaged_value(rng, json.loads(content)), indent=rng.choice([None, 1])).encode()
    except ValueError:
        lines = content.splitlines()
        chosen = rng.randrange(len(lines))
        lines[chosen] = json.dumps(damaged_value(rng, json.loads(lines[chosen]))).encode()
        return b"\n".join(lines) + b"\n"


def damaged_bytes(rng: Random, content: bytes) -> bytes:
    """Bytes that are cut off, changed, doubled, or replaced altogether."""
    i, j = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    return rng.choice(
        [
            content[:i],
            content[i:],
            content[:i] + content[j:],
            content[:i] + rng.randbytes(rng.randrange(1, 9)) + content[i:],
            content[:i] + bytes([rng.randrange(256)]) + content[i + 1 :],
            content[:j] + content[i:],
            content + content,
            b"",
            b"\xef\xbb\xbf" + content,
            b"\0" * 100,
            b"[" * 100_000,
            b'{"a":' * 100_000,
            b"9" * 10_000,
            content.replace(b"1", b"1e999"),
            content.replace(b"0", b"NaN"),
            content.decode(errors="replace").encode("utf-16"),
        ]
    )


def damaged_value(rng: Random, data: Any) -> Any:
    """A JSON value in which some part was replaced, removed, doubled or moved."""
    if not isinstance(data, dict | list) or not data or rng.random() < 0.03:
        return rng.choice(VALUES)
    items = list(data.items() if isinstance(data, dict) else enumerate(data))
    chosen = rng.randrange(len(items))
    key, value = items[chosen]
    how = rng.random()
    if how < 0.6:
        items[chosen] = key, damaged_value(rng, value)
    elif how < 0.75:
        items[chosen] = key, rng.choice(VALUES)
    elif how < 0.85:
        del items[chosen]
    elif how < 0.95:
        items[chosen] = key, items[rng.randrange(len(items))][1]
    else:
        items.insert(chosen, (f"{key}2", value))
    return dict(items) if isinstance(data, dict) else [value for _, value in items]


@contextmanager
def working_in(directory: Path) -> Iterator[None]:
    """Make a directory the current one for a while."""
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)
