"""Conditions compiled to a list of steps over columns of samples, so that a thousand samples cost little more than one.

Each step is one operation on columns that are already there; equal operations are one step, however often a condition
repeats them. Nothing in it recurses, since an accumulator is as deep as the path is long.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from pessimal.expr import columns
from pessimal.expr.columns import Column, Result
from pessimal.expr.node import App, Compare, Expr, Junction, Not, Offset, Term, Var, children

COMPARE = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


class Step(NamedTuple):
    """An operation on the columns of some slots."""

    op: str
    sort: str
    args: tuple[int, ...]
    slot: int


class Batch:
    """Terms and conditions as steps; :meth:`slot` compiles one, :meth:`run` evaluates all for a batch of samples."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._constants: dict[int, Any] = {}
        self._inputs: dict[int, int] = {}
        self._known: dict[object, int] = {}
        self._nodes: dict[int, tuple[object, int]] = {}
        self._count = 0

    @property
    def steps(self) -> int:
        """How many operations a sample takes."""
        return len(self._steps)

    def slot(self, root: Term | Expr) -> int:
        """Where the column of a term or condition will be."""
        stack: list[Any] = [root]
        while stack:
            node = stack[-1]
            missing = [part for part in children(node) if _is_compound(part) and id(part) not in self._nodes]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            if _is_compound(node) and id(node) not in self._nodes:
                self._nodes[id(node)] = node, self._compound(node)
        return self._slot_of(root)

    def _slot_of(self, node: Any) -> int:
        if _is_compound(node):
            return self._nodes[id(node)][1]
        if type(node) is Offset:
            return self._offset(node)
        if type(node) is Var:
            return self._input(node.var)
        return self._constant(node)

    def _offset(self, node: Offset) -> int:
        leaf = self._input(node.var)
        return self._step("+", "int", (leaf, self._constant(node.const))) if node.const else leaf

    def _compound(self, node: Any) -> int:
        if type(node) is App:
            return self._step(node.op, node.sort, tuple(self._slot_of(arg) for arg in node.args))
        op = node.op if type(node) is not Not else "not"
        return self._step(op, "bool", tuple(self._slot_of(part) for part in children(node)))

    def _step(self, op: str, sort: str, args: tuple[int, ...]) -> int:
        return self._once((op, sort, args), lambda slot: self._steps.append(Step(op, sort, args, slot)))

    def _constant(self, value: Any) -> int:
        key = ("constant", type(value), repr(value) if type(value) is float else value)
        return self._once(key, lambda slot: self._constants.__setitem__(slot, value))

    def _input(self, var: int) -> int:
        return self._once(("input", var), lambda slot: self._inputs.__setitem__(slot, var))

    def _once(self, key: object, add: Any) -> int:
        if key not in self._known:
            self._known[key] = self._count
            add(self._count)
            self._count += 1
        return self._known[key]

    def run(self, samples: Mapping[int, Column]) -> list[Result]:
        """The column of every slot, from one column for each leaf."""
        results: list[Any] = [None] * self._count
        for slot, value in self._constants.items():
            results[slot] = value, None
        for slot, var in self._inputs.items():
            results[slot] = samples[var], None
        with np.errstate(all="ignore"):
            for step in self._steps:
                results[step.slot] = _result(step, [results[arg] for arg in step.args])
        return results


def _is_compound(node: Any) -> bool:
    return type(node) in (App, Compare, Junction, Not)


def _result(step: Step, args: list[Result]) -> Result:
    values = [value for value, _ in args]
    if step.sort == "bool":
        result, missing = _truth(step.op, values), None
    else:
        result, missing = columns.apply(step.op, step.sort, values)
    masks = _chosen_masks(args) if step.op == "ite" else [mask for _, mask in args]
    for mask in masks:
        if mask is not None:
            missing = mask if missing is None else missing | mask
    return result, missing


def _chosen_masks(args: list[Result]) -> list[Column | None]:
    """Where the test of a case has no value, or the alternative that it chooses."""
    (test, no_test), (_, no_then), (_, no_other) = args
    if no_then is None and no_other is None:
        return [no_test]
    absent = [False if mask is None else mask for mask in (no_then, no_other)]
    return [no_test, np.where(test, *absent)]


def _truth(op: str, values: list[Column]) -> Column:
    if op == "not":
        return np.logical_not(values[0])
    if op in COMPARE:
        return COMPARE[op](values[0], values[1])
    combined = values[0]
    for value in values[1:]:
        combined = (np.logical_and if op == "and" else np.logical_or)(combined, value)
    return combined
