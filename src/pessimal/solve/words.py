"""Conditions with bit operations, read as machine words: hashes and checksums that integers are too slow for.

Inputs are taken from 32 bits and everything is computed in 64, wrapping around; a solution is one only if exact
evaluation says so, and that there is none proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import z3

from pessimal.expr import App, Compare, Expr, Junction, Leaf, Not, Offset
from pessimal.expr.node import bottom_up, children
from pessimal.expr.reals import Untranslatable
from pessimal.solve.base import Query

WIDTH = 64
INPUT = 1 << 31
EFFORT = 4_000_000
LONGEST = 10_000
MAX_CONDITIONS = 200
"""Longer paths are not read as words, since all of a path is read again for each question."""
_MASKED = frozenset("&|^")


def has_bits(conditions: Iterable[Expr]) -> bool:
    """Whether a bit operation takes part in a condition."""
    seen: set[int] = set()
    stack: list[Any] = list(conditions)
    while stack:
        node = stack.pop()
        if type(node) is App:
            if node.op in _MASKED:
                return True
            if id(node) in seen:
                continue
            seen.add(id(node))
        stack.extend(children(node))
    return False


def solve(query: Query) -> dict[int, Leaf]:
    """Values of the variables that satisfy all conditions as words; none if there are none, or nobody knows."""
    words = _Words()
    solver = z3.SolverFor("QF_BV")
    solver.set("rlimit", EFFORT)
    try:
        for condition, want in (*query.path, query.extra):
            term = words.condition(condition)
            solver.add(term if want else z3.Not(term))
    except (Untranslatable, z3.Z3Exception):
        return {}
    for index, var in words.variables.items():
        low, high = query.domains[index]
        solver.add(var >= int(max(-INPUT, -INPUT if low is None else low)))
        solver.add(var < int(min(INPUT, INPUT if high is None else high + 1)))
    milliseconds = int(min(LONGEST, query.seconds_left() * 1000))
    solver.set("timeout", milliseconds)
    if milliseconds <= 0 or solver.check() != z3.sat:
        return {}
    model = solver.model()
    return {index: model.eval(var, model_completion=True).as_signed_long() for index, var in words.variables.items()}


class _Words:
    """Turns conditions into Z3 terms of words."""

    def __init__(self) -> None:
        self.variables: dict[int, Any] = {}
        self._memo: dict[int, Any] = {}

    def condition(self, node: Expr) -> Any:
        if isinstance(node, bool):
            return z3.BoolVal(node)
        if type(node) is Not:
            return z3.Not(self.condition(node.part))
        if type(node) is Junction:
            parts = [self.condition(part) for part in node.parts]
            return z3.And(parts) if node.op == "and" else z3.Or(parts)
        assert type(node) is Compare
        return _COMPARE[node.op](self._term(node.left), self._term(node.right))

    def _term(self, root: Any) -> Any:
        """A term, its parts first: accumulators are as deep as the path is long."""
        if type(root) is not App:
            return self._simple(root)
        for node in bottom_up(root, self._memo):
            self._memo[id(node)] = self._operation(node)
        return self._memo[id(root)]

    def _simple(self, node: Any) -> Any:
        if type(node) is int:
            if not -(1 << (WIDTH - 1)) <= node < 1 << (WIDTH - 1):
                raise Untranslatable("a constant beyond a word")
            return z3.BitVecVal(node, WIDTH)
        if type(node) is Offset:
            var = self.variables.setdefault(node.var, z3.BitVec(f"x{node.var}", WIDTH))
            return var + node.const if node.const else var
        if isinstance(node, Compare | Junction | Not | bool):
            return self.condition(node)
        raise Untranslatable("what is no integer")

    def _operation(self, node: App) -> Any:
        if node.sort != "int":
            raise Untranslatable("what is no integer")
        args = [self._memo[id(arg)] if type(arg) is App else self._simple(arg) for arg in node.args]
        if node.op in _SIMPLE:
            return _SIMPLE[node.op](*args)
        second = node.args[1] if len(node.args) == 2 else None
        if type(second) is int and second >= 0 and node.op in _SHIFTS:
            return _SHIFTS[node.op](args[0], min(second, WIDTH - 1))
        if type(second) is int and second > 0 and second & (second - 1) == 0 and node.op in _BY_POWER:
            return _BY_POWER[node.op](args[0], second)
        raise Untranslatable(f"the operation {node.op} on words")


_COMPARE: dict[str, Any] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
_SIMPLE: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "neg": lambda a: -a,
    "~": lambda a: ~a,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "abs": lambda a: z3.If(a < 0, -a, a),
    "ite": z3.If,
    "marked": lambda a: a,
}
_SHIFTS: dict[str, Any] = {"<<": lambda a, b: a << b, ">>": lambda a, b: a >> b}
_BY_POWER: dict[str, Any] = {"//": lambda a, b: a >> (b.bit_length() - 1), "%": lambda a, b: a & (b - 1)}
"""Division by a power of two; other divisions of words are slower than those of integers."""
