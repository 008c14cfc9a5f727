"""What is to be covered, and how: the part of a command that crosses to the workers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

from pessimal.errors import TargetError, UsageError
from pessimal.scenario import Scenario
from pessimal.target_spec import Limits

LARGEST_SEED = 1 << 20
AUTO = "auto"
DEFAULT, LEARNED = "generational", "ranked"
"""The strategies of flips that ``auto`` uses, without a model and with one."""
_FILE = re.compile(r"(?P<file>.*?\.py)(?:::?(?P<qualname>.+))?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """A module, a package or a directory of modules; with ``qualname`` only one function or class in it."""

    file: str | None
    module: str | None
    qualname: str | None = None

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read ``package.module``, ``file.py``, and either with ``:function`` or ``:Class.method``."""
        text = text.strip()
        if not text:
            raise TargetError("there is nothing to cover: write package.module, file.py or package.module:function")
        in_file = _FILE.match(text)
        if in_file:
            return cls(in_file["file"], None, _qualname(in_file["qualname"], text))
        if "/" in text or Path(text).is_dir():
            return cls(text, None)
        module, _, qualname = text.partition(":")
        if not all(part.isidentifier() for part in module.split(".")):
            raise TargetError(f"{text!r} is nothing to cover: write package.module, file.py or package.module:function")
        return cls(None, module, _qualname(qualname.removeprefix(":") or None, text))

    def __str__(self) -> str:
        return f"{self.file or self.module}{f':{self.qualname}' if self.qualname else ''}"


def _qualname(text: str | None, whole: str) -> str | None:
    name = None if text is None else text.replace("::", ".")
    if name is not None and not all(part.isidentifier() for part in name.split(".")):
        raise TargetError(f"{text!r} in {whole!r} is not a valid name: write file.py:function or file.py:Class.method")
    return name


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the user starts from: scenarios, as JSON values, and contents of files for texts and bytes."""

    scenarios: Sequence[list[Any]] = ()
    contents: Sequence[bytes] = ()

    @classmethod
    def read(cls, directory: Path) -> Seeds:
        """All files of a directory: results of ``cover --json`` give scenarios, all others their content."""
        if not directory.is_dir():
            raise UsageError(f"--seeds {directory} is not a directory: give one with files to start from", slug="seeds")
        scenarios: list[list[Any]] = []
        contents: list[bytes] = []
        for path in sorted(item for item in directory.rglob("*") if item.is_file()):
            content = path.read_bytes()[:LARGEST_SEED]
            found = _scenarios_in(content)
            scenarios += found
            contents += [] if found else [content]
        return cls(scenarios, contents)


def _scenarios_in(content: bytes) -> list[list[Any]]:
    """The scenarios in a result of ``cover --json``; none in anything else."""
    try:
        tests = json.loads(content)["tests"]
        return [Scenario.from_json(test["scenario"]).to_json() for test in tests]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return []


def files_of_tests(given: Sequence[str | Path] | bool) -> list[str] | None:
    """The test files that are meant: those given, all in a directory, or none; None for those beside the modules."""
    if isinstance(given, bool):
        return None if given else []
    found: list[Path] = []
    for path in map(Path, given):
        if not path.exists():
            raise UsageError(f"--existing-tests {path} does not exist: give a test file, or a directory of them")
        found += sorted({*path.rglob("test_*.py"), *path.rglob("*_test.py")}) if path.is_dir() else [path]
    return [str(path.absolute()) for path in found]


@dataclass(frozen=True, slots=True)
class CoverSpec:
    """One search for inputs that reach every branch of some places."""

    places: Sequence[Place]
    _: KW_ONLY
    strategy: str = AUTO
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the strategy."""
    solver: str = "portfolio"
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    allow_side_effects: bool = False
    workers: int = 1
    runs: int | None = None
    """Stop after so many concrete runs."""
    properties: Sequence[str] = ()
    """Functions, as ``module:function``, that every call which returns must satisfy."""
    seeds: Seeds = field(default_factory=Seeds)
    existing_tests: Sequence[str] | None = None
    """Test files whose calls are a start; None for those that belong to the modules by their names."""
    scratch: str | None = None
    """A directory in which workers make their own, for what the target writes."""

    @property
    def flip_strategy(self) -> str:
        """The strategy of flips, which is the user's choice except in ``auto``, which uses a model if there is one."""
        return self.strategy if self.strategy != AUTO else LEARNED if self.options else DEFAULT
