"""Two copies of the target's modules: one as it is, one rewritten, so that neither knows of the other.

Concrete runs and replays use the modules as they are; symbolic runs use the rewritten ones. Both are imported by the
ordinary import system. Only pure-Python modules outside the standard library are rewritten; what is compiled, and
what is shared by both worlds, is imported once.
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
from pessimal.python.rewrite import NAMES, losses, rewrite

T = TypeVar("T")

LEFT_ALONE = frozenset(("pessimal", "z3", "cloudpickle", "pytest", "_pytest", "hypothesis")) | frozenset(
    ("numpy", "scipy", "pandas", "jax", "jaxlib", "torch", "matplotlib")
)
"""Top-level packages that are never rewritten: our own, and those too large or too compiled to gain from it."""

_STANDARD = tuple(sysconfig.get_paths()[name] + "/" for name in ("stdlib", "platstdlib"))
_SITE = tuple(sysconfig.get_paths()[name] + "/" for name in ("purelib", "platlib"))


def in_scope(name: str, file: str | None) -> bool:
    """Whether a module belongs to the target's side and so is rewritten."""
    if file is None or not file.endswith(".py") or name.partition(".")[0] in LEFT_ALONE:
        return False
    return file.startswith(_SITE) or not file.startswith(_STANDARD)


class RewritingLoader(SourceFileLoader):
    """Compiles a module's source after the rewrite; never reads or writes cached bytecode."""

    losses: ClassVar[set[str]] = set()
    """What counted values would lose in the modules so far, if they were run as they are."""

    def get_code(self, fullname: str) -> CodeType:
        """The rewritten module's code."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        RewritingLoader.losses.update(losses(tree))
        code = compile(rewrite(tree), path, "exec", dont_inherit=True)
        assert isinstance(code, CodeType)
        return code

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with the handlers in its globals."""
        module.__dict__.update(NAMES)
        super().exec_module(module)


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
        sys.modules.update(self._modules)
        if self._finder is not None:
            sys.meta_path.insert(0, self._finder)
        importing.alias_loader = SourceFileLoader if self._finder is None else RewritingLoader

    def _leave(self) -> None:
        if self._finder is not None:
            sys.meta_path.remove(self._finder)
        self._modules = _scoped_modules()
        for name in self._modules:
            del sys.modules[name]

    @staticmethod
    def _set_aside() -> None:
        """Forget copies that were imported before any world was entered."""
        for name in _scoped_modules():
            del sys.modules[name]


def _scoped_modules() -> dict[str, ModuleType]:
    found: dict[str, Any] = {}
    for name, module in list(sys.modules.items()):
        if name != "__main__" and in_scope(name, _source(module)):
            found[name] = module
    return found


def _source(module: ModuleType) -> str | None:
    """The file of a module; for a package that has none, the one that its directory would hold."""
    file: str | None = getattr(module, "__file__", None)
    places = [] if file is not None else list(getattr(module, "__path__", ()))
    return f"{places[0]}/__init__.py" if places else file
