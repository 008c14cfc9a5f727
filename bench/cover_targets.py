"""What the rivals of bench-cover that run inputs can call in a module, and the types of its parameters.

Types come from hints, for the standard library from typeshed, and else from default values. Private names are called
too: a rival has no reason to leave them out, since nobody reads its inputs.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import inspect
import typing
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import typeshed_client

OPERATORS = (
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__str__", "__repr__", "__len__"),
    *("__iter__", "__contains__", "__getitem__", "__setitem__", "__delitem__", "__bool__", "__call__", "__add__"),
    *("__sub__", "__mul__", "__truediv__", "__floordiv__", "__mod__", "__pow__", "__neg__", "__abs__", "__int__"),
    *(
        "__float__",
        "__and__",
        "__or__",
        "__xor__",
        "__invert__",
        "__reversed__",
        "__enter__",
        "__format__",
        "__round__",
    ),
)
ALIASES = {"StrPath": str, "ReadableBuffer": bytes, "SupportsRead": typing.Any, "Incomplete": typing.Any}


@dataclass(frozen=True)
class Parameter:
    """A parameter and its type; ``Any`` if nothing is known."""

    name: str
    hint: Any
    is_required: bool
    is_keyword: bool


@dataclass(frozen=True)
class Call:
    """A function, a class, or a method with the class of its receiver."""

    name: str
    function: Callable[..., Any]
    owner: type | None
    parameters: tuple[Parameter, ...]


def calls(module: ModuleType) -> list[Call]:
    """Everything in a module that can be called."""
    stubs = _stubs(module.__name__)
    found: list[Call] = []
    for name, member in sorted(vars(module).items()):
        if getattr(member, "__module__", None) != module.__name__:
            continue
        if isinstance(member, type):
            found.extend(_of_class(module, member, stubs))
        elif callable(member):
            found.append(Call(name, member, None, parameters(module, member, _stub(stubs, name))))
    return found


def _of_class(module: ModuleType, owner: type, stubs: Any) -> Iterator[Call]:
    inside = getattr(stubs.get(owner.__name__), "child_nodes", None) or {}
    hints = parameters(module, owner.__init__, _stub(inside, "__init__"))
    yield Call(owner.__name__, owner, None, hints[1:] if hints and hints[0].name == "self" else hints)
    for name, member in sorted(vars(owner).items()):
        full = f"{owner.__name__}.{name}"
        if isinstance(member, property):
            yield Call(full, lambda receiver, name=name: getattr(receiver, name), owner, ())
        elif isinstance(member, classmethod | staticmethod):
            yield Call(full, getattr(owner, name), None, parameters(module, getattr(owner, name), _stub(inside, name)))
        elif isinstance(member, FunctionType) and (not name.startswith("__") or name in OPERATORS):
            yield Call(full, member, owner, parameters(module, member, _stub(inside, name))[1:])


def parameters(module: ModuleType, function: Callable[..., Any], stub: dict[str, Any]) -> tuple[Parameter, ...]:
    """The parameters of a function with what is known of their types."""
    hints: dict[str, Any] = {}
    with suppress(Exception):
        hints = typing.get_type_hints(function)
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):
        return ()
    found = []
    for item in signature.parameters.values():
        if item.kind in (item.VAR_POSITIONAL, item.VAR_KEYWORD):
            continue
        is_known = item.default is not item.empty and item.default is not None
        default = type(item.default) if is_known else Any
        hint = hints.get(item.name) or _evaluated(module, stub.get(item.name)) or default
        found.append(Parameter(item.name, hint, item.default is item.empty, item.kind is item.KEYWORD_ONLY))
    return tuple(found)


def _stubs(module: str) -> Any:
    try:
        return typeshed_client.get_stub_names(module) or {}
    except Exception:
        return {}


def _stub(stubs: Any, name: str) -> dict[str, Any]:
    """The annotations of a function in typeshed, by parameter; of overloads the first."""
    node = getattr(stubs.get(name), "ast", None)
    node = node.definitions[0] if isinstance(node, typeshed_client.OverloadedName) else node
    if not isinstance(node, ast.FunctionDef):
        return {}
    return {item.arg: item.annotation for item in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}


def _evaluated(module: ModuleType, annotation: ast.expr | None) -> Any:
    if annotation is None:
        return None
    known = {**vars(builtins), **vars(typing), **vars(collections.abc), **ALIASES, **vars(module)}
    try:
        return eval(ast.unparse(annotation), known)
    except Exception:
        return None
