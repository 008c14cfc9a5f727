"""The base of all symbolic values, whatever their ``__class__`` says."""

from __future__ import annotations

from typing import Any


class SymbolicValue:
    """Distinguishes symbolic values from real ones. They are immutable, so each is its own copy."""

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
