"""Two copies of the target's modules: one as it is, one rewritten, so that neither knows of the other.

Concrete runs and replays use the modules as they are; symbolic runs use the rewritten ones. Both are imported by the
ordinary import system. Pure-Python modules outside the standard library are rewritten, and those modules of the
library that compute on what they are given; of these the Python version is taken where there is one in C as well.
What is compiled, and what is shared by both worlds, is imported once.
"""

from __future__ import annotations

import ast
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_loader
from types import CodeType, ModuleType
from typing import Any, ClassVar, TypeVar

from pessimal import importing
from pessimal.python.losses import losses
from pessimal.python.rewrite import NAMES, rewrite

T = TypeVar("T")

LEFT_ALONE = frozenset(("pessimal", "z3", "cloudpickle", "pytest", "_pytest", "hypothesis")) | frozenset(
    ("numpy", "scipy", "pandas", "jax", "jaxlib", "optax", "opt_einsum", "ml_dtypes", "absl", "torch", "matplotlib")
)
"""Top-level packages that are never rewritten: our own, and those too large or too compiled to gain from it."""

LIBRARY = frozenset(
    (
        *("argparse", "base64", "calendar", "colorsys", "configparser", "csv", "difflib", "fnmatch", "fractions"),
        *("getopt", "graphlib", "html", "ipaddress", "json", "ntpath", "posixpath", "pprint", "quopri", "reprlib"),
        *("shlex", "statistics", "string", "textwrap", "tokenize", "urllib.parse", "email.utils", "email.quoprimime"),
        *("decimal", "_pydecimal", "datetime", "_pydatetime", "html.entities", "html.parser", "json.decoder"),
        *("json.encoder", "json.scanner", "_markupbase", "sched", "cmd", "stringprep", "uuid", "zoneinfo"),
        *("email._parseaddr", "http.cookies", "mimetypes", "pathlib"),
    )
)
"""Modules of the standard library that symbolic values pass through: rewritten like the target's own."""

ACCELERATORS = {
    "decimal": "_decimal",
    "_pydecimal": "_decimal",
    "datetime": "_datetime",
    "_pydatetime": "_datetime",
    **dict.fromkeys(("json.decoder", "json.encoder", "json.scanner"), "_json"),
}
"""Compiled versions that are kept out of the rewritten world, so that the Python ones are used."""

TYPE_STRICT = frozenset(("fractions", "statistics"))
"""Modules that ask for exact types and so go other ways with counted values: what they test is not counted either."""

_STANDARD = tuple(sysconfig.get_paths()[name] + "/" for name in ("stdlib", "platstdlib"))
_SITE = tuple(sysconfig.get_paths()[name] + "/" for name in ("purelib", "platlib"))


def is_standard(file: str | None) -> bool:
    """Whether a file belongs to the standard library."""
    return file is not None and file.startswith(_STANDARD) and not file.startswith(_SITE)


def in_scope(name: str, file: str | None) -> bool:
    """Whether a module belongs to the target's side and so is rewritten."""
    if file is None or not file.endswith(".py") or name.partition(".")[0] in LEFT_ALONE:
        return False
    return not is_standard(file) or name in LIBRARY or name in RewritingLoader.asked


