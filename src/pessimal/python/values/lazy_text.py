"""Text that is built only when it is read: most error messages never are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class LazyText:
    """Stands for text that is not made yet, and behaves like it once it is asked for anything."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make
        self._made: Any = None

    __class__ = property(lambda self: str)

    def made(self) -> Any:
        """The text, plain or symbolic."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def __str__(self) -> str:
        text = self.made()
        return str(text) if isinstance(text, str) and not hasattr(text, "codes") else text.concrete("message")

    def __repr__(self) -> str:
        return repr(str(self))

    def __eq__(self, other: object) -> Any:
        return self.made() == (other.made() if type(other) is LazyText else other)

    def __ne__(self, other: object) -> Any:
        return self.made() != (other.made() if type(other) is LazyText else other)

    def __hash__(self) -> int:
        return hash(self.made())

    def __len__(self) -> int:
        return len(self.made())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.made())

    def __contains__(self, part: Any) -> Any:
        return self.made().__contains__(part)

    def __getitem__(self, index: Any) -> Any:
        return self.made()[index]

    def __add__(self, other: Any) -> Any:
        return self.made() + other

    def __radd__(self, other: Any) -> Any:
        return other + self.made()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.made(), name)
