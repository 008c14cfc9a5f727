"""Handlers of functions of integers: ``pow``, ``hash``, ``int.from_bytes``, and those of ``math``."""

from __future__ import annotations

import math
from collections.abc import Callable
from sys import _getframe
from typing import Any

from pessimal.expr import Term
from pessimal.python import current
from pessimal.python.counted import CountedFloat, CountedInt
from pessimal.python.deciding import between, decide
from pessimal.python.handlers.maths import NUMBERS, natively, raise_natively, symbolic
from pessimal.python.handlers.registry import handles
from pessimal.python.values import SymBool, SymBytes, SymInt
from pessimal.python.values.arithmetic import apply, case, concrete, relation, sort_of, table
from pessimal.python.values.number import number_of, operand, power
from pessimal.python.values.octets import number_from

HASHED = (1 << 61) - 1
"""The prime that Python's hash of a number is a remainder of."""
MAX_FACTORIAL = 64
MAX_DIVISORS = 64
MAX_FACTORS = 8
"""How many factors a binomial coefficient of a symbolic number is written out with."""


def _integers(*args: Any) -> list[Term] | None:
    """The terms of integer arguments; None if one of them is not an integer."""
    terms = [operand(arg) if type(arg) in NUMBERS or isinstance(arg, int) else None for arg in args]
    if any(term is None or sort_of(term) == "float" for term in terms):
        return None
    return terms  # type: ignore[return-value]


@handles(pow)
def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if symbolic(base, exp, mod):
        result = power(base, exp, mod)
        if result is not NotImplemented:
            return result
    return pow(base, exp) if mod is None else pow(base, exp, mod)


@handles(hash)
def _hash(value: Any) -> Any:
    if _getframe(1).f_code.co_name == "__hash__":
        return hash(value)  # Python takes nothing but a real integer from there
    if type(value) is CountedInt and not hashes_by_identity():
        return CountedInt(int.__hash__(value))
    if type(value) is CountedFloat and not hashes_by_identity():
        return float.__hash__(value)  # plain, since symbolic runs make it concrete
    if type(value) is SymBool:
        return value.as_int()
    if type(value) is not SymInt or current.execution.identity_hash or isinstance(value.expr, int):
        return hash(value)
    term = value.expr
    if not decide(between(term, 1 - HASHED, HASHED - 1)):
        term = _remainder(term)
    return number_of(case(relation("==", term, -1), -2, term))


def hashes_by_identity() -> bool:
    """Whether counted values are hashed by identity; concrete runs have no execution that could say."""
    return CountedInt.__hash__ is object.__hash__


def _remainder(term: Term) -> Term:
    negative = apply("neg", (apply("%", (apply("neg", (term,), "int"), HASHED), "int"),), "int")
    return case(relation(">=", term, 0), apply("%", (term, HASHED), "int"), negative)


@handles(int.from_bytes)
def _from_bytes(bytes: Any, byteorder: Any = "big", *, signed: Any = False) -> Any:
    if type(bytes) is SymBytes:
        return number_of(number_from(bytes.codes, byteorder, bool(signed)))
    if type(bytes) in (list, tuple) and symbolic(*bytes):
        terms = _integers(*bytes)
        if terms is not None:
            return number_of(number_from([_octet(term) for term in terms], byteorder, bool(signed)))
    return natively(lambda data: int.from_bytes(data, byteorder, signed=signed), bytes)


def _octet(term: Term) -> Term:
    if not decide(between(term, 0, 255)):
        raise ValueError("bytes must be in range(0, 256)")
    return term


def _of_naturals(native: Callable[[int], int]) -> Callable[[Callable[[Term], Any]], Callable[[Any], Any]]:
    """Make the handler of a function of one number from 0 on from what it yields for a symbolic one."""

    def register(model: Callable[[Term], Any]) -> Callable[[Any], Any]:
        @handles(native)
        def handler(n: Any) -> Any:
            if not symbolic(n):
                return natively(native, n)
            terms = _integers(n)
            if terms is None:
                return raise_natively(native, n)
            if decide(relation("<", terms[0], 0)):
                native(-1)  # raises, in Python's own words
            return model(terms[0])

        return handler

    return register


@_of_naturals(math.isqrt)
def _isqrt(term: Term) -> Any:
    return number_of(apply("isqrt", (term,), "int"))


