"""Handlers of the functions of real numbers in ``math``: they stay symbolic where an argument is.

A function's domain is decided as a choice before the function is applied; outside of it, Python's own error is raised
by calling the function there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pessimal.expr import Expr, Term, Var, conjunction, disjunction
from pessimal.python.counted import COUNTED, counted
from pessimal.python.deciding import decide
from pessimal.python.handlers.registry import handles
from pessimal.python.values import SymBool, SymFloat, SymInt
from pessimal.python.values.arithmetic import (
    PLAIN,
    apply,
    as_float,
    concrete,
    divide,
    is_finite,
    relation,
    sort_of,
)
from pessimal.python.values.number import number_of, operand
from pessimal.python.values.truth import as_truth

Build = Callable[..., Any]
NUMBERS = (SymInt, SymFloat, SymBool)


def symbolic(*args: Any) -> bool:
    """Whether a symbolic number is among the arguments."""
    return any(type(arg) in NUMBERS for arg in args)


def natively(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The function as it is; what it makes of counted values is counted."""
    result = function(*args, **kwargs)
    return counted(result) if any(type(arg) in COUNTED for arg in args) else result


def terms_of(args: tuple[Any, ...]) -> list[Term] | None:
    """The terms of arguments that ``math`` takes as real numbers; None if one of them is not one."""
    terms = [operand(arg) if type(arg) in NUMBERS or isinstance(arg, PLAIN) else _real(arg) for arg in args]
    return None if None in terms else terms  # type: ignore[return-value]


def _real(value: Any) -> float | None:
    """A number of another kind (a fraction, a decimal), as the float that ``math`` makes of it."""
    return float(value) if hasattr(type(value), "__float__") or hasattr(type(value), "__index__") else None


