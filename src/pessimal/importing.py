"""Importing modules by name or by file: an error in the user's code is reported in one line that says where."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import traceback
import zlib
from collections.abc import Callable
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TypeAlias, TypeVar, cast

from pessimal.errors import TargetError
from pessimal.pool.alarm import DeadlineExceeded, protect
from pessimal.pool.confinement import DENIED, was_denied
from pessimal.pool.run_guard import RunGuard

ALIAS = "pessimal_target_"
"""How the names of modules begin that could not be imported under their own."""
_LONGEST_MESSAGE = 200
_PACKAGE = str(Path(__file__).parent)
_RESERVED = sys.stdlib_module_names | {"__main__"}

T = TypeVar("T")

MakeLoader: TypeAlias = Callable[[str, str], SourceFileLoader]
"""Makes the loader of a module from its name and its file."""


def import_name(name: str) -> ModuleType:
    """The module of a dotted name, looked for in the current directory too."""
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    return _import(name)


def import_longest(dotted: str) -> tuple[ModuleType, str]:
    """The module that the longest part of a dotted name means, and the rest, which is never empty."""
    parts = dotted.split(".")
    module = import_name(parts[0])
    for count in range(2, len(parts)):
        name = ".".join(parts[:count])
        if not hasattr(module, "__path__") or _find(name) is None:
            return module, ".".join(parts[count - 1 :])
        module = import_name(name)
    return module, parts[-1]


def import_file(file: str, loader: MakeLoader = SourceFileLoader) -> ModuleType:
    """The module in a file, under its own name in its package wherever that name leads back to the file.

    Elsewhere it gets a name that nothing else has, and the given loader loads it.
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise _no_file(file, path)
    root, name = _own_name(path)
    if name.partition(".")[0] in _RESERVED:
        _add_to_path(root, first=False)
        return _import_alias(path, loader)
    _add_to_path(root, first=True)
    return _import(name) if _leads_to(name, path) else _import_alias(path, loader)


def same_file(first: str | None, second: str | Path) -> bool:
    """Whether two paths lead to one file."""
    return first is not None and Path(first).resolve() == Path(second).resolve()


def describe(error: BaseException) -> str:
    """An exception in a few words, even if asking for its text raises."""
    try:
        text = str.__str__(str(error))[:_LONGEST_MESSAGE]
    except DeadlineExceeded:
        raise
    except BaseException:
        text = ""
    return f"{type(error).__name__}: {text}{DENIED * was_denied(error)}" if text else type(error).__name__


def _import(name: str) -> ModuleType:
    return _guarded(name, lambda: importlib.import_module(name))


def _add_to_path(root: Path, first: bool) -> None:
    """Let the file's neighbours be imported: first, or last where it would hide the standard library."""
    entry = str(root)
    if first and sys.path[:1] != [entry]:
        sys.path.insert(0, entry)
    elif entry not in sys.path:
        sys.path.append(entry)


def _own_name(path: Path) -> tuple[Path, str]:
    """The directory that a file's outermost package is in, and the file's dotted name from there."""
    parts = [] if path.stem == "__init__" else [path.stem]
    root = path.parent
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    return root, ".".join(parts) or path.stem


def _leads_to(name: str, path: Path) -> bool:
    """Whether importing a name gives the module in the file and not another of that name."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        return same_file(getattr(loaded, "__file__", None), path)
    spec = _find(name)
    return spec is not None and same_file(spec.origin, path)


def _find(name: str) -> ModuleSpec | None:
    try:
        return _guarded(name, lambda: importlib.util.find_spec(name))
    except _NoModuleError:
        return None


def _import_alias(path: Path, make_loader: MakeLoader) -> ModuleType:
    """The module in a file, under a name that nothing else has."""
    stem = re.sub(r"\W", "_", path.stem)
    name = f"{ALIAS}{stem}_{zlib.crc32(str(path).encode()):08x}"
    if name in sys.modules:
        return sys.modules[name]
    loader = make_loader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = sys.modules[name] = importlib.util.module_from_spec(cast("ModuleSpec", spec))
    try:
        _guarded(str(path), lambda: loader.exec_module(module))
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _no_file(file: str, path: Path) -> TargetError:
    neighbours = [other.name for other in path.parent.glob("*.py")] if path.parent.is_dir() else []
    close = get_close_matches(path.name, neighbours, n=1)
    cure = f"did you mean {Path(file).parent / close[0]}?" if close else "give the path of a Python file"
    return TargetError(f"there is no file {file}: {cure}")


class _NoModuleError(TargetError):
    """The very module that was asked for is not there."""


def _guarded(name: str, action: Callable[[], T]) -> T:
    """Do it, and turn whatever the user's code raises, SystemExit too, into a TargetError of one line."""
    try:
        return action()
    except TargetError:
        raise
    except SyntaxError as error:
        raise _syntax_error(error, name) from None
    except ModuleNotFoundError as error:
        raise _not_found(error, name) from None
    except DeadlineExceeded as error:
        raise _too_slow(name, error) from None
    except SystemExit as error:
        cure = "move that under if __name__ == '__main__':"
        raise TargetError(f"importing {name} exits ({describe(error)}{_place(error)}): {cure}") from None
    except BaseException as error:
        raise TargetError(f"importing {name} raises {describe(error)}{_place(error)}: correct that first") from None


def _too_slow(name: str, error: DeadlineExceeded) -> TargetError:
    cure = "do not do on import what takes so long, or give it a larger --budget"
    return TargetError(f"importing {name} did not end within {error.args[0]:.3g} s{_place(error)}: {cure}")


class ImportGuard(RunGuard):
    """The guard around an import and what belongs to it; its deadline means that the target is too slow to import."""

    def __init__(self, seconds: float, name: str) -> None:
        super().__init__(seconds, keeps_changes=True)
        self._name = name

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if isinstance(error, DeadlineExceeded):
            raise _too_slow(self._name, error) from None


protect(ImportGuard.__exit__.__code__)


def _syntax_error(error: SyntaxError, name: str) -> TargetError:
    if error.filename is None:
        return TargetError(f"importing {name} raises {describe(error)}{_place(error)}: correct that first")
    return TargetError(f"{error.filename}, line {error.lineno}: {error.msg}: correct the syntax error first")


def _not_found(error: ModuleNotFoundError, name: str) -> TargetError:
    lacking = error.name or ""
    if name == lacking or name.startswith(f"{lacking}."):
        cure = "install it, change to its directory, or write path/to/file.py:function"
        return _NoModuleError(f"there is no module {lacking!r}: {cure}")
    return TargetError(f"importing {name} needs the module {lacking!r}{_place(error)}: install it first")


def _place(error: BaseException) -> str:
    """Where the user's code was, innermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    own = (_PACKAGE, importlib.__file__, "<frozen ")
    outside = [frame for frame in frames if not frame.filename.startswith(own)]
    return f" in {outside[-1].filename}, line {outside[-1].lineno}" if outside else ""
