"""The arguments of a call as a pattern with holes, and the terms that stand in the holes.

The pattern tells two calls apart and can be filled with values again, so that a sample of the holes is a call on plain
arguments. Lists are made anew for every call, since a function may change what it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, NamedTuple, TypeAlias

from pessimal.expr import Term
from pessimal.python.counted import NATIVE
from pessimal.python.values import SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.python.values.arithmetic import PLAIN, sort_of

NUMBER, TRUTH, TEXT, DATA, ROW, CONSTANT = "number", "truth", "text", "data", "row", "constant"

Pattern: TypeAlias = tuple[Any, ...]
"""What an argument is made of: its kind, and its parts, its holes, or its type and value."""

_CONSTANTS = frozenset((int, float, complex, bool, str, bytes, NoneType, range, type))
_ROWS = (list, tuple)


class Arguments(NamedTuple):
    """The patterns of the positional and the named arguments, and the terms in their holes."""

    positional: tuple[Pattern, ...]
    named: tuple[tuple[str, Pattern], ...]
    terms: tuple[Term, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """What two calls have in common that differ in the terms alone."""
        return self.positional, self.named

    def filled(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with values in their holes."""
        positional = [_filled(pattern, values) for pattern in self.positional]
        return positional, {name: _filled(pattern, values) for name, pattern in self.named}


def arguments_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Arguments | None:
    """The arguments of a call; None if one of them is neither a number nor text nor a row of such."""
    terms: list[Term] = []
    try:
        positional = tuple(_pattern(arg, terms) for arg in args)
        named = tuple((name, _pattern(arg, terms)) for name, arg in kwargs.items())
    except TypeError:
        return None
    return Arguments(positional, named, tuple(terms))


def _pattern(value: Any, terms: list[Term]) -> Pattern:
    kind = type(value)
    if kind is SymInt or kind is SymFloat:
        return _hole(NUMBER, value.expr, terms)
    if kind is SymBool:
        return _hole(TRUTH, value.as_int().expr, terms)
    if kind is SymStr or kind is SymBytes:
        return (TEXT if kind is SymStr else DATA, *(_hole(NUMBER, code, terms) for code in value.codes))
    if kind in _ROWS:
        return (ROW, kind, *(_pattern(part, terms) for part in value))
    value = plain(value)
    if type(value) not in _CONSTANTS:
        raise TypeError(kind)
    return _constant(value)


def plain(value: Any) -> Any:
    """A counted value as the plain one that it shows, without a test that counts, and so those in a row."""
    kind: Any = type(value)
    if kind in _ROWS:
        return kind(map(plain, value))
    native = NATIVE.get(kind)
    return value if native is None else bool(int(value)) if native is bool else native(value)


def _constant(value: Any) -> Pattern:
    """A part that is always the same: two of them are equal only if their types are, and zeros have signs."""
    return CONSTANT, type(value), repr(value), value


def _hole(kind: str, term: Term, terms: list[Term]) -> Pattern:
    if isinstance(term, PLAIN):
        return _constant(term)
    terms.append(term)
    return kind, len(terms) - 1, sort_of(term)


def _filled(pattern: Pattern, values: Sequence[Any]) -> Any:
    kind = pattern[0]
    if kind == NUMBER:
        return values[pattern[1]]
    if kind == TRUTH:
        return bool(values[pattern[1]])
    if kind == CONSTANT:
        return pattern[3]
    if kind == ROW:
        return pattern[1](_filled(part, values) for part in pattern[2:])
    codes = [_filled(part, values) for part in pattern[1:]]
    return bytes(codes) if kind == DATA else "".join(map(chr, codes))
