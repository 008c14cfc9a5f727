"""Describing values: the expression that a person would write for what a call returned, in the words of scenarios."""

from __future__ import annotations

import ast
import dataclasses
import math
import re
import sys
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import PurePath
from types import ModuleType
from typing import Any

from pessimal.inputs.codec import safe_repr
from pessimal.inputs.looking import is_a, quietly
from pessimal.performing import look_up, perform
from pessimal.scenario import Argument, Build, Group, Kind, Name, Plain, Scenario, Step

LONGEST = 300
"""How many characters the repr of a value may have that is written out."""
_DEEPEST = 6
_ATOMS = (bool, int, float, str, bytes, bytearray, type(None))
_CONTAINERS: dict[type, Kind] = {
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenset",
    dict: "dict",
}
_MOST_BITS = 400
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def described(value: Any) -> Argument | None:
    """An expression that equals a value and has its type; None if there is no readable one.

    Floats in it are exact: :func:`~pessimal.testfile.approximating.approximated` makes it fit for an assertion.
    """
    return quietly(lambda: _checked(value), None)


def _checked(value: Any) -> Argument | None:
    found = _described(value, 0)
    return found if found is not None and _is_same(value_of(found), value) else None


def has_address(text: str) -> bool:
    """Whether a text tells where an object is in memory, which is different each time."""
    return _ADDRESS.search(text) is not None


def name_of(value: Any) -> Name | None:
    """The name under which a class or function can be imported, preferably from a public module."""
    module = quietly(lambda: getattr(value, "__module__", None), None)
    qualname = quietly(lambda: getattr(value, "__qualname__", None), None)
    if not isinstance(module, str) or not isinstance(qualname, str) or not _is_dotted(qualname):
        return None
    public = module
    while public.rpartition(".")[2].startswith("_") and "." in public:
        public = public.rpartition(".")[0]
    for candidate in (public, module.lstrip("_"), module):
        name = Name(candidate, qualname)
        if candidate in sys.modules and _leads_to(name, value):
            return name
    return None


def value_of(argument: Argument) -> Any:
    """The value of an expression."""
    return perform(Scenario((Step("call", Name("builtins", "list"), args=(Group("list", (argument,)),)),)))[0]


def _described(value: Any, depth: int) -> Argument | None:
    kind = type(value)
    if kind in _ATOMS:
        is_odd = value.bit_length() > _MOST_BITS if kind is int else kind is str and has_address(value)
        return None if is_odd else Plain(value)
    if depth > _DEEPEST:
        return None
    if kind in _CONTAINERS:
        return _container(value, _CONTAINERS[kind], depth)
    if value is NotImplemented or value is ...:
        return Name("builtins", repr(value))
    if is_a(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return name_of(value)
    attempts: Sequence[Callable[[Any, int], Argument | None]] = (_special, _record, _by_repr)
    for attempt in attempts:
        found = attempt(value, depth)
        if found is not None:
            return found
    return None


def _container(value: Any, kind: Kind, depth: int) -> Argument | None:
    items: Any = [part for pair in value.items() for part in pair] if kind == "dict" else value
    if kind in ("set", "frozenset"):
        items = sorted(value, key=lambda item: (type(item).__name__, item if type(item) in (int, str) else repr(item)))
    members = [_described(item, depth + 1) for item in items]
    found = [member for member in members if member is not None]
    if len(found) < len(members):
        return None
    return Plain(value) if all(isinstance(member, Plain) for member in found) else Group(kind, tuple(found))


def _special(value: Any, depth: int) -> Argument | None:
    """Enums, paths and complex numbers, whose repr is not what one writes."""
    if is_a(value, Enum):
        return _enum_member(value)
    if is_a(value, PurePath) and type(value).__module__.partition(".")[0] == "pathlib":
        name = "Path" if hasattr(value, "exists") else type(value).__name__
        return Build(Name("pathlib", name), (Plain(str(value)),))
    if type(value) is complex:
        return Build(Name("builtins", "complex"), (Plain(value.real), Plain(value.imag)))
    return None


def _enum_member(value: Enum) -> Argument | None:
    name = name_of(type(value))
    if name is None:
        return None
    if value.name in type(value).__members__:
        return Name(name.module, f"{name.qualname}.{value.name}")
    inner = _described(value.value, _DEEPEST)
    return None if inner is None else Build(name, (inner,))


def _record(value: Any, depth: int) -> Argument | None:
    """A named tuple or a dataclass by its fields."""
    name = name_of(type(value))
    if name is None or not _has_equality(value):
        return None
    if is_a(value, tuple) and hasattr(value, "_fields"):
        names = list(value._fields)
    elif dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value) if field.init and field.compare]
    else:
        return None
    members = [_described(getattr(value, field), depth + 1) for field in names]
    pairs = tuple((key, member) for key, member in zip(names, members, strict=True) if member is not None)
    if len(pairs) < len(names):
        return None
    built = Build(name, (), pairs)
    return built if _is_same(value_of(built), value) else None


def _by_repr(value: Any, depth: int) -> Argument | None:
    """An object with a repr that can be evaluated and an equality."""
    if not _has_equality(value):
        return None
    text = safe_repr(value, 2 * LONGEST)
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = _from_tree(tree, sys.modules.get(type(value).__module__))
    return found if isinstance(found, Build) and _is_same(value_of(found), value) else None


def _from_tree(tree: ast.expr, module: ModuleType | None) -> Argument | None:
    """A parsed repr as an expression; its names are those that the module of the class knows."""
    if isinstance(tree, ast.Call):
        function = _named(tree.func, module)
        args = [_from_tree(item, module) for item in tree.args]
        kwargs = [(item.arg or "", _from_tree(item.value, module)) for item in tree.keywords]
        if function is None or None in args or any(value is None or not key for key, value in kwargs):
            return None
        return Build(
            function,
            tuple(item for item in args if item is not None),
            tuple((key, value) for key, value in kwargs if value is not None),
        )
    if isinstance(tree, ast.Name | ast.Attribute):
        return _named(tree, module)
    if isinstance(tree, ast.List | ast.Tuple):
        members = [_from_tree(item, module) for item in tree.elts]
        found = tuple(member for member in members if member is not None)
        kind: Kind = "list" if isinstance(tree, ast.List) else "tuple"
        if all(isinstance(member, Plain) for member in found):
            return Plain(ast.literal_eval(tree)) if len(found) == len(members) else None
        return Group(kind, found) if len(found) == len(members) else None
    try:
        return Plain(ast.literal_eval(tree))
    except ValueError:
        return None


def _named(tree: ast.expr, module: ModuleType | None) -> Name | None:
    """The importable name that a dotted name in a repr means, seen from the module of its class."""
    first, *rest = ast.unparse(tree).split(".")
    found = getattr(module, first, sys.modules.get(first))
    for part in rest:
        found = getattr(found, part, None)
    return name_of(found) if found is not None else None


def _has_equality(value: Any) -> bool:
    equality: Any = type(value).__eq__
    return equality is not object.__eq__


def _leads_to(name: Name, value: Any) -> bool:
    return quietly(lambda: look_up(name) is value, False)


def _is_dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _is_same(first: Any, second: Any) -> bool:
    """Whether two values are of one type and equal; NaN counts as equal to itself."""
    if type(first) is not type(second):
        return False
    return bool(first == second) or (_has_nan(second) and repr(first) == repr(second))


def _has_nan(value: Any) -> bool:
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, complex):
        return value != value
    if isinstance(value, dict):
        return any(map(_has_nan, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_nan, value))
