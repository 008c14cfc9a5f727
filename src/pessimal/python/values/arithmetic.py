"""Arithmetic on terms: what the operators of symbolic numbers build, and the choices that Python's errors depend on."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from sys import _getframe
from typing import Any, NoReturn

from pessimal.expr import App, Compare, Expr, Offset, Term, Var, disjunction
from pessimal.expr.evaluate import COMPARE, OPERATIONS
from pessimal.expr.monotone import comparison
from pessimal.python import current
from pessimal.python.deciding import decide, number_between

PLAIN = (int, float)
LARGEST, SMALLEST = 1.7976931348623157e308, 5e-324
TOO_LARGE = (1 << 1024) - (1 << 970)
"""The smallest integer that is not a double, even rounded."""
MAX_EXPONENT = 128
"""Symbolic exponents and shifts of a constant up to this are one table."""
MAX_PRODUCT = 64
"""Constant exponents up to this are written out as products."""
MAX_CHOSEN = 64
"""Shifts of a symbolic number by a symbolic one up to this are chosen one by one."""
MAX_BITS = 1 << 16
"""A symbolic power or left shift beyond this would fill the memory."""


def sort_of(term: Term) -> str:
    """Whether a term is an integer or a float."""
    if type(term) is int:
        return "int"
    return "float" if type(term) is float else term.sort  # type: ignore[union-attr]


def apply(op: str, args: tuple[Term, ...], sort: str) -> Term:
    """An operation on terms, computed at once where all of them are plain."""
    if all(isinstance(arg, PLAIN) for arg in args):
        return OPERATIONS[op](*args)  # type: ignore[no-any-return]
    return App(op, args, sort)


def joint_sort(a: Term, b: Term) -> str:
    """The sort of what two terms are combined to."""
    return "float" if "float" in (sort_of(a), sort_of(b)) else "int"


def as_float(term: Term) -> Term:
    """A term as a double; an integer may be too large for that."""
    if sort_of(term) == "float":
        return term
    check_convertible(term)
    return apply("float", (term,), "float")


def check_convertible(*terms: Term) -> None:
    """Decide, as a choice, whether an integer is too large to be a double; if so, Python's own conversion raises."""
    for term in terms:
        if sort_of(term) == "int" and not _is_convertible(term, TOO_LARGE):
            float(TOO_LARGE)  # raises, in Python's own words


def _is_convertible(term: Term, limit: int) -> bool:
    """Whether an integer is smaller than a limit: known of many, otherwise decided once on a path."""
    if isinstance(term, int):
        return -limit < term < limit
    execution = current.execution
    known = execution.intervals.of(term)
    if known is not None and -limit < known[0] <= known[1] < limit:
        return True
    if execution.notes.get(("convertible", id(term), limit)) is term:
        return True
    if decide(disjunction([Compare(">=", term, limit), Compare("<=", term, -limit)])):
        return False
    execution.notes["convertible", id(term), limit] = term
    return True


def relation(op: str, a: Term, b: Term) -> Expr:
    """A comparison of terms, decided at once where both are plain."""
    if isinstance(a, PLAIN) and isinstance(b, PLAIN):
        return COMPARE[op](a, b)
    return comparison(op, a, b)


def case(test: Expr, then: Term, other: Term) -> Term:
    """One of two terms, by a condition."""
    if isinstance(test, bool):
        return then if test else other
    return App("ite", (test, then, other), joint_sort(then, other))


def table(index: Term, low: int, entries: list[Any]) -> Term:
    """The entry at an index; the caller has decided that it lies in the table, or that the last entry repeats."""
    return apply("table", (index, low, *entries), sort_of(entries[0]))


def concrete(term: Term, reason: str) -> Any:
    """The value that a term has now, recorded as a concretisation."""
    if isinstance(term, PLAIN):
        return term
    return current.execution.concretise((term,), reason, _getframe(1))[0]


def divide(op: str, a: Term, b: Term) -> Term:
    """A division first decides, as a choice, whether it fails."""
    check_divisor(OPERATIONS[op], a, b)
    sort = joint_sort(a, b)
    if op == "/" and sort == "int":
        _check_quotient(a, b)
    return apply(op, (a, b), "float" if op == "/" else sort)


