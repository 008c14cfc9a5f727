"""Drawing the functions of bench-wild from packages that others wrote, by a seed and not by hand.

    python -m bench.wild_draw --functions 160 --seed 1

Every public function of every module is a candidate. Its inputs come from its hints; parameters without one are given
the first of a few kinds with which the function returns on random inputs. Functions that never return, that wait, that
are not deterministic, or that are blocked by the guard against side effects are left out. What was drawn is written to
``bench/subjects/wild.json``; it is drawn again only if the packages change.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import json
import pkgutil
import random
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import FunctionType
from typing import Any

from pessimal.errors import UsageError
from pessimal.inputs import Inputs, Native
from pessimal.pool import sandbox

PACKAGES = (
    *("algorithms", "boltons", "email_validator", "ftfy", "humanize", "idna", "inflect", "isodate", "markdown_it"),
    *("mistune", "more_itertools", "mpmath", "networkx", "num2words", "packaging", "parse", "primefac", "pygorithm"),
    *("pyparsing", "slugify", "stdnum", "roman", "sqlparse", "sympy.ntheory", "textdistance", "tomli", "toolz"),
    *("unidecode", "validators", "wcwidth", "webcolors"),
    *("base64", "bisect", "calendar", "colorsys", "difflib", "fnmatch", "fractions", "heapq", "html", "ipaddress"),
    *("json", "keyword", "ntpath", "posixpath", "quopri", "shlex", "statistics", "string", "textwrap", "urllib.parse"),
)
KINDS = ("int", "str", "list[int]", "float", "list[str]", "list[list[int]]")
MOST_PARAMETERS = 3
SIZE = 8
TRIES = 12
WANTED = 4
"""How many of the tries must return."""
SECONDS = 1.0
SKIPPED = ("test", "tests", "__main__", "setup", "conftest", "benchmark", "gui", "visualization")
OUT = sys.stdout
FILE = Path(__file__).parent / "subjects" / "wild.json"


def main() -> None:
    """Draw functions and write them down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    candidates = {package: list(functions(package)) for package in PACKAGES}
    rng = random.Random(arguments.seed)
    sandbox.enter(allow_side_effects=False)
    drawn: list[dict[str, Any]] = []
    order = [package for package in PACKAGES if candidates[package]]
    while order and len(drawn) < arguments.functions:
        package = rng.choice(order)
        name, function = candidates[package].pop(rng.randrange(len(candidates[package])))
        if not candidates[package]:
            order.remove(package)
        inputs = specified(function)
        if inputs is not None:
            drawn.append({"target": name, "inputs": inputs})
            print(f"{len(drawn):4} {name} {inputs}", file=OUT, flush=True)
    FILE.write_text(json.dumps(sorted(drawn, key=lambda item: item["target"]), indent=1) + "\n")


def functions(package: str) -> Iterator[tuple[str, FunctionType]]:
    """The public functions that the modules of a package define."""
    for module in modules(package):
        for name, member in sorted(vars(module).items()):
            if isinstance(member, FunctionType) and member.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{module.__name__}:{name}", member


def modules(package: str) -> Iterator[Any]:
    """A package and the modules inside it that can be imported without output."""
    pending = [package]
    while pending:
        name = pending.pop(0)
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                module = importlib.import_module(name)
        except BaseException:
            continue
        yield module
        for item in pkgutil.iter_modules(getattr(module, "__path__", ())):
            if not any(part in item.name for part in SKIPPED) and not item.name.startswith("_"):
                pending.append(f"{name}.{item.name}")


def specified(function: FunctionType) -> dict[str, str] | None:
    """Specifications of inputs with which a function works, as text by name; None if there are none."""
    parameters = [item for item in inspect.signature(function).parameters.values() if item.default is item.empty]
    if not 1 <= len(parameters) <= MOST_PARAMETERS or any(item.kind in (2, 4) for item in parameters):
        return None
    names = [item.name for item in parameters]
    hinted = _from_hints(function, names)
    options = [(hinted[name],) if name in hinted else KINDS for name in names]
    for kinds in product(*options):
        given = dict(zip(names, kinds, strict=True))
        if works(function, given):
            return given
    return None


def _from_hints(function: FunctionType, names: list[str]) -> dict[str, str]:
    found = {}
    for name in names:
        others = {other: "int" for other in names if other != name}
        with contextlib.suppress(Exception):
            spec = str(Inputs.of(function, SIZE, others).specs[name])
            Inputs.of(function, SIZE, others | {name: spec})  # it can be written down
            found[name] = spec
    return found


def works(function: Callable[..., Any], given: dict[str, str]) -> bool:
    """Whether a function returns on some random inputs, the same each time, and in time."""
    try:
        inputs = Inputs.of(function, SIZE, finite(given))
    except UsageError:
        return False
    rng = random.Random(0)
    returned = 0
    for _ in range(TRIES):
        leaves = inputs.sample(rng)
        outcomes = [outcome(function, inputs, leaves) for _ in range(2)]
        if "refused" in outcomes or outcomes[0] != outcomes[1]:
            return False
        returned += outcomes[0] is not None
    return returned >= WANTED


def finite(given: dict[str, str]) -> dict[str, str]:
    """The specifications with the ranges that numbers have by default."""
    return {name: f"{text}:-N..N" if text in ("int", "float") else text for name, text in given.items()}


def outcome(function: Callable[..., Any], inputs: Inputs, leaves: list[Any]) -> str | None:
    """What a function returns, as text; None if it raises, ``refused`` if it waits or has side effects."""
    args, kwargs = inputs.decode(Native(leaves))
    try:
        with sandbox.guarded() as blocked, sandbox.deadline(SECONDS):
            returned = repr(function(*args, **kwargs))
    except sandbox.DeadlineExceeded:
        return "refused"
    except BaseException:
        return "refused" if blocked else None
    return "refused" if blocked or " at 0x" in returned else returned


if __name__ == "__main__":
    main()