@_of_naturals(math.factorial)
def _factorial(term: Term) -> Any:
    if decide(relation("<=", term, MAX_FACTORIAL)):
        return number_of(table(term, 0, [math.factorial(k) for k in range(MAX_FACTORIAL + 1)]))
    return _large(math.factorial, [term])


def _large(function: Any, terms: list[Term]) -> Any:
    """A function whose result grows fast, on numbers made concrete unless they are too large."""
    name = function.__name__
    if not all(decide(relation("<=", term, 1 << 12)) for term in terms):
        raise MemoryError(f"math.{name} makes a number too large to go on with")
    return function(*[concrete(term, f"math.{name}") for term in terms])


@handles(math.gcd)
def _gcd(*numbers: Any) -> Any:
    if not symbolic(*numbers):
        return natively(math.gcd, *numbers)
    terms = _integers(*numbers)
    if terms is None:
        return raise_natively(math.gcd, *numbers)
    return number_of(_common_divisor(terms))


def _common_divisor(terms: list[Term]) -> Term:
    """All constants make one; with it, a symbolic number has only the divisors of the constant in common."""
    constant = math.gcd(*(term for term in terms if isinstance(term, int)))
    symbols = [term for term in terms if not isinstance(term, int)]
    divisors = _divisors(constant)
    if len(symbols) == 1 and divisors:
        return _largest_divisor(symbols[0], divisors)
    total: Term = constant
    for symbol in symbols:
        size = apply("abs", (symbol,), "int")
        total = size if total == 0 and isinstance(total, int) else apply("gcd", (symbol, total), "int")
    return total


def _largest_divisor(term: Term, divisors: list[int]) -> Term:
    result: Term = 1
    for divisor in divisors[1:]:
        result = case(relation("==", apply("%", (term, divisor), "int"), 0), divisor, result)
    return result


def _divisors(number: int) -> list[int]:
    """The divisors of a small number in ascending order; none of a large one or zero."""
    if not 0 < number <= 1 << 20:
        return []
    small = [k for k in range(1, math.isqrt(number) + 1) if number % k == 0]
    found = sorted({*small, *(number // k for k in small)})
    return found if len(found) <= MAX_DIVISORS else []


@handles(math.lcm)
def _lcm(*numbers: Any) -> Any:
    if not symbolic(*numbers):
        return natively(math.lcm, *numbers)
    terms = _integers(*numbers)
    if terms is None:
        return raise_natively(math.lcm, *numbers)
    total = terms[0]
    for term in terms[1:]:
        if decide(relation("==", total, 0)) or decide(relation("==", term, 0)):
            return 0
        product = apply("abs", (apply("*", (total, term), "int"),), "int")
        total = apply("//", (product, _common_divisor([total, term])), "int")
    return number_of(apply("abs", (total,), "int"))


@handles(math.comb)
def _comb(n: Any, k: Any) -> Any:
    return _arrangements(math.comb, n, k)


@handles(math.perm)
def _perm(n: Any, k: Any = None) -> Any:
    return _factorial(n) if k is None and symbolic(n) else _arrangements(math.perm, n, k)


def _arrangements(native: Any, n: Any, k: Any) -> Any:
    """``comb`` and ``perm``: a table of one constant, a product for a small constant choice."""
    if not symbolic(n, k):
        return natively(native, n, k)
    terms = _integers(n, k)
    if terms is None:
        return raise_natively(native, n, k)
    of, chosen = terms
    for i, term in enumerate(terms):
        if decide(relation("<", term, 0)):
            native(*(-1 if i == j else 1 for j in range(2)))  # raises, in Python's own words
    if isinstance(of, int) and of <= MAX_FACTORIAL:
        return number_of(table(chosen, 0, [native(of, j) for j in range(of + 2)]))
    if isinstance(chosen, int) and chosen <= MAX_FACTORS:
        return number_of(_falling(of, chosen, math.factorial(chosen) if native is math.comb else 1))
    return _large(native, terms)


def _falling(term: Term, factors: int, over: int) -> Term:
    """``n * (n - 1) * ...`` over a constant; zero by itself where there are fewer than ``factors``."""
    result: Term = 1
    for i in range(factors):
        factor = apply("-", (term, i), "int") if i else term
        result = apply("*", (factor, result), "int") if i else factor
    return apply("//", (result, over), "int") if over > 1 else result
