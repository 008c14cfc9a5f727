"""How a test file gets at the modules that it tests: by their names alone, by a path, or by their files."""

from __future__ import annotations

import json
import keyword
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pessimal.importing import ALIAS
from pessimal.testfile.case import Module

_FIND = """\
import importlib.util, json, sys
found = {}
for name in sys.argv[1:]:
    try:
        spec = importlib.util.find_spec(name)
    except Exception:
        spec = None
    if spec is not None:
        found[name] = [spec.origin, list(spec.submodule_search_locations or ())]
print(json.dumps([sys.path, found]))
"""
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Loading:
    """How one module is loaded, under which name scenarios and tests know it, and whether it belongs to the project."""

    module: str
    way: Literal["import", "path", "file"]
    name: str
    directory: str = ""
    """The expression of the directory that must be in the path, or that the file is in."""
    file: str = ""
    is_own: bool = False


def loadings(modules: Sequence[Module], tests: Path) -> list[Loading]:
    """How a test file at a path loads each module."""
    return [_loading(module, tests.absolute()) for module in modules]


@cache
def fresh_path() -> tuple[str, ...]:
    """The ``sys.path`` of an interpreter that was just started, without the current directory."""
    return tuple(_fresh()[0])


def pytest_root(tests: Path) -> Path:
    """The directory that pytest adds to the path for a test file: the nearest that is not a package."""
    directory = tests.absolute().parent
    while (directory / "__init__.py").is_file():
        directory = directory.parent
    return directory


def _loading(module: Module, tests: Path) -> Loading:
    if module.file is None:
        return Loading(module.name, "import", module.name)
    file = Path(module.file).resolve()
    if module.name.startswith(ALIAS) or not all(part.isidentifier() for part in module.name.split(".")):
        return Loading(module.name, "file", _identifier(file.stem), _directory(file.parent, tests), file.name)
    root = file.parents[module.name.count(".") + (file.stem == "__init__")]
    is_own = root in _roots(tests)
    if _is_importable(module.name, file) or root == pytest_root(tests).resolve():
        return Loading(module.name, "import", module.name, is_own=is_own)
    return Loading(module.name, "path", module.name, _directory(root, tests), is_own=is_own)


def _roots(tests: Path) -> list[Path]:
    """The directories whose modules import sorters take for the project's own."""
    marks = ("pyproject.toml", "ruff.toml", ".ruff.toml")
    parents = tests.resolve().parents
    root = next((parent for parent in parents if any((parent / mark).is_file() for mark in marks)), Path.cwd())
    return [root, root / "src"]


def _is_importable(name: str, file: Path) -> bool:
    """Whether a new process finds the module without help; nothing of it is imported to see that."""
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    origin, locations = _fresh(top)[1].get(top, (None, []))
    if origin is not None and Path(origin).resolve() == file:
        return True
    return any(file.is_relative_to(Path(location).resolve()) for location in locations)


@cache
def _fresh(*names: str) -> Any:
    command = [sys.executable, "-P", "-c", _FIND, *names]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, cwd=os.sep, check=True)
        return json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return [sys.path, {}]


def _directory(directory: Path, tests: Path) -> str:
    """The expression of a directory as seen from the test file."""
    parts = Path(os.path.relpath(directory, tests.parent.resolve())).parts
    ups = sum(part == ".." for part in parts)
    base = f"Path(__file__).resolve().parents[{ups}]" if ups else "Path(__file__).resolve().parent"
    below = "/".join(part for part in parts if part != "..")
    return f'{base} / "{below}"' if below else base


def _identifier(stem: str) -> str:
    """A name for the module in a file that does not hide another module."""
    name = re.sub(r"\W", "_", stem)
    if not name.isidentifier() or keyword.iskeyword(name) or name in sys.stdlib_module_names:
        return f"{name}_module" if name[:1].isalpha() else f"module_{name}"
    return name
