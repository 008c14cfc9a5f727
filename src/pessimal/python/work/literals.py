"""The literals of the code that a target executes: constants, and what its regular expressions spell out.

Inputs that contain them come further than random ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import inf
from re import _constants, _parser  # type: ignore[attr-defined]
from types import CodeType
from typing import Any

from pessimal.comparison import Operand
from pessimal.python.meters import is_users
from pessimal.python.work.instrumentation import Instrumentation

MOST_LITERALS = 400
MOST_CHARACTERS = 40
_NOTED = (int, float, str, bytes)
_CONTAINERS = (tuple, frozenset)


def literals(counted: Instrumentation, target_file: str | None) -> list[Operand]:
    """The literals of the user's functions in files that were executed, and of the target's file."""
    found: dict[tuple[str, Operand], None] = {}
    spaces: dict[int, dict[str, Any]] = {}
    for path, function, code in counted.counted_functions():
        if path == target_file or is_users(path):
            spaces[id(function.__globals__)] = function.__globals__
            found |= {(type(each).__name__, each): None for each in constants_of(code) if each != function.__doc__}
    for space in spaces.values():
        patterns = [value for value in space.values() if isinstance(value, re.Pattern)]
        found |= {(type(each).__name__, each): None for pattern in patterns for each in spelt_out(pattern)}
    return [value for _, value in sorted(found, key=repr)[:MOST_LITERALS]]


def constants_of(code: CodeType) -> Iterator[Operand]:
    """The constants in code and in the functions inside it."""
    pending: list[object] = list(code.co_consts)
    while pending:
        value = pending.pop()
        if isinstance(value, _CONTAINERS):
            pending += value
        elif isinstance(value, CodeType):
            pending += value.co_consts
        elif isinstance(value, _NOTED) and _is_useful(value):
            yield value


def _is_useful(value: Operand) -> bool:
    if isinstance(value, str | bytes):
        return 0 < len(value) <= MOST_CHARACTERS
    return type(value) is not bool and abs(value) < inf  # neither an infinity nor nan


def spelt_out(pattern: re.Pattern[Any]) -> Iterator[str]:
    """The texts in a regular expression, and the ends of its ranges of characters."""
    try:
        parsed = _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    except (re.error, ValueError, TypeError, RecursionError):
        return
    yield from _texts(parsed)


def _texts(items: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    text = ""
    for operation, argument in items:
        if operation is _constants.LITERAL:
            text += chr(argument)
            continue
        if text:
            yield text[:MOST_CHARACTERS]
        text = ""
        if operation is _constants.RANGE:
            yield chr(argument[0])
            yield chr(argument[1])
        elif operation is _constants.NOT_LITERAL:
            yield chr(argument)
        else:
            for part in _parts(argument):
                yield from _texts(part)
    if text:
        yield text[:MOST_CHARACTERS]


def _parts(argument: Any) -> Iterator[Iterable[tuple[Any, Any]]]:
    """The sequences of items inside an item of a parsed regular expression."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, list) and all(isinstance(item, tuple) for item in argument):
        yield from ([item] for item in argument)  # a set, whose members do not follow each other
    elif isinstance(argument, list | tuple):
        for part in argument:
            yield from _parts(part)
