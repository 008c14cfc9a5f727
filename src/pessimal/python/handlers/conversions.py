"""Handlers of the conversions: ``type``, ``int``, ``float``, ``bool``, ``str``, ``bytes``, ``ord``, ``chr``."""

from __future__ import annotations

import operator
from sys import _getframe
from typing import Any

from pessimal.expr import Compare, conjunction
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python import current
from pessimal.python.counted import COUNTED, NATIVE, CountedBool, CountedFloat, CountedInt, CountedStr, counted
from pessimal.python.handlers.formatting import text_of
from pessimal.python.handlers.registry import handles
from pessimal.python.refusals import watched
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.python.values.arithmetic import as_float
from pessimal.python.values.decimals import float_of_text
from pessimal.python.values.defaults import Default, SymDefault
from pessimal.python.values.keyed import SYMBOLIC_OF
from pessimal.python.values.literals import int_of_text
from pessimal.python.values.members import Frozen, SymFrozen
from pessimal.python.values.number import SymNumber, number_of
from pessimal.python.values.ordered import Ordered, SymOrdered
from pessimal.python.values.text import number

_TEXT = (SymStr, SymBytes)
_TABLES = frozenset((*SYMBOLIC_OF, *SYMBOLIC_OF.values(), Default, SymDefault, Ordered, SymOrdered, Frozen, SymFrozen))


def _convert(native: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A conversion as it is, its result counted again if it was made from a counted value."""
    args = tuple(arg.concrete(f"{native.__name__}()") if type(arg) in _TEXT else arg for arg in args)
    result = native(*args, **kwargs)
    return counted(result) if args and type(args[0]) in COUNTED else result


@handles(type)
def _type(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and type(args[0]) in SYMBOLIC:
        return args[0].__class__
    if len(args) == 1 and type(args[0]) in NATIVE:
        return NATIVE[type(args[0])]
    if len(args) == 1 and type(args[0]) in _TABLES:
        return args[0].__class__
    return type(args[0]) if len(args) == 1 and not kwargs else watched(type, args, kwargs)


@handles(int)
def _int(*args: Any, **kwargs: Any) -> Any:
    if args and type(args[0]) in _TEXT:
        return _int_of_text(*args, **kwargs)
    if len(args) == 1 and not kwargs:
        value = args[0]
        if type(value) is SymInt:
            return +value
        if type(value) is SymBool:
            return value.as_int()
        if type(value) is SymFloat:
            return value.__trunc__()
    return _convert(int, args, kwargs)


def _int_of_text(text: Any, /, base: Any = 10) -> Any:
    return int_of_text(text, operator.index(base))


@handles(float)
def _float(*args: Any) -> Any:
    if len(args) == 1:
        value = args[0]
        if type(value) in _TEXT:
            return float_of_text(value)
        if type(value) is SymFloat:
            return +value
        if type(value) is SymBool:
            value = value.as_int()
        if type(value) is SymInt:
            return number_of(as_float(value.expr))
    return _convert(float, args, {})


@handles(bool)
def _bool(*args: Any) -> Any:
    if len(args) == 1:
        value = args[0]
        if type(value) in (SymBool, CountedBool):
            return value
        if isinstance(value, SymNumber) or type(value) in (CountedInt, CountedFloat):
            return value != 0
    return bool(*args)


@handles(str)
def _str(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs:
        return text_of(args[0])
    return _convert(str, args, kwargs)


@handles(ord)
def _ord(char: Any) -> Any:
    if type(char) in _TEXT:
        if len(char) == 1:
            return number(char.codes[0])
        char = char.concrete("ord()")
    code = ord(char)
    return CountedInt(code) if type(char) in COUNTED else code


@handles(chr)
def _chr(code: Any) -> Any:
    if type(code) is SymInt:
        in_range = conjunction([Compare("<=", 0, code.expr), Compare("<=", code.expr, LAST_CHARACTER)])
        if current.execution.choice(in_range, _getframe(1)):
            return SymStr((code.expr,))
        fits = conjunction([Compare("<=", -(2**31), code.expr), Compare("<", code.expr, 2**31)])
        return chr(-1 if current.execution.choice(fits, _getframe(1)) else 2**31)  # which raises as this Python does
    char = chr(code)
    return CountedStr(char) if type(code) in COUNTED else char


@handles(operator.index)
def _index(value: Any) -> Any:
    return +value if type(value) in (SymInt, CountedInt) else operator.index(value)
