"""What the source itself passes to functions: literals in calls, in code that no run may ever reach, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from inspect import Parameter
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from pessimal.inputs.signatures import VARIADIC
from pessimal.python.cover.members import Member

_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)

Example = tuple[CodeType, str, Any]
"""The code of a function, the name of one of its parameters, and a value for it."""


def literals_passed(modules: Sequence[ModuleType], members: Sequence[Member]) -> Iterator[Example]:
    """The literals that modules pass to members, where the name of what is called means one member alone."""
    named: dict[str, list[Member]] = {}
    for member in members:
        if member.code is not None and member.operation in ("call", "method"):
            named.setdefault(member.attribute or member.name.qualname, []).append(member)
    for call in (call for module in modules for call in _calls(module)):
        found = named.get(_name(call.func), [])
        if len(found) == 1:
            yield from _examples(call, found[0])


def _calls(module: ModuleType) -> Iterator[ast.Call]:
    try:
        tree = ast.parse(Path(str(getattr(module, "__file__", None))).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _examples(call: ast.Call, member: Member) -> Iterator[Example]:
    assert member.code is not None
    named = [item.name for item in member.parameters if item.kind not in VARIADIC]
    by_place = [item.name for item in member.parameters if item.kind in _BY_PLACE]
    pairs = [*zip(by_place, call.args, strict=False), *((item.arg, item.value) for item in call.keywords)]
    for name, node in pairs:
        if name in named:
            try:
                yield member.code, name, ast.literal_eval(node)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
