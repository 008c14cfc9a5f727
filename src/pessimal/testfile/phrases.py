"""Conditions in a few words, after which tests are named: a false ``margin is None`` is ``margin-not-none``.

Words tell what holds in the test, so a condition that came out false is turned round.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from pessimal.testfile.case import Reach

LONGEST = 40
_WORDS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("is", "not"),
    ast.NotEq: ("not", "is"),
    ast.Is: ("is", "not"),
    ast.IsNot: ("not", "is"),
    ast.Lt: ("below", "at-least"),
    ast.GtE: ("at-least", "below"),
    ast.Gt: ("above", "at-most"),
    ast.LtE: ("at-most", "above"),
    ast.In: ("in", "not-in"),
    ast.NotIn: ("not-in", "in"),
}
_SIGNS = {"": "empty", " ": "space", "\n": "newline", "\t": "tab", "-": "minus", "+": "plus", ".": "dot", "/": "slash"}
_MORE_SIGNS = {"*": "star", ",": "comma", ":": "colon", "%": "percent", "#": "hash", "'": "quote", '"': "quotes"}
_KEYWORD = re.compile(r"(?:el)?if\s|while\s|assert\s|return\s")


def phrase(reaches: Sequence[Reach]) -> str | None:
    """The words for what a case reaches: those of the last condition that is known."""
    for reach in reversed(reaches):
        if reach.condition is not None:
            words = slug(_phrase(reach.condition.strip(), reach.came_out is not False))
            if words:
                return words
    return None


def slug(text: str) -> str:
    """A text as lower-case words with dashes between them, cut to a readable length between words."""
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    if len(words) <= LONGEST:
        return words
    return words[: LONGEST + 1].rpartition("-")[0] or words[:LONGEST]


def _phrase(condition: str, came_out: bool) -> str:
    if condition.startswith(("for ", "async for ")):
        items = condition.partition(" in ")[2].rstrip(": ")
        return f"{_text(items)}-item" if came_out else f"{_text(items)}-end"
    if condition.startswith("except"):
        return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", condition.rstrip(": "))
    if condition.startswith("case "):
        return condition.rstrip(": ") if came_out else f"not-{condition.rstrip(': ')}"
    condition = _KEYWORD.sub("", condition, count=1).rstrip(": \\")
    try:
        return _holds(ast.parse(condition, mode="eval").body, came_out)
    except (SyntaxError, ValueError, RecursionError):
        return condition if came_out else f"not-{condition}"


def _text(source: str) -> str:
    try:
        return _words(ast.parse(source, mode="eval").body)
    except (SyntaxError, ValueError):
        return source


def _holds(node: ast.expr, came_out: bool) -> str:
    """What a condition that came out so says."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _holds(node.operand, not came_out)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _words(node.left), _words(node.comparators[0])
        return f"{left}-{_WORDS[type(node.ops[0])][not came_out]}-{right}"
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance" and not came_out:
        return _words(node).replace("-is-", "-not-", 1)
    if isinstance(node, ast.BoolOp):
        is_all = isinstance(node.op, ast.And) == came_out
        return ("-and-" if is_all else "-or-").join(_holds(value, came_out) for value in node.values)
    words = _words(node)
    if came_out:
        return words
    return f"no-{words}" if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) else f"not-{words}"


def _words(node: ast.expr) -> str:
    """An expression in words, without what only Python needs."""
    match node:
        case ast.Constant(value=str(value)):
            return {**_SIGNS, **_MORE_SIGNS}.get(value, value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"minus-{_words(operand)}"
        case ast.Attribute(value=owner, attr=name):
            return name if isinstance(owner, ast.Name) else f"{_words(owner)}-{name}"
        case ast.Call(func=ast.Name(id="len"), args=[item]):
            return f"{_words(item)}-length"
        case ast.Call(func=ast.Name(id="isinstance"), args=[item, kind]):
            return f"{_words(item)}-is-{_words(kind)}"
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args):
            return "-".join([_words(owner), name, *map(_words, args)])
        case ast.Call(func=function, args=args):
            return "-".join([_words(function), *map(_words, args)])
        case ast.Subscript(value=owner, slice=index):
            return f"{_words(owner)}-{_words(index)}"
        case ast.Name(id=name):
            return "" if name in ("self", "cls") else name
    return ast.unparse(node)
