"""The regular expressions in code: compiled ones among its globals, and texts of functions that name ``re``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from pessimal.comparison import Operand

_SPECIAL = frozenset("\\[](){}*+?|^$.")


class Pattern(NamedTuple):
    """A regular expression as it is written."""

    text: str | bytes
    flags: int = 0

    @classmethod
    def of(cls, compiled: re.Pattern[Any]) -> Pattern:
        """That of a compiled one."""
        return cls(compiled.pattern, compiled.flags & ~re.DEBUG)

    def parsed(self) -> Any:
        """Its items; none if it is no regular expression. Nothing enters the cache of ``re``, which is the target's."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return _parser.parse(self.text, self.flags)
            except (re.error, ValueError, TypeError, RecursionError, OverflowError):
                return ()


def compiled_in(space: dict[str, Any]) -> Iterator[Pattern]:
    """The compiled regular expressions among global values and their members."""
    for value in list(space.values()):
        yield from (Pattern.of(each) for each in (value, *_members(value)) if type(each) is re.Pattern)


def _members(value: Any) -> Iterable[Any]:
    if type(value) in (list, tuple):
        return [each for item in value for each in (item if type(item) is tuple else (item,))]
    return list(value.values()) if type(value) is dict else ()


def written_in(function: FunctionType, code: CodeType, constants: Iterable[Operand]) -> Iterator[Pattern]:
    """The texts in a function that names the module ``re``, if they look like regular expressions."""
    if any(function.__globals__.get(name) is re for name in code.co_names):
        for constant in constants:
            if isinstance(constant, str | bytes) and _SPECIAL & set(_as_text(constant)):
                yield Pattern(constant)


def _as_text(constant: str | bytes) -> str:
    return constant if isinstance(constant, str) else constant.decode("latin-1")


def spelt_out(pattern: Pattern) -> Iterator[str]:
    """The texts in a regular expression, and the ends of its ranges of characters."""
    yield from _texts(pattern.parsed())


def _texts(items: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    text = ""
    for operation, argument in items:
        if operation is _constants.LITERAL:
            text += chr(argument)
            continue
        if text:
            yield text
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
        yield text


def _parts(argument: Any) -> Iterator[Iterable[tuple[Any, Any]]]:
    """The sequences of items inside an item of a parsed regular expression."""
    if isinstance(argument, _parser.SubPattern):
        yield argument
    elif isinstance(argument, list) and all(isinstance(item, tuple) for item in argument):
        yield from ([item] for item in argument)  # a set, whose members do not follow each other
    elif isinstance(argument, list | tuple):
        for part in argument:
            yield from _parts(part)
