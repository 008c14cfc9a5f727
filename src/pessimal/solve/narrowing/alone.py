"""A condition that has no solution for a reason of its own: whatever the value of the one term that it depends on.

``10 - c * c == 0.0`` holds for no double ``c``, and so not for ``(a + b) / 2`` either. Boxes of ``a`` and ``b`` would
never show that, since each of them leaves ``c`` several values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pessimal.expr import App, Compare, Offset, Var
from pessimal.expr.blackbox import CALL
from pessimal.expr.node import children
from pessimal.solve.base import Literal, satisfies
from pessimal.solve.narrowing.halving import halves_of
from pessimal.solve.narrowing.interval import INF, LARGEST, Interval, fitted, meet
from pessimal.solve.narrowing.narrowing import Box, narrowed, value_in


def is_refuted_alone(literal: Literal, box: Mapping[int, Interval], sorts: Mapping[int, str], boxes: int) -> bool:
    """Whether a comparison is proved to have no solution by looking at the last term that all of it depends on."""
    condition, want = literal
    term = _single_term(condition)
    if term is None or not isinstance(condition, Compare):
        return False
    interval = value_in(term, box, sorts)
    kind = "float" if term.sort == "float" else "int"
    replaced = _replaced(condition, term, Var(0) if kind == "float" else Offset(0)), want
    odd = [value for value in (-INF, INF) if kind == "float" and interval.has(value)]
    if interval.may_be_nan:
        odd.append(math.nan)
    if any(_holds_at(value, replaced) for value in odd):
        return False
    finite = meet(interval, Interval(-LARGEST, LARGEST)) if kind == "float" else interval
    return finite.is_empty or _has_no_solution(replaced, {0: fitted(finite, kind)}, {0: kind}, boxes)


def _has_no_solution(literal: Literal, box: Box, sorts: Mapping[int, str], boxes: int) -> bool:
    waiting = [box]
    for _ in range(boxes):
        if not waiting:
            return True
        found = narrowed([literal], waiting.pop(), sorts)
        if found is None:
            continue
        halves = halves_of(found, sorts)
        if not halves and _holds_at(found[0].low, literal):
            return False
        waiting.extend(halves)
    return False


def _holds_at(value: Any, literal: Literal) -> bool:
    zeros = (0.0, -0.0) if value == 0 and isinstance(value, float) else (value,)
    try:
        return any(satisfies([one], [literal]) for one in zeros)
    except (ArithmeticError, ValueError):
        return False


def _single_term(condition: Any) -> App | None:
    """The innermost operation by way of which alone a condition depends on its leaves; None if there is no such one."""
    found, node = None, condition
    while True:
        parts = {id(part): part for part in children(node) if not isinstance(part, int | float)}
        if len(parts) != 1:
            return found
        node = next(iter(parts.values()))
        if not isinstance(node, App) or node.op in (CALL, "ite"):
            return found
        found = node


def _replaced(node: Any, old: App, new: Any) -> Any:
    """A chain of operations with one of them replaced; it has no other branches."""
    if node is old:
        return new
    if isinstance(node, Compare):
        return Compare(node.op, _replaced(node.left, old, new), _replaced(node.right, old, new))
    if isinstance(node, App):
        return App(node.op, tuple(_replaced(arg, old, new) for arg in node.args), node.sort)
    return node
