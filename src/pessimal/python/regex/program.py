"""A pattern as a graph of nodes, each knowing what comes after it, made from the standard library's parse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from pessimal.python.regex.classes import (
    ASCII_LOWER,
    UNICODE_LOWER,
    Ranges,
    accepted,
    compiler,
    parser,
    sre,
    words,
)

LARGE = 12
"""A table of more ranges than this is worth asking first whether the text is ASCII."""


@dataclass(eq=False, slots=True)
class Accept:
    """The end of a pattern; of the whole one or of a part that is matched on its own."""

    whole: bool


@dataclass(eq=False, slots=True)
class Fail:
    """What never matches."""


@dataclass(eq=False, slots=True)
class Character:
    """One character out of some ranges."""

    ranges: Ranges
    after: Node


@dataclass(eq=False, slots=True)
class Mark:
    """The beginning or end of a group; ``slot`` is where matching keeps it, if a later part refers to the group."""

    index: int
    slot: int | None
    after: Node


@dataclass(eq=False, slots=True)
class Branch:
    """Alternatives in order of preference."""

    options: list[Node]


@dataclass(eq=False, slots=True)
class Enter:
    """The beginning of a loop: its count starts at zero."""

    loop: Node


@dataclass(eq=False, slots=True)
class Loop:
    """What is reached before every turn of a loop, whose body leads back here."""

    least: int
    most: int | None
    greedy: bool
    may_be_empty: bool
    after: Node
    body: Node = field(default_factory=Fail)


@dataclass(eq=False, slots=True)
class Possessive:
    """A loop that gives nothing back: every turn is matched on its own."""

    least: int
    most: int | None
    body: Node
    after: Node
    marks: bool


@dataclass(eq=False, slots=True)
class Atomic:
    """A part that is matched on its own, by its first way only."""

    body: Node
    after: Node
    marks: bool


@dataclass(eq=False, slots=True)
class Look:
    """A part that must match, or must not, ahead of or behind the position."""

    body: Node
    back: int
    wanted: bool
    marks: bool
    slots: bool
    after: Node


@dataclass(eq=False, slots=True)
class Anchor:
    """A condition on the position."""

    where: Any
    words: Ranges
    after: Node


@dataclass(eq=False, slots=True)
class Repeat:
    """The text of an earlier group once more; ``fold`` is the rule of case."""

    slot: int
    fold: Callable[[int], int] | None
    after: Node


@dataclass(eq=False, slots=True)
class Condition:
    """One way if a group took part, another if not."""

    slot: int
    yes: Node
    no: Node


Node: TypeAlias = (
    Accept | Fail | Character | Mark | Branch | Enter | Loop | Possessive | Atomic | Look | Anchor | Repeat | Condition
)


@dataclass(frozen=True, slots=True)
class Program:
    """What is known of a pattern before it meets a text.

    ``tables`` counts the ranges of its large tables, ``folds`` says whether it compares letters of any script.
    """

    start: Node
    slots: int
    of_bytes: bool
    tables: int
    folds: bool


@lru_cache(maxsize=512)
def program_of(pattern: re.Pattern[Any]) -> Program:
    """The program of a compiled pattern, which must not depend on the locale."""
    of_bytes = isinstance(pattern.pattern, bytes)
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    maker = _Maker(of_bytes, tree)
    start = maker.sequence(tree, tree.state.flags, Accept(True))
    return Program(start, 2 * len(maker.tracked), of_bytes, sum(map(len, maker.large)), maker.folds)


class _Maker:
    """Turns a parsed pattern into nodes from its end to its beginning."""

    def __init__(self, of_bytes: bool, tree: Any) -> None:
        self.of_bytes = of_bytes
        self.large: set[Ranges] = set()
        self.folds = False
        self.tracked = {group: slot for slot, group in enumerate(sorted(set(_referred(tree))))}
        self._makers: dict[Any, Callable[[Any, int, Node], Node]] = {
            sre.FAILURE: lambda value, flags, after: Fail(),
            sre.BRANCH: self._branch,
            sre.SUBPATTERN: self._group,
            sre.MAX_REPEAT: self._greedy,
            sre.MIN_REPEAT: self._lazy,
            sre.POSSESSIVE_REPEAT: self._possessive,
            sre.ATOMIC_GROUP: self._atomic,
            sre.ASSERT: self._ahead,
            sre.ASSERT_NOT: self._not_ahead,
            sre.AT: self._anchor,
            sre.GROUPREF: self._repeat,
            sre.GROUPREF_EXISTS: self._condition,
        }

    def sequence(self, items: Any, flags: int, after: Node) -> Node:
        """The nodes of a row of items that something follows."""
        for op, value in reversed(list(items)):
            make = self._makers.get(op)
            after = self._character(op, value, flags, after) if make is None else make(value, flags, after)
        return after

    def _character(self, op: Any, value: Any, flags: int, after: Node) -> Node:
        ranges = accepted(op, tuple(value) if op is sre.IN else value, flags, self.of_bytes)
        return Character(self._noted(ranges), after)

    def _noted(self, ranges: Ranges) -> Ranges:
        if len(ranges) > LARGE:
            self.large.add(ranges)
        return ranges

    def _branch(self, value: Any, flags: int, after: Node) -> Node:
        return Branch([self.sequence(option, flags, after) for option in value[1]])

    def _group(self, value: Any, flags: int, after: Node) -> Node:
        group, added, removed, items = value
        inner = compiler._combine_flags(flags, added, removed)
        if group is None:
            return self.sequence(items, inner, after)
        slot = self.tracked.get(group)
        first, last = 2 * (group - 1), 2 * group - 1
        close = Mark(last, None if slot is None else 2 * slot + 1, after)
        return Mark(first, None if slot is None else 2 * slot, self.sequence(items, inner, close))

    def _greedy(self, value: Any, flags: int, after: Node) -> Node:
        return self._loop(value, flags, after, True)

    def _lazy(self, value: Any, flags: int, after: Node) -> Node:
        return self._loop(value, flags, after, False)

    def _loop(self, value: Any, flags: int, after: Node, greedy: bool) -> Node:
        least, most, items = value
        loop = Loop(least, _limit(most), greedy, items.getwidth()[0] == 0, after)
        loop.body = self.sequence(items, flags, loop)
        return Enter(loop)

    def _possessive(self, value: Any, flags: int, after: Node) -> Node:
        least, most, items = value
        body = self.sequence(items, flags, Accept(False))
        return Enter(Possessive(least, _limit(most), body, after, _marks(items)))

    def _atomic(self, value: Any, flags: int, after: Node) -> Node:
        return Atomic(self.sequence(value, flags, Accept(False)), after, _marks(value))

    def _ahead(self, value: Any, flags: int, after: Node) -> Node:
        return self._look(value, flags, after, True)

    def _not_ahead(self, value: Any, flags: int, after: Node) -> Node:
        return self._look(value, flags, after, False)

    def _look(self, value: Any, flags: int, after: Node, wanted: bool) -> Node:
        direction, items = value
        back = items.getwidth()[0] if direction < 0 else 0
        slots = wanted and any(group in self.tracked for group in _groups(items))
        body = self.sequence(items, flags, Accept(False))
        return Look(body, back, wanted, wanted and _marks(items), slots, after)

    def _anchor(self, value: Any, flags: int, after: Node) -> Node:
        if flags & sre.SRE_FLAG_MULTILINE:
            value = sre.AT_MULTILINE.get(value, value)
        if value in (sre.AT_BOUNDARY, sre.AT_NON_BOUNDARY):
            return Anchor(value, self._noted(words(flags, self.of_bytes)), after)
        return Anchor(value, (), after)

    def _repeat(self, group: int, flags: int, after: Node) -> Node:
        fold = None
        if flags & sre.SRE_FLAG_IGNORECASE:
            unicode = flags & sre.SRE_FLAG_UNICODE
            fold = UNICODE_LOWER if unicode else ASCII_LOWER
            self.folds = self.folds or bool(unicode)
        return Repeat(2 * self.tracked[group], fold, after)

    def _condition(self, value: Any, flags: int, after: Node) -> Node:
        group, yes, no = value
        other = self.sequence(no, flags, after) if no else after
        return Condition(2 * self.tracked[group], self.sequence(yes, flags, after), other)


def _limit(most: Any) -> int | None:
    return None if most is sre.MAXREPEAT else int(most)


def _marks(items: Any) -> bool:
    return next(iter(_groups(items)), None) is not None


def _items(tree: Any) -> Iterable[tuple[Any, Any]]:
    """All items of a parsed pattern, at any depth."""
    stack = [tree]
    while stack:
        found = stack.pop()
        if isinstance(found, parser.SubPattern):
            for op, value in found:
                yield op, value
                stack.append(value)
        elif isinstance(found, tuple | list):
            stack.extend(found)


def _groups(tree: Any) -> Iterable[int]:
    return (value[0] for op, value in _items(tree) if op is sre.SUBPATTERN and value[0] is not None)


def _referred(tree: Any) -> Iterable[int]:
    """The groups that a later part of the pattern refers to."""
    for op, value in _items(tree):
        if op is sre.GROUPREF:
            yield value
        elif op is sre.GROUPREF_EXISTS:
            yield value[0]
