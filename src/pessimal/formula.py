"""Formulas of the size that users give: an expression over n such as ``40*n*log(n)``, or a function.

One is the line that costs must not cross, another a bound that no cost is above.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable
from functools import partial

from pessimal.errors import UsageError
from pessimal.importing import describe
from pessimal.target_spec import name_of

Formula = str | Callable[[int], float]

LARGEST_FACTORIAL = 170
LONGEST_TEXT = 60
ROUNDING = 1e-12
"""A value so near to a whole number, relatively, is meant to be it: ``0.29*n`` is 29 at size 100."""


class _Unusable(Exception):
    """Why a formula has no value."""


def _factorial(value: float) -> float:
    if value > LARGEST_FACTORIAL:
        raise OverflowError(f"the factorial of {value:g} is too large")
    if value < 0 or not value.is_integer():
        raise ValueError(f"{value:g} has no factorial")
    return float(math.factorial(int(value)))


_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_OF_ONE: dict[str, Callable[[float], float]] = {
    "log": math.log,
    "log2": math.log2,
    "sqrt": math.sqrt,
    "factorial": _factorial,
}
_OF_SEVERAL: dict[str, Callable[..., float]] = {"min": min, "max": max}
_HELP = f"write n, numbers, + - * / ** ( ), {', '.join([*_OF_ONE, *_OF_SEVERAL])}: for example 40*n*log(n)"


def values_at(formula: Formula, sizes: Iterable[int], option: str) -> dict[int, float]:
    """The formula's value at each size, known before a search begins: one that fails must not cost a search."""
    try:
        value = partial(_evaluate, _parse(formula)) if isinstance(formula, str) else formula
        return {size: _value_at(value, formula, size) for size in sizes}
    except _Unusable as unusable:
        raise UsageError(f"--{option} {unusable}", slug="formula") from None


def shown(formula: Formula) -> str:
    """The formula for people: its text, cut where it is long, or the name of the function."""
    if not isinstance(formula, str):
        return name_of(formula)
    return formula if len(formula) <= LONGEST_TEXT else f"{formula[:LONGEST_TEXT]}…"


def _value_at(function: Callable[[int], float], formula: Formula, size: int) -> float:
    name = repr(shown(formula))
    try:
        value = float(function(size))
    except _Unusable:
        raise
    except Exception as error:
        raise _Unusable(f"{name} has no value at size {size}: {describe(error)}") from None
    if not math.isfinite(value):
        raise _Unusable(f"{name} is {value} at size {size}: it must be a number")
    return round(value) if math.isclose(value, round(value), rel_tol=ROUNDING) else value


def _parse(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _Unusable(f"{shown(text)!r} is no expression over n: {_HELP}") from None


def _evaluate(node: ast.expr, size: int) -> float:
    """In floats, so that nothing can take long; whatever is not understood is refused."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.Name(id="n"):
            return float(size)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign):
            value = _evaluate(node.operand, size)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp() if type(node.op) in _OPERATIONS:
            return _OPERATIONS[type(node.op)](_evaluate(node.left, size), _evaluate(node.right, size))
        case ast.Call(func=ast.Name(id=name), args=[only], keywords=[]) if name in _OF_ONE:
            return _OF_ONE[name](_evaluate(only, size))
        case ast.Call(func=ast.Name(id=name), args=[_, _, *_], keywords=[]) if name in _OF_SEVERAL:
            return _OF_SEVERAL[name](*(_evaluate(argument, size) for argument in node.args))
    raise _Unusable(f"{shown(ast.unparse(node))!r} is not understood: {_HELP}")
