"""Calls of functions that only evaluation can compute: no solver sees through them, and none may prove by them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pessimal.expr.node import App, Term, children

CALL = "call"


@dataclass(frozen=True, slots=True, repr=False)
class BlackBox:
    """A pure function of numbers, and its name in texts and files.

    For some arguments it may have no value; then it raises an ``ArithmeticError`` or a ``ValueError``. One that is
    ``trusted`` is known to be pure, so that what was tried at every point is proved.
    """

    name: str
    function: Callable[..., Any]
    trusted: bool = False

    def __call__(self, *args: Term, sort: str = "int") -> App:
        """The term of a call; the sort is that of the function's result."""
        return App(CALL, (self, *args), sort)

    def __repr__(self) -> str:
        return self.name


def value_of(box: BlackBox, *args: Any) -> Any:
    """What the function makes of the values of its arguments."""
    return box.function(*args)


def is_opaque(root: Any) -> bool:
    """Whether a condition calls a function that is only assumed to be pure."""
    stack, seen = [root], set[int]()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if type(node) is App and node.op == CALL and not node.args[0].trusted:
            return True
        stack.extend(children(node))
    return False
