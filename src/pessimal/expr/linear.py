"""Linear forms: a sum of integer variables with coefficients, compared with zero.

Solvers ask for the form of a condition to see whether it is a difference of two variables, a bound on one, or a sum.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pessimal.expr.node import NEGATED, App, Compare, Offset, Term

MAX_NODES = 4096
"""Terms with more nodes than this are not linearised: walking them would cost more than it saves."""


class Linear(NamedTuple):
    """``sum(coefficient * variable) + const`` related to zero by ``op``, one of ``<=``, ``==`` and ``!=``."""

    coefficients: dict[int, int]
    const: int
    op: str


def linear(condition: Compare, want: bool) -> Linear | None:
    """The linear form of an integer comparison that shall be true or false; None where it is not linear."""
    if condition.left != condition.left or condition.right != condition.right:  # NaN equals nothing
        return _constant((condition.op == "!=") is want)
    op = condition.op if want else NEGATED[condition.op]
    left, right, shift = condition.left, condition.right, 0
    if op in (">", ">="):
        left, right, op = right, left, "<" if op == ">" else "<="
    if op == "<":
        op, shift = "<=", 1
    if isinstance(left, float) or isinstance(right, float):
        return _rounded(left, right, op, shift)
    total: dict[int, int] = {}
    const = _add(left, 1, total)
    if const is None:
        return None
    other = _add(right, -1, total)
    if other is None:
        return None
    coefficients = {var: k for var, k in total.items() if k}
    return Linear(coefficients, const + other + shift, op)


def _rounded(left: Term, right: Term, op: str, shift: int) -> Linear | None:
    """A comparison of an integer term with a float constant, as the same comparison with an integer."""
    bound = left if isinstance(left, float) else right
    sign = -1 if bound is left else 1
    assert isinstance(bound, float)
    total: dict[int, int] = {}
    const = _add(right if bound is left else left, sign, total)
    if const is None or not total:
        return None
    if op == "<=":
        if math.isinf(bound):
            return _constant((bound > 0) is (sign > 0))
        # term < b is term <= ceil(b) - 1, term <= b is term <= floor(b), and the mirror image of both.
        limit = math.ceil(sign * bound) - 1 if shift else math.floor(sign * bound)
        return Linear({v: k for v, k in total.items() if k}, const - limit, op)
    if math.isfinite(bound) and bound == int(bound):
        return Linear({v: k for v, k in total.items() if k}, const - sign * int(bound), op)
    return _constant(op == "!=")


def _constant(truth: bool) -> Linear:
    return Linear({}, -1 if truth else 1, "<=")


def _add(term: Term, factor: int, total: dict[int, int]) -> int | None:
    """Add a term into the total and give its constant part; None where it is not a linear integer term."""
    const = 0
    stack: list[tuple[Term, int]] = [(term, factor)]
    budget = MAX_NODES
    while stack:
        node, k = stack.pop()
        budget -= 1
        if type(node) is Offset:
            total[node.var] = total.get(node.var, 0) + k
            const += k * node.const
        elif type(node) is int:
            const += k * node
        elif type(node) is not App or node.sort != "int" or budget < 0:
            return None
        elif node.op == "+":
            stack.extend(((node.args[0], k), (node.args[1], k)))
        elif node.op == "-":
            stack.extend(((node.args[0], k), (node.args[1], -k)))
        elif node.op == "neg":
            stack.append((node.args[0], -k))
        elif node.op == "*" and type(node.args[1]) is int:
            stack.append((node.args[0], k * node.args[1]))
        else:
            return None
    return const
