"""``range`` with symbolic bounds: whether there is a next number is decided when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pessimal.expr import App, Compare, Term, conjunction
from pessimal.python.deciding import between, decide, number_between
from pessimal.python.symbolic_value import SymbolicValue
from pessimal.python.values.number import SymInt, operand

MAX_STEP = 16
"""Symbolic steps up to this are decided where the bounds do not tell how far a step can matter."""


def step_between(step: Term, start: Term, stop: Term) -> int:
    """A step of ``range``: a symbolic one is decided, where all that leave the range at once are one case."""
    if isinstance(step, int):
        return step
    if isinstance(start, int) and isinstance(stop, int):
        span = max(abs(stop - start), 1)
        return number_between(step, -span, span)
    if decide(between(step, -MAX_STEP, MAX_STEP)):
        return number_between(step, -MAX_STEP, MAX_STEP)
    return int(SymInt(step).concrete("step of range()"))


class SymRange(SymbolicValue):
    """A range of which a bound or the step is symbolic; ``shown_step`` is its ``step``, if not the one taken."""

    __slots__ = ("_shown_step", "_start", "_step", "_stop")

    def __init__(self, start: Term, stop: Term, step: int, shown_step: Term | None = None) -> None:
        self._start = start
        self._stop = stop
        self._step = step
        self._shown_step = step if shown_step is None else shown_step

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
    def step(self) -> Any:
        """The distance of neighbours."""
        return _number(self._shown_step)

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

    def __reduce_ex__(self, protocol: Any) -> Any:
        return range, (self.start, self.stop, self.step)

    def __repr__(self) -> str:
        return f"range({self.start!r}, {self.stop!r}{f', {self.step!r}' if self._step != 1 else ''})"


def _number(term: Term) -> Any:
    return term if isinstance(term, int) else SymInt(term)
