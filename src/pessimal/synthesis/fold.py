"""Folds a sequence of events into a nest of loops, and unfolds it again.

Events are pushed onto a stack of terms. Two neighbouring blocks of equal shape, whose constants differ by a step,
suggest a loop; it is made if the events before or after the two blocks are a third iteration. The loop then absorbs all
iterations that it predicts on both sides, however they were folded before, so that iterations which are too short to
show inner loops of their own are included. Loops are terms, too, so nests grow to any depth. A pass is greedy, so
several passes are made, and the nest with the shortest description comes first.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pessimal.synthesis.terms import Atom, Event, Form, Loop, Term, forms, map_forms, numbers, size

Terms = tuple[Term[int], ...]

MAX_BLOCK = 12
"""The largest number of terms in a block."""

MAX_TERMS = 250
"""If a pass leaves more terms than this, other passes will not do better."""


def foldings(events: Sequence[Event]) -> list[Terms]:
    """The distinct nests that the passes find, shortest description first, then in the order of the passes."""
    found: dict[Terms, int] = {}
    for number, options in enumerate(_PASSES):
        terms = _fold(events, options)
        found.setdefault(terms, number)
        if len(terms) > MAX_TERMS:
            break
    return sorted(found, key=lambda terms: (description_length(terms), found[terms]))


def unfold(terms: Sequence[Term[int]], iterations: tuple[int, ...] = ()) -> Iterator[Event]:
    """The events of the terms, in given iterations of the enclosing loops."""
    for term in terms:
        if isinstance(term, Atom):
            yield term.symbol, tuple([value(form, iterations) for form in term.forms])
        else:
            for iteration in range(value(term.trip, iterations)):
                yield from unfold(term.body, (*iterations, iteration))


def value(form: Form[int], iterations: Sequence[int]) -> int:
    """The value of a form in given iterations of the enclosing loops."""
    number = form[0]
    for coefficient, iteration in zip(form[1:], iterations, strict=True):
        number += coefficient * iteration
    return number


def description_length(terms: Sequence[Term[int]]) -> int:
    """The number of atoms, loops and non-zero numbers."""
    return size(terms) + sum(1 for number in numbers(terms) if number)


def reverse(terms: Sequence[Term[int]]) -> Terms:
    """The terms whose events are the same in reverse order."""
    return _reverse(terms, 0)


def _reverse(terms: Sequence[Term[int]], depth: int) -> Terms:
    return tuple(
        Loop(term.trip, _reverse(_mirror(term, depth), depth + 1)) if isinstance(term, Loop) else term
        for term in reversed(terms)
    )


def _mirror(loop: Loop[int], depth: int) -> Terms:
    """The body of a loop that is ``depth`` loops deep, with its iterator counted from the other end."""

    def change(form: Form[int]) -> Form[int]:
        step, inner = form[depth + 1], form[depth + 2 :]
        shared = [entry + step * trip for entry, trip in zip(form[: depth + 1], loop.trip, strict=True)]
        return (shared[0] - step, *shared[1:], -step, *inner)

    return map_forms(loop.body, change)


@dataclass(frozen=True, slots=True)
class _PassOptions:
    """How a pass works.

    It may start from the end, require more iterations of loops that contain only atoms, or try large blocks first.
    """

    is_backwards: bool = False
    min_iterations: int = 3
    is_large_first: bool = False


_PASSES = (
    _PassOptions(),
    _PassOptions(is_backwards=True),
    _PassOptions(min_iterations=4),
    _PassOptions(True, 4),
    _PassOptions(is_large_first=True),
    _PassOptions(True, is_large_first=True),
)


def _fold(events: Sequence[Event], options: _PassOptions) -> Terms:
    if not options.is_backwards:
        return _pass(events, options)
    return reverse(_pass(events[::-1], options))


def _pass(events: Sequence[Event], options: _PassOptions) -> Terms:
    return tuple(item.term for item in _Pass(events, options).items())


class _Item(NamedTuple):
    """A term on the stack: its kind (equal for terms that differ only in constants), its constants, its first event."""

    term: Term[int]
    kind: int
    constants: tuple[int, ...]
    start: int


class _Pass:
    """One pass over the events from left to right."""

    def __init__(self, events: Sequence[Event], options: _PassOptions) -> None:
        self.events = list(events)
        self.options = options
        self.stack: list[_Item] = []
        self.end = 0  # of the events on the stack
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
        """Make a loop at the top of the stack, if two blocks there and a third iteration beside them form one."""
        lengths = range(1, min(MAX_BLOCK, len(self.stack) // 2) + 1)
        return any(map(self._reduce_blocks, reversed(lengths) if self.options.is_large_first else lengths))

    def _reduce_blocks(self, length: int) -> bool:
        middle, bottom = len(self.stack) - length, len(self.stack) - 2 * length
        if self.stack[bottom].kind != self.stack[middle].kind or not self._may_have_third(bottom, middle):
            return False
        first, second = self.stack[bottom:middle], self.stack[middle:]
        if any(a.kind != b.kind for a, b in zip(first, second, strict=True)):
            return False
        body = _body(first, second)
        earlier = self._iterations_before(body, first[0].start)
        later = self._iterations_after(body)
        trip = 2 + len(earlier) + len(later)
        if trip < (self.options.min_iterations if all(isinstance(item.term, Atom) for item in first) else 3):
            return False
        start = earlier[-1] if earlier else first[0].start
        end = later[-1] if later else self.end
        body, trip, start, end = self._rotated(_shift(body, -len(earlier)), trip, start, end)
        self._cut(start)
        self._push(Loop((trip,), body), start)
        self.end = end
        return True

    def _rotated(self, body: Terms, trip: int, start: int, end: int) -> tuple[Terms, int, int, int]:
        """The same loop started earlier in its body, if the events before and after it then make one more iteration."""
        for length in range(1, len(body)):
            head, tail = body[:-length], body[-length:]
            missed = list(unfold(tail, (-1,)))
            before = start - len(missed)
            after = self._match(head, trip, end)
            if missed and before >= 0 and self.events[before:start] == missed and after >= 0:
                return (*_shift(tail, -1), *head), trip + 1, before, after
        return body, trip, start, end

    def _may_have_third(self, bottom: int, middle: int) -> bool:
        """Whether a third iteration may be next to two blocks, judged by one event on each side, to save work."""
        stack = self.stack
        return self._may_continue(stack[bottom], stack[middle], self.end) or self._may_continue(
            stack[-1], stack[middle - 1], stack[bottom].start - 1
        )

    def _may_continue(self, farther: _Item, nearer: _Item, position: int) -> bool:
        if not 0 <= position < len(self.events):
            return False
        if isinstance(nearer.term, Loop):
            return True
        vector = self.events[position][1]
        if len(vector) != len(nearer.constants) or len(vector) != len(farther.constants):
            return False
        for x, y, z in zip(farther.constants, nearer.constants, vector, strict=True):  # noqa: SIM110 - all() takes twice as long
            if z - y != y - x:
                return False
        return True

    def _iterations_after(self, body: Terms) -> list[int]:
        """The ends of further iterations, from the third on, found in the events after the stack."""
        ends: list[int] = []
        end = self.end
        while (position := self._match(body, 2 + len(ends), end)) > end:
            ends.append(end := position)
        return ends

    def _match(self, body: Terms, iteration: int, position: int) -> int:
        """Where an iteration that starts at a position ends; -1 if the events there do not match."""
        for event in unfold(body, (iteration,)):
            if position >= len(self.events) or self.events[position] != event:
                return -1
            position += 1
        return position

    def _iterations_before(self, body: Terms, end: int) -> list[int]:
        """The starts of iterations found in the events before a position, the latest first."""
        starts: list[int] = []
        while iteration := list(unfold(body, (-1 - len(starts),))):
            start = end - len(iteration)
            if start < 0 or self.events[start:end] != iteration:
                break
            starts.append(end := start)
        return starts

    def _cut(self, start: int) -> None:
        """Remove all events from a position on from the stack; what is left of a term cut in two is folded again."""
        end = self.end
        while self.stack and end > start:
            end = self.stack.pop().start
        if end < start:
            rest = _Pass(self.events[end:start], self.options)
            for item in rest.items():
                self._push(item.term, end + item.start)

    def _push(self, term: Term[int], start: int) -> None:
        constants = tuple(form[0] for form in forms((term,)))
        key: Hashable = map_forms((term,), lambda form: (0, *form[1:]))
        if isinstance(term, Atom):
            key = term.symbol, len(constants)
        self.stack.append(_Item(term, self.kinds.setdefault(key, len(self.kinds)), constants, start))


def _body(first: Sequence[_Item], second: Sequence[_Item]) -> Terms:
    """The body of the loop whose first two iterations are given."""
    constants = (
        (x, y) for a, b in zip(first, second, strict=True) for x, y in zip(a.constants, b.constants, strict=True)
    )
    steps = iter([y - x for x, y in constants])
    return map_forms([item.term for item in first], lambda form: (form[0], next(steps), *form[1:]))


def _shift(body: Terms, iterations: int) -> Terms:
    """The body of a loop whose iterator starts so many iterations later."""
    return map_forms(body, lambda form: (form[0] + iterations * form[1], *form[1:])) if iterations else body
