"""Makers of leaf values: what an input specification asks for when it decodes a vector of leaves."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.expr import Leaf
from pessimal.python.counted.truth import CountedBool
from pessimal.python.counted.values import CountedBytes, CountedFloat, CountedInt, CountedStr


class Plain:
    """Makes what the target would get natively."""

    __slots__ = ("leaves",)

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        self.leaves = leaves

    def integer(self, leaf: int) -> int:
        """The int at a leaf."""
        return int(self.leaves[leaf])

    def boolean(self, leaf: int) -> bool:
        """The bool at a leaf."""
        return bool(self.leaves[leaf])

    def floating(self, leaf: int) -> float:
        """The float at a leaf."""
        return float(self.leaves[leaf])

    def text(self, leaves: Sequence[int]) -> str:
        """The text whose code points are at some leaves."""
        return "".join([chr(int(self.leaves[leaf])) for leaf in leaves])

    def data(self, leaves: Sequence[int]) -> bytes:
        """The bytes at some leaves."""
        return bytes([int(self.leaves[leaf]) for leaf in leaves])

    def choose(self, leaf: int) -> int:
        """A choice that shapes the input, such as a length: nothing that the target compares."""
        return int(self.leaves[leaf])


class Counted(Plain):
    """Makes the same values, counted."""

    __slots__ = ()

    def integer(self, leaf: int) -> CountedInt:
        """The int at a leaf."""
        return CountedInt(self.leaves[leaf])

    def boolean(self, leaf: int) -> bool:
        """The bool at a leaf."""
        return CountedBool(self.leaves[leaf] != 0)  # type: ignore[return-value]

    def floating(self, leaf: int) -> CountedFloat:
        """The float at a leaf."""
        return CountedFloat(self.leaves[leaf])

    def text(self, leaves: Sequence[int]) -> CountedStr:
        """The text whose code points are at some leaves."""
        return CountedStr(super().text(leaves))

    def data(self, leaves: Sequence[int]) -> CountedBytes:
        """The bytes at some leaves."""
        return CountedBytes(super().data(leaves))
