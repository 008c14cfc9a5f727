"""Types that the code suggests: what it tests a parameter for, computes with it, and asks of it."""

from __future__ import annotations

import ast
import builtins
import datetime
import io
import re
import sys
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from inspect import get_annotations
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from pessimal.inputs import safe_repr
from pessimal.inputs.looking import is_a, quietly
from pessimal.inputs.signatures import underlying

Hints = list[Any]

_KNOWN: dict[type, Any] = {
    str: str,
    bytes: bytes,
    list: list[int],
    dict: dict[str, int],
    set: set[int],
    int: int,
    float: float,
    tuple: tuple[int, ...],
    io.StringIO: typing.TextIO,
    datetime.datetime: datetime.datetime,
    datetime.timedelta: datetime.timedelta,
    re.Pattern: re.Pattern[str],
    Path: Path,
}
"""Types that attributes are looked for in, and the hint for each."""
_MOST_CANDIDATES = 4
_MOST_CLASSES = 2000
_TEXT_MODULES = frozenset(("re", "shlex", "textwrap", "fnmatch", "glob", "json", "html"))
_OF_ITERABLES = ("sorted", "sum", "min", "max", "enumerate", "list", "set", "tuple", "reversed", "any", "all")
_OF_BUILT_INS: dict[str, Hints] = {
    "range": [int],
    "chr": [int],
    "hex": [int],
    "bin": [int],
    "abs": [int, float],
    "round": [float],
    "divmod": [int],
    "ord": [str],
    "open": [str],
    "int": [str, int],
    "float": [str, float],
    "len": [str, list[int]],
    "iter": [list[int]],
    "next": [typing.Iterator[int]],
    **{name: [list[int]] for name in _OF_ITERABLES},
}
_NUMERIC = (ast.Sub, ast.Mult, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)


