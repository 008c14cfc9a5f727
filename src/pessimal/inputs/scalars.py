"""Specifications of values without parts: numbers, text, bytes, constants and choices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from pessimal.errors import InputError
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.inputs.extent import SIZE_NAME, Extent, check, check_length
from pessimal.inputs.spec import Allocator, Decoder, Spec

UNBOUNDED = (-math.inf, math.inf)
"""The bounds of a number for which no range may be assumed."""


def _range_text(low: object, high: object) -> str:
    if low is None and high is None:
        return ""
    if (low, high) == UNBOUNDED:
        return ":.."
    return f":{'' if low is None else low}..{'' if high is None else high}"


def _given(low: Extent | float | None, high: Extent | float | None) -> tuple[Any, ...]:
    """The bounds that must be valid."""
    return () if (low, high) == UNBOUNDED else (low, high)


@dataclass(frozen=True, slots=True)
class Int(Spec):
    """An int in an inclusive range, unbounded where a bound is None; a bound may depend on N.

    If both are None, no range is given, and a search may assume one, but not for ``Int(-inf, inf)``. A search starts
    at ``start``, if that lies in the range.
    """

    low: Extent | float | None = None
    high: Extent | float | None = None
    start: int = 0

    def __post_init__(self) -> None:
        for bound in _given(self.low, self.high):
            if bound is not None:
                check(bound)

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf of kind int."""
        low, high = allocator.bound(self.low), allocator.bound(self.high)
        leaf = allocator.leaf("int", name, low, high, start=self.start)
        return lambda maker: maker.integer(leaf)

    def __str__(self) -> str:
        return f"int{_range_text(self.low, self.high)}"


@dataclass(frozen=True, slots=True)
class Bool(Spec):
    """False or True."""

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf of kind bool."""
        leaf = allocator.leaf("bool", name)
        return lambda maker: maker.boolean(leaf)

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class Float(Spec):
    """A float in an inclusive range, unbounded where a bound is None; a bound may depend on N.

    If both are None, no range is given, and a search may assume one, but not for ``Float(-inf, inf)``. It is finite,
    unless it is ``special``: then random draws give infinities, NaN, negative zero and the tiniest numbers, too.
    """

    low: float | str | None = None
    high: float | str | None = None
    special: bool = False

    def __post_init__(self) -> None:
        for bound in _given(self.low, self.high):
            if isinstance(bound, str):
                check(bound)
            elif bound is not None and not _is_finite_number(bound):
                raise InputError(f"{bound!r} cannot bound a float: give a finite number, or None for no bound")

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf of kind float."""
        low, high = allocator.bound(self.low), allocator.bound(self.high)
        leaf = allocator.leaf("float", name, low, high, special=self.special)
        return lambda maker: maker.floating(leaf)

    def __str__(self) -> str:
        return f"float{_range_text(self.low, self.high)}"


def _is_finite_number(value: object) -> bool:
    try:
        return isinstance(value, int | float) and math.isfinite(value)
    except OverflowError:
        return False


@dataclass(frozen=True, slots=True)
class Str(Spec):
    """A string whose characters lie in a range of code points or in an alphabet.

    An alphabet without gaps is the same as its range. One with gaps is chosen from character by character,
    which leaves a solver less to reason about than a range does.
    """

    length: Extent = SIZE_NAME
    low: int | str = 0
    high: int | str = LAST_CHARACTER
    alphabet: str | None = None

    def __post_init__(self) -> None:
        check_length(self.length)
        if self.alphabet is None:
            bounds = _code_point(self.low), _code_point(self.high)
        else:
            bounds = self._settle_alphabet(self.alphabet)
        if bounds[0] > bounds[1]:
            raise InputError(f"no character lies in {_characters(*bounds)}: put the smaller bound first")
        object.__setattr__(self, "low", bounds[0])
        object.__setattr__(self, "high", bounds[1])

    def _settle_alphabet(self, alphabet: str) -> tuple[int, int]:
        letters = sorted(set(alphabet))
        if not letters:
            raise InputError("an alphabet needs at least one character: give for example 'abc'")
        low, high = ord(letters[0]), ord(letters[-1])
        has_gaps = len(letters) <= high - low
        object.__setattr__(self, "alphabet", "".join(letters) if has_gaps else None)
        return low, high

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf a character: a code point, or an index into an alphabet with gaps."""
        alphabet, length = self.alphabet, allocator.length(self.length, name)
        low, high = (int(self.low), int(self.high)) if alphabet is None else (0, len(alphabet) - 1)
        start = len(allocator.domains)
        for position in range(length.most):
            allocator.leaf("char" if alphabet is None else "choice", f"{name}[{position}]", low, high)
        leaves = range(start, len(allocator.domains))
        if alphabet is None:
            return lambda maker: maker.text(leaves[: length.of(maker)])
        return lambda maker: "".join(alphabet[maker.choose(leaf)] for leaf in leaves[: length.of(maker)])

    def __str__(self) -> str:
        if self.alphabet is not None:
            return f"str:{self.length}:{self.alphabet!r}"
        if (self.low, self.high) == (0, LAST_CHARACTER):
            return f"str:{self.length}"
        return f"str:{self.length}:{_characters(int(self.low), int(self.high))}"


def _code_point(bound: int | str) -> int:
    if isinstance(bound, str) and len(bound) == 1:
        return ord(bound)
    if isinstance(bound, int) and 0 <= bound <= LAST_CHARACTER:
        return bound
    raise InputError(f"{bound!r} is not a character: give one such as 'a', or a code point up to {LAST_CHARACTER}")


def _characters(low: int, high: int) -> str:
    return "..".join(chr(code) if chr(code).isalnum() else repr(chr(code)) for code in (low, high))


@dataclass(frozen=True, slots=True)
class Bytes(Spec):
    """A byte string of a length."""

    length: Extent = SIZE_NAME

    def __post_init__(self) -> None:
        check_length(self.length)

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf of kind byte for each byte."""
        length = allocator.length(self.length, name)
        leaves = tuple(allocator.leaf("byte", f"{name}[{position}]") for position in range(length.most))
        return lambda maker: maker.data(leaves[: length.of(maker)])

    def __str__(self) -> str:
        return f"bytes:{self.length}"


@dataclass(frozen=True, slots=True)
class Const(Spec):
    """One value; a target that changes it does not change it for the next run, unless it cannot be copied."""

    value: Any

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """No leaf at all."""
        return lambda maker: maker.constant(self.value)

    @property
    def hashable(self) -> bool:
        """Whether the value is."""
        return _can_be_hashed(self.value)

    def __str__(self) -> str:
        return "None" if self.value is None else f"const:{self.value!r}"


@dataclass(frozen=True, slots=True)
class Choice(Spec):
    """One of several values, as ``Literal`` and enums say."""

    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        if not self.values:
            raise InputError("a choice needs at least one value: write for example choice:1,2,'x'")

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """One leaf that selects the value."""
        leaf = allocator.leaf("choice", name, 0, len(self.values) - 1)
        return lambda maker: maker.constant(self.values[maker.choose(leaf)])

    @property
    def hashable(self) -> bool:
        """Whether all values are."""
        return all(map(_can_be_hashed, self.values))

    def __str__(self) -> str:
        return f"choice[{','.join(repr(value) for value in self.values)}]"


def _can_be_hashed(value: object) -> bool:
    try:
        hash(value)
    except Exception:
        return False
    return True
