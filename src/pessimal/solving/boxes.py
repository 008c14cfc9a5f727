"""Black boxes of a condition: functions that are called on samples, with every way in which they can misbehave handled.

A box is taken to be pure. One that answers differently to the same arguments is noticed and named.
"""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from pessimal.conditions.condition import ConditionError
from pessimal.conditions.python_text import Box
from pessimal.expr import BlackBox
from pessimal.importing import import_longest
from pessimal.pool.run_guard import RunGuard

IMPORT_SECONDS = 60.0
CHECKED = 5
"""How many calls are made twice, to see whether the answers agree."""
_SORTS: Mapping[Any, str] = {int: "int", bool: "int", float: "float", "int": "int", "bool": "int", "float": "float"}


def called_names(text: str) -> list[str]:
    """The names of the functions that a condition calls, with their dots."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return []  # whoever reads the condition says what is wrong with it
    return list(dict.fromkeys(ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)))


class Boxes:
    """The functions that a condition calls and that patterns such as ``module.*`` name, and how they behaved."""

    def __init__(self, text: str, patterns: Sequence[str]) -> None:
        self.boxes: dict[str, Box] = {}
        self._raised: Counter[str] = Counter()
        self._calls: Counter[str] = Counter()
        for name in called_names(text):
            full = next((found for pattern in patterns if (found := _matched(name, pattern))), None)
            if full is not None:
                self.boxes[name] = self._load(name, full)

    @property
    def notes(self) -> list[str]:
        """What went wrong with boxes, in a line each."""
        return [f"{what} in {count} of {self._calls[what.split()[0]]} calls" for what, count in self._raised.items()]

    def _load(self, name: str, full: str) -> Box:
        if "." not in full:
            raise ConditionError(f"the black box {full!r} has no module: write module.function", slug="black-box")
        with RunGuard(IMPORT_SECONDS, keeps_changes=True):
            module, rest = import_longest(full)
        function: Any = module
        for part in rest.split("."):
            function = getattr(function, part, None)
        if not callable(function):
            raise ConditionError(f"{module.__name__} has no function {rest!r}", slug="black-box")
        return Box(BlackBox(name, self._guarded(name, function)), _sort(function))

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose errors mean that it has no value for these arguments."""

        def value(*args: Any) -> Any:
            self._calls[name] += 1
            result = self._called(name, function, args)
            if self._calls[name] <= CHECKED:
                again = self._called(name, function, args)
                if result != again and not (result != result and again != again):
                    raise ConditionError(
                        f"the black box {name} answers {result!r} and then {again!r} to the same arguments: "
                        f"a condition can only call functions that depend on nothing else",
                        slug="black-box",
                    )
            return result

        return value

    def _called(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        try:
            result = function(*args)
        except (Exception, SystemExit) as error:
            self._raised[f"{name} raised {type(error).__name__}"] += 1
            raise ValueError(f"{name} has no value here") from None
        if not isinstance(result, int | float):
            self._raised[f"{name} returned a {type(result).__name__}, which is no number,"] += 1
            raise ValueError(f"{name} has no value here")
        return int(result) if isinstance(result, bool) else result


def _matched(name: str, pattern: str) -> str | None:
    """The full name of a function that a pattern names, if the condition means that one."""
    if fnmatchcase(name, pattern):
        return name
    is_plain = not any(letter in pattern for letter in "*?[")
    return pattern if is_plain and pattern.rpartition(".")[2] == name else None


def _sort(function: Callable[..., Any]) -> str:
    """The sort of the function's value by its annotation; a float holds whatever number it is."""
    try:
        return _SORTS.get(inspect.signature(function).return_annotation, "float")
    except (TypeError, ValueError):
        return "float"
