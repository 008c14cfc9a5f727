"""How leaves become the values that a target receives: the seam between a specification and a front-end."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, Protocol

from pessimal.expr import Leaf


class Maker(Protocol):
    """Makes values from leaves, which go by their index: plain, symbolic or counted, as the maker likes."""

    def integer(self, leaf: int) -> Any:
        """An integer."""

    def boolean(self, leaf: int) -> Any:
        """A truth value, of which the leaf is 0 or 1."""

    def floating(self, leaf: int) -> Any:
        """A float."""

    def text(self, leaves: Sequence[int]) -> Any:
        """A string, of which every leaf is a code point."""

    def data(self, leaves: Sequence[int]) -> Any:
        """Bytes, of which every leaf is one byte."""

    def choose(self, leaf: int) -> int:
        """Which alternative to take: always a concrete index, because the shape of the input hangs on it."""

    def mapping(self, pairs: Sequence[tuple[Any, Any]]) -> Any:
        """A dict."""

    def members(self, items: Sequence[Any], frozen: bool) -> Any:
        """A set or frozenset."""

    def build(self, builder: Callable[..., Any], args: Sequence[Any], fields: Mapping[str, Any]) -> Any:
        """What a class or function makes of arguments."""

    def function(self, answers: Sequence[Any]) -> Any:
        """A function that takes anything and gives these answers in turn, the last one again and again."""

    def constant(self, value: Any) -> Any:
        """A value that the specification holds itself, in a copy where it can be changed."""


class Native:
    """Makes plain Python values: what replay on the unmodified target receives."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self.leaves = leaves

    def integer(self, leaf: int) -> int:
        """The leaf's value as an int."""
        return int(self.leaves[leaf])

    def boolean(self, leaf: int) -> bool:
        """The leaf's value as a bool."""
        return bool(self.leaves[leaf])

    def floating(self, leaf: int) -> float:
        """The leaf's value as a float."""
        return float(self.leaves[leaf])

    def text(self, leaves: Sequence[int]) -> str:
        """The leaves' values as code points."""
        return "".join([chr(int(self.leaves[leaf])) for leaf in leaves])

    def data(self, leaves: Sequence[int]) -> bytes:
        """The leaves' values as bytes."""
        return bytes(int(self.leaves[leaf]) for leaf in leaves)

    def choose(self, leaf: int) -> int:
        """The leaf's value as an index."""
        return int(self.leaves[leaf])

    def mapping(self, pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
        """A dict of the pairs."""
        return dict(pairs)

    def members(self, items: Sequence[Any], frozen: bool) -> Any:
        """A set or frozenset of the items."""
        return frozenset(items) if frozen else set(items)

    def build(self, builder: Callable[..., Any], args: Sequence[Any], fields: Mapping[str, Any]) -> Any:
        """The result of the call."""
        return builder(*args, **fields)

    def function(self, answers: Sequence[Any]) -> Any:
        """A function with these answers."""
        return answering(answers)

    def constant(self, value: Any) -> Any:
        """A copy of the value."""
        return fresh(value)


GIVES = "__gives__"
"""The attribute of such a function that says what it answers, so that it can be written down."""


def answering(answers: Sequence[Any]) -> Callable[..., Any]:
    """A function that takes anything and gives the answers in turn, the last one again and again."""
    left = chain(answers, repeat(answers[-1]))

    def answer(*args: object, **kwargs: object) -> Any:
        return next(left)

    vars(answer)[GIVES] = Answers(tuple(answers))
    return answer


def fresh(value: Any) -> Any:
    """A copy, so that no run sees what another did to the value; the value itself where it has none."""
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


@dataclass(frozen=True, slots=True, eq=False)
class Construction:
    """A call of a class or function that was not made, kept so that it can be written down."""

    builder: Callable[..., Any]
    args: tuple[Any, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """A function that was not made, with what it will answer."""

    values: tuple[Any, ...]
