"""The domain of one leaf: which values it may take, where search starts, what a random draw looks like."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, replace
from math import inf, isfinite, nan
from typing import Literal

from pessimal.errors import InputError
from pessimal.expr import Leaf

Kind = Literal["int", "bool", "float", "char", "byte", "choice"]
Window = tuple[int, int]

LAST_CHARACTER = 0x10FFFF
_LARGEST = sys.float_info.max
_DEFAULTS: dict[Kind, tuple[int | None, int | None, int]] = {
    "int": (None, None, 0),
    "bool": (0, 1, 0),
    "float": (None, None, 0),
    "char": (0, LAST_CHARACTER, ord("a")),
    "byte": (0, 255, 0),
    "choice": (0, 0, 0),
}
# Small magnitudes are repeated because ties and near misses, not size, decide most comparisons.
MAGNITUDES = (2, 8, 8, 100, 100, 1000, 2**31, 2**64)
_LETTERS: Window = (ord("a"), ord("z"))
_CHARACTERS: tuple[Window, ...] = (_LETTERS, _LETTERS, _LETTERS, (ord(" "), ord("~")), (0, LAST_CHARACTER))
_SMALL = 256
_SPECIAL = (inf, -inf, nan, -0.0, 5e-324, -5e-324, sys.float_info.min / 2, sys.float_info.max, -sys.float_info.max)
_SPECIAL_SHARE = 0.15


@dataclass(frozen=True, slots=True)
class Domain:
    """The values of one leaf, both bounds inclusive and ``None`` where there is none; floats are finite.

    A ``special`` domain contains infinities and NaN as well, if it has no bounds, and draws them now and then.
    """

    kind: Kind
    low: Leaf | None
    high: Leaf | None
    initial: Leaf
    name: str
    special: bool = False

    @classmethod
    def of(
        cls,
        kind: Kind,
        name: str = "",
        low: Leaf | None = None,
        high: Leaf | None = None,
        start: int | None = None,
        special: bool = False,
    ) -> Domain:
        """The domain of a kind, with the kind's own bounds and start where none are given."""
        default_low, default_high, default_start = _DEFAULTS[kind]
        start = default_start if start is None else start
        low = default_low if low is None else low
        high = default_high if high is None else high
        if low is not None and high is not None and low > high:
            raise InputError(f"the range {low}..{high} of {name or kind} is empty: put the smaller bound first")
        if kind == "float":
            return cls(kind, low, high, cls(kind, low, high, start, name).clip(start), name, special)
        # The same as clip, without an object in between: large inputs have a million leaves.
        initial: Leaf = start if low is None or start >= low else low
        return cls(kind, low, high, initial if high is None or initial <= high else high, name)

    def __contains__(self, value: object) -> bool:
        wanted = float if self.kind == "float" else int
        return isinstance(value, wanted) and (self.clip(value) == value or self._is_special(value))

    def _is_special(self, value: Leaf) -> bool:
        """Whether an infinity or NaN belongs to the domain."""
        return self.special and self.low is None and self.high is None and _is_infinite(value)

    def finite(self, value: Leaf) -> Leaf:
        """The value, or the start where it is an infinity or NaN, with which nothing can be solved."""
        return self.initial if self.special and _is_infinite(value) else value

    def without_negative(self) -> Domain:
        """The part of the domain from 0 on, or the domain itself where that has no negative numbers or no others."""
        has_both = (self.low is None or self.low < 0) and (self.high is None or self.high > 0)
        if self.kind not in ("int", "float") or not has_both:
            return self
        zero: Leaf = 0.0 if self.kind == "float" else 0
        return replace(self, low=zero, initial=max(zero, self.initial))

    def clip(self, value: Leaf) -> Leaf:
        """The nearest value of the domain, so that a step of local search never leaves it."""
        if self.kind == "float":
            return self._clip_float(value)
        if _is_infinite(value):
            return self.initial
        value = int(value)
        if self.low is not None and value < self.low:
            return self.low
        return self.high if self.high is not None and value > self.high else value

    def _clip_float(self, value: Leaf) -> float:
        if self.special and self._is_special(value):
            return float(value)
        if value != value:  # an int may be too large for math.isnan
            return float(self.initial)
        low = -_LARGEST if self.low is None else self.low
        high = _LARGEST if self.high is None else self.high
        return float(min(max(value, low), high))

    def spread(self, ordinal: int) -> tuple[Domain, int]:
        """The domain started at its ``ordinal``-th value, and what is left of the ordinal if values run out.

        Dicts and sets start with distinct members this way: the rest carries over to the member's next leaf.
        """
        if ordinal == 0:
            return self, 0
        if self.low is not None and self.low == self.high:
            return self, ordinal
        if self.kind == "float":
            return replace(self, initial=self._nth_float(ordinal)), 0
        value, rest = self._nth_integer(ordinal)
        return replace(self, initial=value), rest

    def _nth_integer(self, ordinal: int) -> tuple[int, int]:
        start = int(self.initial)
        if self.high is None:
            return start + ordinal, 0
        if self.low is None:
            return start - ordinal, 0
        low, width = int(self.low), int(self.high) - int(self.low) + 1
        return low + (start - low + ordinal) % width, ordinal // width

    def _nth_float(self, ordinal: int) -> float:
        start = float(self.initial)
        upward = self.high is None or start < self.high
        limit = self.high if upward else self.low
        if limit is not None:
            return self._clip_float(start + (limit - start) * ordinal / (ordinal + 1))
        step = ordinal * max(1.0, abs(start))
        return self._clip_float(start + step if upward else start - step)

    def sample(self, rng: random.Random, magnitude: int | None = None) -> Leaf:
        """A random value that is useful for search: small and colliding mostly, extreme sometimes.

        With a ``magnitude``, numbers are not further than that from where the search starts.
        """
        if self.kind == "float":
            return self._sample_float(rng, magnitude)
        if self.low is not None and self.high is not None and self.high - self.low < _SMALL:
            return rng.randint(int(self.low), int(self.high))
        return rng.randint(*self._within(self._window(rng, magnitude)))

    def _window(self, rng: random.Random, magnitude: int | None) -> Window:
        if self.kind == "char":
            return rng.choice(_CHARACTERS)
        magnitude, centre = magnitude or rng.choice(MAGNITUDES), int(self.initial)
        return centre - magnitude, centre + magnitude

    def _within(self, window: Window) -> Window:
        """The part of a window that lies in the domain; the start alone when they do not meet."""
        low = window[0] if self.low is None else max(window[0], int(self.low))
        high = window[1] if self.high is None else min(window[1], int(self.high))
        return (low, high) if low <= high else (int(self.initial), int(self.initial))

    def _sample_float(self, rng: random.Random, magnitude: int | None) -> float:
        if self.special and rng.random() < _SPECIAL_SHARE:
            return self._clip_float(rng.choice(_SPECIAL))
        centre, width = float(self.initial), float(magnitude or rng.choice(MAGNITUDES))
        low, high = self._clip_float(centre - width), self._clip_float(centre + width)
        value = rng.uniform(low, high)
        return self._clip_float(round(value) if rng.random() < 0.3 else value)


def _is_infinite(value: Leaf) -> bool:
    """Whether a float is an infinity or NaN; an int may be too large for math.isfinite."""
    return isinstance(value, float) and not isfinite(value)
