"""The syntax of SMT-LIB 2: symbols, numbers and strings in parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from pessimal.conditions.condition import ConditionError

Node: TypeAlias = str | list["Node"]
"""A symbol or number as it is written, or a list of nodes."""

MAX_DEPTH = 300
_TOKEN = re.compile(r'\s+|;[^\n]*|(?P<token>[()]|\|[^|]*\||"(?:[^"]|"")*"|[^\s()|";]+)')


def parse(text: str) -> list[Node]:
    """The commands of a file."""
    return [command for _, command in commands(text)]


def commands(text: str) -> Iterator[tuple[str, Node]]:
    """The commands of a file, each behind the text that it was read from."""
    stack: list[list[Node]] = [[]]
    place = start = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ConditionError(f"line {_line(text, place)} is not SMT-LIB: {text[place : place + 20]!r}")
        token, place = match["token"], match.end()
        if token is None:
            continue
        if len(stack) == 1:
            start = match.start()
        if token == "(":
            stack.append([])
            if len(stack) > MAX_DEPTH:
                raise ConditionError(f"line {_line(text, place)} is nested more than {MAX_DEPTH} deep")
            continue
        if token != ")":
            stack[-1].append(token[1:-1] if token.startswith("|") else token)
        elif len(stack) == 1:
            raise ConditionError(f"line {_line(text, place)} closes a parenthesis that was not opened")
        else:
            done = stack.pop()
            stack[-1].append(done)
        if len(stack) == 1:
            yield text[start:place], stack[0].pop()
    if len(stack) > 1:
        raise ConditionError(f"the file ends inside of {len(stack) - 1} open parentheses")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
