"""Small pieces of syntax tree that the rewrite is made of; positions are those of what they stand for."""

from __future__ import annotations

import ast
from collections.abc import Container

RESOLVE = "__pessimal_resolve__"
"""The name by which rewritten code finds the handlers; no other code has it among its globals."""


def is_rewritten(names: Container[str]) -> bool:
    """Whether code with these globals is rewritten."""
    return RESOLVE in names


def is_truth(node: ast.expr) -> bool:
    """Whether an expression is ``True`` or ``False``, whose identity code may ask for."""
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def is_view(node: ast.expr) -> bool:
    """Whether an expression asks a dict for its keys or items."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("keys", "items")


def is_constant_place(place: ast.expr) -> bool:
    """Whether a place is written down, so that it cannot be symbolic."""
    if isinstance(place, ast.Slice):
        return all(bound is None or is_constant_place(bound) for bound in (place.lower, place.upper, place.step))
    if isinstance(place, ast.UnaryOp):
        return is_constant_place(place.operand)
    return isinstance(place, ast.Constant)


def place_of(place: ast.expr) -> ast.expr:
    """A place as an expression of its own: a slice is an object outside of brackets."""
    if isinstance(place, ast.Tuple):
        parts = [place_of(part) for part in place.elts]
        return ast.copy_location(ast.Tuple(parts, ast.Load()), place)
    if not isinstance(place, ast.Slice):
        return place
    bounds = [bound or ast.Constant(None) for bound in (place.lower, place.upper, place.step)]
    return call_of("__pessimal_slice__", [ast.copy_location(bound, place) for bound in bounds], place)


def plain_names(place: ast.expr) -> set[str]:
    """The names that make a place a plain integer if they are plain integers; none where there is more to it."""
    names: set[str] = set()
    stack: list[ast.AST] = [place]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            stack += (node.left, node.right)
        elif isinstance(node, ast.Slice):
            stack += [bound for bound in (node.lower, node.upper, node.step) if bound is not None]
        elif not (isinstance(node, ast.Constant) and isinstance(node.value, int)):
            return set()
    return names


def are_ints(names: set[str], at: ast.expr) -> ast.expr:
    """The test whether all names are plain integers, so that no handler is needed."""
    tests: list[ast.expr] = []
    for name in sorted(names):
        kind = call_of("__pessimal_type__", [load_name(name, at)], at)
        test = ast.Compare(kind, [ast.Is()], [load_name("__pessimal_int__", at)])
        tests.append(ast.copy_location(test, at))
    return tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), at)


def nesting(node: ast.AST) -> int:
    """How often what is subscripted is written down, since both ways of a test hold it."""
    return sum(isinstance(part, ast.IfExp) for part in ast.walk(node))


def needs_handler(target: ast.AST) -> bool:
    """Whether an assignment to a target goes through a handler, also where it is part of a tuple."""
    if isinstance(target, ast.Tuple | ast.List):
        return any(map(needs_handler, target.elts))
    if isinstance(target, ast.Starred):
        return needs_handler(target.value)
    return isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice | ast.Constant)


def load_name(name: str, at: ast.AST) -> ast.Name:
    """A name that is read."""
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def bind(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    """``name = value``."""
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)


def statement(name: str, args: list[ast.expr], at: ast.AST) -> ast.stmt:
    """``name(args)`` as a statement."""
    function = load_name(name, at)
    return ast.copy_location(ast.Expr(ast.copy_location(ast.Call(function, args, []), at)), at)


def call_of(name: str, args: list[ast.expr], at: ast.AST) -> ast.Call:
    """``name(args)``."""
    function = ast.copy_location(ast.Name(name, ast.Load()), at)
    return ast.copy_location(ast.Call(function, args, []), at)


def assigned(target: ast.expr, value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
    """The assignment of a value to one target, subscripts in it stored by handlers.

    A row of targets is unpacked into names of its own first and assigned from these, one after the other, because
    what is assigned first may decide where the next one goes.
    """
    if not needs_handler(target):
        return [ast.copy_location(ast.Assign([target], value), at)]
    if isinstance(target, ast.Subscript):
        return [_storing(target, value, at)]
    parts: list[tuple[ast.expr, str]] = []
    steps: list[ast.stmt] = [ast.copy_location(ast.Assign([_parted(target, parts)], value), at)]
    for part, temporary in parts:
        steps += assigned(part, load_name(temporary, at), at)
    return steps


def _parted(target: ast.expr, parts: list[tuple[ast.expr, str]]) -> ast.expr:
    """A row of targets with a name of its own in each place, and what belongs there."""
    if isinstance(target, ast.Tuple | ast.List):
        elements = [_parted(part, parts) for part in target.elts]
        return ast.copy_location(ast.Tuple(elements, ast.Store()), target)
    if isinstance(target, ast.Starred):
        return ast.copy_location(ast.Starred(_parted(target.value, parts), ast.Store()), target)
    temporary = f"__pessimal_part{len(parts)}__"
    parts.append((target, temporary))
    return ast.copy_location(ast.Name(temporary, ast.Store()), target)


def _storing(target: ast.Subscript, value: ast.expr, at: ast.stmt) -> ast.stmt:
    """``a[i] = v``: natively where the place is a plain integer."""
    handled = statement("__pessimal_store__", [target.value, place_of(target.slice), value], at)
    names = plain_names(target.slice)
    if not names:
        return handled
    native = ast.copy_location(ast.Assign([target], value), at)
    return ast.copy_location(ast.If(are_ints(names, target), [native], [handled]), at)
