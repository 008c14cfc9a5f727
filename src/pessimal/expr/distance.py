"""How far an input is from making a condition false or true: the gradient that search follows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pessimal.expr.evaluate import Evaluator
from pessimal.expr.node import NEGATED, Compare, Expr, Junction, Leaf, Not

STEP = 1.0
"""What is added to a distance that is not reached, so that zero means exactly "holds"."""


def distances(condition: Expr, leaves: Sequence[Leaf]) -> tuple[float, float]:
    """Distance to the outcome false and to the outcome true; the one that holds is zero."""
    evaluator = Evaluator(leaves)
    return _distance(condition, False, evaluator), _distance(condition, True, evaluator)


def _distance(condition: Expr, want: bool, evaluator: Evaluator) -> float:
    if type(condition) is Not:
        return _distance(condition.part, not want, evaluator)
    if type(condition) is Junction:
        parts = [_distance(part, want, evaluator) for part in condition.parts]
        return sum(parts) if (condition.op == "and") is want else min(parts)
    if type(condition) is not Compare:
        return 0.0 if bool(condition) is want else math.inf
    try:
        if evaluator.condition(condition) is want:
            return 0.0
        op = condition.op if want else NEGATED[condition.op]
        return _gap(op, evaluator.term(condition.left), evaluator.term(condition.right))
    except (ArithmeticError, ValueError):
        return math.inf


def _gap(op: str, left: float, right: float) -> float:
    """How much a comparison of numbers fails by; infinite where no number says it."""
    if op == "!=":
        return STEP
    try:
        gap = abs(float(left - right))
    except OverflowError:
        return math.inf
    return math.inf if math.isnan(gap) else gap + STEP