class RewritingLoader(SourceFileLoader):
    """Compiles a module's source after the rewrite; never reads or writes cached bytecode."""

    losses: ClassVar[set[str]] = set()
    """What counted values would lose in the modules so far, if they were run as they are."""

    stand_ins: ClassVar[set[str]] = set()
    """Files that stand for compiled code in this world: what they test is no branch of the program."""

    asked: ClassVar[set[str]] = set()
    """Modules of the standard library that a target lives in."""

    def get_code(self, fullname: str) -> CodeType:
        """The rewritten module's code."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        if not is_standard(path) or fullname in RewritingLoader.asked:
            RewritingLoader.losses.update(losses(tree))
        code = compile(rewrite(tree), path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with the handlers in its globals, without the compiled version of itself."""
        module.__dict__.update(NAMES)
        compiled = ACCELERATORS.get(self.name)
        if self.name not in RewritingLoader.asked and (compiled is not None or self.name in TYPE_STRICT):
            RewritingLoader.stand_ins.add(self.path)
        if compiled is None:
            super().exec_module(module)
            return
        with _hidden(compiled):
            super().exec_module(module)


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Let the import of a module fail, and bring back what was there before, also if that was hidden already."""
    before = sys.modules.get(name, ...)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if before is not ...:
            sys.modules[name] = before


class _Finder(MetaPathFinder):
    """Finds what the ordinary path finder finds, and has it rewritten where it is in scope."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in LEFT_ALONE and fullname not in sys.modules:
            return self._imported_outside(fullname)
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader and in_scope(fullname, spec.origin):
            spec.loader = RewritingLoader(fullname, spec.loader.path)
        return spec

    @staticmethod
    def _imported_outside(name: str) -> ModuleSpec | None:
        """Import a package that is left alone with the library as it is, because compiled code links to that."""
        world = World.active
        assert world is not None
        world.leave()
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            return None
        finally:
            world.enter()
        return spec_from_loader(name, _Present(module))


class _Present(Loader):
    """Hands out a module that is there already."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        pass


class World:
    """One copy of the modules in scope; entering it makes ``sys.modules`` show that copy."""

    active: World | None = None

    def __init__(self, rewriting: bool) -> None:
        self._finder = _Finder() if rewriting else None
        self._modules: dict[str, ModuleType] = {}
        self._shadowed: dict[str, ModuleType] = {}

    def load(self, importer: Callable[[], T]) -> T:
        """Import something into this world."""
        self.enter()
        return importer()

    def enter(self) -> None:
        """Make this world's modules the ones that imports find."""
        if World.active is self:
            return
        if World.active is not None:
            World.active.leave()
        else:
            self._set_aside()
        World.active = self
        if self._finder is not None:
            self._shadowed = _library_modules()
            _forget(self._shadowed)
            sys.meta_path.insert(0, self._finder)
        sys.modules.update(self._modules)
        importing.alias_loader = SourceFileLoader if self._finder is None else RewritingLoader

    def leave(self) -> None:
        """Put the modules aside, so that imports find the ordinary ones."""
        World.active = None
        if self._finder is not None:
            sys.meta_path.remove(self._finder)
            self._modules = _scoped_modules() | _library_modules()
        else:
            self._modules = _scoped_modules()
        _forget(self._modules)
        sys.modules.update(self._shadowed)

    @staticmethod
    def _set_aside() -> None:
        """Forget copies that were imported before any world was entered."""
        _forget(_scoped_modules())


@contextmanager
def outside() -> Iterator[None]:
    """Leave the world for a while, to import something of our own that no world may touch."""
    active = World.active
    if active is not None:
        active.leave()
    try:
        yield
    finally:
        if active is not None:
            active.enter()


def _forget(modules: dict[str, ModuleType]) -> None:
    for name in modules:
        del sys.modules[name]


def _library_modules() -> dict[str, ModuleType]:
    wanted = LIBRARY | RewritingLoader.asked
    return {name: module for name, module in sys.modules.items() if name in wanted and module is not None}


def _scoped_modules() -> dict[str, ModuleType]:
    """The modules of the target's side that are loaded now, those of the standard library apart."""
    found: dict[str, Any] = {}
    wanted = LIBRARY | RewritingLoader.asked
    for name, module in list(sys.modules.items()):
        if name != "__main__" and name not in wanted and in_scope(name, _source(module)):
            found[name] = module
    return found


def _source(module: ModuleType) -> str | None:
    """The file of a module; for a package that has none, the one that its directory would hold."""
    file: str | None = getattr(module, "__file__", None)
    places = [] if file is not None else list(getattr(module, "__path__", ()))
    return f"{places[0]}/__init__.py" if places else file
