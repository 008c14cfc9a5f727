"""Whether and how a program matches codes from a position on, as conditions.

A state is a node, a position, the counts of the loops around it and the spans of groups that are referred to. Every
state has its alternatives in the order in which a backtracking matcher tries them, each under a condition. Whether a
state leads to a match is their disjunction, found once per state; the way that is taken is the first alternative that
leads to one. So there is no backtracking, and a choice is made only where the ways really part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from typing import Any, NamedTuple, TypeAlias

from pessimal.expr import Expr
from pessimal.python.deciding import decide
from pessimal.python.regex.classes import Ranges, sre
from pessimal.python.regex.formula import Formulas, TooLarge
from pessimal.python.regex.program import (
    Accept,
    Anchor,
    Atomic,
    Branch,
    Character,
    Condition,
    Enter,
    Fail,
    Look,
    Loop,
    Mark,
    Node,
    Possessive,
    Program,
    Repeat,
)
from pessimal.python.regex.text import Text

MAX_STATES = 4000
"""More states than this are not turned into one condition."""

_EMPTY_HAS_NO_BOUNDARY = re.search(r"\B", "") is None
_LINE_FEED: Ranges = ((10, 10),)


class State(NamedTuple):
    """Where a match stands."""

    node: Node
    at: int
    frames: tuple[tuple[int, int | None], ...]
    marks: tuple[int | None, ...]


class Outcomes(NamedTuple):
    """The question where the first way from a state ends, for parts that are matched on their own."""

    state: State


Question: TypeAlias = State | Outcomes
Alternatives: TypeAlias = list[tuple[Expr, State]]
Ends: TypeAlias = dict[tuple[int, tuple[int | None, ...]], Expr]
Steps: TypeAlias = Generator[Question, Any, Alternatives]


class Engine:
    """Answers questions about one program on one text; all answers are kept."""

    def __init__(self, program: Program, text: Text, full: bool, barred: int | None) -> None:
        self._text = text
        self._full = full
        self._barred = barred
        self._answers: dict[Question, Any] = {}
        self._decided = False
        self._formulas = Formulas()
        self._unset: tuple[int | None, ...] = (None,) * program.slots
        self._start = program.start

    def begin(self, at: int) -> State:
        """The state before the first node."""
        return State(self._start, at, (), self._unset)

    def exists(self, state: State) -> Expr:
        """The condition that a state leads to a match."""
        condition: Expr = self._or_decide(lambda: self._answer(state))
        return condition

    def any_of(self, states: list[State]) -> Expr:
        """The condition that one of several states leads to a match."""
        condition: Expr = self._or_decide(lambda: self._any_of(states))
        return condition

    def follow(self, state: State) -> State:
        """The next state of the way that is taken, where it is known that there is one."""
        ways: Alternatives = self._or_decide(lambda: self._ways(state))
        for condition, then in ways[:-1]:
            if decide(condition):
                return then
        return ways[-1][1]

    def _or_decide(self, build: Callable[[], Any]) -> Any:
        """What is built from conditions; where they become too large, the text is decided bit by bit instead."""
        if not self._text.decided:
            try:
                return build()
            except TooLarge:
                self._text.decided = True
        if not self._decided:
            self._decided = True
            self._answers.clear()
        return build()

    def _any_of(self, states: list[State]) -> Expr:
        parts: list[Expr] = []
        for state in states:
            parts.append(self._answer(state))
            if parts[-1] is True:
                return True
        return self._formulas.either(parts)

    def _ways(self, state: State) -> Alternatives:
        """The ways on from a state, each under the condition that it leads to a match, best first."""
        ways: Alternatives = []
        for guard, then in self._drive(self._steps(state)):
            if guard is False:
                continue
            condition = self._formulas.both([guard, self._answer(then)])
            if condition is not False:
                ways.append((condition, then))
            if condition is True:
                break
        return ways

    def _answer(self, question: Question) -> Any:
        known = self._answers.get(question)
        if known is None:
            known = self._drive(self._work(question), question)
        return known

    def _work(self, question: Question) -> Generator[Question, Any, Any]:
        return self._first(question.state) if isinstance(question, Outcomes) else self._reach(question)

    def _drive(self, work: Generator[Question, Any, Any], question: Question | None = None) -> Any:
        """Run questions that ask further ones on a stack of our own: a text is longer than Python's stack is deep."""
        stack: list[tuple[Question | None, Generator[Question, Any, Any]]] = [(question, work)]
        answer: Any = None
        while True:
            asked, work = stack[-1]
            try:
                question = work.send(answer)
            except StopIteration as end:
                answer = end.value
                stack.pop()
                if asked is not None:
                    self._keep(asked, answer)
                if not stack:
                    return answer
                continue
            answer = self._answers.get(question)
            if answer is None:
                stack.append((question, self._work(question)))

    def _keep(self, question: Question, answer: Any) -> None:
        self._answers[question] = answer
        if len(self._answers) > MAX_STATES and not self._text.decided:
            raise TooLarge

    def _reach(self, state: State) -> Generator[Question, Any, Expr]:
        if type(state.node) is Accept:
            return self._accepts(state)
        parts: list[Expr] = []
        for guard, then in (yield from self._steps(state)):
            if guard is False:
                continue
            rest = yield then
            part = self._formulas.both([guard, rest])
            if part is True:
                return True
            parts.append(part)
        return self._formulas.shared(self._formulas.either(parts))

    def _first(self, state: State) -> Generator[Question, Any, Ends]:
        """Where the best way ends, each end under its condition; the conditions exclude each other."""
        ends: Ends = {}
        if type(state.node) is Accept:
            return {(state.at, state.marks): True}
        blocked: Expr = True
        for guard, then in (yield from self._steps(state)):
            if guard is False or blocked is False:
                continue
            found: Ends = yield Outcomes(then)
            reached: list[Expr] = []
            for end, condition in found.items():
                part = self._formulas.both([guard, condition])
                reached.append(part)
                part = self._formulas.both([blocked, part])
                if part is not False:
                    ends[end] = self._formulas.either([ends.get(end, False), part])
            blocked = self._formulas.both([blocked, self._formulas.opposite(self._formulas.either(reached))])
        return {end: self._formulas.shared(condition) for end, condition in ends.items()}

    def _accepts(self, state: State) -> bool:
        node = state.node
        assert isinstance(node, Accept)
        if not node.whole:
            return True
        return state.at != self._barred and (not self._full or state.at == len(self._text))

    def _steps(self, state: State) -> Steps:
        return _STEPS[type(state.node)](self, state.node, state)

    def _fail(self, node: Fail, state: State) -> Steps:
        return []
        yield

    def _character(self, node: Character, state: State) -> Steps:
        guard = state.at < len(self._text) and self._text.lies_in(state.at, node.ranges)
        return [(guard, state._replace(node=node.after, at=state.at + 1))]
        yield

    def _mark(self, node: Mark, state: State) -> Steps:
        marks = state.marks
        if node.slot is not None:
            marks = (*marks[: node.slot], state.at, *marks[node.slot + 1 :])
        return [(True, state._replace(node=node.after, marks=marks))]
        yield

    def _branch(self, node: Branch, state: State) -> Steps:
        return [(True, state._replace(node=option)) for option in node.options]
        yield

    def _enter(self, node: Enter, state: State) -> Steps:
        return [(True, state._replace(node=node.loop, frames=(*state.frames, (0, None))))]
        yield

    def _loop(self, node: Loop, state: State) -> Steps:
        *outer, (count, last) = state.frames
        turns = min(count + 1, node.least) if node.most is None else count + 1
        if count < node.least:
            return [(True, state._replace(node=node.body, frames=(*outer, (turns, last))))]
        leave = state._replace(node=node.after, frames=tuple(outer))
        if last == state.at or (node.most is not None and count >= node.most):
            return [(True, leave)]
        frame = (turns, state.at if node.may_be_empty else None)
        again = state._replace(node=node.body, frames=(*outer, frame))
        return [(True, again), (True, leave)] if node.greedy else [(True, leave), (True, again)]
        yield

    def _possessive(self, node: Possessive, state: State) -> Steps:
        *outer, (count, last) = state.frames
        leave = state._replace(node=node.after, frames=tuple(outer))
        if count >= node.least and (last == state.at or (node.most is not None and count >= node.most)):
            return [(True, leave)]
        turns = min(count + 1, node.least) if node.most is None else count + 1
        frame = (turns, state.at if count >= node.least else None)
        ends: Ends = yield Outcomes(State(node.body, state.at, (), state.marks))
        ways: Alternatives = [
            (condition, State(node, at, (*outer, frame), marks)) for (at, marks), condition in ends.items()
        ]
        if count >= node.least:
            ways.append((self._formulas.opposite(self._formulas.either(list(ends.values()))), leave))
        return ways

    def _atomic(self, node: Atomic, state: State) -> Steps:
        ends: Ends = yield Outcomes(State(node.body, state.at, (), state.marks))
        return [(condition, State(node.after, at, state.frames, marks)) for (at, marks), condition in ends.items()]

    def _look(self, node: Look, state: State) -> Steps:
        after = state._replace(node=node.after)
        if state.at < node.back:
            return [(not node.wanted, after)]
        inner = State(node.body, state.at - node.back, (), state.marks)
        if node.slots:
            ends: Ends = yield Outcomes(inner)
            return [(condition, after._replace(marks=marks)) for (_, marks), condition in ends.items()]
        condition = yield inner
        return [(condition if node.wanted else self._formulas.opposite(condition), after)]

    def _anchor(self, node: Anchor, state: State) -> Steps:
        return [(self._holds(node, state.at), state._replace(node=node.after))]
        yield

    def _repeat(self, node: Repeat, state: State) -> Steps:
        first, last = state.marks[node.slot : node.slot + 2]
        if first is None or last is None or last < first or state.at + last - first > len(self._text):
            return []
        guards = [self._text.same(first + i, state.at + i, node.fold) for i in range(last - first)]
        return [(self._formulas.both(guards), state._replace(node=node.after, at=state.at + last - first))]
        yield

    def _condition(self, node: Condition, state: State) -> Steps:
        first, last = state.marks[node.slot : node.slot + 2]
        is_set = first is not None and last is not None and first <= last
        return [(True, state._replace(node=node.yes if is_set else node.no))]
        yield

    def _holds(self, node: Anchor, at: int) -> Expr:
        """The condition that an anchor makes on a position."""
        text, end, where = self._text, len(self._text), node.where
        if where in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            return at == 0
        if where is sre.AT_BEGINNING_LINE:
            return at == 0 or text.lies_in(at - 1, _LINE_FEED)
        if where is sre.AT_END:
            return at == end or (at == end - 1 and text.lies_in(at, _LINE_FEED))
        if where is sre.AT_END_LINE:
            return at == end or text.lies_in(at, _LINE_FEED)
        if where is sre.AT_END_STRING:
            return at == end
        if end == 0:
            return where is sre.AT_NON_BOUNDARY and not _EMPTY_HAS_NO_BOUNDARY
        before = at > 0 and text.lies_in(at - 1, node.words)
        here = at < end and text.lies_in(at, node.words)
        return (
            self._differ(before, here)
            if where is sre.AT_BOUNDARY
            else self._formulas.opposite(self._differ(before, here))
        )

    def _differ(self, left: Expr, right: Expr) -> Expr:
        join = self._formulas
        one = join.both([left, join.opposite(right)])
        return join.either([one, join.both([join.opposite(left), right])])


_STEPS: dict[type, Callable[..., Steps]] = {
    Fail: Engine._fail,
    Character: Engine._character,
    Mark: Engine._mark,
    Branch: Engine._branch,
    Enter: Engine._enter,
    Loop: Engine._loop,
    Possessive: Engine._possessive,
    Atomic: Engine._atomic,
    Look: Engine._look,
    Anchor: Engine._anchor,
    Repeat: Engine._repeat,
    Condition: Engine._condition,
}
