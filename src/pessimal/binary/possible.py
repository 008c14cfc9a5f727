"""The values that the bytes of the input can still have on a path, as far as conditions on single bytes tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pessimal.binary.tables import depends_on_byte, partial_truth, truth
from pessimal.binary.terms import leaves_of
from pessimal.expr import Expr, Junction, Not

_ALL = (1 << 256) - 1
_PREFERRED = (
    sum(1 << byte for byte in b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    sum(1 << byte for byte in range(0x20, 0x7F)),
    _ALL - 1,
)
_MOST = 200_000
MOST_TRIED = 8
"""So many bytes of a condition are tried before a solver is asked."""
_known: dict[tuple[int, int], tuple[Expr, int | None, int]] = {}
_interned: dict[Any, tuple[Expr, Expr]] = {}
_by_set: dict[tuple[int, int], Expr] = {}


class PossibleValues:
    """Reads the path condition of a run as it grows; conditions on several bytes are left out.

    Real code asks the same of a byte again and again, and tests it before it indexes a table with it. What is known
    from before is not asked anew, and what lies behind the table's end is no outcome. A set of values is a number with
    a bit for each of them.
    """

    def __init__(
        self, path: Sequence[tuple[Expr, bool]], byte_leaves: int, value: Callable[[Any], Any] = lambda term: 0
    ) -> None:
        self._path = path
        self._value = value
        self._bytes = byte_leaves
        self._read = 0
        self._sets: dict[int, int] = {}
        self._joint: list[tuple[Expr, bool, int]] = []  # conditions on several leaves, and which these are

    def canonical(self, condition: Expr) -> Expr:
        """The one object for a condition, so that what is found out about it is found out once.

        Conditions that one byte satisfies with the same values are one.
        """
        key = _key(condition), self._bytes
        found = _interned.get(key)
        if found is None:
            if len(_interned) > _MOST:
                _interned.clear()
                _by_set.clear()
            leaf, holds = self._values(condition)
            same = condition if leaf is None else _by_set.setdefault((leaf, holds), condition)
            found = _interned[key] = (condition, same)  # the condition is kept, so that the ids in the key stay
        return found[1]

    def of(self, leaf: int) -> Any:
        """Which of its 256 values a byte can have, as an array of truth values."""
        content = self._set(leaf).to_bytes(32, "little")
        return np.unpackbits(np.frombuffer(content, dtype=np.uint8), bitorder="little").astype(bool)

    def settled(self, condition: Expr) -> bool | None:
        """What a condition is for all inputs of this path; None if that is not known."""
        leaf, holds = self._values(condition)
        if leaf is None:
            return None
        possible = self._set(leaf)
        if not possible & holds:
            return False
        return None if possible & ~holds else True

    def move(self, condition: Expr, want: bool) -> tuple[int, int] | bool | None:
        """A byte and its new value with which a condition is as wanted; False: there is none, None: it is not known.

        Only one byte is moved, the last one that can be, and all others stay as they are.
        """
        leaf, holds = self._values(condition)
        if leaf is not None:
            left = self._set(leaf) & (holds if want else ~holds)
            return self._moved(leaf, left) if left else False
        leaves, tried = leaves_of(condition) & self._bytes, 0
        while leaves and tried < MOST_TRIED:
            leaf, tried = leaves.bit_length() - 1, tried + 1
            leaves ^= 1 << leaf
            found = self._moved(leaf, self._set(leaf) & self._partly(condition, want, leaf))
            if found is not None:
                return found
        return None

    def _moved(self, leaf: int, values: int) -> tuple[int, int] | None:
        """One of some values of a byte with which all conditions of the path hold; None if there is none."""
        for condition, holds, leaves in self._joint:
            if values and leaves >> leaf & 1:
                values &= self._partly(condition, holds, leaf)
        return (leaf, _plainest(values)) if values else None

    def _partly(self, condition: Expr, want: bool, leaf: int) -> int:
        """The values of a byte with which a condition is as wanted, where other bytes stay; none if it is unknown."""
        holds = partial_truth(condition, leaf, self._value)
        return 0 if holds is None else _as_set(holds if want else ~holds)

    def _set(self, leaf: int) -> int:
        for condition, holds in self._path[self._read :]:
            self._narrow(condition, holds)
        self._read = len(self._path)
        return self._sets.get(leaf, _ALL)

    def _narrow(self, condition: Expr, holds: bool) -> None:
        if type(condition) is Not:
            self._narrow(condition.part, not holds)
        elif type(condition) is Junction and (condition.op == "and") == holds:
            for part in condition.parts:
                self._narrow(part, holds)
        else:
            leaf, values = self._values(condition)
            if leaf is not None:
                self._sets[leaf] = self._sets.get(leaf, _ALL) & (values if holds else ~values)
            else:
                self._joint.append((condition, holds, leaves_of(condition)))

    def _values(self, condition: Expr) -> tuple[int | None, int]:
        """The one byte that a condition is on, and the set of its values with which it holds."""
        key = id(condition), self._bytes
        found = _known.get(key)
        if found is None:
            if len(_known) > _MOST:
                _known.clear()
            leaf = depends_on_byte(condition, self._bytes)
            column = None if leaf is None else truth(condition)
            found = (condition, None, 0) if column is None else (condition, leaf, _as_set(column))
            _known[key] = found  # the condition is kept, so that its id stays its own
        return found[1], found[2]


def _plainest(values: int) -> int:
    """The smallest of some bytes that people write: letters and digits before other signs, and zero last."""
    for preferred in _PREFERRED:
        found = values & preferred
        if found:
            return (found & -found).bit_length() - 1
    return 0


def _key(condition: Expr) -> Any:
    """What a condition is made of: comparisons are made once, what joins them is not."""
    if type(condition) is Not:
        return "not", _key(condition.part)
    if type(condition) is Junction:
        return condition.op, *map(_key, condition.parts)
    return id(condition)


def _as_set(column: Any) -> int:
    whole = np.broadcast_to(np.asarray(column, dtype=bool), 256)
    return int.from_bytes(np.packbits(whole, bitorder="little").tobytes(), "little")
