"""What kind a question is: which operations it has, how many variables and equalities. Solvers are chosen by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pessimal.expr import App, Compare, Junction, Offset, Var, variables
from pessimal.expr.bits import BITS
from pessimal.expr.blackbox import CALL
from pessimal.expr.node import children
from pessimal.solve.base import Literal

EXPONENTIAL = frozenset(("exp", "exp2", "expm1", "sinh", "cosh", "power", "pow", "gamma"))
TRIGONOMETRIC = frozenset(("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "tanh", "fmod", "remainder"))
ARITHMETIC = frozenset(("+", "-", "neg", "abs", "copysign", "float", "ite", "marked", "table", "int"))
PRODUCTS = frozenset(("*", "/", "//", "%", "**", "sqrt", "floor", "ceil", "<<", ">>", "isqrt"))
JAGGED = frozenset(("%", "//", "floor", "ceil", "round", "int", "trunc", "<<", ">>", "isqrt"))
"""Operations whose values jump, so that how near a sample came says little."""
TEXTURES = ("smooth", "whole", "rounded", "remainders", "bits", "calls")
"""What samples tell of a condition depends on how its values change: see :attr:`Features.texture`."""
BITWISE = frozenset(("&", "|", "^", "~")) | frozenset(BITS)


OPERATIONS = ("linear", "products", "bits", "functions", "calls")
"""The operations of a question by the hardest there are, easy ones first."""


class Kind(NamedTuple):
    """The features of some conditions that tell which solver to ask first."""

    operations: str
    """The hardest there are, one of :data:`OPERATIONS`."""
    has_floats: bool
    has_equalities: bool
    is_wide: bool
    """Whether more than three variables take part."""
    is_deep: bool

    @property
    def name(self) -> str:
        """The kind as a word, for files."""
        flags = zip(("float", "equal", "wide", "deep"), self[1:], strict=True)
        return "-".join([self.operations, *(flag for flag, is_set in flags if is_set)])


class Features(NamedTuple):
    """What conditions consist of: operations, variables, equalities and how deep their terms are."""

    operations: frozenset[str]
    variables: int
    equalities: int
    comparisons: int
    depth: int
    has_floats: bool
    products: int
    """How many products and quotients there are."""

    @property
    def is_jagged(self) -> bool:
        """Whether values jump: remainders, rounding, bits or calls of functions that nobody sees through."""
        return bool(self.operations & (JAGGED | BITWISE | {CALL}))

    @property
    def texture(self) -> str:
        """How values change: floats smoothly or with jumps, integers likewise, by bits, or by calls of functions."""
        if CALL in self.operations:
            return "calls"
        if self.operations & BITWISE:
            return "bits"
        if self.is_jagged:
            return "rounded" if self.has_floats else "remainders"
        return "smooth" if self.has_floats else "whole"


def features_of(literals: Sequence[Literal]) -> Features:
    """Count what some conditions consist of."""
    operations: set[str] = set()
    seen: set[int] = set()
    equalities = comparisons = depth = products = 0
    has_floats = False
    stack: list[Any] = list(literals)
    names: set[int] = set().union(*(variables(condition) for condition, _ in literals))
    while stack:
        node, want = stack.pop()
        if type(node) is App:
            if id(node) in seen:
                continue
            seen.add(id(node))
            operations.add(node.op)
            products += node.op in PRODUCTS
            depth = max(depth, node.depth)
        has_floats = has_floats or type(node) in (Var, float) or getattr(node, "sort", "") == "float"
        if type(node) is Compare:
            comparisons += 1
            equalities += node.op == ("==" if want else "!=")
        inner = want if type(node) in (Junction, Compare) else not want
        stack.extend((part, inner) for part in children(node) if not isinstance(part, Offset))
    return Features(frozenset(operations), len(names), equalities, comparisons, depth, has_floats, products)


def kind_of(features: Features) -> Kind:
    """The kind that features belong to."""
    ops = features.operations
    if CALL in ops:
        hardest = "calls"
    elif ops & BITWISE:
        hardest = "bits"
    elif ops - ARITHMETIC - PRODUCTS:
        hardest = "functions"
    else:
        hardest = "products" if ops & PRODUCTS else "linear"
    return Kind(hardest, features.has_floats, features.equalities > 0, features.variables > 3, features.depth > 12)


def level_of(features: Features) -> int:
    """The published levels of difficulty: 0 where values change slowly, 1 with sines, 2 with exponentials."""
    if features.operations & EXPONENTIAL:
        return 2
    return 1 if features.operations & TRIGONOMETRIC else 0
