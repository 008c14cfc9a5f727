"""Fold a sequence of events into a nest of loops, and unfold it again.

Events are pushed on a stack of terms. Two neighbouring blocks of equal shape, whose constants differ by a step, suggest
a loop; it is made if the events before or after the two are a third turn. The loop then takes all turns that it
predicts on both sides, however they were folded before, so that turns which are too short to show their own inner loops
still belong. As loops are terms, nests grow to any depth. The pass is greedy, so several are tried and the shortest
description wins.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pessimal.synthesis.terms import Atom, Event, Form, Loop, Term, forms, numbers, reformed, size

Terms = tuple[Term[int], ...]

LONGEST = 12
"""Terms in a block at most."""

HOPELESS = 250
"""If more terms than this are left, other passes will not do better."""


def foldings(events: Sequence[Event]) -> list[Terms]:
    """The different nests that the passes find for the events, lightest first and then in the order of the passes."""
    found: dict[Terms, int] = {}
    for number, way in enumerate(_WAYS):
        terms = _fold(events, way)
        found.setdefault(terms, number)
        if len(terms) > HOPELESS:
            break
    return sorted(found, key=lambda terms: (weight(terms), found[terms]))


def run(terms: Sequence[Term[int]], turns: tuple[int, ...] = ()) -> Iterator[Event]:
    """The events of the terms in given turns of the loops around them."""
    for term in terms:
        if isinstance(term, Atom):
            yield term.symbol, tuple([value(form, turns) for form in term.forms])
        else:
            for turn in range(value(term.trip, turns)):
                yield from run(term.body, (*turns, turn))


def value(form: Form[int], turns: Sequence[int]) -> int:
    """A form's number in given turns of the loops around it."""
    number = form[0]
    for coefficient, turn in zip(form[1:], turns, strict=True):
        number += coefficient * turn
    return number


def weight(terms: Sequence[Term[int]]) -> int:
    """The length of a description: atoms, loops and the numbers that are not zero."""
    return size(terms) + sum(1 for number in numbers(terms) if number)


def reverse(terms: Sequence[Term[int]]) -> Terms:
    """The terms whose events are the same in the opposite order."""
    return _reverse(terms, 0)


def _reverse(terms: Sequence[Term[int]], depth: int) -> Terms:
    return tuple(
        Loop(term.trip, _reverse(_mirror(term, depth), depth + 1)) if isinstance(term, Loop) else term
        for term in reversed(terms)
    )


