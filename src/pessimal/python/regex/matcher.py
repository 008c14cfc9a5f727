"""Finding matches of a pattern in one text: that there is one is decided at once, where it lies only when asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pessimal.expr import Term
from pessimal.python.deciding import decide
from pessimal.python.regex.engine import Engine, State
from pessimal.python.regex.program import Accept, Atomic, Look, Mark, Possessive, Program
from pessimal.python.regex.text import Text

Spans = list[int]
"""The begin and end of the match and then of every group; -1 where a group took no part."""


class Found:
    """A match that is known to exist: its spans are found when they are first asked for."""

    def __init__(self, matcher: Matcher, engine: Engine, starts: range) -> None:
        self._matcher = matcher
        self._engine = engine
        self._starts = starts
        self._result: tuple[Spans, int | None] | None = None

    @property
    def spans(self) -> Spans:
        """Where the match and its groups lie."""
        return self._resolve()[0]

    @property
    def last(self) -> int | None:
        """The group that ended last."""
        return self._resolve()[1]

    def _resolve(self) -> tuple[Spans, int | None]:
        if self._result is None:
            start = self._start()
            way = _Way(self._engine, self._matcher.groups)
            end = way.walk(self._engine.begin(start))
            self._result = [start, end.at, *way.marks], way.last
        return self._result

    def _start(self) -> int:
        possible = []
        for start in self._starts:
            condition = self._engine.exists(self._engine.begin(start))
            if condition is not False:
                possible.append((condition, start))
            if condition is True:
                break
        return next((start for condition, start in possible[:-1] if decide(condition)), possible[-1][1])


class Matcher:
    """A program on one text, which is searched from several positions."""

    def __init__(self, program: Program, pattern: re.Pattern[Any], codes: Sequence[Term]) -> None:
        self.groups = pattern.groups
        self._program = program
        self._text = Text(codes, program.of_bytes, program.tables, program.folds)
        self._engines: dict[tuple[bool, int | None], Engine] = {}

    def __len__(self) -> int:
        return len(self._text)

    def find(self, starts: range, *, full: bool = False, barred: int | None = None) -> Found | None:
        """A match that begins at the first possible start; it may not end at a barred position."""
        engine = self._engines.get((full, barred))
        if engine is None:
            engine = self._engines[full, barred] = Engine(self._program, self._text, full, barred)
        if not decide(engine.any_of([engine.begin(start) for start in starts])):
            return None
        return Found(self, engine, starts)


class _Way:
    """The one way that a match takes through the program, and the groups that it passes."""

    def __init__(self, engine: Engine, groups: int) -> None:
        self._engine = engine
        self.marks = [-1] * (2 * groups)
        self.last: int | None = None

    def walk(self, state: State) -> State:
        """The last state of the way that begins here."""
        while type(state.node) is not Accept:
            state = self._step(state)
        return state

    def _step(self, state: State) -> State:
        node = state.node
        then = self._engine.follow(state)
        if type(node) is Mark:
            self._mark(node.index, state.at)
        elif type(node) is Look and node.marks:
            self.walk(State(node.body, state.at - node.back, (), state.marks))
        elif (type(node) is Atomic or (type(node) is Possessive and then.node is node)) and node.marks:
            self.walk(State(node.body, state.at, (), state.marks))
        return then

    def _mark(self, index: int, at: int) -> None:
        self.marks[index] = at
        if index % 2:
            self.last = index // 2 + 1
