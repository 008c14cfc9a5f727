"""Lengths and bounds that may depend on the size: an int, or an expression such as ``2*N`` or ``N//2``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import lru_cache

from pessimal.errors import InputError

Extent = int | str

SIZE_NAME = "N"
_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def check(extent: Extent) -> None:
    """Raise InputError unless the extent is an int or an expression that can be resolved."""
    if isinstance(extent, str):
        _parse(extent)
    elif not isinstance(extent, int) or isinstance(extent, bool):
        raise InputError(f"{extent!r} is neither an int nor an expression of N: write for example 3 or 'N-1'")


def check_length(extent: Extent) -> None:
    """Raise InputError unless the extent can be a length at some size."""
    check(extent)
    if isinstance(extent, int) and extent < 0:
        raise InputError(f"the length {extent} is negative: write for example 3, N, 2*N, N-1 or N//2")


def resolve(extent: Extent, size: int) -> int:
    """The value of an extent at a size."""
    if isinstance(extent, int):
        return extent
    try:
        return _evaluate(_parse(extent), size)
    except ZeroDivisionError:
        raise InputError(f"{extent!r} divides by zero at size {size}: choose another size or length") from None


@lru_cache(maxsize=256)
def mentions_size(extent: Extent) -> bool:
    """Whether the extent changes with the size."""
    return isinstance(extent, str) and any(isinstance(node, ast.Name) for node in ast.walk(_parse(extent)))


@lru_cache(maxsize=256)
def _parse(text: str) -> ast.expr:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise _bad(text) from None
    if not _supported(tree):
        raise _bad(text)
    return tree


def _bad(text: str) -> InputError:
    return InputError(f"{text!r} is not an int or an expression of N: write for example 3, N, 2*N, N-1 or N//2")


def _supported(node: ast.expr) -> bool:
    match node:
        case ast.BinOp():
            return type(node.op) in _OPERATIONS and _supported(node.left) and _supported(node.right)
        case ast.UnaryOp(op=ast.USub()):
            return _supported(node.operand)
        case ast.Name():
            return node.id == SIZE_NAME
        case ast.Constant():
            return type(node.value) is int
    return False


def _evaluate(node: ast.expr, size: int) -> int:
    match node:
        case ast.BinOp():
            return _OPERATIONS[type(node.op)](_evaluate(node.left, size), _evaluate(node.right, size))
        case ast.UnaryOp():
            return -_evaluate(node.operand, size)
        case ast.Constant(value=int(value)):
            return value
    return size
