"""What a function made of some arguments: a shape, and the numbers in it.

The shape is all that a symbolic run must know of a result before it goes on: the type, how long a text is, or which
exception was raised. The rest is numbers: the result itself, the codes of a text, the parts of a tuple.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

Shape: TypeAlias = tuple[Any, ...]

INT, FLOAT, BOOL, NONE, TEXT, DATA, TUPLE = "int", "float", "bool", "None", "str", "bytes", "tuple"
RAISED, OTHER, SLOW = "raises", "returns", "takes too long"
MAX_PARTS = 256
"""A result with more numbers than this stays concrete."""

_NUMBERS = {int: (INT,), float: (FLOAT,), bool: (BOOL,), type(None): (NONE,)}


class Answer(NamedTuple):
    """The shape of what came of a call, and its numbers."""

    shape: Shape
    parts: tuple[Any, ...] = ()

    @property
    def is_symbolic(self) -> bool:
        """Whether a symbolic value can stand for results like this."""
        return is_symbolic(self.shape)


def is_symbolic(shape: Shape) -> bool:
    """Whether a symbolic value can stand for results of a shape."""
    return shape[0] not in (OTHER, SLOW)


def answer_of(result: Any) -> Answer:
    """A result as its shape and its numbers."""
    parts: list[Any] = []
    shape = _shape(result, parts)
    if shape is None or len(parts) > MAX_PARTS:
        return Answer((OTHER, type(result).__name__))
    return Answer(shape, tuple(parts))


def raised(error: BaseException) -> Answer:
    """What came of a call that raised; the message is not part of it."""
    return Answer((RAISED, type(error).__name__))


def _shape(value: Any, parts: list[Any]) -> Shape | None:
    kind = type(value)
    if kind in _NUMBERS:
        parts += () if value is None else (value,)
        return _NUMBERS[kind]
    if kind is str or kind is bytes:
        parts += map(ord, value) if kind is str else value
        return (TEXT if kind is str else DATA), len(value)
    if kind is not tuple:
        return None
    shapes = [_shape(part, parts) for part in value]
    return None if None in shapes else (TUPLE, *shapes)


def same(first: Answer, second: Answer) -> bool:
    """Whether two answers are equal to the last bit."""
    return first.shape == second.shape and list(map(repr, first.parts)) == list(map(repr, second.parts))


def sorts(shape: Shape) -> Iterator[str]:
    """The sorts of the numbers in a shape, in order."""
    kind = shape[0]
    if kind == TUPLE:
        for inner in shape[1:]:
            yield from sorts(inner)
    elif kind in (TEXT, DATA):
        yield from [INT] * shape[1]
    elif kind in (INT, FLOAT, BOOL):
        yield kind
