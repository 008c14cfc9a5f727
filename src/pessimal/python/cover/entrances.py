"""What a package offers to its users: the way into those of its modules that nobody calls directly.

An extension or a tree walker is used by handing text to the package, not by calling its methods one by one. So the
public functions and classes of the packages around a covered module may be the first steps of its scenarios, too.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from pessimal.inputs.looking import quietly
from pessimal.python.cover.members import Member, members_of

MOST_ENTRANCES = 80
MOST_USERS = 3
"""How many modules that use another one are imported for it."""


def entrances_of(modules: Sequence[ModuleType]) -> list[Member]:
    """The public members of the packages around modules, without those of the modules themselves."""
    exporting = list(_homes(modules, _packages(modules)))
    homes = exporting or list(_homes(modules, [user for module in modules for user in _users(module)]))
    members = (member for home in homes for member in _members(*home))  # one at a time: describing each takes long
    return [replace(member, is_entrance=True) for member in islice(members, MOST_ENTRANCES)]


def _homes(modules: Sequence[ModuleType], places: Sequence[ModuleType]) -> dict[tuple[str, str], None]:
    """The modules and the names of what places offer that the packages around modules define."""
    covered = {module.__name__ for module in modules}
    packages = {module.partition(".")[0] for module in covered}
    found = dict.fromkeys(_home(value) for place in places for value in _exported(place))
    return {home: None for home in found if home[0] not in covered and home[0].partition(".")[0] in packages}


def _members(module: str, qualname: str) -> Iterator[Member]:
    if module in sys.modules and qualname:
        for member in members_of([sys.modules[module]], qualname):
            if member.is_public and member.operation != "set":
                yield member


def _packages(modules: Sequence[ModuleType]) -> list[ModuleType]:
    """The packages that modules are in, the innermost first."""
    names: dict[str, None] = {}
    for module in modules:
        parts = module.__name__.split(".")
        names |= {".".join(parts[:count]): None for count in range(len(parts) - 1, 0, -1)}
    return [sys.modules[name] for name in names if name in sys.modules]


def _users(module: ModuleType) -> Iterator[ModuleType]:
    """The modules beside one in a package that import it: they are the way in where the package exports nothing."""
    package, _, name = module.__name__.rpartition(".")
    file = getattr(module, "__file__", None)
    if not package or file is None or Path(file).name == "__init__.py":
        return
    beside = [
        path for path in sorted(Path(file).parent.glob("*.py")) if path != Path(file) and not _is_script(path.stem)
    ]
    using = [path.stem for path in beside if path.stem.isidentifier() and _imports(path, package, name)]
    for stem in [stem for stem in using if stem != "__init__"][:MOST_USERS]:
        found = quietly(lambda stem=stem: import_module(f"{package}.{stem}"), None)  # type: ignore[misc]
        if found is not None:
            yield found


def _is_script(stem: str) -> bool:
    """Whether a file is there to be run: as a script, or by pytest."""
    return stem in ("__main__", "conftest", "setup") or stem.startswith("test_") or stem.endswith("_test")


def _imports(path: Path, package: str, name: str) -> bool:
    """Whether a file imports a module of its package."""
    source = quietly(lambda: path.read_text(encoding="utf-8"), "")
    tree = quietly(lambda: ast.parse(source) if name in source else ast.Module([], []), ast.Module([], []))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(alias.name == f"{package}.{name}" for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom):
            is_itself = node.module in ((name,) if node.level == 1 else (f"{package}.{name}",))
            is_package = node.module in ((None,) if node.level == 1 else (package,))
            if is_itself or (is_package and any(alias.name == name for alias in node.names)):
                return True
    return False


def _exported(package: ModuleType) -> list[Any]:
    """The functions and classes that a package exports."""
    space = vars(package)
    listed: Any = space.get("__all__")
    names = [name for name in space if not name.startswith("_")] if type(listed) not in (list, tuple) else list(listed)
    return [space[name] for name in names if name in space and _is_offered(space[name])]


def _is_offered(value: Any) -> bool:
    return quietly(lambda: callable(value), False)


def _home(value: Any) -> tuple[str, str]:
    """The module in which something is defined, and its name there."""
    return quietly(lambda: (str(value.__module__), str(value.__qualname__)), ("", ""))
