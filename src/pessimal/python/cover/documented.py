"""Scenarios that the documentation shows: the examples in docstrings, as far as they are calls of what can be imported.

They are the best inputs to start from: their arguments are of the right kinds, and the objects in them fit together.
"""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from pessimal.python.cover.sessions import Session
from pessimal.scenario import Scenario

MOST_EXAMPLES = 400


def documented(modules: Sequence[ModuleType]) -> list[Scenario]:
    """The examples of modules, each with the examples of the same docstring that it needs."""
    found = [scenario for module in modules for text in _docstrings(module) for scenario in _session(text, module)]
    return found[:MOST_EXAMPLES]


def _docstrings(module: ModuleType) -> Iterator[str]:
    try:
        tree = ast.parse(Path(str(getattr(module, "__file__", None))).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None and ">>>" in text:
                yield text


def _session(text: str, module: ModuleType) -> Iterator[Scenario]:
    """The scenarios of one docstring, whose examples build on each other."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    session = Session([module.__name__.partition(".")[0]], module)
    for example in examples:
        try:
            statements = ast.parse(example.source).body
        except (SyntaxError, ValueError):
            continue
        for statement in statements:
            scenario = session.add(statement)
            if scenario is not None:
                yield scenario
