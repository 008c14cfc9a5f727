"""The literals of the code that a target executes: constants, and what its regular expressions spell out and match.

Inputs that contain them come further than random ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import inf
from types import CodeType
from typing import Any

from pessimal.comparison import Operand
from pessimal.python.meters import is_users
from pessimal.python.work.instrumentation import Instrumentation
from pessimal.python.work.matches import matches
from pessimal.python.work.patterns import Pattern, compiled_in, spelt_out, written_in

MOST_LITERALS = 400
MOST_CHARACTERS = 40
MOST_PATTERNS = 20
"""Of so many regular expressions matches are drawn, which takes some milliseconds each."""

_NOTED = (int, float, str, bytes)
_CONTAINERS = (tuple, frozenset)


def literals(counted: Instrumentation, target_file: str | None, size: int) -> list[Operand]:
    """The literals of the user's functions in files that were executed, and of the target's file.

    Of regular expressions there are matches as well, some of them of the size.
    """
    found: list[Operand] = []
    patterns: dict[Pattern, None] = {}
    spaces: dict[int, dict[str, Any]] = {}
    for path, function, code in counted.counted_functions():
        if path == target_file or is_users(path):
            spaces[id(function.__globals__)] = function.__globals__
            constants = [each for each in constants_of(code) if each != function.__doc__]
            patterns |= dict.fromkeys(written_in(function, code, constants))
            found += constants
    patterns |= {each: None for space in spaces.values() for each in compiled_in(space)}
    matching = [text for pattern in islice(patterns, MOST_PATTERNS) for text in matches(pattern, size)]
    found += [text[:MOST_CHARACTERS] for pattern in patterns for text in spelt_out(pattern)]
    return [*_sorted(matching), *_sorted(found)][:MOST_LITERALS]


def _sorted(values: Iterable[Operand]) -> list[Operand]:
    """Each value once, in an order that does not depend on that of the functions."""
    return [value for _, value in sorted({(type(value).__name__, value) for value in values}, key=repr)]


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
