"""Conditions drawn at random over domains so small that all of their values can be tried, for comparison with solvers.

Most floats are drawn from ranges of a few neighbouring doubles: around zero, where doubles are densest, and next to the
largest one. So the answer is known without any solver: by evaluating the text at every point. Some variables have no
range; of these a list of odd values is tried, which shows that a condition is satisfiable but never that it is not.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

Point = dict[str, Any]

INT_RANGES = (
    (-3, 3),
    (0, 9),
    (-1, 12),
    (5, 5),
    (2**31 - 3, 2**31 + 2),
    (2**63 - 2, 2**63 + 2),
    (-(2**70), -(2**70) + 4),
)
FLOAT_STARTS = (0.0, 1.0, -1.0, 0.1, -2.5, 4.0, 1e16, 5e-324, -5e-324, 2.0**-1022, 1.7976931348623157e308, math.pi)
FREE_INTS = (*range(-12, 13), 100, -1000, 2**31 - 1, 2**31, 2**32, -(2**31), 2**53, 2**53 + 1, 2**63, 2**64, 10**25)
FREE_FLOATS = (
    *(0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, 0.1, 1 / 3, math.pi, -math.pi, math.pi / 2, math.e),
    *(5e-324, -5e-324, 2.0**-1022, 1e-160, 1e-10, 1e10, 1e16, 1e160, 1.3e154, 1e308, 1.7976931348623157e308, -1e308),
    *(709.0, 710.0, 1023.0, 1024.0, -745.0, -1075.0, 170.5, 172.0, 0.9999999999999999, 1.0000000000000002, -100.0),
)
FREE = 0.2
"""How often a variable has no range."""
NEIGHBOURS = 5
"""How many doubles the range of a float has, of which zero counts twice."""
INTS = (0, 1, 2, 3, -1, 7, 10, 255, 2**31, -(2**31), 2**53 + 1, 2**64, 10**30)
FLOATS = (
    "0.0",
    "-0.0",
    "0.5",
    "1.0",
    "2.0",
    "-1.5",
    "1e308",
    "5e-324",
    "1e16",
    "inf",
    "-inf",
    "(inf - inf)",
    "pi",
    "e",
)
UNARY = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "cbrt",
    "erf",
    "erfc",
    "gamma",
    "lgamma",
    "fabs",
    "degrees",
    "radians",
    "ulp",
    "math.sin",
    "math.sqrt",
]
BINARY = ["atan2", "fmod", "copysign", "remainder", "math.pow", "hypot", "nextafter"]
ORDERS = ["<", "<=", ">", ">=", "==", "!="]

# In these forms <w> stands for an integer, <r> for a float, <n> for either, <s> for a small exponent, <t> for a truth
# value, and <=> for a comparison.
TRUTHS = (
    *("<t> and <t>", "<t> or <t>", "(<t>) and not (<t>)", "not (<t>)", "<n> <=> <n> <=> <n>", "<w> <=> <r>"),
    *(
        "(<n> and <n>) <=> <n>",
        "<n> <=> (<n> or <n> or <t>)",
        "<w> in (<w>, <r>, 3)",
        "<r> not in [<r>, <w>]",
        "<n> and <n>",
        "bool(<n>) <=> (<t>)",
        "isclose(<r>, <n>)",
    ),
    *("isnan(<r>)", "isinf(<r>)", "isfinite(<n>)", "(<r>).is_integer()", "(<t> if <t> else <n>)"),
)
WHOLES = (
    *(f"(<w> {op} <w>)" for op in ["+", "-", "*", "//", "%", "&", "|", "^"]),
    *("(<w> ** <s>)", "(<w> << <s>)", "(<w> >> <s>)", "pow(<w>, <s>, <w>)", "pow(<w>, <s>)", "isqrt(<w>)"),
    *("~<w>", "-<w>", "+<w>", "abs(<w>)", "(<w>).bit_length()", "(<w>).bit_count()", "round(<w>, -1)", "round(<w>, 1)"),
    *(f"{name}(<w>, <w>)" for name in ("min", "max", "gcd", "math.gcd", "lcm")),
    *(f"{name}((<w>, <w>, 3))" for name in ("min", "max", "sum", "prod")),
    *(f"{name}(<w>)" for name in ("int32", "int64", "uint32", "uint64")),
    *(f"{name}(<r>)" for name in ("int", "round", "floor", "ceil", "trunc", "math.floor")),
    *("(<w> if <t> else <w>)", "((<t>) + <w>)", "comb(<s>, <s>)", "perm(<s>, <s>)", "factorial(<s>)", "int(<t>)"),
)
REALS = (
    *(f"(<r> {op} <r>)" for op in ["+", "-", "*", "/", "//", "%", "**"]),
    *("(<w> / <w>)", "(<r> * <w>)", "(<w> // <r>)", "(<r> ** <s>)", "-<r>", "abs(<r>)", "(<r> if <t> else <w>)"),
    *(f"(<r> ** {exponent})" for exponent in (2, 3, 0, -1, 0.5, -0.5, 1.5, 10)),
    *(f"{name}(<r>)" for name in UNARY),
    *(f"{name}(<n>)" for name in UNARY),
    *(f"{name}(<r>, <n>)" for name in (*BINARY, *BINARY, "min", "max", "log")),
    *("sum((<r>, <w>, 2))", "prod((<r>, <r>))", "fsum((<r>, <w>, <r>))", "float(<w>)", "hypot(<r>, <r>, <n>)"),
    *("round(<r>, 0)", "round(<r>, 3)", "round(<r>, -1)", "log(<n>, 2)"),
)
MAX_POINTS = 4000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A condition as text, the variables as they are declared, and values that each can have."""

    text: str
    variables: Mapping[str, str]
    values: Mapping[str, Sequence[Any]]

    @property
    def is_complete(self) -> bool:
        """Whether the values are all that there are."""
        return all(":" in spec or spec == "bool" for spec in self.variables.values())

    def points(self) -> Iterator[Point]:
        """Every input."""
        for values in product(*self.values.values()):
            yield dict(zip(self.values, values, strict=True))

    def solution(self) -> Point | None:
        """The first input for which Python finds the text true, or None."""
        holds = truth_of(self.text)
        return next((point for point in self.points() if holds(point)), None)


