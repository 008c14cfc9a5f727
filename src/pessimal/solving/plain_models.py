"""Smaller integers in a model, where they are a solution too: a model is for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from pessimal.conditions import Condition
from pessimal.expr import Expr, Offset
from pessimal.expr.node import children

LARGE = 1_000_000
"""Integers beyond this are replaced: the order solver takes such values to leave room between variables."""
TRIED = 60


def with_plain_integers(condition: Condition, model: Mapping[str, Any]) -> dict[str, Any]:
    """The model with each large integer replaced by the first smaller one with which the condition still holds."""
    found = dict(model)
    for variable in condition.variables:
        if variable.kind != "int" or abs(found[variable.name]) <= LARGE:
            continue
        for value in islice(_plain_values(condition, found), TRIED):
            changed = {**found, variable.name: value}
            is_inside = _is_between(variable.low, value, variable.high)
            if is_inside and abs(value) < abs(found[variable.name]) and condition.judge(changed):
                found = changed
                break
    return found


def _is_between(low: Any, value: int, high: Any) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


def _plain_values(condition: Condition, model: Mapping[str, Any]) -> Iterator[int]:
    """Zero and what is next to it, one for each variable, and then what is next to constants and other variables."""
    count = len(condition.variables)
    yield from sorted(range(-count, count + 1), key=abs)
    others = {value for value in model.values() if type(value) is int}
    for constant in sorted(_constants(condition.expression) | others, key=abs):
        yield from (constant, constant + 1, constant - 1)


def _constants(expression: Expr) -> set[int]:
    found: set[int] = set()
    seen: set[int] = set()
    stack: list[Any] = [expression]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if type(node) is int:
            found.add(node)
        elif isinstance(node, Offset):
            found.add(-node.const)
        stack.extend(children(node))
    return found
