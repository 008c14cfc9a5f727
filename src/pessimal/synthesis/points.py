"""Constraint generator points: the places that a path condition comes from, and its numbers.

A trace is read as a sequence of events. Every branch, every part of a precondition and every new term is an event. Its
point says where it comes from and what it looks like without its numbers; its vector holds the numbers. Terms are in
dynamic single assignment form: a term is defined once, from variables, constants and earlier terms, and from then on it
is referred to by number. So an event has as many numbers after a thousand additions as after one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, NamedTuple, TypeAlias, cast

from pessimal.expr import App, Compare, Expr, Junction, Not, Offset, Var
from pessimal.expr.node import bottom_up, children
from pessimal.synthesis.terms import Event, NoModel
from pessimal.trace import Site, Trace

BRANCH, CHOICE, REQUIRE, LET = "branch", "choice", "require", "let"
"""The kinds of points; the last one defines a term and is not a condition."""

VARIABLE, SHIFTED, NUMBER, FLOAT, TERM = "x", "x+k", "k", "f", "t"
"""The leaves of a shape: variable, variable plus constant, constant, float variable, number of a term."""

WIDTH = {VARIABLE: 1, SHIFTED: 2, NUMBER: 1, FLOAT: 1, TERM: 1}
"""How many numbers each leaf of a shape has."""

LARGEST = 1 << 62
"""An integer beyond this is part of the shape, because it does not fit into the arrays."""

CONDITIONS = frozenset((Compare, Junction, Not))

Shape: TypeAlias = Any
"""A leaf, a :class:`Constant`, or a tuple of an operation and the shapes of its operands."""


class Point(NamedTuple):
    """Where a part of a path condition comes from, the outcome taken, and its shape."""

    kind: str
    place: str
    taken: int
    shape: Shape


class Constant(NamedTuple):
    """A part of a shape that is always the same, such as a float."""

    value: Any


def read(trace: Trace, *, absolute: bool = False, keep: Callable[[Site], bool] | None = None) -> list[Event]:
    """The events of a trace in order, of all sites or of those that ``keep`` selects.

    Terms are referred to by how many terms ago they were defined or, if ``absolute``, by their number. NoModel is
    raised if a trace has numbers that do not fit into arrays.
    """
    return list(_Reader(absolute).read(trace, keep))


class _Reader:
    """Numbers the terms of one trace as they appear."""

    def __init__(self, absolute: bool) -> None:
        self._is_absolute = absolute
        self._term_numbers: dict[int, int] = {}
        self._known_terms: dict[tuple[Any, ...], int] = {}
        self._count = 0

    def read(self, trace: Trace, keep: Callable[[Site], bool] | None) -> Iterator[Event]:
        for number, requirement in enumerate(trace.assumed):
            for part in _conjuncts(requirement):
                yield from self._event(REQUIRE, str(number), 1, part)
        for position, site in enumerate(trace.sites):
            if keep is not None and not keep(site):
                continue
            kind = CHOICE if position in trace.choices else BRANCH
            condition, holds = trace.literal(position)
            place = site.id if position not in trace.switches else f"{site.id}#{trace.decisions[position]}"
            yield from self._event(kind, place, int(holds), holds if condition is None else condition)

    def _event(self, kind: str, place: str, taken: int, condition: Expr) -> Iterator[Event]:
        for root in _roots(condition):
            yield from self._define(root)
        numbers: list[int] = []
        shape = self._shape(condition, numbers)
        yield Point(kind, place, taken, shape), tuple(numbers)

    def _define(self, root: App) -> Iterator[Event]:
        for node in bottom_up(root, self._term_numbers):
            for arg in node.args:
                if type(arg) in CONDITIONS:
                    for inner in _roots(arg):
                        yield from self._define(inner)
            numbers: list[int] = []
            shape = (node.op, node.sort, *(self._shape(arg, numbers, is_absolute=True) for arg in node.args))
            key = shape, tuple(numbers)
            known = self._known_terms.get(key)
            if known is None:
                numbers = []
                for arg in node.args:
                    self._shape(arg, numbers)
                yield Point(LET, "", 1, shape), tuple(numbers)
                known = self._known_terms[key] = self._count
                self._count += 1
            self._term_numbers[id(node)] = known

    def _shape(self, node: Any, numbers: list[int], *, is_absolute: bool = False) -> Shape:
        """The shape of a node; its numbers are appended to ``numbers``."""
        kind = type(node)
        if kind is Offset:
            numbers.append(node.var)
            if not node.const:
                return VARIABLE
            if not -LARGEST < node.const < LARGEST:
                raise NoModel("it adds a number to a variable that arrays cannot hold")
            numbers.append(node.const)
            return SHIFTED
        if kind is int and -LARGEST < node < LARGEST:
            numbers.append(node)
            return NUMBER
        if kind is Var:
            numbers.append(node.var)
            return FLOAT
        if kind is App:
            number = self._term_numbers[id(node)]
            numbers.append(number if is_absolute or self._is_absolute else self._count - number)
            return TERM
        if kind in CONDITIONS:
            name = "not" if kind is Not else node.op
            return (name, *(self._shape(part, numbers, is_absolute=is_absolute) for part in children(node)))
        return Constant(node)


def _conjuncts(condition: Expr) -> Iterator[Expr]:
    if isinstance(condition, Junction) and condition.op == "and":
        for part in condition.parts:
            yield from _conjuncts(part)
    elif condition is not True:
        yield condition


def _roots(condition: Expr) -> Iterator[App]:
    """The outermost terms of a condition."""
    stack: list[Any] = [condition]
    while stack:
        node = stack.pop()
        if type(node) is App:
            yield node
        else:
            stack.extend(reversed(children(node)))


def event_text(symbol: Hashable, numbers: list[str]) -> str:
    """An event as readable text: ``x`` are the leaves of the input, ``t`` the terms by how many terms ago."""
    point = cast(Point, symbol)
    rest = iter(numbers)
    if point.kind == LET:
        return f"let {point.shape[0]}({', '.join(_text(part, rest) for part in point.shape[2:])})"
    text = _text(point.shape, rest)
    place = "the precondition" if point.kind == REQUIRE else point.place
    return f"{text if point.taken else f'not ({text})'}  # {place}"


def _text(shape: Shape, numbers: Iterator[str]) -> str:
    if isinstance(shape, Constant):
        return repr(shape.value)
    if shape in WIDTH:
        number = next(numbers)
        if shape == NUMBER:
            return number
        return f"{'t' if shape == TERM else 'x'}[{number}]" + (f" + {next(numbers)}" if shape == SHIFTED else "")
    name, *parts = shape
    texts = [_text(part, numbers) for part in parts]
    if name == "not":
        return f"not ({texts[0]})"
    return f" {name} ".join(f"({text})" if name in ("and", "or") and len(texts) > 1 else text for text in texts)
