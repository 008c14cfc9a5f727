"""What kept runs from a branch: its function was never called, the calls raised first, or a line before it turned off.

This is said where symbolic runs have nothing to say, from what was run and from the source.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from pessimal.arcs import Arc
from pessimal.inputs.looking import is_below
from pessimal.python.cover.attempts import Attempts
from pessimal.python.cover.extent import Span, span_of
from pessimal.python.cover.goals import EXECUTED
from pessimal.python.cover.members import Member

_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match, ast.ExceptHandler)
_Placed = ast.stmt | ast.ExceptHandler | ast.Lambda
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Obstacles:
    """Explains branches that were not taken, given what was reached."""

    def __init__(self, members: Sequence[Member], attempts: Attempts, reached: Collection[Arc]) -> None:
        self._members = [(span_of(member.code), member) for member in members if member.code is not None]
        self._makers = [member for member in members if member.makes is not None]
        self._attempts = attempts
        self._lines = frozenset((arc.file, arc.line) for arc in reached if arc.to == EXECUTED)

    def explain(self, arc: Arc) -> str:
        """Why a branch was not taken, in words."""
        around = _around(arc.file, arc.line)
        if (arc.file, arc.line) in self._lines:
            return _turned(around[-1] if around else None)
        function = next((node for node in reversed(around) if isinstance(node, _FUNCTIONS)), None)
        if function is not None and not self._was_entered(arc.file, function):
            return self._not_entered(arc, function)
        for node in reversed(around):
            if isinstance(node, _BLOCKS) and (arc.file, node.lineno) in self._lines:
                return f"behind line {node.lineno}, which never led to it"
        return "the lines before it always left first"

    def _was_entered(self, file: str, function: ast.AST) -> bool:
        body = getattr(function, "body", None)
        first = body[0].lineno if isinstance(body, list) else getattr(body, "lineno", 0)
        last = getattr(function, "end_lineno", None) or first
        return any((file, line) in self._lines for line in range(first, last + 1))

    def _not_entered(self, arc: Arc, function: ast.AST) -> str:
        name = getattr(function, "name", "a lambda")
        around = [pair for pair in self._members if _contains(pair[0], arc)]
        if not around:
            return f"{name} was never entered"
        member = max(around, key=lambda pair: pair[0][1])[1]
        if member.code is not None and member.code.co_name != name:
            return f"{name} is made in {member.code.co_name}, and was never entered"
        tried = self._attempts.tried(member)
        error = self._attempts.usual_error([member])
        if tried and error is not None:
            return f"{name} was never entered: its {tried} calls raised first, most often {error}"
        if member.owner is not None and member.makes is None:
            return self._without_instance(name, member)
        return f"{name} was never called" if not tried else f"{name} was never entered in {tried} calls"

    def _without_instance(self, name: str, member: Member) -> str:
        makers = [item for item in self._makers if _makes(item, member)]
        tried = sum(map(self._attempts.tried, makers))
        error = self._attempts.usual_error(makers)
        owner = "" if member.owner is None else member.owner.__name__
        if error is not None and not self._attempts.tried(member):
            return f"{name} was never called: no {owner} could be made in {tried} tries, most often {error}"
        return f"{name} was never called on {owner}"


def _contains(span: Span, arc: Arc) -> bool:
    return span[0] == arc.file and span[1] <= arc.line <= span[2]


def _makes(maker: Member, member: Member) -> bool:
    return maker.makes is not None and is_below(maker.makes, member.owner or object)


def _turned(node: ast.AST | None) -> str:
    """What is to be said of a line that was executed and always led elsewhere."""
    if isinstance(node, ast.ExceptHandler):
        return "no run raised what this line catches, or all did"
    if isinstance(node, ast.For | ast.AsyncFor):
        return "the loop always ended in the same way"
    if isinstance(node, ast.While | ast.If):
        return "its condition came out the same way in all runs, and no change of a value turned it"
    return "all runs left this line in the same way"


def _around(file: str, line: int) -> Sequence[_Placed]:
    """The statements and functions around a line, outermost first; last the one that begins there."""
    return _by_line(file).get(line, ())


@cache
def _by_line(file: str) -> Mapping[int, Sequence[_Placed]]:
    """The statements and functions around each line of a file."""
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found = [node for node in ast.walk(tree) if isinstance(node, _Placed)]
    lines: dict[int, list[_Placed]] = {}
    for node in sorted(found, key=lambda node: (node.lineno, -(node.end_lineno or 0))):
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            lines.setdefault(line, []).append(node)
    return lines
