"""Black boxes of a condition: functions that are called on samples, with every way in which they can misbehave handled.

A box is taken to be pure. One that answers differently to the same arguments is noticed and named.
"""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from pessimal.conditions.condition import ConditionError
from pessimal.conditions.functions import FUNCTIONS
from pessimal.conditions.python_text import Box
from pessimal.errors import UsageError
from pessimal.expr import BlackBox
from pessimal.importing import ImportGuard, import_longest
from pessimal.pool import descriptors, sandbox
from pessimal.solving.fence import Fence, Outcome, Refused

IMPORT_SECONDS = 60.0
CHECKED = 5
"""How many calls are made twice at once, and again in the end, to see whether the answers agree."""
SHOWN = 60
"""Arguments with more characters than this are not shown in full."""
_WILDCARDS = frozenset("*?[")
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

    def __init__(self, text: str, patterns: Sequence[str], allow_side_effects: bool, deadline: float) -> None:
        self._calls: Counter[str] = Counter()
        self._problems: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], str] = {}
        self._answers: list[tuple[str, tuple[Any, ...], int | float]] = []
        names = {name: full for name in called_names(text) if (full := _named(name, patterns))}
        try:
            self._fence = Fence(partial(_load, names, allow_side_effects), deadline)
        except Refused as error:
            message, slug = error.args
            raise ConditionError(message, slug=slug or "black-box") from None
        self.boxes = {name: Box(BlackBox(name, self._guarded(name)), self._sort(name)) for name in names}

    @property
    def notes(self) -> list[str]:
        """What went wrong with boxes, in a line each."""
        return [
            f"{name} {problem} in {count} of {self._calls[name]} calls, first for {self._first[name, problem]}"
            for (name, problem), count in self._problems.items()
        ]

    def close(self) -> None:
        """End the process in which the functions run."""
        self._fence.close()

    def _guarded(self, name: str) -> Callable[..., Any]:
        """The function, whose problems mean that it has no value for these arguments."""

        def value(*args: Any) -> Any:
            self._calls[name] += 1
            result = self._called(name, args)
            if self._calls[name] <= CHECKED:
                self._answers.append((name, args, result))
                _expect_same(name, result, self._called(name, args))
            return result

        return value

    def check_again(self) -> None:
        """Repeat the first calls: a function that keeps a state may answer differently after many others."""
        for name, args, result in self._answers:
            again = self._fence.call(name, args).value
            if again is not None:  # it has none if the time is up
                _expect_same(name, result, again)

    def _called(self, name: str, args: tuple[Any, ...]) -> int | float:
        outcome: Outcome = self._fence.call(name, args)
        if outcome.value is not None:
            return outcome.value
        self._problems[name, outcome.problem] += 1
        self._first.setdefault((name, outcome.problem), _shown(args))
        raise ValueError(f"{name} has no value here")

    def _sort(self, name: str) -> str:
        return "int" if self._fence.call(f"{name} is an int", ()).value else "float"


def _expect_same(name: str, result: int | float, again: int | float) -> None:
    if result != again and not (result != result and again != again):
        raise ConditionError(
            f"the black box {name} answers {result!r} and then {again!r} to the same arguments: "
            f"a condition can only call functions that depend on nothing else",
            slug="black-box",
        )


def _load(names: Mapping[str, Sequence[str]], allow_side_effects: bool) -> dict[str, Callable[..., Any]]:
    """The functions by the names that the condition has for them, and of each whether its value is an integer."""
    descriptors.discard(2)
    sandbox.confine(allow_side_effects, ())
    functions: dict[str, Callable[..., Any]] = {}
    for name, full in names.items():
        function = functions[name] = _first_of(full)
        functions[f"{name} is an int"] = partial(_returns_int, function)
    return functions


def _first_of(names: Sequence[str]) -> Callable[..., Any]:
    """The first function that there is."""
    *others, last = names
    for name in others:
        with suppress(UsageError):
            return _function(name)
    return _function(last)


def _function(full: str) -> Callable[..., Any]:
    if "." not in full:
        raise ConditionError(f"the black box {full!r} has no module: write module.function", slug="black-box")
    with ImportGuard(IMPORT_SECONDS, full):
        module, rest = import_longest(full)
    function: Any = module
    for part in rest.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise ConditionError(f"{module.__name__} has no function {rest!r}", slug="black-box")
    return function  # type: ignore[no-any-return]


def _named(name: str, patterns: Sequence[str]) -> list[str]:
    """The full names of the functions that a condition may mean by a name, as patterns name them."""
    return [found for pattern in patterns if (found := _matched(name, pattern))]


def _matched(name: str, pattern: str) -> str | None:
    """The full name of a function that a pattern names, if the condition may mean that one.

    A condition may leave out the module, unless the name is one that conditions know.
    """
    if fnmatchcase(name, pattern):
        return name
    module, _, last = pattern.rpartition(".")
    is_meant = name == last or (fnmatchcase(name, last) and name not in FUNCTIONS)
    return f"{module}.{name}" if is_meant and module and _WILDCARDS.isdisjoint(module) else None


def _returns_int(function: Callable[..., Any]) -> bool:
    """Whether the function's value is an integer by its annotation; a float holds whatever number it is."""
    try:
        return _SORTS.get(inspect.signature(function).return_annotation, "float") == "int"
    except (TypeError, ValueError):
        return False


def _shown(args: tuple[Any, ...]) -> str:
    text = f"({', '.join(map(repr, args))})"
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
