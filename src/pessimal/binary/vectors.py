"""Conditions on bit-vectors as Bitwuzla's own terms: each part of them is translated once for all runs of a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pessimal.binary.terms import width_of
from pessimal.expr import App, Compare, Expr, Junction, Leaf, Not, Offset
from pessimal.expr.node import bottom_up
from pessimal.solve.base import Bounds

MOST_TERMS = 300_000
WIDEST_LEAF = 64
"""A leaf that needs more bits cannot be told."""
_WIDTHS = {"extract": 2, "concat": 2, "sign_extend": 2}
_UNIFORM = {
    "bvnot": "BV_NOT",
    "bvneg": "BV_NEG",
    "bvadd": "BV_ADD",
    "bvsub": "BV_SUB",
    "bvmul": "BV_MUL",
    "bvand": "BV_AND",
    "bvor": "BV_OR",
    "bvxor": "BV_XOR",
    "bvudiv": "BV_UDIV",
    "bvurem": "BV_UREM",
    "bvsdiv": "BV_SDIV",
    "bvsrem": "BV_SREM",
    "bvshl": "BV_SHL",
    "bvlshr": "BV_SHR",
    "bvashr": "BV_ASHR",
    "rotate_left": "BV_ROL",
    "rotate_right": "BV_ROR",
}
_COMPARE = {"<": "BV_SLT", "<=": "BV_SLE", ">": "BV_SGT", ">=": "BV_SGE", "==": "EQUAL", "!=": "DISTINCT"}


class Untold(Exception):
    """A condition has no translation."""


class Vectors:
    """Translates conditions; ``variables`` has Bitwuzla's constant for each leaf that was met."""

    def __init__(self, library: Any, domains: Bounds) -> None:
        self._kinds = library.Kind
        self.manager = library.TermManager()
        self._domains = domains
        self._terms: dict[int, tuple[App, Any]] = {}
        self._conditions: dict[int, tuple[Expr, Any]] = {}
        self._sorts: dict[int, Any] = {}
        self.variables: dict[int, Any] = {}

    @property
    def is_full(self) -> bool:
        """Whether so much was translated that it is better forgotten."""
        return len(self._terms) > MOST_TERMS

    def condition(self, node: Expr) -> Any:
        """A condition as a truth value."""
        if isinstance(node, bool):
            return self.manager.mk_true() if node else self.manager.mk_false()
        found = self._conditions.get(id(node))
        if found is None:
            found = self._conditions[id(node)] = node, self._condition(node)
        return found[1]

    def _condition(self, node: Any) -> Any:
        if type(node) is Not:
            return self._make("NOT", self.condition(node.part))
        if type(node) is Junction:
            parts = [self.condition(part) for part in node.parts]
            return self._make("AND" if node.op == "and" else "OR", *parts) if len(parts) > 1 else parts[0]
        assert type(node) is Compare
        sides = [self._side(node.left), self._side(node.right)]
        width = max(least for least, _ in sides)
        return self._make(_COMPARE[node.op], *(widened(width) for _, widened in sides))

    def _side(self, node: Any) -> tuple[int, Callable[[int], Any]]:
        """How many bits a number with a sign needs, and the number in any such width."""
        if type(node) is int:
            return node.bit_length() + 1, lambda width: self._number(width, node)
        if type(node) is Offset:
            needed = max(self._variable(node.var).sort().bv_size(), node.const.bit_length()) + 2
            return needed, lambda width: self._shifted(node, width)
        if type(node) is not App:
            raise Untold
        if node.op == "signed":
            inner = self._resized(self.term(node.args[1]), node.args[0], is_signed=False)
            return node.args[0], lambda width: self._resized(inner, width, is_signed=True)
        term = self.term(node)
        return width_of(node) + 1, lambda width: self._resized(term, width, is_signed=False)

    def term(self, root: App) -> Any:
        """A term, its parts first: terms are as deep as the path is long."""
        found = self._terms.get(id(root))
        if found is None:
            for node in bottom_up(root, self._terms):
                is_vector = node.op != "signed"  # in the test of an ite, where it is a side of a comparison
                self._terms[id(node)] = node, self._operation(node) if is_vector else None
            found = self._terms[id(root)]
        return found[1]

    def _operation(self, node: App) -> Any:
        op, args, width = node.op, node.args, width_of(node)
        if op == "ite":
            return self._make("ITE", self.condition(args[0]), *(self._operand(arg, width) for arg in args[1:]))
        if op == "table":
            return self._table(args[0], args[2:], width)
        if op == "bv":
            return self._shifted(args[1], width) if type(args[1]) is Offset else self._operand(args[1], width)
        if op == "extract":
            return self._make("BV_EXTRACT", self._operand(args[2], args[0] + 1), indices=[args[0], args[1]])
        if op == "concat":
            return self._make("BV_CONCAT", self._operand(args[2], args[0]), self._operand(args[3], args[1]))
        if op in ("zero_extend", "sign_extend"):
            narrow = self._operand(args[-1], args[0])
            return self._resized(narrow, width, is_signed=op == "sign_extend")
        if op not in _UNIFORM:
            raise Untold
        return self._make(_UNIFORM[op], *(self._operand(arg, args[0]) for arg in args[1:]))

    def _operand(self, node: Any, width: int) -> Any:
        """A part modulo its width."""
        if type(node) is int:
            return self._number(width, node)
        if type(node) is Offset:
            return self._shifted(node, width)
        if type(node) is not App or node.sort[:2] != "bv":
            raise Untold
        return self._resized(self.term(node), width, is_signed=False)

    def _table(self, index: Any, entries: tuple[int, ...], width: int) -> Any:
        """A table as a choice by each bit of its index."""
        bits = max((len(entries) - 1).bit_length(), 1)
        if width_of(index) > bits:
            raise Untold  # what lies beyond its end
        at = self._operand(index, bits)
        level = [self._number(width, entry) for entry in entries]
        level += level[-1:] * ((1 << bits) - len(level))
        for bit in range(bits):
            is_set = self._make("EQUAL", self._make("BV_EXTRACT", at, indices=[bit, bit]), self._number(1, 1))
            pairs = zip(level[1::2], level[::2], strict=True)
            level = [high if high is low else self._make("ITE", is_set, high, low) for high, low in pairs]
        return level[0]

    def _variable(self, leaf: int) -> Any:
        if leaf not in self.variables:
            low, high = self._domains[leaf]
            limit = 1 << WIDEST_LEAF - 1
            if not (isinstance(low, int) and isinstance(high, int) and -limit <= low and high < limit):
                raise Untold
            sort = self._sort(8 if (low, high) == (0, 255) else WIDEST_LEAF)
            self.variables[leaf] = self.manager.mk_const(sort, f"x{leaf}")
        return self.variables[leaf]

    def bounds(self, leaf: int) -> list[Any]:
        """What the range of a leaf says; nothing of a byte."""
        variable, (low, high) = self._variable(leaf), self._domains[leaf]
        if variable.sort().bv_size() == 8:
            return []
        ends = (("BV_SGE", low), ("BV_SLE", high))
        return [self._make(op, variable, self._number(WIDEST_LEAF, int(end or 0))) for op, end in ends]

    def value(self, leaf: int, bits: str) -> Leaf:
        """What bits mean as the value of a leaf."""
        number = int(bits, 2)
        return number - (1 << len(bits)) if len(bits) == WIDEST_LEAF and bits[0] == "1" else number

    def _shifted(self, node: Offset, width: int) -> Any:
        """A leaf and a constant, modulo a width."""
        variable = self._variable(node.var)
        term = self._resized(variable, width, is_signed=variable.sort().bv_size() == WIDEST_LEAF)
        return self._make("BV_ADD", term, self._number(width, node.const)) if node.const else term

    def _resized(self, term: Any, width: int, *, is_signed: bool) -> Any:
        size = term.sort().bv_size()
        if size == width:
            return term
        if size > width:
            return self._make("BV_EXTRACT", term, indices=[width - 1, 0])
        return self._make("BV_SIGN_EXTEND" if is_signed else "BV_ZERO_EXTEND", term, indices=[width - size])

    def _number(self, width: int, value: int) -> Any:
        return self.manager.mk_bv_value(self._sort(width), value & (1 << width) - 1)

    def _sort(self, width: int) -> Any:
        if width not in self._sorts:
            self._sorts[width] = self.manager.mk_bv_sort(width)
        return self._sorts[width]

    def _make(self, kind: str, *parts: Any, indices: list[int] | None = None) -> Any:
        made = getattr(self._kinds, kind)
        return (
            self.manager.mk_term(made, list(parts))
            if indices is None
            else self.manager.mk_term(made, list(parts), indices)
        )