def truth_of(text: str) -> Callable[[Point], bool]:
    """Whether Python finds a text true of an input; where it raises or computes a complex number, it is not."""
    value_of = _evaluator(text)

    def holds(point: Point) -> bool:
        try:
            return bool(value_of(point))
        except (ArithmeticError, ValueError, AttributeError):
            return False

    return holds


def _evaluator(text: str) -> Callable[[Point], Any]:
    tree = _RealPowers().visit(ast.parse(text, mode="eval"))
    code = compile(ast.fix_missing_locations(tree), "<drawn>", "eval")
    names = {**vars(math), **{name: _word(name) for name in WORDS}, "math": math, "_power": _real_power, "pow": pow}
    return lambda point: eval(code, dict(names), point)


class _RealPowers(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Call(ast.Name("_power", ast.Load()), [node.left, node.right], [])


def _real_power(base: Any, exponent: Any) -> Any:
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("a complex number")
    return result


WORDS = {"int32": (32, True), "int64": (64, True), "uint32": (32, False), "uint64": (64, False)}


def _word(name: str) -> Callable[[int], int]:
    width, is_signed = WORDS[name]

    def value(number: int) -> int:
        rest = number % (1 << width)
        return rest - (1 << width) if is_signed and rest >> (width - 1) else rest

    return value


def drawn(seed: int) -> Drawn:
    """The condition of a seed."""
    rng = Random(seed)
    while True:
        kinds = rng.choices(("int", "float", "bool"), (5, 4, 2), k=rng.choice((1, 2, 2, 3)))
        variables, values = {}, {}
        for name, kind in zip("abc", kinds, strict=False):
            variables[name], values[name] = _domain(rng, kind)
        if math.prod(map(len, values.values())) <= MAX_POINTS:
            break
    names = {kind: [name for name, other in zip("abc", kinds, strict=False) if other == kind] for kind in set(kinds)}
    grammar = Grammar(rng, names, {name: rng.choice(list(some)) for name, some in values.items()})
    return Drawn(grammar.truth(rng.choice((1, 2, 2, 3))), variables, values)


def _domain(rng: Random, kind: str) -> tuple[str, Sequence[Any]]:
    if kind == "bool":
        return "bool", (False, True)
    if rng.random() < FREE:
        return kind, FREE_INTS if kind == "int" else FREE_FLOATS
    if kind == "int":
        low, high = rng.choice(INT_RANGES)
        return f"int:{low}..{high}", range(low, high + 1)
    neighbours = [rng.choice(FLOAT_STARTS)]
    while len(neighbours) < NEIGHBOURS and (after := math.nextafter(neighbours[-1], math.inf)) < math.inf:
        neighbours.append(after)
    low, high = neighbours[0], neighbours[-1]
    if low <= 0 <= high:
        neighbours = [one for one in neighbours if one != 0] + [0.0, -0.0]
    return f"float:{low!r}..{high!r}", neighbours


class Grammar:
    """Draws terms and truth values over some variables; comparisons are often those that hold at one point."""

    def __init__(self, rng: Random, names: Mapping[str, Sequence[str]], point: Point) -> None:
        self._rng = rng
        self._names = names
        self._point = point

    def truth(self, depth: int) -> str:
        """A truth value."""
        if depth <= 0 or self._rng.random() < 0.4:
            return self._comparison(max(depth, 0))
        return self._filled(TRUTHS, depth - 1)

    def _filled(self, forms: Sequence[str], depth: int) -> str:
        parts: dict[str, Callable[[int], str]] = {
            "<w>": self.whole,
            "<r>": self.real,
            "<n>": self._number,
            "<s>": self._small,
            "<t>": self.truth,
            "<=>": lambda _: self._rng.choice(ORDERS),
        }
        return re.sub("<[wrnst=]>", lambda found: parts[found[0]](depth), self._rng.choice(forms))

    def _number(self, depth: int) -> str:
        return self.whole(depth) if self._rng.random() < 0.5 else self.real(depth)

    def _comparison(self, depth: int) -> str:
        text = self._number(depth)
        other = self._equal_to(text) if self._rng.random() < 0.6 else self._number(depth - 1)
        return f"{text} {self._rng.choice(ORDERS)} {other}"

    def _equal_to(self, text: str) -> str:
        """What a term is at the point that was drawn, if it is anything."""
        try:
            value = _evaluator(text)(self._point)
        except (ArithmeticError, ValueError, AttributeError):
            return self._number(0)
        return self._number(0) if value != value or len(repr(value)) > 60 else repr(value)

    def whole(self, depth: int) -> str:
        """An integer."""
        if depth > 0:
            return self._filled(WHOLES, depth - 1)
        known = [*self._names.get("int", ()), *self._names.get("int", ()), *self._names.get("bool", ())]
        return self._rng.choice(known) if known and self._rng.random() < 0.75 else str(self._rng.choice(INTS))

    def _small(self, depth: int) -> str:
        """An integer that may be an exponent."""
        known = [f"({name} % 7 - 1)" for name in self._names.get("int", ())]
        return self._rng.choice([*known, *self._names.get("bool", ()), "0", "1", "2", "3", "-1", "5", "12"])

    def real(self, depth: int) -> str:
        """A float, or an int where Python makes no difference."""
        if depth > 0:
            return self._filled(REALS, depth - 1)
        known = self._names.get("float", ())
        if known and self._rng.random() < 0.7:
            return self._rng.choice(known)
        return self._rng.choice(FLOATS) if self._rng.random() < 0.6 else f"float({self.whole(0)})"
