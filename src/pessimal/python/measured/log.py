"""The log of a measured run: each test with its outcome and how far it was from the other one."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pessimal.python.measured.distances import (
    of_comparison,
    of_look_up,
    of_method,
    of_nothing_found,
    of_number_text,
    of_truth,
)
from pessimal.trace import Site, Trace

MOST_AT_A_SITE = 32
"""A site is noted so many times in a run; of all further times only the nearest to each outcome."""

_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not,
    "in": lambda one, other: one in other, "not in": lambda one, other: one not in other,
}  # fmt: skip
_DIVIDED: dict[str, Callable[[Any, Any], Any]] = {
    "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
}  # fmt: skip
_IDENTITIES = ("is", "is not")
_MATCHED = frozenset((int, str, float, bytes, bool))
Case = tuple[int, Sequence[Any]]


class DistanceLog:
    """What the code of measured functions calls; every method returns the value of what it stands for."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.is_active = False
        self._events: list[tuple[int, bool, float]] = []
        self._times: dict[int, int] = {}
        self._nearest: dict[tuple[int, bool], int] = {}
        self._last: tuple[bool, float] | None = None
        self._to_something = 1.0
        """How far the last look-up or match that gave None was from giving something else."""

    def begin(self) -> None:
        """Forget the last run, and note from now on."""
        self._events, self._last, self.is_active, self._to_something = [], None, True, 1.0
        self._times.clear()
        self._nearest.clear()

    def end(self) -> None:
        """Note nothing more: what a run has left behind may go on."""
        self.is_active = False

    def fill(self, trace: Trace) -> None:
        """Give a trace the tests of the run as its branches."""
        events = self._events
        trace.sites = [self.sites[number] for number, _, _ in events]
        trace.decisions = bytearray(truth for _, truth, _ in events)
        trace.measured = [(other, 0.0) if truth else (0.0, other) for _, truth, other in events]
        trace.conditions, trace.others = [None] * len(events), bytearray(len(events))
        trace.depths = [0] * len(events)

    def _note(self, number: int, truth: bool, other: float) -> None:
        self._last = truth, other
        if not self.is_active:
            return
        times = self._times[number] = self._times.get(number, 0) + 1
        if times <= MOST_AT_A_SITE:
            self._events.append((number, truth, other))
            return
        at = self._nearest.setdefault((number, truth), len(self._events))
        if at == len(self._events):
            self._events.append((number, truth, other))
        elif other < self._events[at][2]:
            self._events[at] = number, truth, other

    def compare(self, number: int, symbol: str, left: Any, right: Any) -> Any:
        """A comparison; one that is no yes or no, as of arrays, is not noted."""
        result = _COMPARED[symbol](left, right)
        if type(result) is bool:
            is_nothing = symbol in _IDENTITIES and left is None and right is None
            other = self._to_something if is_nothing else of_comparison(symbol, left, right, result)
            self._note(number, result, other)
        return result

    def truth(self, number: int, value: Any) -> Any:
        """A value that is tested as it is."""
        truth = bool(value)
        self._note(number, truth, self._to_something if value is None else of_truth(value, truth))
        return value

    def found(self, name: str, owner: Any, *arguments: Any) -> Any:
        """A look-up or a match that may give None, which is tested later."""
        result = getattr(owner, name)(*arguments)
        if result is None and self.is_active:
            self._to_something = of_nothing_found(name, owner, arguments)
        return result

    def method(self, number: int, name: str, receiver: Any, *arguments: Any) -> Any:
        """A method of text that says yes or no."""
        result = getattr(receiver, name)(*arguments)
        if type(result) is bool:
            self._note(number, result, of_method(name, receiver, arguments, result))
        return result

    def mark(self) -> None:
        """A call is about to be made whose result is tested."""
        self._last = None

    def called(self, number: int, _: None, value: Any) -> Any:
        """The result of a call: as far from the other one as the last test inside, if that came out the same."""
        last, truth = self._last, bool(value)
        is_last = type(value) is bool and last is not None and last[0] is truth
        other = self._to_something if value is None else of_truth(value, truth)
        self._note(number, truth, last[1] if is_last and last is not None else other)
        return value

    def each(self, number: int, items: Iterable[Any]) -> Iterator[Any]:
        """The items of a loop: each time whether there is another one."""
        left = len(items) if isinstance(items, list | tuple | str | bytes | dict | set | range) else None
        for item in items:
            self._note(number, True, float(left or 1))
            left = None if left is None else max(left - 1, 1)
            yield item
        self._note(number, False, 1.0)

    def match(self, subject: Any, cases: Sequence[Case]) -> Any:
        """The literals that a subject is compared with, until one is equal."""
        for number, values in cases if type(subject) in _MATCHED else ():
            truth = any(subject == value for value in values)
            nearest = min(of_comparison("==", subject, value, False) for value in values)
            self._note(number, truth, 1.0 if truth else nearest)
            if truth:
                break
        return subject

    def look_up(self, number: int, owner: Any, key: Any) -> Any:
        """A look-up that may fail."""
        try:
            found = owner[key]
        except LookupError:
            self._note(number, False, of_look_up(owner, key, succeeded=False))
            raise
        self._note(number, True, of_look_up(owner, key, succeeded=True))
        return found

    def divide(self, number: int, symbol: str, left: Any, right: Any) -> Any:
        """A division that may fail."""
        try:
            result = _DIVIDED[symbol](left, right)
        except ZeroDivisionError:
            self._note(number, False, 1.0)
            raise
        self._note(number, True, of_truth(right, truth=True))
        return result

    def number(self, number: int, make: Callable[[Any], Any], value: Any) -> Any:
        """A number made of a value, which may be none."""
        try:
            result = make(value)
        except ValueError:
            self._note(number, False, of_number_text(value, succeeded=False))
            raise
        self._note(number, True, of_number_text(value, succeeded=True))
        return result
