"""Handlers of functions that take or make text and bytes."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Any

from pessimal.expr import Compare
from pessimal.python.counted import COUNTED, CountedStr, counted
from pessimal.python.deciding import decide
from pessimal.python.handlers.registry import handles, resolve
from pessimal.python.values import SymBool, SymBytes, SymInt, SymStr
from pessimal.python.values.number import operand
from pessimal.python.values.sequence import LARGEST, amount
from pessimal.python.values.text import bytes_from_hex, is_byte

_TEXT = (SymStr, SymBytes)
_NUMBERS = (SymInt, SymBool)


@handles(print)
def _print(*args: Any, sep: Any = None, end: Any = None, file: Any = None, flush: Any = False) -> None:
    """Write piece by piece to a stream of the target's own; what is printed for people goes nowhere."""
    stream = sys.stdout if file is None else file
    if _goes_nowhere(stream):
        return
    write = resolve(stream.write)
    for i, arg in enumerate(args):
        if i:
            write(" " if sep is None else sep)
        write(resolve(str)(arg))
    write("\n" if end is None else end)
    if flush:
        stream.flush()


def _goes_nowhere(stream: Any) -> bool:
    if stream is None or stream is sys.__stdout__ or stream is sys.__stderr__:
        return True
    return isinstance(stream, io.TextIOWrapper) and (stream is sys.stdout or stream is sys.stderr)


@handles(str.join)
def _join(separator: str, parts: Any) -> Any:
    items = list(parts)
    if any(type(item) is SymStr for item in items):
        return SymStr(SymStr.codes_of(separator) or ()).join(items)
    text = separator.join(items)
    return CountedStr(text) if any(type(item) is CountedStr for item in items) else text


@handles(bytes.join)
def _join_bytes(separator: bytes, parts: Any) -> Any:
    items = list(parts)
    if any(type(item) is SymBytes for item in items):
        return SymBytes(SymBytes.codes_of(separator) or ()).join(items)
    return separator.join(items)


@handles(bytes)
def _bytes(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and not kwargs:
        return _bytes_of(args[0])
    if args and type(args[0]) is SymStr:
        return args[0].encode(*args[1:], **kwargs)
    return _native(bytes, args, kwargs)


def _bytes_of(value: Any) -> Any:
    """The bytes of one thing: symbolic if it is symbolic, or has symbolic numbers in it."""
    if type(value) is SymBytes:
        return value[:]
    if type(value) in _NUMBERS:
        return bytes(_size(value))
    if _is_row(value):
        items = list(value)
        if any(type(item) in _NUMBERS for item in items):
            return SymBytes.make([_byte(item) for item in items])
        value = items
    return _native(bytes, (value,), {})


def _is_row(value: Any) -> bool:
    """Whether ``bytes`` would take the numbers of an iterable, and not another way into the value."""
    if type(value) in (*_TEXT, *COUNTED) or isinstance(value, str | bytes | bytearray | memoryview | int):
        return False
    return isinstance(value, Iterable) and not hasattr(value, "__bytes__") and not hasattr(value, "__index__")


def _size(value: Any) -> int:
    """A symbolic number of zeros; a negative one is an error, which is decided."""
    term = operand(value)
    assert term is not None
    if not isinstance(term, int) and decide(Compare("<", term, 0)):
        return -1
    return amount(value, 0, LARGEST)


def _byte(value: Any) -> Any:
    """The term of a number that must fit a byte, which is decided."""
    term = operand(value) if isinstance(value, int) else None
    if term is None:
        return bytes((value,))[0]
    if not decide(is_byte(term)):
        raise ValueError("bytes must be in range(0, 256)")
    return term


def _native(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A conversion of plain values, its result counted again if it was made from a counted value."""
    args = tuple(arg.concrete(f"{kind.__name__}()") if type(arg) in _TEXT else arg for arg in args)
    result = kind(*args, **kwargs)
    return counted(result) if args and type(args[0]) in COUNTED else result


@handles(bytearray)
def _bytearray(*args: Any, **kwargs: Any) -> Any:
    """What can be changed in place holds concrete bytes."""
    if args and type(args[0]) in (SymStr, *_NUMBERS):
        return bytearray(_plain(_bytes(*args, **kwargs)))
    if len(args) == 1 and _is_row(args[0]):
        return bytearray(_plain(_bytes_of(args[0])))
    return bytearray(*map(_plain, args), **kwargs)


@handles(memoryview)
def _memoryview(value: Any) -> memoryview:
    return memoryview(_plain(value))


def _plain(value: Any) -> Any:
    return value.concrete("mutable or shared bytes") if type(value) in _TEXT else value


@handles(bytes.fromhex)
def _fromhex(text: Any) -> Any:
    return bytes_from_hex(text) if type(text) is SymStr else bytes.fromhex(text)


@handles(str.maketrans)
def _maketrans(*args: Any) -> Any:
    """The keys of a table are hashed and so concrete; what they are mapped to stays symbolic."""
    if len(args) == 1 and isinstance(args[0], dict):
        return str.maketrans(dict(args[0]))  # the original accepts a real dict only
    if len(args) < 2 or type(args[1]) is not SymStr:
        return str.maketrans(*(_key(arg) for arg in args))
    keys, values = _key(args[0]), args[1]
    table: dict[int, Any] = str.maketrans(keys, "a" * len(values), *(_key(arg) for arg in args[2:]))
    for key, value in zip(keys, values, strict=True):
        if table[ord(key)] is not None:
            table[ord(key)] = ord(value) if type(value) is str else SymInt(value.codes[0])
    return table


@handles(bytes.maketrans)
def _maketrans_bytes(*args: Any) -> Any:
    return bytes.maketrans(*(_key(arg) for arg in args))


def _key(value: Any) -> Any:
    return value.concrete("a table's keys") if type(value) in _TEXT else value
