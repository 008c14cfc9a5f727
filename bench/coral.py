"""The coral predicates as conditions: the test of each function's ``if`` over its parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

from pessimal.conditions import Condition, Variable, read_python

SUBJECT = Path(__file__).parent / "subjects" / "coral.py"
RANGES = {"int": (-1000, 1000), "float": (-100.0, 100.0)}
"""The published tool's ranges."""


@dataclass(frozen=True)
class Predicate:
    """One predicate; ``is_never`` says that it has no solution."""

    name: str
    text: str
    condition: Condition
    is_never: bool


def predicates() -> list[Predicate]:
    """All of them, in order."""
    tree = ast.parse(SUBJECT.read_text())
    return [_predicate(node) for node in tree.body if isinstance(node, ast.FunctionDef)]


def _predicate(function: ast.FunctionDef) -> Predicate:
    variables = [
        Variable(arg.arg, ast.unparse(arg.annotation), *RANGES[ast.unparse(arg.annotation)])
        for arg in function.args.args
        if arg.annotation is not None
    ]
    text = _test(function)
    is_never = (ast.get_docstring(function) or "").startswith("never")
    return Predicate(function.name, text, read_python(text, variables), is_never)


def _test(function: ast.FunctionDef) -> str:
    """The test of the function's ``if``, with what was assigned before it put in."""
    names: dict[str, ast.expr] = {}
    for node in function.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[node.targets[0].id] = _substituted(node.value, names)
        elif isinstance(node, ast.If):
            return ast.unparse(_substituted(node.test, names))
    raise ValueError(f"{function.name} has no if")


def _substituted(node: ast.expr, names: dict[str, ast.expr]) -> ast.expr:
    class Substitute(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.AST:
            return names.get(name.id, name)

    return ast.fix_missing_locations(Substitute().visit(node))
