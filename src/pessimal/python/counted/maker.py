"""Makes counted values: an input specification uses it to decode leaves for a counted run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pessimal.inputs import Native
from pessimal.python.counted.truth import CountedBool
from pessimal.python.counted.values import CountedFloat, CountedInt, counted
from pessimal.python.counterparts import counterpart


class Counted(Native):
    """Makes the values that the target gets natively, counted; a choice shapes the input and stays plain."""

    def integer(self, leaf: int) -> CountedInt:
        """The leaf's value as an int."""
        return CountedInt(self.leaves[leaf])

    def boolean(self, leaf: int) -> bool:
        """The leaf's value as a bool."""
        return CountedBool(bool(self.leaves[leaf]))  # type: ignore[return-value]

    def floating(self, leaf: int) -> CountedFloat:
        """The leaf's value as a float."""
        return CountedFloat(self.leaves[leaf])

    def text(self, leaves: Sequence[int]) -> str:
        """The leaves' values as code points."""
        return counted(super().text(leaves))  # type: ignore[no-any-return]

    def data(self, leaves: Sequence[int]) -> bytes:
        """The leaves' values as bytes."""
        return counted(super().data(leaves))  # type: ignore[no-any-return]

    def build(self, builder: Callable[..., Any], args: Sequence[Any], fields: Mapping[str, Any]) -> Any:
        """What the class or function of the modules that are counted makes of the arguments."""
        return counterpart(builder)(*args, **fields)

    def constant(self, value: Any) -> Any:
        """A copy of the value, or its counterpart in the modules that are counted."""
        return counterpart(super().constant(value))