def _check_quotient(a: Term, b: Term) -> None:
    """Decide whether the quotient of two integers is too large to be a double; only the quotient is rounded."""
    if isinstance(b, int):
        if not _is_convertible(a, TOO_LARGE * abs(b)):
            OPERATIONS["/"](TOO_LARGE, 1)  # raises, in Python's own words
        return
    known = current.execution.intervals.of(a)
    if known is not None and -TOO_LARGE < known[0] <= known[1] < TOO_LARGE:
        return
    size = apply("abs", (a,), "int")
    if decide(relation(">=", size, apply("*", (apply("abs", (b,), "int"), TOO_LARGE), "int"))):
        OPERATIONS["/"](TOO_LARGE, 1)  # raises, in Python's own words


def check_divisor(operation: Callable[[Any, Any], Any], a: Term, b: Term) -> None:
    """Decide whether a division is one by zero; if so, Python's own operation raises what it raises."""
    if joint_sort(a, b) == "float":
        check_convertible(a, b)
    if decide(relation("==", b, 0)):
        operation(1.0 if joint_sort(a, b) == "float" else 1, 0)


def is_finite(term: Term) -> bool:
    """Whether a float is finite: known of inputs and of many operations, otherwise decided as a choice."""
    if isinstance(term, PLAIN):
        return isinstance(term, int) or math.isfinite(term)
    return _surely_finite(term) or decide(Compare("<=", App("abs", (term,), "float"), LARGEST))


def _surely_finite(term: Term) -> bool:
    if isinstance(term, PLAIN):
        return isinstance(term, int) or math.isfinite(term)
    if isinstance(term, Var | Offset) or term.sort == "int":
        return True
    if term.op in _KEEPING:
        return all(_surely_finite(arg) for arg in term.args)
    return term.op == "/" and all(sort_of(arg) == "int" for arg in term.args)


_KEEPING = frozenset(
    ("float", "neg", "abs", "sqrt", "cbrt", "sin", "cos", "atan", "tanh", "erf", "log", "log2", "log10", "whole")
)


def shift(op: str, term: Term, bits: Term) -> Term:
    """A shift; the number of bits is a table of a constant, chosen for a symbolic number, and concrete beyond."""
    if decide(relation("<", bits, 0)):
        raise ValueError("negative shift count")
    if isinstance(bits, int):
        return apply(op, (term, bits), "int") if bits else term
    if isinstance(term, int):
        if op == ">>":  # beyond its own length a number stays 0 or -1, as the last entry says
            return table(bits, 0, [term >> k for k in range(term.bit_length() + 1)])
        if decide(Compare("<=", bits, MAX_EXPONENT)):
            return table(bits, 0, [term << k for k in range(MAX_EXPONENT + 1)])
        return term << _affordable(bits, f"shift {op}")
    if decide(Compare("<=", bits, MAX_CHOSEN)):
        return shift(op, term, number_between(bits, 0, MAX_CHOSEN))
    if op == ">>":
        return App(op, (term, concrete(bits, f"shift {op}")), "int")
    return term if decide(relation("==", term, 0)) else App(op, (term, _affordable(bits, f"shift {op}")), "int")


def _affordable(exponent: Term, reason: str) -> int:
    """A large exponent made concrete, unless it is one that no memory suffices for."""
    if not decide(relation("<=", exponent, MAX_BITS)):
        raise MemoryError(f"{reason} by more than {MAX_BITS} makes a number too large to go on with")
    return int(concrete(exponent, reason))


def power(base: Term, exponent: Term) -> Any:
    """A power, symbolic where it is a product, a table or a double; a complex result is made concrete."""
    if joint_sort(base, exponent) == "float":
        return _float_power(as_float(base), as_float(exponent))
    if isinstance(exponent, int):
        return _constant_exponent(base, exponent)
    if decide(Compare("<", exponent, 0)):
        return _negative_power(base, exponent)
    if isinstance(base, int) and decide(Compare("<=", exponent, MAX_EXPONENT)):
        return table(exponent, 0, [base**k for k in range(MAX_EXPONENT + 1)])
    if not isinstance(base, int) and decide(Compare("<=", exponent, MAX_CHOSEN)):
        return power(base, number_between(exponent, 0, MAX_CHOSEN))
    if decide(relation("<=", apply("abs", (base,), "int"), 1)):
        return _power_of_unit(base, exponent)
    return concrete(base, "pow()") ** _affordable(exponent, "pow()")


def _power_of_unit(base: Term, exponent: Term) -> Term:
    """The power of -1, 0 or 1 to a positive exponent, which is small however large that is."""
    if decide(relation(">=", base, 0)):
        return base
    is_odd = apply("%", (exponent, 2), "int")
    return apply("-", (1, apply("*", (2, is_odd), "int")), "int")


