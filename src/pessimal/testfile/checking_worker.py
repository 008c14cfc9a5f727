"""Running written tests in a worker: real pytest on a text that need not be a file yet."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from pessimal.arcs import ArcMeter
from pessimal.importing import ImportGuard
from pessimal.pool import Channel, audit, descriptors, sandbox
from pessimal.pool.run_guard import RunGuard
from pessimal.pool.scratch import scratch_under
from pessimal.testfile.tasks import BROKE_PYTEST, CheckTask, TestReport

_IMPORT_SECONDS = 60.0
_LONGEST_REASON = 200


def check(payload: bytes, channel: Channel) -> str:
    """Run the tests of a task, and report each; the result says why none could be run."""
    task = CheckTask.unpack(payload)
    descriptors.discard(2)
    scratch = scratch_under(task.scratch, task.allow_side_effects)
    sandbox.confine(task.allow_side_effects, () if scratch is None else [scratch.path])
    sys.path[:] = [*task.search_path, *(entry for entry in sys.path if entry not in task.search_path)]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    import pytest

    plugin = _plugin(task, channel, None if scratch is None else str(scratch.path))
    options = ["-c", os.devnull, "--rootdir", str(Path(__file__).parent), "--noconftest", "--capture=sys"]
    options += [] if scratch is None else ["--basetemp", str(scratch.path / "tests")]
    try:
        pytest.main([*options, "--import-mode=importlib", "-p", "no:cacheprovider", "-q", __file__], plugins=[plugin])
    except Exception as error:  # what a test does to pytest itself
        if not plugin.current:
            raise
        channel.send(TestReport(plugin.current, False, f"{BROKE_PYTEST}: {_summary(str(error))}"))
        return BROKE_PYTEST
    return str(plugin.trouble)


def _plugin(task: CheckTask, channel: Channel, scratch: str | None) -> Any:
    """The plug-in that gives pytest the text in place of this file, and reports the tests; made where pytest is.

    Tests may change files in ``scratch``, where their directories are.
    """
    import pytest

    class Text(pytest.Module):
        """The test file as a module."""

        def _getobj(self) -> ModuleType:
            return _module(task, self.config)

    meter = ArcMeter(task.files)
    meter.name_files(task.files)

    class Plugin:
        trouble = ""
        current = ""

        def pytest_pycollect_makemodule(self, module_path: Path, parent: Any) -> Any:
            return Text.from_parent(parent, path=module_path)

        def pytest_collection_modifyitems(self, items: list[Any]) -> None:
            items[:] = _wanted(items, task.names)

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                self.trouble = _summary(str(report.longrepr))

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(self, item: Any) -> Generator[None, Any, Any]:
            self.current = item.name
            channel.send(TestReport(item.name))
            audit.guard.scratch = scratch
            with _kept_open(), RunGuard(task.run_seconds, patient=True), meter:
                return (yield)

        def pytest_runtest_logreport(self, report: Any) -> None:
            name = str(report.nodeid).partition("::")[2]
            if report.failed:
                channel.send(TestReport(name, False, _reason(report)))
            elif report.when == "call":
                reason = "" if report.passed else "it was skipped"
                channel.send(TestReport(name, bool(report.passed), reason, meter.new()))

    return Plugin()


@contextmanager
def _kept_open() -> Iterator[None]:
    """Let a test fail that closes standard output, which pytest needs."""
    streams: list[Any] = [sys.stdout, sys.stderr]
    closed: list[Any] = []
    for stream in streams:
        stream.close = lambda: closed.append(True)
    try:
        yield
    finally:
        for stream in streams:
            del stream.close
    if closed:
        raise AssertionError("it closes standard output")


def _module(task: CheckTask, config: Any) -> ModuleType:
    """The module of the text, which believes that it is in its file; its assertions say what they compared."""
    from _pytest.assertion.rewrite import rewrite_asserts

    name = Path(task.path).stem
    module = ModuleType(name)
    module.__file__ = task.path
    sys.modules.setdefault(name, module)
    tree = ast.parse(task.text)
    rewrite_asserts(tree, task.text.encode(), task.path, config)
    with ImportGuard(_IMPORT_SECONDS, name):
        exec(compile(tree, task.path, "exec", dont_inherit=True), module.__dict__)
    return module


def _wanted(items: Sequence[Any], names: Sequence[str]) -> list[Any]:
    known = set(names)
    return [item for item in items if str(item.nodeid).partition("::")[2] in known]


def _reason(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return _summary(str(crash.message)) if crash is not None else _summary(str(report.longrepr))


def _summary(text: str) -> str:
    """The line of a failure's text that says what happened."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line.removeprefix("E").strip() for line in lines if line.startswith("E  ")]
    return (errors[-1] if errors else lines[0] if lines else "it failed")[:_LONGEST_REASON]
