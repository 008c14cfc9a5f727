"""Layout of code as ``ruff format`` would leave it, without ruff: what does not fit on a line is broken at a bracket.

A bracket that is broken has one item on each line and a trailing comma, which formatters respect. So only one rule is
needed: a line is broken if it is too long, from the outermost bracket inwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

INDENT = "    "


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of code: text, and if it ends with a bracket, the items in it and what closes it."""

    head: str
    items: tuple[Code, ...] | None = None
    tail: str = ""
    needs_comma: bool = False
    """Whether it is a tuple of one item, which has its comma on one line too."""

    @property
    def flat(self) -> str:
        """The code on one line."""
        inside = ", ".join(item.flat for item in self.items or ())
        return f"{self.head}{inside}{',' * self.needs_comma}{self.tail}"

    def after(self, text: str) -> Code:
        """The code with a text before it."""
        return replace(self, head=text + self.head)

    def before(self, text: str) -> Code:
        """The code with a text after it."""
        return replace(self, tail=self.tail + text)


def bracket(head: str, items: Sequence[Code], tail: str) -> Code:
    """Items in brackets; empty ones cannot be broken."""
    return Code(head, tuple(items), tail) if items else Code(head + tail)


def one_tuple(item: Code) -> Code:
    """A tuple of one item."""
    return Code("(", (item,), ")", needs_comma=True)


def call(function: str, args: Sequence[Code] = (), kwargs: Sequence[tuple[str, Code]] = ()) -> Code:
    """A call of a function; the keyword ``**`` is for a dict of arguments."""
    named = [value.after(key if key == "**" else f"{key}=") for key, value in kwargs]
    return bracket(f"{function}(", [*args, *named], ")")


def lines_of(code: Code, width: int, depth: int = 0, suffix: str = "", broken: bool = False) -> list[str]:
    """The lines of a piece of code at a depth of indentation; ``broken`` breaks it even if it fits."""
    indent = INDENT * depth
    line = indent + code.flat + suffix
    if not code.items or (len(line) <= width and not broken):
        return [line]
    inner = [text for item in code.items for text in lines_of(item, width, depth + 1, ",")]
    return [indent + code.head, *inner, indent + code.tail + suffix]


def fits(code: Code, width: int, depth: int = 1) -> bool:
    """Whether a piece of code fits on one line."""
    return len(INDENT) * depth + len(code.flat) <= width


def container_of_names(names: Sequence[str]) -> Code:
    """The names of parameters: a tuple of strings, or one string."""
    quoted = [Code(f'"{name}"') for name in names]
    return quoted[0] if len(quoted) == 1 else bracket("(", quoted, ")")
