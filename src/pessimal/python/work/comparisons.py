"""Which values a run compares: code that notes the operands of comparisons, of look-ups and of searches in text.

Concrete search copies one operand over the part of the input that equals the other, which passes tests that no random
change would.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from types import CodeType
from typing import Any

from pessimal.comparison import Comparison
from pessimal.python.work.counted_file import Place, codes_by_place

COMPARE = "__pessimal_compare__"
LOOK_UP = "__pessimal_look_up__"
SEARCH = "__pessimal_search__"

_OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.In: "in",
    ast.NotIn: "not in",
}
_COMPARED: dict[str, Callable[[Any, Any], Any]] = {
    "in": lambda one, other: one in other,
    "not in": lambda one, other: one not in other,
    **{name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
}
_SEARCHES = frozenset(("startswith", "endswith", "find", "rfind", "index", "count", "split", "partition"))
_NOTED = (int, float, str, bytes)
_CONTAINERS = (dict, set, frozenset, list, tuple)

MOST_COMPARISONS = 4000
MOST_AT_A_SITE = 20
MOST_MEMBERS = 20
MOST_CHARACTERS = 200


class ComparedFile:
    """The functions of a file as code that notes what it compares."""

    def __init__(self, path: str, source: bytes, shown_path: str) -> None:
        tree = ast.parse(source, path)
        _Noting().visit(tree)
        self.codes: dict[Place, CodeType] = codes_by_place(compile(tree, shown_path, "exec", dont_inherit=True))


class ComparisonLog:
    """Collects what is compared; each site is noted a few times, since a loop compares alike again and again."""

    def __init__(self) -> None:
        self.found: list[Comparison] = []
        self._times: dict[int, int] = {}

    def clear(self) -> None:
        """Forget what was found."""
        self.found = []
        self._times.clear()

    def define_names(self, space: dict[str, Any]) -> None:
        """Define the global names that the code refers to in a module's globals."""
        space[COMPARE], space[LOOK_UP], space[SEARCH] = self._compare, self._look_up, self._search

    def _compare(self, site: int, name: str, left: Any, right: Any) -> Any:
        if type(right) in _CONTAINERS and name.endswith("in"):
            self._note_members(site, left, right)
        else:
            self._note(site, left, right)
        return _COMPARED[name](left, right)

    def _look_up(self, site: int, owner: Any, key: Any) -> Any:
        if type(owner) is dict:
            self._note_members(site, key, owner)
        return owner[key]

    def _search(self, site: int, text: Any, part: Any) -> Any:
        if type(part) is tuple:
            self._note_members(site, text, part)
        else:
            self._note(site, text, part)
        return part

    def _note_members(self, site: int, value: Any, members: Any) -> None:
        if type(value) in _NOTED and len(members) <= MOST_MEMBERS:
            for number, member in enumerate(members):
                self._note(site + number, value, member)

    def _note(self, site: int, left: Any, right: Any) -> None:
        if type(left) not in _NOTED or type(right) not in _NOTED or len(self.found) >= MOST_COMPARISONS:
            return
        times = self._times[site] = self._times.get(site, 0) + 1
        if times <= MOST_AT_A_SITE and _is_short(left) and _is_short(right):
            self.found.append(Comparison(site, left, right))


def _is_short(value: Any) -> bool:
    return not isinstance(value, str | bytes) or len(value) <= MOST_CHARACTERS


class _Noting(ast.NodeTransformer):
    """Replaces comparisons by calls that note their operands."""

    def __init__(self) -> None:
        self._sites = 0

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """``a < b``; chains are left alone."""
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.ops[0]))
        if len(node.ops) > 1 or name is None:
            return node
        return self._call(COMPARE, [ast.Constant(name), node.left, node.comparators[0]], node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """``d[key]``, which a dict may not have."""
        self.generic_visit(node)
        is_computed = not isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple | ast.UnaryOp)
        if isinstance(node.ctx, ast.Load) and is_computed:
            return self._call(LOOK_UP, [node.value, node.slice], node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``text.startswith(part)`` and the like."""
        self.generic_visit(node)
        function = node.func
        first = node.args[0] if node.args else None
        if first is None or isinstance(first, ast.Starred) or not isinstance(function, ast.Attribute):
            return node
        if function.attr in _SEARCHES and isinstance(function.value, ast.Name):
            node.args[0] = self._call(SEARCH, [function.value, first], node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Annotations are not computed."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Annotations are not computed."""
        return node

    def _call(self, name: str, arguments: list[ast.expr], at: ast.expr) -> ast.expr:
        self._sites += MOST_MEMBERS  # each member of a container has a number of its own
        parts = [ast.Constant(self._sites), *arguments]
        call = ast.Call(ast.Name(name, ast.Load()), parts, [])
        for part in (call, call.func, *(part for part in parts if isinstance(part, ast.Constant))):
            ast.copy_location(part, at)
        return call
