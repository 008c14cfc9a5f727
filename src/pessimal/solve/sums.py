"""What the order of sums alone forbids: each sum that the program compares is one variable, whatever it is made of.

Programs compare the same sums again and again, as when paths of a graph are sorted by their lengths. That one of them
is smaller than another which is smaller than it is impossible for any numbers, so that no back-end needs to be asked.
Such an answer is a proof; that the order allows something says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.expr import Compare, Expr, Term
from pessimal.expr.linear import linear
from pessimal.expr.node import NEGATED
from pessimal.solve.base import Literal
from pessimal.solve.difference import Difference

Relation = tuple[int, int, int, str]
"""Two sums and a constant: ``s_u - s_v`` is at most, equal to or different from it."""


class Sums:
    """The order of the sums on one path, read from it on demand."""

    def __init__(self) -> None:
        self._order = Difference([])
        self._names: dict[frozenset[tuple[int, int]], int] = {frozenset(): self._order.zero}
        self._unequal: set[tuple[int, int, int]] = set()
        self._read = 0

    def forbid(self, path: Sequence[Literal], extra: Literal) -> bool:
        """Whether the order of the path's sums excludes a literal."""
        for literal in path[self._read :]:
            relation = self._relation(*literal)
            if relation is not None:
                self._keep(*relation)
        self._read = len(path)
        asked = self._relation(*extra)
        if asked is None:
            return False
        u, v, c, op = asked
        if op == "<=":
            return self._excludes([(u, v, c)])
        if op == "==":
            return (u, v, c) in self._unequal or self._excludes([(u, v, c), (v, u, -c)])
        return self._excludes([(u, v, c - 1)]) and self._excludes([(v, u, -c - 1)])

    def _excludes(self, edges: list[tuple[int, int, int]]) -> bool:
        excluded = any(self._order.tighten(*self._strict(*edge)) is False for edge in edges)
        self._order.undo(0)
        return excluded

    def _keep(self, u: int, v: int, c: int, op: str) -> None:
        if op == "!=":
            self._unequal |= {(u, v, c), (v, u, -c)}
            edges = [edge for edge in ((u, v, c), (v, u, -c)) if self._order.below[edge[1]].get(edge[0]) == edge[2]]
        else:
            edges = [(u, v, c), (v, u, -c)] if op == "==" else [(u, v, c)]
        for edge in edges:
            self._order.tighten(*self._strict(*edge))
        self._order.trail.clear()

    def _strict(self, u: int, v: int, c: int) -> tuple[int, int, int]:
        """At most a number that it is not is at most one less."""
        return (u, v, c - 1) if (u, v, c) in self._unequal else (u, v, c)

    def _relation(self, condition: Expr, want: bool) -> Relation | None:
        if type(condition) is not Compare:
            return None
        left, right = self._sum(condition.left), self._sum(condition.right)
        if left is None or right is None:
            return None
        op = condition.op if want else NEGATED[condition.op]
        if op in (">", ">="):
            left, right, op = right, left, "<" if op == ">" else "<="
        c = right[1] - left[1]
        return (left[0], right[0], c - 1, "<=") if op == "<" else (left[0], right[0], c, op)

    def _sum(self, term: Term) -> tuple[int, int] | None:
        """The number of a sum, and the constant beside it."""
        form = None if isinstance(term, float) else linear(Compare("<=", term, 0), True)
        if form is None:
            return None
        name = frozenset(form.coefficients.items())
        if name not in self._names:
            self._names[name] = self._order.extend()
        return self._names[name], form.const
