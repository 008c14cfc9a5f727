"""OrderedDicts with symbolic keys: their order is that of the dict below, which gives its keys without hashing them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from pessimal.python.values.keyed import (
    MISSING,
    PLAIN_OF,
    SYMBOLIC_OF,
    KeyedDict,
    concrete,
    find,
    merged,
    merged_after,
    on_table,
    same_dict,
)


class Ordered(OrderedDict[Any, Any]):
    """An OrderedDict of rewritten code."""

    __class__ = property(lambda self: OrderedDict)
    __or__, __ror__ = merged, merged_after

    def __repr__(self) -> str:
        return repr(OrderedDict([(concrete(key, "repr()"), value) for key, value in self.items()]))


class SymOrdered(KeyedDict, Ordered):
    """An OrderedDict with symbolic keys."""

    @staticmethod
    def before_switch(table: Any) -> None:
        """Bring the dict below into the order of the table."""
        pairs = list(OrderedDict.items(table))
        OrderedDict.clear(table)
        for key, value in pairs:
            OrderedDict.__setitem__(table, key, value)

    def move_to_end(self, key: Any, last: bool = True) -> None:
        """Move the key's entry to an end, also in the dict below."""
        member = find(self, key)
        if member is MISSING:
            raise KeyError(key)
        entry = [pair for pair in dict.items(self) if pair[0] is member]
        others = [pair for pair in dict.items(self) if pair[0] is not member]
        OrderedDict.clear(self)
        for pair in [*others, *entry] if last else [*entry, *others]:
            on_table(OrderedDict.__setitem__, self, *pair)

    def popitem(self, last: bool = True) -> tuple[Any, Any]:
        """The last or first entry, which is removed."""
        if not len(self):
            raise KeyError("dictionary is empty")
        pair = next(reversed(dict.items(self)) if last else iter(dict.items(self)))
        on_table(OrderedDict.__delitem__, self, pair[0])
        return pair

    def __iter__(self) -> Iterator[Any]:
        return dict.__iter__(self)

    def __reversed__(self) -> Iterator[Any]:
        return dict.__reversed__(self)

    def keys(self) -> Any:
        """The keys in order."""
        return dict.keys(self)

    def values(self) -> Any:
        """The values in order."""
        return dict.values(self)

    def items(self) -> Any:
        """The entries in order."""
        return dict.items(self)

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, OrderedDict):
            return same_dict(self, other)
        pairs = list(other.items())
        if len(self) != len(pairs):
            return False
        mine = list(dict.items(self))
        return all(a[0] == b[0] for a, b in zip(mine, pairs, strict=True)) and same_dict(self, other)

    __hash__ = None  # type: ignore[assignment,misc]

    def __ne__(self, other: Any) -> Any:
        answer = self.__eq__(other)
        return answer if answer is NotImplemented else not answer


SYMBOLIC_OF[Ordered] = SymOrdered
PLAIN_OF[SymOrdered] = Ordered
