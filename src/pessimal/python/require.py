"""Preconditions: Python expressions over the parameters, as a test of plain values and as one symbolic condition.

``and``, ``or``, ``not``, comparison chains, ``all`` and ``any`` become formulas, so that a precondition adds no paths
of its own. Anything else that tests a symbolic value becomes a choice: explored like a branch, not counted as one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from sys import _getframe
from typing import Any

from pessimal.errors import InputError
from pessimal.expr import Expr, conjunction, disjunction, negation
from pessimal.python import current
from pessimal.python.rewrite import NAMES, Rewriter
from pessimal.python.values import SymBool

Predicate = Callable[..., Any]


class Requirement:
    """One precondition, given as the text of an expression or as a predicate that takes the arguments by name."""

    def __init__(self, given: str | Predicate, parameters: Iterable[str]) -> None:
        self.text = given if isinstance(given, str) else getattr(given, "__name__", repr(given))
        self._predicate = None if isinstance(given, str) else given
        if isinstance(given, str):
            tree = _parse(given)
            self._check_names(tree, set(parameters))
            self._plain = compile(tree, "<require>", "eval")
            formula = ast.fix_missing_locations(_Formula().visit(Rewriter().visit(_parse(given))))
            self._formula = compile(formula, "<require>", "eval")

    def _check_names(self, tree: ast.Expression, parameters: set[str]) -> None:
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        if not names & parameters:
            known = ", ".join(sorted(parameters)) or "none"
            raise InputError(f"--require {self.text!r} uses no parameter of the target; its parameters are: {known}")

    def accepts(self, arguments: Mapping[str, Any], namespace: Mapping[str, Any]) -> bool:
        """Whether plain arguments satisfy the precondition."""
        try:
            if self._predicate is not None:
                return bool(self._predicate(**arguments))
            return bool(eval(self._plain, {**namespace, **arguments}))  # the user's own expression
        except Exception as error:
            raise self._failed(error) from None

    def condition(self, arguments: Mapping[str, Any], namespace: Mapping[str, Any]) -> Expr:
        """The precondition on symbolic arguments, as one condition where it can be."""
        try:
            if self._predicate is not None:
                result = self._predicate(**arguments)
            else:
                scope = {**namespace, **NAMES, **_FORMULA_NAMES, **arguments}
                result = eval(self._formula, scope)  # the user's own expression
        except Exception as error:
            raise self._failed(error) from None
        return result.expr if type(result) is SymBool else bool(result)

    def _failed(self, error: Exception) -> InputError:
        return InputError(f"--require {self.text!r} fails with {type(error).__name__}: {error}")


def _parse(text: str) -> ast.Expression:
    try:
        return ast.parse(text.strip(), "<require>", "eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise InputError(f"--require {text!r} is not a Python expression: {reason}") from None


class _Formula(ast.NodeTransformer):
    """Turns logical connectives into calls that build formulas, operands delayed as Python delays them."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        name = "__pessimal_and__" if isinstance(node.op, ast.And) else "__pessimal_or__"
        return _call(name, [_delay(value) for value in node.values])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("__pessimal_not__", [node.operand]) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        operands = [node.left, *node.comparators]
        links: list[ast.expr] = [
            ast.Compare(left, [op], [right]) for left, op, right in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return _call("__pessimal_and__", [_delay(link) for link in links])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(f"__pessimal_{node.id}__", node.ctx) if node.id in ("all", "any") else node


def _call(name: str, args: list[ast.expr]) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), args, [])


def _delay(value: ast.expr) -> ast.Lambda:
    empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(empty, value)


def _and(*parts: Callable[[], Any]) -> Any:
    return _connect((part() for part in parts), True)


def _or(*parts: Callable[[], Any]) -> Any:
    return _connect((part() for part in parts), False)


def _all(items: Iterable[Any]) -> Any:
    return _connect(items, True)


def _any(items: Iterable[Any]) -> Any:
    return _connect(items, False)


def _connect(items: Iterable[Any], neutral: bool) -> Any:
    """Join items into a formula; a concrete one that settles the matter ends it, as in Python."""
    join = conjunction if neutral else disjunction
    parts: list[Expr] = []
    rest = iter(items)
    while True:
        try:
            item = next(rest)
        except StopIteration:
            break
        except Exception:
            # The operand may be guarded by those before it: decide them now, then see whether it matters.
            if current.execution.settle(join(parts), "precondition", _getframe(1)) is not neutral:
                return not neutral
            raise
        if type(item) is SymBool:
            parts.append(item.expr)
        elif bool(item) is not neutral:
            return item
    formula = join(parts)
    return formula if isinstance(formula, bool) else SymBool(formula)


def _not(value: Any) -> Any:
    return SymBool(negation(value.expr)) if type(value) is SymBool else not value


_FORMULA_NAMES: dict[str, Any] = {
    "__pessimal_and__": _and,
    "__pessimal_or__": _or,
    "__pessimal_all__": _all,
    "__pessimal_any__": _any,
    "__pessimal_not__": _not,
}
