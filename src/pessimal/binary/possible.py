"""The values that the bytes of the input can still have on a path, as far as conditions on single bytes tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pessimal.binary.tables import depends_on_byte, truth
from pessimal.expr import Expr, Junction, Not

_ALL = (1 << 256) - 1
_MOST = 200_000
_known: dict[tuple[int, int], tuple[Expr, int | None, int]] = {}


class PossibleValues:
    """Reads the path condition of a run as it grows; conditions on several bytes are left out.

    Real code asks the same of a byte again and again, and tests it before it indexes a table with it. What is known
    from before is not asked anew, and what lies behind the table's end is no outcome. A set of values is a number with
    a bit for each of them.
    """

    def __init__(self, path: Sequence[tuple[Expr, bool]], byte_leaves: int) -> None:
        self._path = path
        self._bytes = byte_leaves
        self._read = 0
        self._sets: dict[int, int] = {}

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


def _as_set(column: Any) -> int:
    whole = np.broadcast_to(np.asarray(column, dtype=bool), 256)
    return int.from_bytes(np.packbits(whole, bitorder="little").tobytes(), "little")
