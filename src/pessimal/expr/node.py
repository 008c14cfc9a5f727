"""The expressions that symbolic values build: immutable, cheap to create, shared.

A term is a Python constant, an :class:`Offset` (an integer variable plus a constant, the shape that order conditions
are made of), a :class:`Var` of another sort, or an :class:`App` of an operation. Variables are indices of leaves of
the input; a model is the vector of their values. Booleans of the input are integer variables in 0..1.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any, TypeAlias

Leaf: TypeAlias = int | float

LT, LE, GT, GE, EQ, NE = "<", "<=", ">", ">=", "==", "!="
NEGATED = {LT: GE, LE: GT, GT: LE, GE: LT, EQ: NE, NE: EQ}
COMPARISONS = frozenset(NEGATED)


class Offset:
    """An integer variable plus a constant."""

    __slots__ = ("const", "var")
    sort = "int"

    def __init__(self, var: int, const: int = 0) -> None:
        self.var = var
        self.const = const


class Var:
    """A floating-point variable."""

    __slots__ = ("var",)
    sort = "float"

    def __init__(self, var: int) -> None:
        self.var = var


class App:
    """An operation on terms; ``depth`` bounds the recursion of those who walk it, ``stamp`` and ``value`` memoise."""

    __slots__ = ("args", "depth", "op", "sort", "stamp", "value")

    def __init__(self, op: str, args: tuple[Any, ...], sort: str) -> None:
        self.op = op
        self.args = args
        self.sort = sort
        self.stamp: object = None
        self.value: Leaf | bool = 0
        self.depth: int = 0
        for arg in args if op != "ite" else operations(args):
            if type(arg) is App and arg.depth >= self.depth:
                self.depth = arg.depth + 1


class Compare:
    """A comparison of two terms: the atom of every condition."""

    __slots__ = ("left", "op", "right")
    sort = "bool"

    def __init__(self, op: str, left: Term, right: Term) -> None:
        self.op = op
        self.left = left
        self.right = right


class Junction:
    """A conjunction (``and``) or disjunction (``or``) of conditions."""

    __slots__ = ("op", "parts")
    sort = "bool"

    def __init__(self, op: str, parts: tuple[Expr, ...]) -> None:
        self.op = op
        self.parts = parts


class Not:
    """The negation of a condition, kept as it is: on floats it is not the opposite comparison (NaN)."""

    __slots__ = ("part",)
    sort = "bool"

    def __init__(self, part: Expr) -> None:
        self.part = part


Term: TypeAlias = int | float | Offset | Var | App
Expr: TypeAlias = bool | Compare | Junction | Not


def conjunction(parts: list[Expr]) -> Expr:
    """All of the parts, simplified where a part is already known."""
    return _junction("and", parts, True)


def disjunction(parts: list[Expr]) -> Expr:
    """Any of the parts, simplified where a part is already known."""
    return _junction("or", parts, False)


def _junction(op: str, parts: list[Expr], neutral: bool) -> Expr:
    kept = [part for part in parts if part is not neutral]
    if any(part is (not neutral) for part in kept):
        return not neutral
    if len(kept) == 1:
        return kept[0]
    return Junction(op, tuple(kept)) if kept else neutral


def negation(part: Expr) -> Expr:
    """The opposite of a condition."""
    if isinstance(part, bool):
        return not part
    return part.part if type(part) is Not else Not(part)


def children(node: Term | Expr) -> tuple[Term | Expr, ...]:
    """The direct parts of a node, for those who walk expressions."""
    if isinstance(node, App):
        return node.args
    if isinstance(node, Compare):
        return (node.left, node.right)
    if isinstance(node, Junction):
        return node.parts
    return (node.part,) if isinstance(node, Not) else ()


def operations(args: Iterable[Any]) -> Iterator[App]:
    """The operations among some terms and in the conditions among them, but not those inside of operations."""
    stack = list(args)
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if type(node) is App:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.extend(children(node))


def bottom_up(root: App, known: Container[int]) -> Iterator[App]:
    """The operations of a term, parts before wholes, each whose id is not known yet; the caller adds the id.

    There is no recursion in it: an accumulator is as deep as the path is long.
    """
    stack = [root]
    while stack:
        node = stack[-1]
        parts = operations(node.args) if node.op == "ite" else node.args
        missing = [arg for arg in parts if type(arg) is App and id(arg) not in known]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if id(node) not in known:
            yield node


def variables(node: Term | Expr) -> set[int]:
    """The leaves that a term or condition depends on."""
    found: set[int] = set()
    seen: set[int] = set()
    stack: list[Term | Expr] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, (Offset, Var)):
            found.add(item.var)
        elif type(item) is App:
            if id(item) not in seen:
                seen.add(id(item))
                stack.extend([arg for arg in item.args if type(arg) is not int])  # tables have hundreds
        else:
            stack.extend(children(item))
    return found
