"""What all symbolic values derive from, whatever class they say that they have."""

from __future__ import annotations

from typing import Any


class SymbolicValue:
    """Tells a symbolic value from a real one; it cannot be changed, so that it is its own copy."""

    __slots__ = ()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__class__, (self.concrete("pickle"),)

    def concrete(self, reason: str) -> Any:
        """Give the value a real one, recorded as a concretisation."""
        raise NotImplementedError(reason)
