"""Two copies of a target's modules: one as it is, one rewritten, so that neither knows of the other.

Concrete runs and replays use the modules as they are; symbolic runs use the rewritten ones. Both are imported by the
ordinary import system. What is compiled, and what is shared by both worlds, is imported once.

A process has one ``sys.modules`` and one ``sys.meta_path``, so that one world at a time is entered in it, whichever
front-end it belongs to. It is the one whose finder is on ``sys.meta_path``; no other record of it is kept.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_loader
from types import ModuleType
from typing import Any

from pessimal.python.loading import RewritingLoader
from pessimal.python.scope import LEFT_ALONE, Scope


class Worlds:
    """Both copies of one target's modules, and what is known about the modules."""

    def __init__(self) -> None:
        self.scope = Scope()
        self.plain = World(self.scope, rewriting=False)
        self.rewritten = World(self.scope, rewriting=True)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Leave the world that is entered for a while, to import something that no world may touch."""
        world = _entered()
        if world is not None:
            world.leave()
        try:
            yield
        finally:
            if world is not None:
                world.enter()


class World:
    """One copy of the modules in scope; entering it makes ``sys.modules`` show that copy."""

    def __init__(self, scope: Scope, *, rewriting: bool) -> None:
        self._scope = scope
        self._rewriting = rewriting
        self._finder = _Finder(self)
        self._modules: dict[str, ModuleType] = {}
        self._shadowed: dict[str, ModuleType] = {}
        self._outside: dict[str, Any] = {}

    def loader(self, name: str, path: str) -> SourceFileLoader:
        """What loads a file into this world."""
        return RewritingLoader(name, path, self._scope) if self._rewriting else SourceFileLoader(name, path)

    def enter(self) -> None:
        """Make this world's modules the ones that imports find."""
        if self._finder in sys.meta_path:
            return
        other = _entered()
        if other is not None:
            other.leave()
        else:
            _forget(self._scoped_modules())  # copies that were imported before any world was entered
        if self._rewriting:
            self._shadowed = self._library_modules()
            _forget(self._shadowed)
        sys.meta_path.insert(0, self._finder)
        sys.modules.update(self._modules)

    def leave(self) -> None:
        """Put the modules aside, so that imports find the ordinary ones."""
        sys.meta_path.remove(self._finder)
        self._modules = self._scoped_modules()
        if self._rewriting:
            self._modules |= self._library_modules()
        _forget(self._modules)
        sys.modules.update(self._shadowed)

    def find(self, name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        """What the ordinary path finder finds, rewritten where it is in scope; nothing in a world as it is."""
        if not self._rewriting:
            return None
        if name in LEFT_ALONE and name not in sys.modules:
            return self._imported_outside(name)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader and self._scope.includes(name, spec.origin):
            spec.loader = self.loader(name, spec.loader.path)
        return spec

    def _imported_outside(self, name: str) -> ModuleSpec | None:
        """Import a package that is left alone with the library as it is, because compiled code links to that."""
        self.leave()
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            return None
        finally:
            self.enter()
        return spec_from_loader(name, _Present(module))

    def _library_modules(self) -> dict[str, ModuleType]:
        found = ((name, sys.modules.get(name)) for name in self._scope.library_names)
        return {name: module for name, module in found if module is not None}

    def _scoped_modules(self) -> dict[str, ModuleType]:
        """The modules of the target's side that are loaded now, those of the standard library apart."""
        outside = self._outside
        found: dict[str, ModuleType] = {}
        for name, module in sys.modules.copy().items():
            if outside.get(name) is module:  # most are, and worlds are entered before every run
                continue
            if name == "__main__" or self._scope.is_library(name) or not self._scope.includes(name, _source(module)):
                outside[name] = module
            else:
                found[name] = module
        return found


class _Finder(MetaPathFinder):
    """Marks the world that is entered, and finds modules for it."""

    def __init__(self, world: World) -> None:
        self.world = world

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return self.world.find(fullname, path, target)


class _Present(Loader):
    """Hands out a module that is there already."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        pass


def _entered() -> World | None:
    """The world whose modules imports find now."""
    return next((finder.world for finder in sys.meta_path if isinstance(finder, _Finder)), None)


def _forget(modules: dict[str, ModuleType]) -> None:
    for name in modules:
        del sys.modules[name]


def _source(module: ModuleType) -> str | None:
    """The file of a module; for a package that has none, the one that its directory would hold."""
    file: str | None = getattr(module, "__file__", None)
    places = [] if file is not None else list(getattr(module, "__path__", ()))
    return f"{places[0]}/__init__.py" if places else file
