"""Values as JSON: plain where JSON can say it, tagged where it cannot, a bounded repr as the last resort.

None, bools, ints, finite floats, strings, lists and dicts with string keys are themselves. All else is an
object with one tag: ``$tuple``, ``$set``, ``$frozenset`` and ``$dict`` (a list of pairs) hold members;
``$bytes`` and ``$bytearray`` hex digits; ``$float`` one of nan, inf, -inf; ``$int`` the hex digits of an int
too long to print; ``$str`` those of a string that is not valid Unicode; ``$call`` the module, name, arguments and
keyword arguments of a call that makes a value of the standard library, such as a date; ``$answers`` what a function
that was made as an input answers; ``$repr`` the repr of any other object, which comes back as an :class:`Opaque`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import Any

from pessimal.inputs.maker import GIVES, Answers
from pessimal.inputs.written import address_of, construction_of, is_known, rebuilt

LONGEST_REPR = 1000
"""How many characters of a repr are kept in JSON."""
_DEEPEST = 100
_MOST_VALUES = 5_000_000
_PRINTABLE_BITS = 2000
_REPR_STEPS = 200_000
_ORDERED = {int, float, str, bytes}
_NAME_OF_TYPE = vars(type)["__name__"].__get__


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value of which only the repr was kept."""

    text: str

    def __repr__(self) -> str:
        return self.text


def to_json(value: Any) -> Any:
    """The value as JSON data; never raises, whatever a target returned."""
    return _Encoder().encode(value)


def from_json(data: Any) -> Any:
    """The value that :func:`to_json` wrote, with :class:`Opaque` objects where only a repr was kept."""
    if isinstance(data, list):
        return [from_json(item) for item in data]
    if not isinstance(data, dict):
        return data
    if len(data) == 1:
        ((tag, content),) = data.items()
        if tag in _DECODERS:
            return _DECODERS[tag](content)
    return {key: from_json(item) for key, item in data.items()}


class _Encoder:
    """One encoding, which remembers where it is so that cycles, deep values and shared towers end."""

    def __init__(self) -> None:
        self.active: set[int] = set()
        self.values = 0

    def encode(self, value: Any) -> Any:
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind in _SCALARS:
            return _SCALARS[kind](value)
        if kind in _CONTAINERS:
            return self.container(value, _CONTAINERS[kind])
        answers = vars(value).get(GIVES) if kind is FunctionType else value
        if type(answers) is Answers:
            return {"$answers": self.container(answers.values, _Encoder.items)}
        call = self.call(value)
        return {"$repr": value.text if kind is Opaque else safe_repr(value)} if call is None else call

    def call(self, value: Any) -> Any:
        """The value as the call that makes it; None where there is none that can be read again."""
        made = construction_of(value)
        if made is None or not is_known(address_of(made.builder)):
            return None
        args, fields = self.container(made.args, _Encoder.items), self.container(made.fields, _Encoder.dictionary)
        return {"$call": [*address_of(made.builder), args, fields]}

    def container(self, value: Any, encode: Callable[[_Encoder, Any], Any]) -> Any:
        self.values += len(value)
        if id(value) in self.active or len(self.active) >= _DEEPEST or self.values > _MOST_VALUES:
            return {"$repr": f"<{type(value).__name__} of {len(value)} left out>"}
        self.active.add(id(value))
        data = encode(self, value)
        self.active.remove(id(value))
        return data

    def items(self, value: Any) -> list[Any]:
        return [self.encode(item) for item in value]

    def members(self, value: Any) -> list[Any]:
        """The members of a set in an order that hashes do not decide, nor comparisons of the target."""
        kinds = set(map(type, value))
        if len(kinds) == 1 and kinds <= _ORDERED:
            return self.items(sorted(value))
        return sorted(self.items(value), key=repr)

    def dictionary(self, value: dict[Any, Any]) -> Any:
        if all(type(key) is str and _is_unicode(key) and not key.startswith("$") for key in value):
            return {key: self.encode(item) for key, item in value.items()}
        return {"$dict": [[self.encode(key), self.encode(item)] for key, item in value.items()]}


def _encode_int(value: int) -> Any:
    return value if value.bit_length() <= _PRINTABLE_BITS else {"$int": hex(value)}


def _encode_float(value: float) -> Any:
    return value if math.isfinite(value) else {"$float": str(value)}


def _encode_str(value: str) -> Any:
    return value if _is_unicode(value) else {"$str": value.encode("utf-8", "surrogatepass").hex()}


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_SCALARS: dict[type, Callable[[Any], Any]] = {
    int: _encode_int,
    float: _encode_float,
    str: _encode_str,
    bytes: lambda value: {"$bytes": value.hex()},
    bytearray: lambda value: {"$bytearray": value.hex()},
}
_CONTAINERS: dict[type, Callable[[_Encoder, Any], Any]] = {
    list: _Encoder.items,
    tuple: lambda encoder, value: {"$tuple": encoder.items(value)},
    set: lambda encoder, value: {"$set": encoder.members(value)},
    frozenset: lambda encoder, value: {"$frozenset": encoder.members(value)},
    dict: _Encoder.dictionary,
}
_DECODERS: dict[str, Callable[[Any], Any]] = {
    "$tuple": lambda content: tuple(from_json(content)),
    "$set": lambda content: set(from_json(content)),
    "$frozenset": lambda content: frozenset(from_json(content)),
    "$dict": lambda content: {from_json(key): from_json(item) for key, item in content},
    "$bytes": bytes.fromhex,
    "$bytearray": bytearray.fromhex,
    "$float": float,
    "$int": lambda content: int(content, 16),
    "$str": lambda content: bytes.fromhex(content).decode("utf-8", "surrogatepass"),
    "$call": lambda content: _made(*content),
    "$answers": lambda content: Answers(tuple(from_json(content))),
    "$repr": Opaque,
}


def _made(module: str, name: str, args: list[Any], fields: dict[str, Any]) -> Any:
    return rebuilt(module, name, from_json(args), from_json(fields))


class _EndlessError(BaseException):
    """Stops a repr that does not end; no ``except Exception`` of the target swallows it."""


def safe_repr(value: Any, limit: int | None = LONGEST_REPR) -> str:
    """The repr, cut to the limit and valid Unicode, even where it raises or does not end."""
    try:
        text = _stoppable_repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = f"<{_NAME_OF_TYPE(type(value))} whose repr raised {_NAME_OF_TYPE(type(error))}>"
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 1]}…"
    return text.encode("utf-8", "backslashreplace").decode()


def _stoppable_repr(value: Any) -> str:
    """The repr within a number of lines of Python code: counted, not timed, so that every machine agrees."""
    steps = 0

    def watch(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += 1
        if steps > _REPR_STEPS:
            raise _EndlessError
        return watch

    previous = sys.gettrace()
    sys.settrace(watch)
    try:
        return str.__str__(repr(value))
    finally:
        sys.settrace(previous)
