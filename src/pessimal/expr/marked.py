"""Terms that no branch is counted for: what was found by hash or by place, where concrete runs see plain values.

A marked term is worth the same as the term itself. A condition counts as a branch of the program if it depends on a
leaf other than through marked terms; solvers never see the marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pessimal.expr.node import App, Compare, Junction, Not, Offset, Term, Var, children

MARK = "marked"
_PLAIN = (int, float, bool)


def mark(term: Term) -> Term:
    """The term as one that is not counted any more; plain values need no mark."""
    if isinstance(term, _PLAIN) or (type(term) is App and term.op == MARK):
        return term
    return App(MARK, (term,), term.sort)


def has_marks(node: Any) -> bool:
    """Whether a condition or term holds a marked term."""
    return any(type(item) is App and item.op == MARK for item in _parts(node))


def counts(node: Any) -> bool:
    """Whether a condition depends on a leaf otherwise than through marked terms."""
    return any(type(item) is Offset or type(item) is Var for item in _parts(node, beyond_marks=False))


def _parts(root: Any, beyond_marks: bool = True) -> Iterator[Any]:
    """All nodes of an expression, shared ones once; without those below a mark if so wished."""
    stack, seen = [root], set()
    while stack:
        item = stack.pop()
        yield item
        if type(item) is App:
            if id(item) in seen or (item.op == MARK and not beyond_marks):
                continue
            seen.add(id(item))
        stack.extend(children(item))


def unmarked(node: Any) -> Any:
    """The term or condition without its marks, as solvers want it."""
    if not has_marks(node):
        return node
    done: dict[int, Any] = {}
    stack = [(node, False)]
    while stack:  # bottom-up, because a long accumulator is deeper than Python's recursion
        item, ready = stack.pop()
        if id(item) in done:
            continue
        if ready:
            done[id(item)] = _rebuilt(item, [done[id(part)] for part in children(item)])
        else:
            stack.append((item, True))
            stack.extend((part, False) for part in children(item))
    return done[id(node)]


def _rebuilt(node: Any, parts: list[Any]) -> Any:
    if type(node) is App:
        return parts[0] if node.op == MARK else App(node.op, tuple(parts), node.sort)
    if type(node) is Compare:
        return Compare(node.op, *parts)
    if type(node) is Junction:
        return Junction(node.op, tuple(parts))
    return Not(parts[0]) if type(node) is Not else node


__all__ = ["MARK", "counts", "has_marks", "mark", "unmarked"]
