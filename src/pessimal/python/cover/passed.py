"""What the covered functions were given by other code: the best examples of arguments, and of their types.

A private function is seldom called well by what is drawn from its code alone. But the public functions call it, and
what they pass shows what it expects. Only runs that cover something first are watched, since watching is slow.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from types import CodeType, FrameType
from typing import Any

from pessimal.arguments import argument_of
from pessimal.inputs.looking import quietly
from pessimal.performing import plain_value
from pessimal.python.cover.vocabulary import LONGEST, MOST_BITS
from pessimal.scenario import Plain

MOST_VALUES, MOST_CLASSES, MOST_MEMBERS, MOST_DEPTH = 24, 6, 8, 2
MOST_LOOKS = 30
"""How many calls of one function are looked at in a run: the first ones, since a loop passes much the same again."""
_PLAIN = (type(None), bool, int, float, str, bytes)
_CONTAINERS = (list, tuple, dict, set)


class Seen:
    """The plain values and the classes of objects that one parameter was given."""

    def __init__(self) -> None:
        self.values: list[Plain] = []
        self.classes: list[type] = []

    def add(self, value: Any, rng: Random) -> None:
        """Keep an example, in place of a random one if there are many."""
        kind = type(value)
        if kind in _PLAIN or kind in _CONTAINERS:
            plain = _plain(value)
            if plain is None or plain in self.values:
                return
            if len(self.values) < MOST_VALUES:
                self.values.append(plain)
            else:
                self.values[rng.randrange(MOST_VALUES)] = plain
        elif kind not in self.classes and len(self.classes) < MOST_CLASSES:
            self.classes.append(kind)


class Passed:
    """Examples of arguments by the code of functions and the names of their parameters."""

    def __init__(self, codes: Iterable[CodeType], rng: Random) -> None:
        self._codes = frozenset(codes)
        self._rng = rng
        self._seen: dict[tuple[CodeType, str], Seen] = {}
        self._looks: Counter[CodeType] = Counter()

    def of(self, code: CodeType | None, name: str) -> Seen | None:
        """The examples for one parameter, if there are any."""
        return None if code is None else self._seen.get((code, name))

    def note(self, code: CodeType, name: str, value: Any) -> None:
        """Keep an example for one parameter."""
        self._seen.setdefault((code, name), Seen()).add(value, self._rng)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """A block whose calls of the functions are examples."""
        before = sys.getprofile()
        self._looks.clear()
        sys.setprofile(self._on_event)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _on_event(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code in self._codes and self._looks[code] < MOST_LOOKS:
            self._looks[code] += 1
            given = frame.f_locals
            for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
                if name in given and name != "self":
                    self.note(code, name, given[name])


def _plain(value: Any) -> Plain | None:
    """A short plain value, copied; None if it is something else."""
    if not _is_small(value, MOST_DEPTH):
        return None
    made = quietly(lambda: argument_of(value), None)
    return Plain(plain_value(made)) if isinstance(made, Plain) else None


def _is_small(value: Any, depth: int) -> bool:
    """Whether a value is quick to look at: neither long nor deep."""
    if type(value) in (str, bytes):
        return len(value) <= LONGEST
    if type(value) in _CONTAINERS:
        if depth == 0 or len(value) > MOST_MEMBERS:
            return False
        return all(_is_small(item, depth - 1) for item in (*value, *(value.values() if type(value) is dict else ())))
    return type(value) is not int or value.bit_length() <= MOST_BITS
