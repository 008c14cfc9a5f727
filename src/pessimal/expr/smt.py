"""Translation of expressions to Z3 terms.

Integers and bit-vectors are exact. Floats come in two readings: as reals, which is fast but only an approximation whose
models must be checked by exact evaluation, and as IEEE doubles, which is exact and slow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import z3

from pessimal.expr import vectors
from pessimal.expr.bits import BITS
from pessimal.expr.evaluate import COMPARE
from pessimal.expr.intervals import Intervals
from pessimal.expr.node import App, Compare, Expr, Junction, Leaf, Not, Offset, Term, Var, bottom_up, children
from pessimal.expr.reals import FUNCTIONS, WORD, Untranslatable, floor, truncate, with_constant

Condition = Compare | Junction | Not
MAX_POWER = 64
"""Constant exponents up to this are written out as products."""
MAX_SHIFT = 4096
"""Shifts by more bits than this are not written out."""
EXACT = 1 << 53
"""Up to this every integer is a double."""


class Translator:
    """Turns terms and conditions into Z3 terms, sharing what was translated before.

    ``is_partial`` becomes true with the first operation that Python does not compute for all numbers, such as a
    division by zero: Z3 gives it any value there, so that its models must be checked.
    """

    def __init__(self, ieee: bool = False, bounds: Sequence[tuple[Leaf | None, Leaf | None]] = ()) -> None:
        self.ieee = ieee
        self._intervals = Intervals(bounds)
        self.variables: dict[int, Any] = {}
        self.is_partial = False
        self._assumed: dict[int, tuple[App | Compare, Any]] = {}
        self._definitions: list[Any] = []
        self._fresh = 0
        self._memo: dict[int, tuple[App, Any]] = {}

    def condition(self, node: Expr) -> Any:
        """The Z3 Boolean term of a condition."""
        if type(node) is Compare:
            return self._compare(node)
        if type(node) is Junction:
            parts = [self.condition(part) for part in node.parts]
            return z3.And(parts) if node.op == "and" else z3.Or(parts)
        if type(node) is Not:
            return z3.Not(self.condition(node.part))
        return z3.BoolVal(bool(node))

    def term(self, node: Term | Expr) -> Any:
        """The Z3 arithmetic term of a term."""
        if isinstance(node, Offset):
            var = self.variable(node.var, "int")
            return var + node.const if node.const else var
        if isinstance(node, App):
            return self._app(node)
        if isinstance(node, Var):
            return self.variable(node.var, "float")
        if isinstance(node, float):
            return self._float(node)
        return self.condition(node) if isinstance(node, Condition) else z3.IntVal(int(node))

    def variable(self, index: int, sort: str) -> Any:
        """The Z3 constant that stands for a leaf."""
        var = self.variables.get(index)
        if var is None:
            if sort == "int":
                var = z3.Int(f"x{index}")
            else:
                var = z3.FP(f"x{index}", z3.Float64()) if self.ieee else z3.Real(f"x{index}")
            self.variables[index] = var
        return var

    def _float(self, value: float) -> Any:
        if self.ieee:
            return z3.FPVal(value, z3.Float64())
        if not math.isfinite(value):
            raise Untranslatable(f"the constant {value}")
        numerator, denominator = value.as_integer_ratio()
        return z3.Q(numerator, denominator)

    def _app(self, root: App) -> Any:
        """Translate bottom-up without recursion: accumulators are as deep as the path is long."""
        for node in bottom_up(root, self._memo):
            self._memo[id(node)] = (node, self._operation(node))
        return self._memo[id(root)][1]

    def _operation(self, node: App) -> Any:
        if node.op in BITS:
            return self._vector(node)
        if node.op not in FUNCTIONS and node.op not in _OPERATIONS and node.op not in _BITS:
            raise Untranslatable(f"the operation {node.op}")
        args = self._arguments(node)
        if node.op in _BITS and not (node.op == "&" and _is_mask(args[1])):
            return self._bits(node, *args)
        self.is_partial = self.is_partial or _is_partial(node)
        if self.ieee and node.op == "/" and all(map(z3.is_int, args)):
            self._suppose_small(node, node.args, args, EXACT)  # Python rounds only the quotient
        if node.sort == "float" and node.op not in _CASES:
            args = [self._to_float(arg) for arg in args]
            if self.ieee and node.op not in _IEEE:
                raise Untranslatable(f"the operation {node.op} on doubles")
        return FUNCTIONS[node.op](self, node, *args) if node.op in FUNCTIONS else _OPERATIONS[node.op](*args)

    def _part(self, node: Any) -> Any:
        return self._memo[id(node)][1] if type(node) is App else self.term(node)

    def _arguments(self, node: App) -> list[Any]:
        """The translated arguments, as numbers unless they are the two cases of one width that a vector has."""
        args = [self._part(arg) for arg in node.args]
        if node.op == "ite" and z3.is_bv(args[1]) and args[1].sort() == args[2].sort():
            return args
        return [vectors.to_number(arg) for arg in args]

    def _vector(self, node: App) -> Any:
        operands = [self._part(arg) for arg in vectors.operands_of(node)]
        if node.op == "signed":
            return z3.BV2Int(vectors.to_vector(operands[0], node.args[0]), is_signed=True)
        return vectors.operation(node, operands)

    def fresh(self, sort: str) -> Any:
        """A constant of its own, named by its order so that equal queries are equal to the letter."""
        self._fresh += 1
        name = f"y{self._fresh}"
        return z3.Int(name) if sort == "int" else z3.Real(name)

    def define(self, condition: Any) -> None:
        """Keep a condition on fresh constants that always has a solution."""
        self._definitions.append(condition)

    def suppose(self, node: App | Compare, condition: Any) -> None:
        """Keep a condition without which the translation of a node is not exact."""
        self._assumed[id(node)] = (node, condition)

    def definitions(self) -> list[Any]:
        """What defines the fresh constants since the last call; assert it together with the translation."""
        found, self._definitions = self._definitions, []
        return found

    def assumptions(self, condition: Expr) -> list[Any]:
        """What must hold for the translation of a condition to be exact, such as that operands of ``&`` fit a word."""
        if not self._assumed:
            return []
        found: dict[int, Any] = {}
        seen: set[int] = set()
        stack: list[Term | Expr] = [condition]
        while stack:
            node = stack.pop()
            if id(node) in self._assumed:
                found[id(node)] = self._assumed[id(node)][1]
            if type(node) is App:  # shared, and so met again and again
                if id(node) in seen:
                    continue
                seen.add(id(node))
            stack.extend(children(node))
        return list(found.values())

    def _bits(self, node: App, a: Any, b: Any) -> Any:
        """A bit operation of integers as one of machine words, which is exact while both fit."""
        limit = 1 << (WORD - 1)
        self._suppose_small(node, node.args, (a, b), limit - 1)
        return z3.BV2Int(_BITS[node.op](z3.Int2BV(a, WORD), z3.Int2BV(b, WORD)), is_signed=True)

    def _suppose_small(self, node: App | Compare, parts: Sequence[Any], terms: Sequence[Any], limit: int) -> None:
        """Suppose that the integers among some parts are at most as large as a limit, where it is not known."""
        conditions = []
        for part, term in zip(parts, terms, strict=True):
            low, high = self._intervals.of(part) or (-math.inf, math.inf)
            if z3.is_int(term) and not -limit <= low <= high <= limit:
                conditions.append(z3.And(term >= -limit, term <= limit))
        if conditions:
            self.suppose(node, z3.And(conditions))

    def _to_float(self, term: Any) -> Any:
        if self.ieee:
            if z3.is_int(term):
                return z3.fpToFP(z3.RNE(), z3.ToReal(term), z3.Float64())
            return term
        return z3.ToReal(term) if z3.is_int(term) else term

    def _compare(self, node: Compare) -> Any:
        if isinstance(node.left, int | float) and isinstance(node.right, int | float):
            return z3.BoolVal(COMPARE[node.op](node.left, node.right))
        known = None if self.ieee else with_constant(node.op, node.left, node.right)
        if known is not None:
            return z3.BoolVal(known)
        signed = vectors.compared_signed(node.op, node.left, node.right, self.term)
        if signed is not None:
            return signed
        left, right = self.term(node.left), self.term(node.right)
        if z3.is_bv(left) or z3.is_bv(right):
            unsigned = vectors.compared(node.op, left, right)
            if unsigned is not None:
                return unsigned
            left, right = vectors.to_number(left), vectors.to_number(right)
        if self.ieee and (z3.is_fp(left) or z3.is_fp(right)):
            if not _is_small(node.left) and not _is_small(node.right):
                # Python compares an integer with a double exactly, Z3 after rounding it.
                self._suppose_small(node, (node.left, node.right), (left, right), EXACT)
            left, right = self._to_float(left), self._to_float(right)
            if node.op == "==":
                return z3.fpEQ(left, right)
            if node.op == "!=":
                return z3.Not(z3.fpEQ(left, right))
        elif z3.is_real(left) != z3.is_real(right):
            left, right = self._to_float(left), self._to_float(right)
        return vectors.SIGNED[node.op](left, right)


def _is_partial(node: App) -> bool:
    if node.op in _DIVISIONS:
        divisor = node.args[1]
        return not isinstance(divisor, int | float) or divisor == 0
    return node.op in _ROOTS


def _is_small(term: Any) -> bool:
    """Whether a term is a number so small that rounding an integer does not carry it across."""
    return isinstance(term, int | float) and abs(term) < EXACT


def _floor_div(a: Any, b: Any) -> Any:
    if not z3.is_int(a):
        return z3.ToReal(floor(a / b))
    # Z3 rounds so that the remainder is not negative; Python rounds down.
    return z3.If(b > 0, a / b, (-a) / (-b))


def _modulus(a: Any, b: Any) -> Any:
    return a - b * _floor_div(a, b)


def _power(base: Any, exponent: Any) -> Any:
    if not (z3.is_int_value(exponent) and 0 <= exponent.as_long() <= MAX_POWER):
        raise Untranslatable("a power with a large or symbolic exponent")
    result = z3.IntVal(1) if z3.is_int(base) else z3.RealVal(1)
    for bit in bin(exponent.as_long())[2:]:
        result = result * result
        if bit == "1":
            result = result * base
    return result


def _bit_count(term: Any) -> int:
    if not z3.is_int_value(term) or not 0 <= term.as_long() <= MAX_SHIFT:
        raise Untranslatable("a shift by a large, negative or symbolic number of bits")
    return int(term.as_long())


def _is_mask(term: Any) -> bool:
    """Whether a term is a row of ones, so that masking with it is a remainder, which is exact for all integers."""
    value = term.as_long() if z3.is_int_value(term) else -1
    return value >= 0 and value & (value + 1) == 0


def _mask(a: Any, b: Any) -> Any:
    return _modulus(a, z3.IntVal(b.as_long() + 1))


def _divide(a: Any, b: Any) -> Any:
    return a / b if not z3.is_int(a) else z3.ToReal(a) / z3.ToReal(b)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "//": _floor_div,
    "%": _modulus,
    "**": _power,
    "neg": lambda a: -a,
    "abs": lambda a: z3.fpAbs(a) if z3.is_fp(a) else z3.If(a >= 0, a, -a),
    "<<": lambda a, b: a * (1 << _bit_count(b)),
    ">>": lambda a, b: _floor_div(a, z3.IntVal(1 << _bit_count(b))),
    "&": _mask,
    "float": lambda a: a,
    "int": truncate,
    "ite": lambda test, then, other: z3.If(test, then, other),
}
_BITS: dict[str, Callable[[Any, Any], Any]] = {
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
_IEEE = frozenset(("+", "-", "*", "/", "neg", "abs", "float", "sqrt", "copysign"))
_CASES = frozenset(("ite", "table"))
_DIVISIONS = frozenset(("/", "//", "%", "fmod"))
_ROOTS = frozenset(("sqrt", "isqrt", "hypot", "dist"))
