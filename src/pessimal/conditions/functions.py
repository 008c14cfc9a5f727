"""The functions that a condition may use, with the names that Python has for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pessimal.conditions import terms
from pessimal.conditions.condition import ConditionError, NoValue
from pessimal.conditions.terms import BINARY_REAL, UNARY_REAL, Value, as_float, sort_of
from pessimal.expr import App, BlackBox, Compare, Expr, Leaf, Term, bits, conjunction, disjunction, negation

Defined = list[Expr]
Build = Callable[[list[Term], Defined], Value]

CONSTANTS: dict[str, float] = {name: getattr(math, name) for name in ("pi", "e", "tau", "inf")}
CLOSE = 1e-9
MAX_FACTORIAL = 3000
"""Larger arguments of factorials and the like are not tried: their values have tens of thousands of digits."""
METHODS = frozenset(("bit_length", "bit_count", "is_integer"))
"""Functions that are written behind a number: ``x.bit_length()``."""
OF_LISTS = frozenset(("min", "max", "sum", "prod", "fsum"))
"""Functions that take a list or tuple of numbers."""
WORDS = {"int32": (32, True), "int64": (64, True), "uint32": (32, False), "uint64": (64, False)}
"""What machine words of a width hold of an integer: for conditions of ported code that wraps around."""


def _finite(term: Term, defined: Defined) -> None:
    if sort_of(term) == "float" and not isinstance(term, float):
        defined.append(Compare("<=", App("abs", (term,), "float"), terms.LARGEST))


def _whole(op: str) -> Build:
    """A rounding whose value is an integer."""

    def value(args: list[Term], defined: Defined) -> Value:
        _finite(args[0], defined)
        return args[0] if sort_of(args[0]) == "int" else terms.apply(op, (args[0],), "int")

    return value


def _round(args: list[Term], defined: Defined) -> Value:
    if len(args) == 1:
        return _whole("round")(args, defined)
    if not isinstance(args[1], int):
        raise ConditionError("round takes a constant number of digits, such as round(x, 3)")
    kind = sort_of(args[0])
    return args[0] if kind == "int" and args[1] >= 0 else terms.apply("round", tuple(args), kind)


def _integer(op: str) -> Build:
    """A function of integers."""

    def value(args: list[Term], defined: Defined) -> Value:
        if any(sort_of(arg) == "float" for arg in args):
            raise ConditionError(f"{op} takes ints, not a float: write int(...) around it")
        if op == "isqrt":
            defined.append(terms.relation(">=", args[0], 0))
        return terms.apply(op, tuple(args), "int")

    return value


def _log(args: list[Term], defined: Defined) -> Value:
    if len(args) == 1:
        return terms.real_function("log", args, defined)
    top, base = (terms.real_function("log", [arg], defined) for arg in args)
    return terms.arithmetic("/", top, base, defined)


def _infinite(term: Term) -> Expr:
    return terms.relation(">", terms.apply("abs", (as_float(term),), "float"), terms.LARGEST)


def _not_a_number(term: Term) -> Expr:
    number = as_float(term)
    return terms.relation("!=", number, number)


def _close(args: list[Term], defined: Defined) -> Value:
    """``math.isclose`` with its default tolerance: equal numbers, or finite ones whose difference is small."""
    a, b = map(as_float, args)
    sizes = [terms.apply("abs", (one,), "float") for one in (a, b)]
    gap = terms.apply("abs", (terms.apply("-", (b, a), "float"),), "float")
    limits = [terms.apply("*", (CLOSE, size), "float") for size in sizes]
    near = disjunction([terms.relation("<=", gap, limit) for limit in limits])
    finite = [terms.relation("<=", size, terms.LARGEST) for size in sizes]
    return disjunction([terms.relation("==", a, b), conjunction([*finite, near])])


def _is_whole(args: list[Term], defined: Defined) -> Value:
    if sort_of(args[0]) != "float":
        return True
    is_finite = terms.relation("<=", terms.apply("abs", (args[0],), "float"), terms.LARGEST)
    return conjunction([is_finite, terms.relation("==", terms.apply("whole", (args[0],), "float"), args[0])])


def _folded(op: str) -> Build:
    """A function of several integers that is one of two again and again."""

    def value(args: list[Term], defined: Defined) -> Value:
        found = args[0]
        for arg in args[1:]:
            found = _integer(op)([found, arg], defined)
        return found if len(args) > 1 else terms.apply("abs", (found,), "int")

    return value


def _least_multiple(args: list[Term], defined: Defined) -> Value:
    """``lcm`` by way of ``gcd``; zero if one of the numbers is."""
    a, b = args
    either = disjunction([terms.relation("==", one, 0) for one in args])
    divisor = terms.case(either, 1, _integer("gcd")(args, defined))
    size = terms.apply("abs", (terms.apply("*", (a, b), "int"),), "int")
    return terms.apply("//", (size, divisor), "int")


def _total(op: str, start: Leaf) -> Build:
    """``sum`` and ``prod``: the numbers one after the other."""

    def value(args: list[Term], defined: Defined) -> Value:
        found: Term = start
        for arg in args:
            found = terms.arithmetic(op, found, arg, defined) if found is not start else arg
        return found

    return value


def _power(args: list[Term], defined: Defined) -> Value:
    """The built-in ``pow``: a power, or its remainder by a third number."""
    if len(args) == 2:
        return terms.power(args[0], args[1], defined)
    defined.append(terms.relation("!=", args[2], 0))
    return _called("pow", pow, "int")(args, defined)


def _called(name: str, function: Callable[..., Any], sort: str, limit: int | None = None) -> Build:
    """A function without a meaning of its own here: it is called on samples, up to a limit if it is slow."""

    def limited(*numbers: Any) -> Any:
        if limit is not None and max(numbers) > limit:
            raise ValueError(f"{name} of such a large number is not computed")
        return function(*numbers)

    box = BlackBox(name, limited, trusted=True)

    def value(args: list[Term], defined: Defined) -> Value:
        wanted = sort == "int"
        for arg in args:
            if wanted and sort_of(arg) == "float":
                raise ConditionError(f"{name} takes ints, not a float: write int(...) around it")
            if limit is not None:
                defined.append(terms.relation(">=", arg, 0))
        if all(isinstance(arg, int | float) for arg in args):
            return _computed(name, limited, args)
        return box(*args, sort=sort)

    return value


def _scaled(args: list[Term], defined: Defined) -> Value:
    """``ldexp``, whose second argument must be an int; where the result is too large, it has no value."""
    if sort_of(args[1]) == "float":
        raise ConditionError("ldexp takes an int as its second argument, not a float: write int(...) around it")
    return _called("ldexp", math.ldexp, "float")(args, defined)


def _computed(name: str, function: Callable[..., Any], args: list[Any]) -> Value:
    try:
        return function(*args)
    except (ArithmeticError, ValueError) as error:
        raise NoValue(f"{name} of {terms.shown(*args)} has no value: {error}") from None


def _word(name: str) -> Build:
    return lambda args, _: terms.wrapped(*WORDS[name], args[0])


def _real(name: str) -> Build:
    return lambda args, defined: terms.real_function(name, args, defined)


FUNCTIONS: dict[str, tuple[range, Build]] = {
    **{name: (range(1, 2), _real(name)) for name in UNARY_REAL},
    **{name: (range(2, 3), _real(name)) for name in BINARY_REAL},
    **{name: (range(1, 2), _word(name)) for name in WORDS},
    "log": (range(1, 3), _log),
    "hypot": (range(1, 100), _real("hypot")),
    "abs": (range(1, 2), lambda args, _: terms.apply("abs", (args[0],), sort_of(args[0]))),
    "fabs": (range(1, 2), lambda args, _: terms.apply("abs", (as_float(args[0]),), "float")),
    "min": (range(2, 100), lambda args, _: terms.least("<", args)),
    "max": (range(2, 100), lambda args, _: terms.least(">", args)),
    "int": (range(1, 2), _whole("int")),
    "trunc": (range(1, 2), _whole("int")),
    "floor": (range(1, 2), _whole("floor")),
    "ceil": (range(1, 2), _whole("ceil")),
    "round": (range(1, 3), _round),
    "float": (range(1, 2), lambda args, _: as_float(args[0])),
    "bool": (range(1, 2), lambda args, _: terms.truth(args[0])),
    "isnan": (range(1, 2), lambda args, _: _not_a_number(args[0])),
    "isinf": (range(1, 2), lambda args, _: _infinite(args[0])),
    "isfinite": (range(1, 2), lambda args, _: negation(disjunction([_not_a_number(args[0]), _infinite(args[0])]))),
    "isclose": (range(2, 3), _close),
    "is_integer": (range(1, 2), _is_whole),
    "bit_length": (range(1, 2), _integer("bit_length")),
    "bit_count": (range(1, 2), _integer("bit_count")),
    "sum": (range(100), _total("+", 0)),
    "prod": (range(100), _total("*", 1)),
    "fsum": (range(1, 100), _real("fsum")),
    "pow": (range(2, 4), _power),
    "math.pow": (range(2, 3), _real("pow")),
    "gcd": (range(1, 10), _folded("gcd")),
    "lcm": (range(2, 3), _least_multiple),
    "factorial": (range(1, 2), _called("factorial", math.factorial, "int", MAX_FACTORIAL)),
    "comb": (range(2, 3), _called("comb", math.comb, "int", MAX_FACTORIAL)),
    "perm": (range(2, 3), _called("perm", math.perm, "int", MAX_FACTORIAL)),
    "ulp": (range(1, 2), _called("ulp", math.ulp, "float")),
    "nextafter": (range(2, 3), _called("nextafter", math.nextafter, "float")),
    "ldexp": (range(2, 3), _scaled),
    "isqrt": (range(1, 2), _integer("isqrt")),
    "degrees": (range(1, 2), lambda args, _: terms.apply("*", (as_float(args[0]), 180.0 / math.pi), "float")),
    "radians": (range(1, 2), lambda args, _: terms.apply("*", (as_float(args[0]), math.pi / 180.0), "float")),
}
"""For each function how many arguments it takes, and what builds its term."""


def build(name: str, args: list[Term], defined: Defined) -> Value:
    """The term of a function that is known."""
    counts, function = FUNCTIONS[name]
    if len(args) not in counts:
        wanted = " or ".join(map(str, counts)) if len(counts) < 3 else f"at least {counts[0]}"
        raise ConditionError(f"{name} takes {wanted} argument{'' if wanted == '1' else 's'}, not {len(args)}")
    return function(args, defined)


def names_for_python() -> dict[str, Any]:
    """What the names of a condition mean when Python evaluates it."""
    builtin = {one.__name__: one for one in (abs, min, max, int, round, float, bool, pow, sum)}
    words = {name: _native_word(*WORDS[name]) for name in WORDS}
    real = {name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}
    return {**real, **CONSTANTS, **builtin, **words, "math": math}


def _native_word(width: int, signed: bool) -> Callable[[int], int]:
    if signed:
        return lambda value: bits.signed_value(width, value)
    return lambda value: value & ((1 << width) - 1)
