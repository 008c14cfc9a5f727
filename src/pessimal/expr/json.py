"""Expressions as JSON values: a table of nodes, parts before wholes, so that what is shared is written once.

An accumulator is as deep as its path is long, which nested JSON could not hold. Floats are written in hexadecimal, to
the last bit and also where they are infinite or not a number; of a black box the name is written, and the loading side
brings the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pessimal.expr.blackbox import BlackBox
from pessimal.expr.evaluate import OPERATIONS
from pessimal.expr.node import COMPARISONS, App, Compare, Expr, Junction, Not, Offset, Term, Var, children

INT, FLOAT, BOOL, LEAF, FLOAT_LEAF, APP = "int", "float", "bool", "leaf", "float leaf", "app"
COMPARE, JUNCTION, NOT, FUNCTION = "compare", "junction", "not", "function"


def to_json(expressions: Sequence[Term | Expr]) -> dict[str, Any]:
    """Some expressions as JSON values."""
    rows: list[list[Any]] = []
    known: dict[int, int] = {}
    for root in expressions:
        for node in _parts_first(root, known):
            known[id(node)] = len(rows)
            rows.append(_row(node, [known[id(part)] for part in children(node)]))
    return {"nodes": rows, "roots": [known[id(root)] for root in expressions]}


def from_json(data: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]] | None = None) -> list[Any]:
    """The expressions again; ``functions`` are those of the black boxes, by name."""
    nodes: list[Any] = []
    try:
        for row in data["nodes"]:
            nodes.append(_node(row, nodes, functions or {}))
        return [_at(nodes, root) for root in data["roots"]]
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"these are not expressions: {error!r}") from None


def _parts_first(root: Any, known: dict[int, int]) -> Iterable[Any]:
    """All nodes that are not known yet, without recursion; the caller adds them."""
    stack = [root]
    while stack:
        node = stack[-1]
        missing = [part for part in children(node) if id(part) not in known]
        if missing and id(node) not in known:
            stack.extend(missing)
            continue
        stack.pop()
        if id(node) not in known:
            yield node


def _row(node: Any, parts: list[int]) -> list[Any]:
    if isinstance(node, App):
        return [APP, node.op, node.sort, parts]
    if isinstance(node, Compare):
        return [COMPARE, node.op, parts]
    if isinstance(node, Junction):
        return [JUNCTION, node.op, parts]
    if isinstance(node, Not):
        return [NOT, parts]
    if isinstance(node, Offset):
        return [LEAF, node.var, node.const]
    return [FLOAT_LEAF, node.var] if isinstance(node, Var) else _constant_row(node)


def _constant_row(node: Any) -> list[Any]:
    if isinstance(node, BlackBox):
        return [FUNCTION, node.name]
    if isinstance(node, float):
        return [FLOAT, node.hex()]
    if not isinstance(node, int):
        raise ValueError(f"{node!r} is not part of an expression")
    return [BOOL if isinstance(node, bool) else INT, node]


def _node(row: Sequence[Any], nodes: list[Any], functions: Mapping[str, Callable[..., Any]]) -> Any:
    kind, *rest = row
    if kind == APP:
        op, sort, places = rest
        return App(_one_of(op, OPERATIONS), tuple(_at(nodes, place) for place in places), _sort(sort))
    if kind == COMPARE:
        left, right = (_at(nodes, place) for place in rest[1])
        return Compare(_one_of(rest[0], COMPARISONS), left, right)
    if kind == JUNCTION:
        return Junction(_one_of(rest[0], ("and", "or")), tuple(_at(nodes, place) for place in rest[1]))
    if kind == NOT:
        return Not(_at(nodes, rest[0][0]))
    if kind == FUNCTION:
        return BlackBox(rest[0], functions[_one_of(rest[0], functions)])
    return _simple(kind, rest)


def _simple(kind: str, rest: list[Any]) -> Any:
    if kind == FLOAT:
        return float.fromhex(rest[0])
    if kind == BOOL:
        return bool(rest[0])
    numbers = [_integer(value) for value in rest]
    if kind == INT:
        return numbers[0]
    if kind == LEAF:
        return Offset(*numbers)
    if kind == FLOAT_LEAF:
        return Var(*numbers)
    raise ValueError(f"{kind!r} is not a kind of expression")


def _at(nodes: list[Any], place: int) -> Any:
    if not 0 <= _integer(place) < len(nodes):
        raise ValueError(f"an expression refers to number {place} of {len(nodes)} before it")
    return nodes[place]


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not an integer")
    return value


def _one_of(name: str, known: Iterable[str]) -> str:
    if name not in known:
        raise ValueError(f"unknown name {name!r} in an expression")
    return name


def _sort(sort: str) -> str:
    if sort not in (INT, FLOAT, BOOL) and not (sort[:2] == "bv" and sort[2:].isdecimal()):
        raise ValueError(f"{sort!r} is not a sort of terms")
    return sort
