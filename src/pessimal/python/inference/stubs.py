"""Hints of the standard library's functions, from the stubs of typeshed; none where typeshed-client is missing."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import io
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

_ALIASES: dict[str, Any] = {
    "Incomplete": Any,
    "Unused": Any,
    "StrPath": str,
    "StrOrBytesPath": str,
    "ReadableBuffer": bytes,
    "WriteableBuffer": bytearray,
    "FileDescriptorOrPath": str,
    "SupportsRead": typing.TextIO,
    "SupportsNoArgReadline": typing.TextIO,
    "SupportsWrite": io.StringIO,
    "SupportsKeysAndGetItem": dict,
    "ConvertibleToInt": str | int,
    "ConvertibleToFloat": str | float,
    "SupportsRichComparison": int,
    "SupportsRichComparisonT": int,
}
"""What stands for names that only stubs know."""


def stub_hints(function: Callable[..., Any]) -> dict[str, Any]:
    """The hints of a function's or constructor's parameters that typeshed has; those of all overloads together."""
    module, qualname = getattr(function, "__module__", None), getattr(function, "__qualname__", "")
    if module is None or module.partition(".")[0] not in sys.stdlib_module_names:
        return {}
    hints: dict[str, list[Any]] = {}
    for home, node in _definitions(function, module, qualname):
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            if argument.annotation is not None:
                hint = _evaluated(argument.annotation, home)
                known = hints.setdefault(argument.arg, [])
                known += [hint] if hint is not _UNKNOWN and hint not in known else []
    return {name: _joined(options) for name, options in hints.items() if options}


def stub_arguments(cls: type) -> list[str]:
    """The parameters that the constructor of a class needs by its stub, where it tells one way to call it."""
    if cls.__module__.partition(".")[0] not in sys.stdlib_module_names:
        return []
    found = list(_definitions(cls, cls.__module__, cls.__qualname__))
    if len(found) != 1:
        return []
    arguments = found[0][1].args
    by_place = [item.arg for item in (*arguments.posonlyargs, *arguments.args)]
    return by_place[1 : len(by_place) - len(arguments.defaults)]


_UNKNOWN = object()


def _joined(options: list[Any]) -> Any:
    return options[0] if len(options) == 1 else typing.Union[tuple(options)]  # noqa: UP007


def _definitions(function: Any, module: str, qualname: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The definitions in the stubs with their module; a method may be that of a base class."""
    if isinstance(function, type):
        for base in function.__mro__[:-1]:
            for name in ("__init__", "__new__"):
                found = list(_find(base.__module__, f"{base.__qualname__}.{name}"))
                if found:
                    yield from found
                    return
        return
    owner, _, method = qualname.rpartition(".")
    cls = _attribute(module, owner) if owner and "." not in owner else None
    for base in cls.__mro__[:-1] if isinstance(cls, type) else ():
        found = list(_find(base.__module__, f"{base.__qualname__}.{method}"))
        if found:
            yield from found
            return
    yield from _find(module, qualname)


def _find(module: str, qualname: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    names, info = _names(module), None
    for part in qualname.split("."):
        info = names.get(part)
        if info is None:
            return
        names = info.child_nodes or {}
    node = getattr(info, "ast", None)
    for definition in getattr(node, "definitions", [node]):
        if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
            yield module, definition  # type: ignore[misc]


@lru_cache(maxsize=64)
def _names(module: str) -> Mapping[str, Any]:
    try:
        import typeshed_client

        # Without a path it starts a process to ask for one, which the sandbox of a worker denies.
        context = typeshed_client.get_search_context(search_path=[])
        return typeshed_client.get_stub_names(module, search_context=context) or {}
    except Exception:  # not installed, or stubs that it cannot read
        return {}


def _evaluated(annotation: ast.expr, module: str) -> Any:
    try:
        namespace = _Namespace(module)
        code = compile(ast.Expression(_Spelled(namespace).visit(annotation)), "<stub>", "eval")
        return _known(eval(code, {"__builtins__": {}}, namespace))
    except Exception:
        return _UNKNOWN


class _OnlyInStubs:
    """Stands for a class that only a stub defines."""


def _known(hint: Any) -> Any:
    """A hint without the alternatives that only stubs know; None alone is not one."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        left = [option for option in typing.get_args(hint) if option is not _OnlyInStubs]
        return _known(left[0]) if len(left) == 1 else _joined(left)
    return _UNKNOWN if hint in (_OnlyInStubs, None, types.NoneType) else hint


class _Spelled(ast.NodeTransformer):
    """Takes quotes off annotations, which may also be strings, and brackets off classes that take none at run time."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.parse(node.value, mode="eval").body if isinstance(node.value, str) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if ast.unparse(node.value).endswith("Literal"):
            return node
        cls = self._names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        is_bare = isinstance(cls, type) and not hasattr(cls, "__class_getitem__") and cls is not type
        return node.value if is_bare else self.generic_visit(node)


class _Namespace(Mapping[str, Any]):
    """The names of a stub: what the module really has, aliases of the stub, and imports."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getitem__(self, name: str) -> Any:
        if name in _ALIASES:
            return _ALIASES[name]
        info = _names(self._module).get(name)
        node = getattr(info, "ast", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            return self._alias(node.value)
        for place in (self._imported(node), _attribute(self._module, name), *_common(name)):
            if place is not None:
                return place
        if isinstance(node, ast.ClassDef):
            return _OnlyInStubs
        raise KeyError(name)

    def _alias(self, value: ast.expr) -> Any:
        """What an alias stands for; a type variable is what it may be."""
        if isinstance(value, ast.Call):
            bound = next((keyword.value for keyword in value.keywords if keyword.arg == "bound"), None)
            options = value.args[1:] or ([] if bound is None else [bound])
            found = [_evaluated(option, self._module) for option in options]
            return _joined([option for option in found if option is not _UNKNOWN] or [Any])
        return _evaluated(value, self._module)

    def _imported(self, node: Any) -> Any:
        if type(node).__name__ != "ImportedName":
            return None
        module = ".".join(node.module_name)
        if node.name is None:
            return import_module(module)
        return _ALIASES.get(node.name) or _attribute(module, node.name)

    def __iter__(self) -> Iterator[str]:
        return iter(_names(self._module))

    def __len__(self) -> int:
        return len(_names(self._module))


def _attribute(module: str, name: str) -> Any:
    try:
        return getattr(import_module(module), name, None)
    except ImportError:
        return None


def _common(name: str) -> Iterator[Any]:
    places: tuple[types.ModuleType, ...] = (builtins, typing, collections.abc)
    return (getattr(place, name) for place in places if hasattr(place, name))