class Usage(ast.NodeVisitor):
    """What one function, or the methods of one class, do with one value: a name, or an attribute of ``self``."""

    def __init__(self, aliases: Iterable[str], namespace: Mapping[str, Any]) -> None:
        self._aliases = set(aliases)
        self._ends = {alias.rpartition(".")[2] for alias in self._aliases}
        self._namespace = namespace
        self.tested: Hints = []
        self.computed: Hints = []
        self.attributes: set[str] = set()
        self.passed: list[tuple[Any, int | str]] = []
        self.is_tested_for_truth = False
        self.elements: set[str] = set()
        self.element: Any = int

    def look(self, tree: ast.AST) -> None:
        """Look at what a tree does with the value, and with its elements where it is iterated over."""
        self.visit(tree)
        if self.elements:
            inner = Usage(self.elements, self._namespace)
            inner.visit(tree)
            self.element = next((hints[0] for source, hints in inner.hints() if hints and source != "truth"), int)

    def hints(self) -> Iterator[tuple[str, Hints]]:
        """The types that each source suggests, in order of trust."""
        if self.tested:
            yield "isinstance", self.tested
        counted = [hint for hint, _ in Counter(self.computed).most_common(2)]
        computed = [list[self.element] if hint == list[int] else hint for hint in counted]  # type: ignore[name-defined]
        having = self._having() if self.attributes else []
        if having:
            yield "attributes", [hint for hint in computed if hint in having] or having
        if computed:
            yield "operators", computed
        if self.is_tested_for_truth and not self.attributes:
            yield "truth", [bool]

    def _having(self) -> Hints:
        """The few types that have all attributes which are used: known ones, or else others of the same package."""
        found = self._fitting((*_KNOWN, *_classes_in(self._namespace))) or self._fitting(_package(self._namespace))
        if str in found and bytes in found:
            found.remove(bytes)  # what both have is asked of text far more often
        hints = list(dict.fromkeys(_KNOWN.get(kind, kind) for kind in found))
        return hints if len(hints) <= _MOST_CANDIDATES else []

    def _fitting(self, kinds: Iterable[type]) -> list[type]:
        """Those with the attributes; one that adds to another by inheriting from it is not needed."""
        fitting = list(dict.fromkeys(kind for kind in kinds if self._fits(kind)))
        return [kind for kind in fitting if kind in _KNOWN or not any(base in fitting for base in kind.__mro__[1:])]

    def _fits(self, kind: type) -> bool:
        nothing: frozenset[str] = frozenset()
        return self.attributes <= quietly(lambda: _attributes(kind), nothing)

    def _is_it(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self._aliases
        return isinstance(node, ast.Attribute) and node.attr in self._ends and ast.unparse(node) in self._aliases

    def visit_Call(self, node: ast.Call) -> None:
        """``isinstance(x, T)``, built-in functions of x, other functions of the module, and x as a function."""
        if self._is_it(node.func):
            self.computed.append(Callable[..., int])
        for place, argument in enumerate(node.args):
            if self._is_it(argument):
                self._visit_argument(node, ast.unparse(node.func), place)
        for keyword in node.keywords:
            if keyword.arg is not None and self._is_it(keyword.value):
                self.passed.append((self._value(node.func), keyword.arg))
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and any(map(self._is_it, node.args)):
            self.computed.append(list[str])
        self.generic_visit(node)

    def _visit_argument(self, node: ast.Call, name: str, place: int) -> None:
        if name in ("isinstance", "issubclass") and place == 0 and len(node.args) == 2:
            self.tested += _classes(self._value(node.args[1]))
        elif name in _OF_BUILT_INS:
            self.computed += _OF_BUILT_INS[name]
        elif name.partition(".")[0] in _TEXT_MODULES or name.startswith("os.path."):
            self.computed.append(str)
        elif name.startswith("math."):
            self.computed.append(float)
        else:
            self.passed.append((self._value(node.func), place + name.startswith("self.")))

    def visit_Compare(self, node: ast.Compare) -> None:
        """Comparisons with constants, and membership on either side."""
        sides = [node.left, *node.comparators]
        for (left, right), operator in zip(pairwise(sides), node.ops, strict=True):
            if isinstance(operator, ast.In | ast.NotIn):
                self._visit_membership(left, right)
            elif self._is_it(left) or self._is_it(right):
                self._visit_constant(right if self._is_it(left) else left)
        self.generic_visit(node)

    def _visit_membership(self, left: ast.expr, right: ast.expr) -> None:
        if self._is_it(left):
            values = self._value(right)
            if isinstance(values, str | bytes):
                self.computed.append(type(values))
            elif isinstance(values, tuple | list | set | frozenset | dict):
                self.computed += [_KNOWN[type(value)] for value in list(values)[:3] if type(value) in _KNOWN]
        elif self._is_it(right):
            self.computed.append(str if isinstance(self._value(left), str) else list[int])

    def _visit_constant(self, node: ast.expr) -> None:
        if isinstance(node, ast.BinOp):
            return self._visit_constant(node.left if isinstance(node.left, ast.Constant) else node.right)
        value = self._value(node)
        kind = bool if isinstance(value, bool) else type(value)
        if kind in _KNOWN or kind is bool:
            self.computed.append(_KNOWN.get(kind, kind))
        return None

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Arithmetic; ``+``, ``*`` and ``%`` have the type of a constant beside them."""
        for it, other in ((node.left, node.right), (node.right, node.left)):
            if not self._is_it(it):
                continue
            value = self._value(other)
            if isinstance(node.op, ast.Add | ast.Mult) and isinstance(value, str | bytes | list | tuple):
                self.computed.append(int if isinstance(node.op, ast.Mult) else _KNOWN[type(value)])
            elif isinstance(node.op, ast.Mod) and it is node.left:
                self.computed.append(str if isinstance(other, ast.Tuple) else int)
            elif isinstance(value, float) or isinstance(node.op, ast.Div):
                self.computed.append(float)
            elif isinstance(value, int) or isinstance(node.op, _NUMERIC):
                self.computed.append(int)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """``-x``; and ``not x``, which tells little."""
        if self._is_it(node.operand):
            if isinstance(node.op, ast.Not):
                self.is_tested_for_truth = True
            else:
                self.computed.append(int)
        self.generic_visit(node)

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> None:
        """``if x``."""
        tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        self.is_tested_for_truth = self.is_tested_for_truth or any(map(self._is_it, tests))
        self.generic_visit(node)

    visit_IfExp = visit_If  # noqa: N815
    visit_While = visit_If  # noqa: N815

    def visit_For(self, node: ast.For | ast.comprehension) -> None:
        """``for item in x``."""
        if self._is_it(node.iter):
            self.computed.append(list[int])
            self.elements |= {ast.unparse(node.target)}
        elif isinstance(node.iter, ast.Call) and any(map(self._is_it, node.iter.args)):
            target = node.target.elts[-1] if isinstance(node.target, ast.Tuple) else node.target
            self.elements |= {ast.unparse(target)} if ast.unparse(node.iter.func) in _OF_ITERABLES else set()
        self.generic_visit(node)

    visit_comprehension = visit_For

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """``x[0]``, ``x["key"]``, ``x[1:]``; and x as an index."""
        if self._is_it(node.value):
            key = self._value(node.slice)
            self.computed.append(dict[str, int] if isinstance(key, str) else list[int])
            self.computed += [str] if isinstance(node.slice, ast.Slice) else []
        elif self._is_it(node.slice):
            self.computed.append(int)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """``x.name``."""
        if self._is_it(node.value):
            self.attributes.add(node.attr)
        self.generic_visit(node)

    def _value(self, node: ast.expr) -> Any:
        """The value of a constant, or of a name or attribute of the module; None where it is neither."""
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError):
            pass
        if isinstance(node, ast.Tuple):
            return tuple(self._value(item) for item in node.elts)
        if isinstance(node, ast.Attribute):
            owner = self._value(node.value)
            return getattr(owner, node.attr, None) if isinstance(owner, ModuleType | type) else None
        return self._namespace.get(node.id, getattr(builtins, node.id, None)) if isinstance(node, ast.Name) else None


def _classes_in(namespace: Mapping[str, Any]) -> list[type]:
    return [kind for kind in list(namespace.values()) if is_a(kind, type)]


def _package(namespace: Mapping[str, Any]) -> Iterator[type]:
    """The classes of all modules that were imported of a package."""
    name = _top(namespace.get("__name__"))
    for module in [module for key, module in list(sys.modules.items()) if _top(key) == name]:
        yield from (kind for kind in _classes_in(vars(module)) if _top(kind.__module__) == name)


def _top(name: Any) -> str:
    return str(name).partition(".")[0]


@lru_cache(_MOST_CLASSES)
def _attributes(kind: type) -> frozenset[str]:
    """The attributes of instances: those of the class, annotated ones, and what constructors name."""
    annotated = [name for base in kind.__mro__ for name in get_annotations(base)]
    codes = [getattr(underlying(vars(base).get("__init__")), "__code__", None) for base in kind.__mro__]
    return frozenset((*dir(kind), *annotated, *(name for code in codes if code is not None for name in code.co_names)))


def _classes(value: Any) -> Hints:
    options = value if isinstance(value, tuple) else typing.get_args(value) or (value,)
    return [_KNOWN.get(option, option) for option in options if isinstance(option, type)]


def from_default(value: Any) -> Any:
    """The type of a default value; None where it tells nothing."""
    kind = bool if isinstance(value, bool) else type(value)
    if kind is list and value and type(value[0]) is str:
        return list[str]
    return None if value is None or safe_repr(value).startswith("<object") else _KNOWN.get(kind, kind)