def _constant_exponent(base: Term, exponent: int) -> Any:
    if exponent < 0:
        return _negative_power(base, exponent)
    if exponent <= 1:
        return base if exponent else 1
    if exponent <= MAX_PRODUCT:
        return apply("**", (base, exponent), "int")
    return concrete(base, "pow()") ** exponent


def _negative_power(base: Term, exponent: Term) -> Any:
    if decide(relation("==", base, 0)):
        return 0**-1  # raises, in Python's own words
    return _float_power(as_float(base), as_float(exponent))


def _float_power(base: Term, exponent: Term) -> Any:
    if isinstance(exponent, float):
        return _float_to_constant(base, exponent)
    result = apply("power", (base, exponent), "float")
    return result if is_finite(result) else concrete(base, "pow()") ** concrete(exponent, "pow()")


def _float_to_constant(base: Term, exponent: float) -> Any:
    """The domain is decided by conditions on the base alone, which solvers understand."""
    is_odd_one = not math.isfinite(exponent) or not is_finite(base)
    if is_odd_one or (not exponent.is_integer() and decide(relation("<", base, 0))):
        return concrete(base, "pow()") ** exponent
    if exponent < 0 and decide(relation("==", base, 0)):
        return 0.0**exponent  # raises, in Python's own words
    if not _within(base, exponent):
        return (LARGEST if exponent > 0 else SMALLEST) ** exponent  # raises, in Python's own words
    if exponent.is_integer() and 2 <= exponent <= 8:
        return apply("**", (base, int(exponent)), "float")
    return apply("power", (base, exponent), "float")


def _within(base: Term, exponent: float) -> bool:
    """Whether the power of a base does not overflow, decided as a choice where it might."""
    if 0 <= exponent <= 1:
        return True
    limit = _overflow(exponent)
    size = apply("abs", (base,), "float")
    return decide(relation("<=" if exponent > 0 else ">=", size, limit))


@cache
def _overflow(exponent: float) -> float:
    """The largest positive base (the smallest, for a negative exponent) whose power is finite, by bisection."""
    fine, bad = (1.0, LARGEST) if exponent > 0 else (1.0, SMALLEST)
    if _is_fine(bad, exponent):
        return bad
    while (middle := fine + (bad - fine) / 2 if exponent > 0 else _geometric(fine, bad)) not in (fine, bad):
        fine, bad = (middle, bad) if _is_fine(middle, exponent) else (fine, middle)
    return fine


def _geometric(a: float, b: float) -> float:
    return math.sqrt(a) * math.sqrt(b) if a > 4 * b else b + (a - b) / 2


def _is_fine(base: float, exponent: float) -> bool:
    try:
        return math.isfinite(base**exponent)
    except OverflowError:
        return False


def power_modulo(base: Term, exponent: Term, modulus: Term) -> Any:
    """``pow(base, exponent, modulus)``, which only integers have."""
    if "float" in map(sort_of, (base, exponent, modulus)):
        raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
    if decide(relation("==", modulus, 0)):
        raise ValueError("pow() 3rd argument cannot be 0")
    if not isinstance(exponent, int) or not 0 <= exponent <= MAX_PRODUCT:
        parts = [concrete(term, "pow()") for term in (base, exponent, modulus)]
        return pow(parts[0], parts[1], parts[2])
    return apply("%", (power(base, exponent), modulus), "int")


def to_integer(term: Term, op: str) -> Term:
    """A float rounded to an integer by an operation (``int``, ``floor``, ``ceil``, ``round``); infinity has none."""
    if sort_of(term) == "int":
        return term
    if not is_finite(term):
        _raise_not_finite(term)
    return apply(op, (term,), "int")


def _raise_not_finite(term: Term) -> NoReturn:
    is_nan = decide(relation("!=", term, term))
    int(math.nan if is_nan else math.inf)  # raises, in Python's own words
    raise AssertionError("unreachable")


def round_to(term: Term, digits: int) -> Term:
    """A number rounded to decimal digits, half to even."""
    if sort_of(term) == "float":
        return apply("round", (term, digits), "float")
    return term if digits >= 0 else apply("round", (term, digits), "int")


def is_whole(term: Term) -> Expr:
    """The condition that a float is an integer."""
    return relation("==", apply("%", (term, 1.0), "float"), 0.0)
