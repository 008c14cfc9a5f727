"""What every specification of an input can do, and the allocator that lays leaves out in one flat vector."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple

from pessimal.errors import InputError
from pessimal.expr import Leaf
from pessimal.inputs.domain import Domain, Kind
from pessimal.inputs.extent import Extent, mentions_size, resolve
from pessimal.inputs.maker import Maker

Decoder = Callable[[Maker], Any]

MOST_ELEMENTS = 2_000_000
"""More elements than this in one input are taken for a typing mistake."""


class Length(NamedTuple):
    """How many elements are laid out, and the leaf that holds how many of them are used; None if always all."""

    most: int
    leaf: int | None = None

    def of(self, maker: Maker) -> int:
        """How many elements a value has."""
        return self.most if self.leaf is None else maker.choose(self.leaf)


class Spec(ABC):
    """A set of values; ``str()`` writes it in the grammar of ``--input`` wherever that grammar can say it."""

    __slots__ = ()

    @abstractmethod
    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """Reserve the leaves of one value and return how to make the value from them."""

    @property
    def hashable(self) -> bool:
        """Whether the values may be members of a set or keys of a dict."""
        return True


class Allocator:
    """Hands out leaves in order, and knows the size that lengths and bounds are expressed in."""

    def __init__(self, size: int, growing: bool = False) -> None:
        self.size = size
        self.growing = growing
        self.domains: list[Domain] = []
        self.uses_size = False
        self._ordinal = 0
        self._elements = 0

    def leaf(
        self,
        kind: Kind,
        name: str,
        low: Leaf | None = None,
        high: Leaf | None = None,
        *,
        start: int | None = None,
        special: bool = False,
    ) -> int:
        """The index of a new leaf."""
        domain, self._ordinal = Domain.of(kind, name, low, high, start, special).spread(self._ordinal)
        self.domains.append(domain)
        return len(self.domains) - 1

    def resolve(self, extent: Extent) -> int:
        """The value of a bound at this size."""
        self.uses_size = self.uses_size or mentions_size(extent)
        return resolve(extent, self.size)

    def bound(self, bound: Extent | float | None) -> Leaf | None:
        """The bound of a number at this size; None where there is none."""
        if isinstance(bound, float):
            return bound if isfinite(bound) else None
        return None if bound is None else self.resolve(bound)

    def length(self, extent: Extent, name: str, least: int = 0) -> Length:
        """The length at this size: never negative, and within reason; of a growing input, any from ``least`` on."""
        count = self.resolve(extent)
        if count < 0:
            raise InputError(f"the length {extent} of {name} is {count} at size {self.size}: choose a larger size")
        self._elements += count
        if self._elements > MOST_ELEMENTS:
            raise InputError(
                f"the input has more than {MOST_ELEMENTS} elements at size {self.size}, "
                f"counted up to {name}: choose a smaller size"
            )
        varies = self.growing and mentions_size(extent)
        return Length(count, self.leaf("choice", f"len({name})", min(least, count), count) if varies else None)

    @contextmanager
    def distinct(self, position: int, count: int) -> Iterator[None]:
        """Start the leaves allocated inside at values that differ between all positions of the count."""
        outer = self._ordinal
        self._ordinal = outer * count + position
        yield
        self._ordinal = outer
