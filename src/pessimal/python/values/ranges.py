"""``range`` with symbolic bounds: whether there is a next number is decided when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pessimal.expr import App, Compare, Term, conjunction
from pessimal.python.deciding import decide
from pessimal.python.values.number import SymInt, operand


class SymRange:
    """A range of which a bound is symbolic; the step is plain."""

    __slots__ = ("_start", "_step", "_stop")

    def __init__(self, start: Term, stop: Term, step: int) -> None:
        self._start = start
        self._stop = stop
        self._step = step

    __class__ = property(lambda self: range)

    @property
    def start(self) -> Any:
        """The first number."""
        return _number(self._start)

    @property
    def stop(self) -> Any:
        """The bound that is not reached."""
        return _number(self._stop)

    @property
    def step(self) -> int:
        """The distance of neighbours."""
        return self._step

    def _term(self, position: int) -> Term:
        if isinstance(self._start, int):
            return self._start + position * self._step
        return (SymInt(self._start) + position * self._step).expr  # type: ignore[no-any-return]

    def _has(self, position: int) -> bool:
        comes = "<" if self._step > 0 else ">"
        term = self._term(position)
        if isinstance(term, int) and isinstance(self._stop, int):
            return term < self._stop if self._step > 0 else term > self._stop
        return decide(Compare(comes, term, self._stop))

    def __iter__(self) -> Iterator[Any]:
        position = 0
        while self._has(position):
            yield _number(self._term(position))
            position += 1

    def __len__(self) -> int:
        position = 0
        while self._has(position):
            position += 1
        return position

    def __bool__(self) -> bool:
        return self._has(0)

    def __reversed__(self) -> Iterator[Any]:
        return (_number(self._term(i)) for i in reversed(range(len(self))))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            plain = range(len(self))[index]
            return SymRange(self._term(plain.start), self._term(plain.stop), self._step * plain.step)
        index = index.concrete("__index__") if type(index) is SymInt else index
        if index >= 0 and self._has(index):
            return _number(self._term(index))
        size = len(self)
        if -size <= index < 0:
            return _number(self._term(size + index))
        raise IndexError("range object index out of range")

    def __contains__(self, item: Any) -> bool:
        term = operand(item)
        if term is None:
            return False
        low, high = (self._start, self._stop) if self._step > 0 else (self._stop, self._start)
        inside = [
            Compare("<=" if self._step > 0 else "<", low, term),
            Compare("<" if self._step > 0 else "<=", term, high),
        ]
        if abs(self._step) != 1:
            gap = App("-", (term, self._start), "int")
            inside.append(Compare("==", App("%", (gap, abs(self._step)), "int"), 0))
        return decide(conjunction(list(inside)))

    def __eq__(self, other: object) -> Any:
        return list(self) == list(other) if isinstance(other, range) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"range({self.start!r}, {self.stop!r}{f', {self._step}' if self._step != 1 else ''})"


def _number(term: Term) -> Any:
    return term if isinstance(term, int) else SymInt(term)
