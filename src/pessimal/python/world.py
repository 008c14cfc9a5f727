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
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, ClassVar, TypeVar

from pessimal import importing
from pessimal.python.losses import losses
from pessimal.python.rewrite import NAMES, rewrite

T = TypeVar("T")

LEFT_ALONE = frozenset(("pessimal", "z3", "cloudpickle", "pytest", "_pytest", "hypothesis")) | frozenset(
    ("numpy", "scipy", "pandas", "jax", "jaxlib", "torch", "matplotlib")
)
"""Top-level packages that are never rewritten: our own, and those too large or too compiled to gain from it."""

LIBRARY = frozenset(
    (
        *("argparse", "base64", "calendar", "colorsys", "configparser", "csv", "difflib", "fnmatch", "fractions"),
        *("getopt", "graphlib", "html", "ipaddress", "json", "ntpath", "posixpath", "pprint", "quopri", "reprlib"),
        *("shlex", "statistics", "string", "textwrap", "tokenize", "urllib.parse", "email.utils", "email.quoprimime"),
        *("decimal", "_pydecimal", "datetime", "_pydatetime", "html.entities", "html.parser", "json.decoder"),
        *("json.encoder", "json.scanner", "_markupbase", "sched", "cmd", "stringprep", "uuid", "zoneinfo"),
    )
)
"""Modules of the standard library that symbolic values pass through: rewritten like the target's own."""

ACCELERATORS = {
    **{"decimal": "_decimal", "_pydecimal": "_decimal", "datetime": "_datetime", "_pydatetime": "_datetime"},
    **dict.fromkeys(("json.decoder", "json.encoder", "json.scanner"), "_json"),
}
"""Compiled versions that are kept out of the rewritten world, so that the Python ones are used."""

_STANDARD = tuple(sysconfig.get_paths()[name] + "/" for name in ("stdlib", "platstdlib"))
_SITE = tuple(sysconfig.get_paths()[name] + "/" for name in ("purelib", "platlib"))


def in_scope(name: str, file: str | None) -> bool:
    """Whether a module belongs to the target's side and so is rewritten."""
    if file is None or not file.endswith(".py") or name.partition(".")[0] in LEFT_ALONE:
        return False
    return file.startswith(_SITE) or not file.startswith(_STANDARD) or name in LIBRARY or name in RewritingLoader.asked


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
        if not path.startswith(_STANDARD) or path.startswith(_SITE):
            RewritingLoader.losses.update(losses(tree))
        code = compile(rewrite(tree), path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with the handlers in its globals, without the compiled version of itself."""
        module.__dict__.update(NAMES)
        compiled = ACCELERATORS.get(self.name)
        if compiled is None:
            super().exec_module(module)
            return
        if self.name not in RewritingLoader.asked:
            RewritingLoader.stand_ins.add(self.path)
        hidden, sys.modules[compiled] = sys.modules.get(compiled), None  # type: ignore[assignment]
        try:
            super().exec_module(module)
        finally:
            sys.modules.pop(compiled, None)
            if hidden is not None:
                sys.modules[compiled] = hidden


class _Finder(MetaPathFinder):
    """Finds what the ordinary path finder finds, and has it rewritten where it is in scope."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader and in_scope(fullname, spec.origin):
            spec.loader = RewritingLoader(fullname, spec.loader.path)
        return spec


class World:
    """One copy of the modules in scope; entering it makes ``sys.modules`` show that copy."""

    _active: World | None = None

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
        if World._active is self:
            return
        if World._active is not None:
            World._active._leave()
        else:
            self._set_aside()
        World._active = self
        if self._finder is not None:
            self._shadowed = _library_modules()
            _forget(self._shadowed)
            sys.meta_path.insert(0, self._finder)
        sys.modules.update(self._modules)
        importing.alias_loader = SourceFileLoader if self._finder is None else RewritingLoader

    def _leave(self) -> None:
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
