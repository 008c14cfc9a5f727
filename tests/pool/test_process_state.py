"""What a run changes in the interpreter, and that all of it is put back after the run."""

from __future__ import annotations

import builtins
import gc
import io
import json
import linecache
import struct
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pessimal.errors import TargetError
from pessimal.pool import audit, process_state
from pessimal.pool.alarm import Deadline, DeadlineExceeded
from pessimal.pool.run_guard import RunGuard


def replace_builtins() -> None:
    builtins.len = lambda value: 0  # type: ignore[assignment]
    builtins.isinstance = None  # type: ignore[assignment]


def remove_builtin() -> None:
    del builtins.len


class Incomparable:
    """A value that ends the process of whoever compares it."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise SystemExit(3)

    __ne__ = __eq__


def replace_library() -> None:
    struct.pack = linecache.getlines = None  # type: ignore[assignment]
    time.monotonic = Incomparable()  # type: ignore[assignment]
    del json.dumps


def lower_recursion_limit() -> None:
    sys.setrecursionlimit(200)


def trace() -> None:
    sys.settrace(lambda *arguments: None)
    sys.setprofile(lambda *arguments: None)


def close_streams() -> None:
    sys.stdout = sys.stderr = None  # type: ignore[assignment]


def forget_modules() -> None:
    for name in ("json", "pessimal.trace"):
        sys.modules.pop(name)


def clear_paths() -> None:
    sys.path.clear()
    sys.meta_path.clear()


def shape() -> tuple[Any, ...]:
    functions: tuple[Any, ...] = builtins.len, builtins.isinstance
    streams = sys.stdout, sys.stderr
    modules = sys.modules["json"], sys.modules["pessimal.trace"]
    tracers = sys.gettrace(), sys.getprofile()
    limits = sys.getrecursionlimit(), gc.isenabled()
    functions = *functions, struct.pack, linecache.getlines, time.monotonic, json.dumps
    return functions, streams, modules, tracers, limits, list(sys.path), list(sys.meta_path)


CHANGES = [
    *(replace_builtins, remove_builtin, replace_library, lower_recursion_limit, trace, close_streams, gc.disable),
    *(forget_modules, clear_paths),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("error", [None, ValueError])
def test_a_run_leaves_the_interpreter_as_it_was(change: Any, error: type[Exception] | None) -> None:
    before = shape()
    try:
        with RunGuard(60.0):
            change()
            if error is not None:
                raise error
    except ValueError:
        pass
    assert shape() == before


def test_an_import_that_breaks_a_built_in_is_an_error_that_names_it() -> None:
    with (
        pytest.raises(TargetError, match=r"replaces the built-in isinstance\(\) by None"),
        RunGuard(60.0, keeps_changes=True),
    ):
        replace_builtins()
    assert isinstance(len([1, 2]), int)
    assert len([1, 2]) == 2


def test_what_an_import_changes_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "print", print)
    monkeypatch.setattr(process_state, "_known", process_state._Known())
    own = lambda *values: None  # noqa: E731
    with RunGuard(60.0, keeps_changes=True):
        builtins.print = own
    with RunGuard(60.0):
        pass
    assert builtins.print is own


def test_what_an_import_replaces_in_the_library_stays_if_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", time.time)
    monkeypatch.setattr(process_state, "_known", process_state._Known())
    getlines, frozen = linecache.getlines, lambda: 0.0
    with RunGuard(60.0, keeps_changes=True):
        time.time, linecache.getlines = frozen, None  # type: ignore[assignment]
    assert linecache.getlines is getlines
    with RunGuard(60.0):
        time.time = None  # type: ignore[assignment]
    assert time.time is frozen


def test_a_module_that_was_made_impossible_to_import_is_there_for_the_next_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "json", sys.modules["json"])
    json = sys.modules["json"]
    with RunGuard(60.0, keeps_changes=True):
        pass
    with RunGuard(60.0):
        sys.modules["json"] = None  # type: ignore[assignment]
    with RunGuard(60.0, keeps_changes=True):
        assert sys.modules["json"] is json


def test_a_run_that_takes_too_long_leaves_neither_the_guard_nor_the_deadline_on() -> None:
    for _ in range(20):
        with pytest.raises(DeadlineExceeded) as raised, RunGuard(0.001):
            while True:
                time.sleep(0)
        assert raised.value.args == (0.001,)
        assert not audit.guard.active
        assert not Deadline.is_armed()


def test_a_standard_stream_that_the_target_closed_is_usable_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdout", (tmp_path / "out").open("w"))
    with RunGuard(5.0):
        sys.stdout.close()
    assert not sys.stdout.closed
    print("still there")


def test_a_stream_whose_file_is_closed_too_is_replaced() -> None:
    closed = io.StringIO()
    closed.close()
    assert process_state._usable(closed, 987_654).write("x") == 1
