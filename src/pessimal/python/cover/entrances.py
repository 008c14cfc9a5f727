"""What a package offers to its users: the way into those of its modules that nobody calls directly.

An extension or a tree walker is used by handing text to the package, not by calling its methods one by one. So the
public functions and classes of the packages around a covered module may be the first steps of its scenarios, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from types import ModuleType
from typing import Any

from pessimal.inputs.looking import quietly
from pessimal.python.cover.members import Member, members_of

MOST_ENTRANCES = 80


def entrances_of(modules: Sequence[ModuleType]) -> list[Member]:
    """The public members of the packages around modules, without those of the modules themselves."""
    covered = {module.__name__ for module in modules}
    homes = {_home(value): None for package in _packages(modules) for value in _exported(package)}
    packages = {module.partition(".")[0] for module in covered}
    inside = [home for home in homes if home[0] not in covered and home[0].partition(".")[0] in packages]
    members = (member for home in inside for member in _members(*home))  # one at a time: describing each takes long
    return [replace(member, is_entrance=True) for member in islice(members, MOST_ENTRANCES)]


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
