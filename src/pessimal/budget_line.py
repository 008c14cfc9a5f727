"""The line that costs must not cross: an expression over n such as ``40*n*log(n)``, or a function of the size."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable
from functools import partial

from pessimal.errors import UsageError
from pessimal.importing import told

BudgetLine = str | Callable[[int], float]

LARGEST_FACTORIAL = 170
LONGEST_TEXT = 60


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


def limits(line: BudgetLine, sizes: Iterable[int]) -> dict[int, float]:
    """The line's value at each size, known before a search begins: a line that fails must not cost one."""
    value = partial(_evaluate, _parse(line)) if isinstance(line, str) else line
    name = _shown(line) if isinstance(line, str) else getattr(line, "__qualname__", type(line).__qualname__)
    return {size: _limit(value, name, size) for size in sizes}


def _limit(line: Callable[[int], float], name: str, size: int) -> float:
    try:
        value = float(line(size))
    except UsageError:
        raise
    except Exception as error:
        raise _error(f"{name} has no value at size {size}: {told(error)}") from None
    if not math.isfinite(value):
        raise _error(f"{name} is {value} at size {size}: it must be a number")
    return int(value) if value.is_integer() else value


def _parse(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _error(f"{_shown(text)} is no expression over n: {_HELP}") from None


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
    raise _error(f"{_shown(ast.unparse(node))} is not understood: {_HELP}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…")


def _error(message: str) -> UsageError:
    return UsageError(f"--budget-line {message}", slug="budget-line")