def _mirror(loop: Loop[int], depth: int) -> Terms:
    """The body of a loop ``depth`` loops deep with its iterator counted from the other end."""

    def change(form: Form[int]) -> Form[int]:
        step, inner = form[depth + 1], form[depth + 2 :]
        shared = [entry + step * trip for entry, trip in zip(form[: depth + 1], loop.trip, strict=True)]
        return (shared[0] - step, *shared[1:], -step, *inner)

    return reformed(loop.body, change)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a pass goes: from which end, and how many turns a loop of nothing but atoms must have."""

    backwards: bool = False
    least: int = 3
    large_first: bool = False


_WAYS = (
    _Way(),
    _Way(backwards=True),
    _Way(least=4),
    _Way(True, 4),
    _Way(large_first=True),
    _Way(True, large_first=True),
)


def _fold(events: Sequence[Event], way: _Way) -> Terms:
    if not way.backwards:
        return _pass(events, way)
    return reverse(_pass(events[::-1], way))


def _pass(events: Sequence[Event], way: _Way) -> Terms:
    return tuple(item.term for item in _Pass(events, way).items())


class _Item(NamedTuple):
    """A term on the stack: its kind (a number for all but its constants), its constants, where its events start."""

    term: Term[int]
    kind: int
    constants: tuple[int, ...]
    start: int


class _Pass:
    """One pass over the events from left to right."""

    def __init__(self, events: Sequence[Event], way: _Way) -> None:
        self.events = list(events)
        self.way = way
        self.stack: list[_Item] = []
        self.end = 0  # of the events that are on the stack
        self.kinds: dict[Hashable, int] = {}

    def items(self) -> list[_Item]:
        """Push and fold all events."""
        while self.end < len(self.events):
            symbol, vector = self.events[self.end]
            kind = self.kinds.setdefault((symbol, len(vector)), len(self.kinds))
            self.stack.append(_Item(Atom(symbol, tuple((number,) for number in vector)), kind, vector, self.end))
            self.end += 1
            while self._reduce():
                pass
        return self.stack

    def _reduce(self) -> bool:
        """Make a loop of the top of the stack, if two blocks there and a third turn beside them are one."""
        lengths = range(1, min(LONGEST, len(self.stack) // 2) + 1)
        return any(map(self._reduce_blocks, reversed(lengths) if self.way.large_first else lengths))

    def _reduce_blocks(self, length: int) -> bool:
        middle, bottom = len(self.stack) - length, len(self.stack) - 2 * length
        if self.stack[bottom].kind != self.stack[middle].kind or not self._third(bottom, middle):
            return False
        first, second = self.stack[bottom:middle], self.stack[middle:]
        if any(a.kind != b.kind for a, b in zip(first, second, strict=True)):
            return False
        body = _body(first, second)
        earlier = self._turns_before(body, first[0].start)
        later = self._turns_after(body)
        trip = 2 + len(earlier) + len(later)
        if trip < (self.way.least if all(isinstance(item.term, Atom) for item in first) else 3):
            return False
        start = earlier[-1] if earlier else first[0].start
        end = later[-1] if later else self.end
        body, trip, start, end = self._rotated(_shift(body, -len(earlier)), trip, start, end)
        self._cut(start)
        self._push(Loop((trip,), body), start)
        self.end = end
        return True

    def _rotated(self, body: Terms, trip: int, start: int, end: int) -> tuple[Terms, int, int, int]:
        """The same loop begun earlier in its turn, if that completes a turn from what stands before and after it."""
        for length in range(1, len(body)):
            head, tail = body[:-length], body[-length:]
            missed = list(run(tail, (-1,)))
            before = start - len(missed)
            after = self._match(head, trip, end)
            if missed and before >= 0 and self.events[before:start] == missed and after >= 0:
                return (*_shift(tail, -1), *head), trip + 1, before, after
        return body, trip, start, end

    def _third(self, bottom: int, middle: int) -> bool:
        """Whether a third turn may stand beside two blocks: a quick look at one event on each side, to save work."""
        stack = self.stack
        return self._goes_on(stack[bottom], stack[middle], self.end) or self._goes_on(
            stack[-1], stack[middle - 1], stack[bottom].start - 1
        )

    def _goes_on(self, far: _Item, near: _Item, position: int) -> bool:
        if not 0 <= position < len(self.events):
            return False
        if isinstance(near.term, Loop):
            return True
        vector = self.events[position][1]
        if len(vector) != len(near.constants) or len(vector) != len(far.constants):
            return False
        for x, y, z in zip(far.constants, near.constants, vector, strict=True):  # noqa: SIM110 - all() takes twice as long
            if z - y != y - x:
                return False
        return True

    def _turns_after(self, body: Terms) -> list[int]:
        """The ends of the turns from the third on that the events after the stack are."""
        ends: list[int] = []
        end = self.end
        while (position := self._match(body, 2 + len(ends), end)) > end:
            ends.append(end := position)
        return ends

    def _match(self, body: Terms, turn: int, position: int) -> int:
        """Where a turn that starts at a position ends; -1 if the events there are others."""
        for event in run(body, (turn,)):
            if position >= len(self.events) or self.events[position] != event:
                return -1
            position += 1
        return position

    def _turns_before(self, body: Terms, end: int) -> list[int]:
        """The starts of the turns which the events before a position are, latest first."""
        starts: list[int] = []
        while turn := list(run(body, (-1 - len(starts),))):
            start = end - len(turn)
            if start < 0 or self.events[start:end] != turn:
                break
            starts.append(end := start)
        return starts

    def _cut(self, start: int) -> None:
        """Take the events from a position on off the stack; what is left of a term cut in two is folded again."""
        end = self.end
        while self.stack and end > start:
            end = self.stack.pop().start
        if end < start:
            rest = _Pass(self.events[end:start], self.way)
            for item in rest.items():
                self._push(item.term, end + item.start)

    def _push(self, term: Term[int], start: int) -> None:
        constants = tuple(form[0] for form in forms((term,)))
        key: Hashable = reformed((term,), lambda form: (0, *form[1:]))
        if isinstance(term, Atom):
            key = term.symbol, len(constants)
        self.stack.append(_Item(term, self.kinds.setdefault(key, len(self.kinds)), constants, start))


def _body(first: Sequence[_Item], second: Sequence[_Item]) -> Terms:
    """The body of the loop whose first two turns are given."""
    constants = (
        (x, y) for a, b in zip(first, second, strict=True) for x, y in zip(a.constants, b.constants, strict=True)
    )
    steps = iter([y - x for x, y in constants])
    return reformed([item.term for item in first], lambda form: (form[0], next(steps), *form[1:]))


def _shift(body: Terms, turns: int) -> Terms:
    """The body of a loop whose iterator starts so many turns later."""
    return reformed(body, lambda form: (form[0] + turns * form[1], *form[1:])) if turns else body