def plainly(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The function, called on its arguments made concrete."""
    name = function.__name__
    return function(*[arg.concrete(f"math.{name}") if type(arg) in NUMBERS else arg for arg in args])


def raise_natively(function: Callable[..., Any], *args: Any) -> Any:
    """The function on arguments of kinds that it does not take, so that it raises in Python's own words."""
    return function(*[_SAMPLES.get(type(arg), arg) for arg in args])


_SAMPLES: dict[type, Any] = {SymInt: 1, SymFloat: 1.0, SymBool: True}


def function(name: str) -> Callable[[Build], Build]:
    """Register what builds the term of a function of ``math`` from the terms of its arguments."""

    def register(build: Build) -> Build:
        native = getattr(math, name, None)
        if native is None:
            return build  # a function that this version of Python does not have

        def handler(*args: Any, **kwargs: Any) -> Any:
            if not symbolic(*args, *kwargs.values()):
                return natively(native, *args, **kwargs)
            terms = None if kwargs else terms_of(args)
            result = plainly(native, args) if terms is None else build(*terms)
            return tuple(map(number_of, result)) if type(result) is tuple else number_of(result)

        handles(native)(handler)
        return build

    return register


def _size_at_most(limit: float) -> Callable[[Term], Expr]:
    return lambda x: conjunction([relation("<=", -limit, x), relation("<=", x, limit)])


def _compared(op: str, limit: float) -> Callable[[Term], Expr]:
    return lambda x: relation(op, x, limit)


_DOMAINS: dict[str, tuple[Callable[[Term], Expr], float]] = {
    "sqrt": (_compared(">=", 0), -1.0),
    "log": (_compared(">", 0), 0.0),
    "log2": (_compared(">", 0), 0.0),
    "log10": (_compared(">", 0), 0.0),
    "log1p": (_compared(">", -1), -1.0),
    "acosh": (_compared(">=", 1), 0.0),
    "asin": (_size_at_most(1), 2.0),
    "acos": (_size_at_most(1), 2.0),
    "atanh": (lambda x: conjunction([relation("<", -1, x), relation("<", x, 1)]), 1.0),
    "exp": (_compared("<=", 709.782712893384), 1e4),
    "exp2": (_compared("<", 1024), 1e4),
    "expm1": (_compared("<=", 709.782712893384), 1e4),
    "sinh": (_size_at_most(710.4758600739439), 1e4),
    "cosh": (_size_at_most(710.4758600739439), 1e4),
}
"""For each function: the condition on its argument, and a number at which it fails as it does outside."""

_EVERYWHERE = ("cbrt", "atan", "tanh", "asinh", "erf", "erfc")
_PERIODIC = ("sin", "cos", "tan")
_OF_INTEGERS = ("log", "log2", "log10")
"""Functions that take integers of any size, without making doubles of them first."""


def _within_domain(name: str) -> Build:
    condition, outside = _DOMAINS[name]

    def build(x: Term) -> Any:
        argument = x if name in _OF_INTEGERS else as_float(x)
        if not decide(condition(x)) and not decide(_is_nan(argument)):
            if not is_finite(argument):
                return _at_infinity(name, argument)
            getattr(math, name)(outside)  # raises, in Python's own words
        return apply(name, (argument,), "float")

    return build


def _is_nan(term: Term) -> Expr:
    return False if sort_of(term) == "int" or type(term) is Var else relation("!=", term, term)


def _at_infinity(name: str, term: Term) -> Any:
    return getattr(math, name)(math.inf if decide(relation(">", term, 0)) else -math.inf)


def _of_finite(name: str) -> Build:
    def build(x: Term) -> Any:
        argument = as_float(x)
        if not is_finite(argument) and not decide(_is_nan(argument)):
            return _at_infinity(name, argument)
        return apply(name, (argument,), "float")

    return build


def _everywhere(name: str) -> Build:
    return lambda x: apply(name, (as_float(x),), "float")


for _name in _DOMAINS:
    if _name != "log":
        function(_name)(_within_domain(_name))
for _name in _PERIODIC:
    function(_name)(_of_finite(_name))
for _name in _EVERYWHERE:
    function(_name)(_everywhere(_name))


@function("log")
def _log(x: Term, base: Term | None = None) -> Any:
    log = _within_domain("log")
    return log(x) if base is None else divide("/", log(x), log(base))


@function("fabs")
def _fabs(x: Term) -> Term:
    return apply("abs", (as_float(x),), "float")


@function("degrees")
def _degrees(x: Term) -> Term:
    return apply("*", (as_float(x), 180.0 / math.pi), "float")


@function("radians")
def _radians(x: Term) -> Term:
    return apply("*", (as_float(x), math.pi / 180.0), "float")


@function("copysign")
def _copysign(x: Term, y: Term) -> Term:
    return apply("copysign", (as_float(x), as_float(y)), "float")


@function("atan2")
def _atan2(y: Term, x: Term) -> Term:
    return apply("atan2", (as_float(y), as_float(x)), "float")


@function("hypot")
def _hypot(*parts: Term) -> Term:
    return apply("hypot", tuple(as_float(part) for part in parts), "float")


@function("modf")
def _modf(x: Term) -> Any:
    argument = as_float(x)
    return apply("fraction", (argument,), "float"), apply("whole", (argument,), "float")


@function("fmod")
def _fmod(x: Term, y: Term) -> Any:
    return _modulo("fmod", x, y)


@function("remainder")
def _remainder(x: Term, y: Term) -> Any:
    return _modulo("remainder", x, y)


def _modulo(name: str, x: Term, y: Term) -> Any:
    a, b = as_float(x), as_float(y)
    if not is_finite(a):
        return getattr(math, name)(concrete(a, f"math.{name}"), concrete(b, f"math.{name}"))
    if decide(relation("==", b, 0)):
        getattr(math, name)(1.0, 0.0)  # raises, in Python's own words
    return apply(name, (a, b), "float")


@function("pow")
def _pow(x: Term, y: Term) -> Any:
    a, b = as_float(x), as_float(y)
    if isinstance(b, float) and not b.is_integer() and not decide(relation(">=", a, 0)):
        return math.pow(concrete(a, "math.pow"), b)
    if decide(conjunction([relation("==", a, 0), relation("<", b, 0)])):
        return math.pow(0.0, -1.0)  # raises, in Python's own words
    result = apply("pow", (a, b), "float")
    return result if is_finite(result) else math.pow(concrete(a, "math.pow"), concrete(b, "math.pow"))


@function("gamma")
def _gamma(x: Term) -> Any:
    return _on_positives("gamma", as_float(x), 171.0)


@function("lgamma")
def _lgamma(x: Term) -> Any:
    return _on_positives("lgamma", as_float(x), 1e300)


def _on_positives(name: str, x: Term, limit: float) -> Any:
    """Poles and overflow are left to the function itself."""
    if decide(conjunction([relation("<", 1e-300, x), relation("<", x, limit)])):
        return apply(name, (x,), "float")
    return getattr(math, name)(concrete(x, f"math.{name}"))


def _predicate(native: Any, known: bool, condition: Callable[[Term], Expr]) -> None:
    """Register a test for numbers that are not finite; integers always are."""

    def handler(value: Any) -> Any:
        if type(value) is SymFloat:
            return as_truth(condition(value.expr))
        return known if type(value) in NUMBERS else natively(native, value)

    handles(native)(handler)


def _size(term: Term) -> Term:
    return apply("abs", (term,), "float")


_predicate(math.isnan, False, lambda x: relation("!=", x, x))
_predicate(math.isinf, False, lambda x: relation("==", _size(x), math.inf))
_predicate(math.isfinite, True, lambda x: relation("<", _size(x), math.inf))


@handles(math.isclose)
def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if not symbolic(a, b, rel_tol, abs_tol):
        return natively(lambda x, y: math.isclose(x, y, rel_tol=rel_tol, abs_tol=abs_tol), a, b)
    terms = terms_of((a, b, rel_tol, abs_tol))
    if terms is None:
        return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    x, y, relative, absolute = map(as_float, terms)
    if decide(disjunction([relation("<", relative, 0), relation("<", absolute, 0)])):
        raise ValueError("tolerances must be non-negative")
    gap = _size(apply("-", (y, x), "float"))
    near = [relation("<=", gap, _size(apply("*", (relative, side), "float"))) for side in (y, x)]
    finite = [relation("!=", _size(side), math.inf) for side in (x, y) if not _is_plainly_finite(side)]
    close = conjunction([*finite, disjunction([*near, relation("<=", gap, absolute)])])
    return as_truth(disjunction([relation("==", x, y), close]))


def _is_plainly_finite(term: Term) -> bool:
    return type(term) is Var or (isinstance(term, float) and math.isfinite(term))


@handles(math.fsum)
def _fsum(values: Any) -> Any:
    items = list(values)
    if not symbolic(*items):
        return natively_all(math.fsum, items)
    terms = terms_of(tuple(items))
    if terms is None:
        return math.fsum(items)
    total = apply("fsum", tuple(map(as_float, terms)), "float")
    return number_of(total) if is_finite(total) else math.fsum(items)


def natively_all(function: Callable[[Any], Any], items: list[Any]) -> Any:
    """A function of a list as it is; what it makes of counted members is counted."""
    result = function(items)
    return counted(result) if any(type(item) in COUNTED for item in items) else result


@handles(math.prod)
def _prod(values: Any, *, start: Any = 1) -> Any:
    result = start
    for value in values:
        result = result * value
    return result


@handles(math.dist)
def _dist(p: Any, q: Any) -> Any:
    p, q = list(p), list(q)
    if len(p) != len(q) or not symbolic(*p, *q):
        return (
            natively_all(lambda both: math.dist(both[: len(p)], both[len(p) :]), p + q) if p or q else math.dist(p, q)
        )
    terms = terms_of((*p, *q))
    return math.dist(p, q) if terms is None else number_of(apply("dist", tuple(map(as_float, terms)), "float"))
