"""How many parameters without hints are guessed: the eight modules of the facts on cover, by source.

    make bench-inference

A parameter is resolved when some source suggests a type; whether the type is right is not checked. The guess from the
parameter's name alone counts apart, since it is the weakest. Local sources are all but the stubs of typeshed.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.peers import environment
from bench.table import publish
from pessimal.python.inference import NOTHING, Guess, inferred

LIBRARY = ("textwrap", "shlex", "colorsys", "calendar", "ipaddress")
PACKAGES = ("inflection", "humanize.number", "semver.version")
FACTS = {"of": 258, "local": 155, "all": 237}
"""What a prototype resolved on the same modules, and of how many parameters."""


def main() -> None:
    python = Path(environment("inference"))
    sys.path += map(str, python.parent.parent.glob("lib/python*/site-packages"))
    rows = [row(importlib.import_module(name)) for name in (*LIBRARY, *PACKAGES)]
    names = [name for name in rows[0] if name != "module"]
    rows.append({"module": "all", **{name: sum(row[name] for row in rows) for name in names}})
    rows.append({"module": "facts", "without hints": FACTS["of"], "local": FACTS["local"], "all": FACTS["all"]})
    publish("inference", "Parameters without hints, and how many of them are resolved", rows)
    whole = rows[-2]
    for name in ("local", "local, by name", "all", "all, by name"):
        print(f"{name}: {whole[name]} of {whole['without hints']}, {100 * whole[name] / whole['without hints']:.0f} %")


def row(module: ModuleType) -> dict[str, Any]:
    """The counts for one module."""
    found = [guess for function in callables(module) for guess in inferred(function, module).values()]
    local = [guess for function in callables(module) for guess in inferred(function, module, stubs=False).values()]
    sources = Counter(guess.source for guess in found)
    return {
        "module": module.__name__,
        "without hints": len(found),
        "local": len(resolved(local)),
        "local, by name": len(resolved(local, by_name=True)),
        "all": len(resolved(found)),
        "all, by name": len(resolved(found, by_name=True)),
        "typeshed": sources["typeshed"],
    }


def resolved(guesses: list[Guess], by_name: bool = False) -> list[Guess]:
    left_out = (NOTHING,) if by_name else (NOTHING, "name")
    return [guess for guess in guesses if guess.source not in left_out]


def callables(module: ModuleType) -> Iterator[Callable[..., Any]]:
    """The functions, constructors and methods that a module defines."""
    for thing in list(vars(module).values()):
        if getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(thing):
            yield thing
        elif isinstance(thing, type):
            if "__init__" in vars(thing) or "__new__" in vars(thing):
                yield thing
            methods = (getattr(member, "__func__", member) for member in vars(thing).values())
            yield from (item for item in methods if inspect.isfunction(item) and item.__name__ != "__init__")


if __name__ == "__main__":
    main()
