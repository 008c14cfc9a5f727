"""The part of an exception's message that is written in the code: all of it that a test may rely on."""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from pessimal.pool.alarm import DeadlineExceeded

_SHORTEST = 4
_LONGEST = 70
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z%]|\{[^{}]*\}")


def written_part(error: BaseException, files: Collection[str]) -> str | None:
    """The longest piece of the message that stands in the ``raise`` statement, if that is in one of the files."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or frames[-1].filename not in files or frames[-1].lineno is None:
        return None
    try:
        message = str.__str__(str(error))
        statement, function = _places(frames[-1].filename, frames[-1].lineno)
    except DeadlineExceeded:
        raise
    except BaseException:
        return None
    for place in (statement, function):
        found = [piece for node in place for piece in _pieces(node) if piece in message]
        if found:
            return _shortened(max(found, key=len))
    return None


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text(encoding="utf-8"))


def _places(file: str, line: int) -> tuple[list[ast.AST], list[ast.AST]]:
    """The ``raise`` statement at a line, and the function around it."""
    around = [
        node
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    raises: list[ast.AST] = [node for node in around if isinstance(node, ast.Raise)]
    functions: list[ast.AST] = [node for node in around if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return raises[-1:], functions[-1:] if raises else []


def _pieces(place: ast.AST) -> Iterator[str]:
    """What the strings in a piece of code say between their placeholders."""
    for node in ast.walk(place):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for piece in _PLACEHOLDER.split(node.value):
                piece = piece.strip()
                if len(piece) >= _SHORTEST and re.search(r"[^\W\d_]{3}", piece):
                    yield piece


def _shortened(piece: str) -> str:
    """A piece of one line, cut between words if it is long."""
    line = max(piece.splitlines(), key=len).strip()
    return line if len(line) <= _LONGEST else line[:_LONGEST].rpartition(" ")[0] or line[:_LONGEST]
