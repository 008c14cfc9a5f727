"""The functions that a condition may use, with the names that Python has for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pessimal.conditions import terms
from pessimal.conditions.condition import ConditionError
from pessimal.conditions.terms import BINARY_REAL, UNARY_REAL, Value, as_float, sort_of
from pessimal.expr import App, Compare, Expr, Term, bits

Defined = list[Expr]
Build = Callable[[list[Term], Defined], Value]

CONSTANTS: dict[str, float] = {name: getattr(math, name) for name in ("pi", "e", "tau", "inf")}
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
    return args[0] if sort_of(args[0]) == "int" and args[1] >= 0 else terms.apply("round", tuple(args), "float")


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
    "gcd": (range(2, 3), _integer("gcd")),
    "isqrt": (range(1, 2), _integer("isqrt")),
    "degrees": (range(1, 2), lambda args, _: terms.apply("*", (as_float(args[0]), 180.0 / math.pi), "float")),
    "radians": (range(1, 2), lambda args, _: terms.apply("*", (as_float(args[0]), math.pi / 180.0), "float")),
}
"""For each function how many arguments it takes, and what builds its term."""


def build(name: str, args: list[Term], defined: Defined) -> Value:
    """The term of a function that is known."""
    counts, function = FUNCTIONS[name]
    if len(args) not in counts:
        wanted = str(counts[0]) if len(counts) == 1 else f"at least {counts[0]}"
        raise ConditionError(f"{name} takes {wanted} argument{'' if wanted == '1' else 's'}, not {len(args)}")
    return function(args, defined)


def names_for_python() -> dict[str, Any]:
    """What the names of a condition mean when Python evaluates it."""
    builtin = {"abs": abs, "min": min, "max": max, "int": int, "round": round, "float": float, "bool": bool}
    words = {name: _native_word(*WORDS[name]) for name in WORDS}
    real = {name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}
    return {**real, **CONSTANTS, **builtin, **words, "math": math}


def _native_word(width: int, signed: bool) -> Callable[[int], int]:
    if signed:
        return lambda value: bits.signed_value(width, value)
    return lambda value: value & ((1 << width) - 1)
