"""The copy of a class, function or enum member in the world that is entered now.

A specification is made from the modules as they are. A symbolic run uses rewritten ones, with classes of their own, so
that what a run receives must be made by those.
"""

from __future__ import annotations

import inspect
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import Any

from pessimal.inputs.written import address_of


def counterpart(thing: Any) -> Any:
    """The same class, function or member in this world; anything else, or what is not found, as it is."""
    if isinstance(thing, Enum):
        kind = counterpart(type(thing))
        return thing if kind is type(thing) else kind(thing.value)
    if isinstance(thing, ModuleType):
        return _imported(thing.__name__) or thing
    if not (isinstance(thing, type) or inspect.isroutine(thing)):
        return thing
    module, name = address_of(thing)
    found: Any = None if module in ("builtins", "__main__") else _imported(module)
    for part in name.split(".") if found is not None else ():
        found = getattr(found, part, None)
    return thing if found is None else found


def _imported(module: str) -> ModuleType | None:
    try:
        return import_module(module)
    except ImportError:
        return None
