"""What tests of several parts share: the command line as a function, and targets that live in a file."""

from __future__ import annotations

import compileall
import json
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import pytest

import pessimal as package
from pessimal.cli import main
from pessimal.pool import fork_server
from pessimal.python import world
from pessimal.report import progress
from tests import profiles

SUBJECTS = Path(__file__).parent / "subjects"

profiles.load()


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package once for all processes of the tests, also where none may write what it compiled."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(package.__file__).parent, quiet=2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let pytest keep what it compiles of the tests, also then: it takes most of the time until the first test."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    yield
    sys.dont_write_bytecode = before


@dataclass(frozen=True)
class Answer:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The result, of a command that succeeded."""
        assert self.code == 0, self.err
        data: dict[str, Any] = json.loads(self.out)
        return data


@pytest.fixture
def separate_worlds() -> Iterator[None]:
    """Leaves the copies of modules that a front-end in the test's own process has entered."""
    before = dict(sys.modules)
    yield
    entered = world._entered()
    if entered is not None:
        entered.leave()
    sys.modules.update(before)


@pytest.fixture
def spawned_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets every worker of the test start in an interpreter of its own, as where none can be forked."""
    monkeypatch.setattr(fork_server, "SUPPORTED", False)


@pytest.fixture
def pessimal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """The command line, in this process and with real workers; whatever any of them prints is in the answer.

    What it would say after some seconds about its progress is left out.
    """
    monkeypatch.setattr(progress, "PLAIN_EVERY", inf)

    def call(*arguments: object) -> Answer:
        code = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        return Answer(code, *capfd.readouterr())

    return call


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a module into the test's own directory, which becomes the current one; gives its name."""
    monkeypatch.chdir(tmp_path)

    def save(text: str, name: str = "targets.py") -> str:
        (tmp_path / name).write_text(textwrap.dedent(text))
        return name

    return save


@pytest.fixture
def subject() -> Callable[[str], str]:
    """The name of a target in ``tests/subjects``, such as ``misc:raises``, from any directory."""

    def name(short: str) -> str:
        module, _, function = short.partition(":")
        return f"{SUBJECTS / module}.py:{function}"

    return name
