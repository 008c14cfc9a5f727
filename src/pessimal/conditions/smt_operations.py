"""The operations of SMT-LIB 2 as terms: core, integers, reals, the functions that solvers add, and bit-vectors."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

from pessimal.conditions import terms
from pessimal.conditions.condition import ConditionError
from pessimal.conditions.terms import UNARY_REAL, as_float, truth
from pessimal.expr import Expr, Term, bits, conjunction, disjunction, negation

Defined = list[Expr]
Operation = Callable[[list[Any], Defined], Any]


class Unsupported(Exception):
    """Correct SMT-LIB that is not read here."""


class SortError(ConditionError):
    """An operation on arguments of sorts that do not fit; some solvers are lenient about it."""


def number(value: Any) -> Any:
    """A number; a truth value is none in SMT-LIB."""
    if terms.is_truth(value):
        raise SortError("a truth value stands where a number is expected: write (ite b 1 0) for the number of b")
    return value


def _equal(a: Any, b: Any) -> Expr:
    if terms.is_truth(a) and terms.is_truth(b):
        both, neither = conjunction([a, b]), conjunction([negation(a), negation(b)])
        return disjunction([both, neither])
    if terms.is_truth(a) or terms.is_truth(b):
        raise SortError("= and distinct compare a truth value with a number: write (ite b 1 0) for the number of b")
    return terms.relation("==", a, b)


def _compared(op: str) -> Operation:
    return lambda args, _: conjunction([terms.relation(op, number(a), number(b)) for a, b in pairwise(args)])


def _folded(op: str) -> Operation:
    def value(args: list[Any], defined: Defined) -> Any:
        result = number(args[0])
        for arg in args[1:]:
            result = terms.arithmetic(op, result, number(arg), defined)
        return result

    return value


def _minus(args: list[Any], defined: Defined) -> Any:
    return terms.negated(number(args[0])) if len(args) == 1 else _folded("-")(args, defined)


def _quotient(args: list[Any], defined: Defined) -> Any:
    return _folded("/")([as_float(number(arg)) for arg in args], defined)


def _remainder(args: list[Any], defined: Defined) -> Any:
    """SMT-LIB's remainder is never negative."""
    size = terms.apply("abs", (args[1],), "int")
    return terms.arithmetic("%", args[0], size, defined)


def _divide(args: list[Any], defined: Defined) -> Any:
    rest = _remainder(args, defined)
    return terms.arithmetic("//", terms.arithmetic("-", args[0], rest, defined), args[1], defined)


def _implies(args: list[Any], defined: Defined) -> Expr:
    return disjunction([*(negation(truth(arg)) for arg in args[:-1]), truth(args[-1])])


def _case(args: list[Any], defined: Defined) -> Any:
    test, then, other = args
    if terms.is_truth(then):
        return disjunction([conjunction([test, then]), conjunction([negation(test), other])])
    return terms.case(truth(test), then, other)


def _real(name: str) -> Operation:
    return lambda args, defined: terms.real_function(name, [as_float(arg) for arg in args], defined)


def _vector(op: str) -> Operation:
    def value(args: list[Any], defined: Defined) -> Any:
        result = args[0] if len(args) > 1 else bits.apply(op, args[0])
        for arg in args[1:]:
            result = bits.apply(op, result, arg)
        return result

    return value


def _vectors_compared(op: str, is_signed: bool) -> Operation:
    return lambda args, _: bits.compare(op, args[0], args[1], is_signed=is_signed)


OPERATIONS: dict[str, Operation] = {
    "and": lambda args, _: conjunction([truth(arg) for arg in args]),
    "or": lambda args, _: disjunction([truth(arg) for arg in args]),
    "not": lambda args, _: negation(truth(args[0])),
    "xor": lambda args, _: negation(_equal(args[0], args[1])),
    "=>": _implies,
    "ite": _case,
    "=": lambda args, _: conjunction([_equal(a, b) for a, b in pairwise(args)]),
    "distinct": lambda args, _: conjunction([negation(_equal(a, b)) for a, b in combinations(args, 2)]),
    **{op: _compared(op) for op in ("<", "<=", ">", ">=")},
    "+": _folded("+"),
    "*": _folded("*"),
    "-": _minus,
    "/": _quotient,
    "div": _divide,
    "mod": _remainder,
    "abs": lambda args, _: terms.apply("abs", (args[0],), terms.sort_of(args[0])),
    "to_real": lambda args, _: as_float(args[0]),
    "to_int": lambda args, _: terms.apply("floor", (args[0],), "int"),
    "^": lambda args, defined: terms.power(args[0], args[1], defined),
    "pow": lambda args, defined: terms.power(args[0], args[1], defined),
    "min": lambda args, _: terms.least("<", args),
    "max": lambda args, _: terms.least(">", args),
    **{name: _real(name) for name in UNARY_REAL},
    **{f"arc{name}": _real(f"a{name}") for name in ("sin", "cos", "tan")},
    "atan2": _real("atan2"),
    **{op: _vector(op) for op in (*bits.BINARY, "bvnot", "bvneg") if op.startswith("bv")},
    **{
        f"bvu{name}": _vectors_compared(op, False)
        for name, op in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    },
    **{
        f"bvs{name}": _vectors_compared(op, True) for name, op in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    },
    "concat": lambda args, _: bits.concat(args[0], args[1]),
}


def indexed(head: list[Any], args: list[Term]) -> Any:
    """An operation with numbers in its name, such as ``(_ extract 7 0)``, or a constant such as ``(_ bv5 8)``."""
    name, numbers = head[0], [int(part) for part in head[1:] if re.fullmatch(r"\d+", str(part))]
    if re.fullmatch(r"bv\d+", name) and len(numbers) == 1:
        return bits.vector(numbers[0], int(name[2:]))
    if name == "extract":
        return bits.extract(numbers[0], numbers[1], args[0])
    if name in ("zero_extend", "sign_extend"):
        width = (bits.width_of(args[0]) or 0) + numbers[0]
        return getattr(bits, name)(width, args[0])
    if name in ("rotate_left", "rotate_right"):
        return bits.apply(name, args[0], numbers[0])
    raise Unsupported(f"(_ {name} ...) is not read")


def literal(text: str) -> Any:
    """A constant: a number, a bit-vector or a truth value; None if it is none."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"\d+", text):
        return int(text)
    if re.fullmatch(r"\d+\.\d+", text):
        return float(text)
    if re.fullmatch(r"#x[0-9a-fA-F]+", text):
        return bits.vector(4 * (len(text) - 2), int(text[2:], 16))
    if re.fullmatch(r"#b[01]+", text):
        return bits.vector(len(text) - 2, int(text[2:], 2))
    if text.startswith(("#", '"')):
        raise ConditionError(f"{text} is not a constant that is read")
    return None
