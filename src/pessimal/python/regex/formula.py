"""Building conditions that refer to their parts many times, without growing beyond what a solver can use."""

from __future__ import annotations

from typing import NamedTuple

from pessimal.expr import App, Compare, Expr, Junction, Not, conjunction, disjunction, negation

SHARED = 60
"""A condition of so many nodes becomes a term, which is evaluated and translated once however often it is used."""

MAX_NODES = 60_000
"""The largest condition, counted with every use of its parts, since not all who walk conditions remember them."""

MAX_DEPTH = 80


class TooLarge(Exception):
    """The condition would cost more than finding the match step by step."""


class Size(NamedTuple):
    """How large a condition is: all of it, without what is shared, and how deep."""

    nodes: int
    own: int
    depth: int


_ATOM = Size(1, 1, 1)


class Formulas:
    """Joins conditions, knows how large they are, and shares the large ones."""

    def __init__(self) -> None:
        self._sizes: dict[int, tuple[Expr, Size]] = {}
        self._made: dict[tuple[str, tuple[int, ...]], tuple[Expr, list[Expr]]] = {}

    def both(self, parts: list[Expr]) -> Expr:
        """All of the parts."""
        return self._joined("and", parts)

    def either(self, parts: list[Expr]) -> Expr:
        """Any of the parts."""
        return self._joined("or", parts)

    def opposite(self, part: Expr) -> Expr:
        """Not the part."""
        return self._measured(negation(part))

    def shared(self, condition: Expr) -> Expr:
        """A condition for repeated use: itself while it is small, otherwise as a term that is memoised."""
        if isinstance(condition, bool):
            return condition
        size = self.size(condition)
        if size.own <= SHARED:
            return condition
        term = Compare("==", App("ite", (condition, 1, 0), "int"), 1)
        self._sizes[id(term)] = (term, Size(size.nodes + 4, 1, size.depth + 2))
        return term

    def size(self, condition: Expr) -> Size:
        """How large a condition is."""
        known = self._sizes.get(id(condition))
        if known is not None:
            return known[1]
        if isinstance(condition, Junction):
            parts = [self.size(part) for part in condition.parts]
        elif isinstance(condition, Not):
            parts = [self.size(condition.part)]
        else:
            return _ATOM
        nodes, own, depth = _joined(parts)
        size = Size(nodes + 1, own + 1, depth + 1)
        self._sizes[id(condition)] = (condition, size)
        return size

    def _joined(self, op: str, parts: list[Expr]) -> Expr:
        """A junction without repetitions, the same object for the same parts: alternatives that meet again merge."""
        flat: dict[int, Expr] = {}
        for part in parts:
            inner = part.parts if isinstance(part, Junction) and part.op == op else (part,)
            flat.update((id(item), item) for item in inner)
        key = (op, tuple(flat))
        known = self._made.get(key)
        if known is None:
            distinct = list(flat.values())
            known = conjunction(distinct) if op == "and" else disjunction(distinct), distinct
            self._made[key] = known
        return self._measured(known[0])

    def _measured(self, condition: Expr) -> Expr:
        size = self.size(condition)
        if size.nodes > MAX_NODES or size.depth > MAX_DEPTH:
            raise TooLarge
        return condition


def _joined(parts: list[Size]) -> tuple[int, int, int]:
    return sum(p.nodes for p in parts), sum(p.own for p in parts), max(p.depth for p in parts)
