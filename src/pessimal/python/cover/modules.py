"""The modules that are to be covered: found, imported while arcs are traced, and their files."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from pessimal.arcs import ArcMeter
from pessimal.errors import TargetError
from pessimal.importing import ImportGuard, describe, import_file, import_name
from pessimal.inputs.looking import quietly
from pessimal.pool.alarm import DeadlineExceeded
from pessimal.pool.run_guard import RunGuard
from pessimal.python.world import World

_NOT_COVERED = ("test", "tests", "testing", "conftest", "__main__", "setup")


@dataclass(slots=True)
class Modules:
    """What is covered: the modules, of which only some names may be meant, and those that could not be imported."""

    found: list[ModuleType] = field(default_factory=list)
    only: dict[str, str] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)

    @property
    def files(self) -> list[str]:
        """The source files of the modules."""
        return [str(module.__file__) for module in self.found]


def patterns_of(file: str | None, module: str | None) -> list[str]:
    """Patterns of the files of a place, as far as they are known before anything is imported."""
    if file is not None:
        path = Path(file).resolve()
        return [f"{path}/*"] if path.is_dir() else [str(path)]
    top = str(module).partition(".")[0]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    own = [] if spec is None or spec.origin is None else [spec.origin]
    return own + [f"{place}/*" for place in places]


class Importer:
    """Imports modules into a world, traced; a module that is there already is executed once more, apart."""

    def __init__(self, world: World, meter: ArcMeter, seconds: float) -> None:
        self._world = world
        self._meter = meter
        self._seconds = seconds
        self.modules = Modules()

    def add(self, file: str | None, module: str | None, qualname: str | None) -> None:
        """Import a place and, of a package or a directory, all modules in it."""
        if file is not None and Path(file).is_dir():
            self._add_directory(Path(file))
            return
        imported = self._import(file, module)
        if getattr(imported, "__file__", None) is None or not str(imported.__file__).endswith(".py"):
            raise TargetError(f"{imported.__name__} has no Python source: nothing of it can be covered")
        self._add(imported)
        if qualname is not None:
            _check_name(imported, qualname)
            self.modules.only[imported.__name__] = qualname
        elif hasattr(imported, "__path__"):
            self._add_package(imported)

    def _add(self, module: ModuleType) -> None:
        if module not in self.modules.found:
            self.modules.found.append(module)

    def _add_package(self, package: ModuleType) -> None:
        for place in package.__path__:
            for path in _sources(Path(place)):
                parts = path.relative_to(place).with_suffix("").parts
                name = ".".join((package.__name__, *(part for part in parts if part != "__init__")))
                self._try(name, None, name)

    def _add_directory(self, directory: Path) -> None:
        sources = list(_sources(directory))
        if not sources:
            raise TargetError(f"{directory} has no Python files: nothing of it can be covered")
        for path in sources:
            self._try(str(path), str(path), None)

    def _try(self, name: str, file: str | None, module: str | None) -> None:
        """Import one of many; those that cannot be imported are reported and left out."""
        try:
            self._add(self._import(file, module))
        except TargetError as error:
            self.modules.skipped.append((name, str(error)))

    def _import(self, file: str | None, module: str | None) -> ModuleType:
        before = set(sys.modules)
        with self._meter, ImportGuard(self._seconds, str(file or module)):
            imported = import_file(file, self._world.loader) if file is not None else import_name(str(module))
        if imported.__name__ in before and imported not in self.modules.found:
            self._execute_again(imported)
        return imported

    def _execute_again(self, module: ModuleType) -> None:
        """Trace what importing a module does that was imported before."""
        file = str(getattr(module, "__file__", None))
        names = ("__name__", "__file__", "__package__", "__spec__", "__path__", "__builtins__")
        space = {name: value for name, value in vars(module).items() if name in names}
        try:
            code = compile(Path(file).read_bytes(), file, "exec", dont_inherit=True)
            with self._meter, RunGuard(self._seconds):
                exec(code, space)
        except (Exception, DeadlineExceeded):
            return  # only the branches at the top of the module are not known then


def _sources(directory: Path) -> Iterator[Path]:
    """The Python files below a directory, apart from tests and what is meant to be run."""
    for path in sorted(directory.rglob("*.py")):
        parts = path.relative_to(directory).with_suffix("").parts
        if not any(part in _NOT_COVERED or part.startswith(("test_", ".")) for part in parts):
            yield path


def _check_name(module: ModuleType, qualname: str) -> None:
    found: object = module
    for part in qualname.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            names = ", ".join(sorted(name for name, value in vars(module).items() if _is_own(value, module))[:8])
            raise TargetError(f"{module.__file__} has no {qualname!r}: choose one of {names}") from None
        except Exception as error:
            raise TargetError(f"reading {qualname} raises {describe(error)}: correct that first") from None


def _is_own(value: object, module: ModuleType) -> bool:
    return quietly(lambda: callable(value) and getattr(value, "__module__", None) == module.__name__, False)
