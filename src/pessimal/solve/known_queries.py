"""Queries whose answers are known, easy to get wrong: what the conformance check of solvers asks."""

from __future__ import annotations

from typing import NamedTuple

from pessimal.expr import App, BlackBox, Compare, Expr, Junction, Leaf, Not, Offset, Term, Var, bits
from pessimal.solve.base import Bounds, Literal

X, Y, Z = Offset(0), Offset(1), Offset(2)
U, V = Var(0), Var(1)
DIGIT, BIT, BYTE, UNIT, FREE = (0, 9), (0, 1), (0, 255), (0.0, 1.0), (None, None)
LARGE = 1 << 53
"""From here on not every integer is a double."""


class Case(NamedTuple):
    """A query whose model satisfies its path, and whether it is satisfiable."""

    name: str
    domains: Bounds
    model: tuple[Leaf, ...]
    path: tuple[Literal, ...]
    extra: Literal
    is_satisfiable: bool


def _case(name: str, domains: Bounds, model: tuple[Leaf, ...], path: list[Expr], extra: Expr, answer: bool) -> Case:
    return Case(name, domains, model, tuple((condition, True) for condition in path), (extra, True), answer)


def _int(op: str, *args: Term | Expr) -> App:
    return App(op, args, "int")


def _float(op: str, *args: Term) -> App:
    return App(op, args, "float")


def _is(op: str, left: Term, right: Term) -> Expr:
    return Compare(op, left, right)


def _both(*parts: Expr) -> Expr:
    return Junction("and", parts)


def _either(*parts: Expr) -> Expr:
    return Junction("or", parts)


_ORDER: list[Expr] = [_is("<", X, Y), _is("<", Y, Z)]
_LONG: Bounds = [(LARGE, LARGE), (LARGE, LARGE + 1)]
_NARROW = (0.03448275862068965, 0.03448275862068966)
"""Between these one number times 2.9 is 0.1, but no double is that number."""

_INTEGERS = (
    _case("orders", [FREE] * 3, (0, 1, 2), _ORDER, _is(">", _int("-", Z, X), 100), True),
    _case("orders", [FREE] * 3, (0, 1, 2), _ORDER, _is("<=", Z, Offset(0, 1)), False),
    _case("orders", [DIGIT] * 3, (0, 1, 2), _ORDER, _is(">", X, 7), False),
    _case("equalities", [FREE] * 2, (1, 1), [_is("==", X, Y)], _is("==", Y, 10**30), True),
    _case("equalities", [FREE] * 2, (1, 1), [_is("==", X, Y)], _is("!=", Offset(1, 3), Offset(0, 3)), False),
    _case("equalities", [BIT] * 3, (0, 1, 0), [_is("!=", X, Y), _is("!=", Y, Z)], _is("!=", X, Z), False),
    _case("sums", [DIGIT] * 2, (3, 7), [_is("==", _int("+", X, Y), 10)], _is("==", X, Y), True),
    _case("sums", [DIGIT] * 2, (3, 7), [_is("==", _int("+", X, Y), 10)], _is("==", X, 0), False),
    _case("sums", [FREE] * 2, (0, 0), [], _is("==", _int("+", _int("*", X, 4), _int("*", Y, 6)), 7), False),
    _case("products", [DIGIT] * 2, (0, 0), [], _is("==", _int("*", X, Y), 42), True),
    _case("products", [DIGIT] * 2, (0, 0), [], _is("==", _int("*", X, Y), 11), False),
    _case("products", [DIGIT], (0,), [], _is("==", _int("*", X, X), 2), False),
    _case("divisions", [DIGIT] * 2, (0, 1), [_is("!=", Y, 0)], _is("==", _int("//", X, Y), 4), True),
    _case("divisions", [DIGIT], (1,), [], _is("==", _int("//", 6, X), 100), False),
    _case("remainders", [(-9, 9)], (0,), [], _is("==", _int("%", X, -3), 1), False),
    _case("remainders", [(-9, 9)], (0,), [], _both(_is("==", _int("%", X, 4), 3), _is("<", X, 0)), True),
    _case("bits", [BYTE], (0,), [], _is("==", _int("^", X, 0x5A), 0xA5), True),
    _case("bits", [BYTE], (0,), [], _is("==", _int("&", X, 0xF0), 0x0F), False),
    _case("bits", [FREE], (0,), [], _is("<", _int("|", X, 1), -(10**20)), True),
)
_BOOLEANS = (
    _case("booleans", [BIT] * 2, (1, 0), [_either(_is("==", X, 1), _is("==", Y, 1))], _is("==", X, 0), True),
    _case("booleans", [BIT] * 2, (1, 0), [Not(_both(_is("==", X, 1), _is("==", Y, 1)))], _is(">", X, Y), True),
    _case("booleans", [BIT] * 2, (0, 0), [], _both(_is("<", X, Y), _either(_is(">", X, 0), _is("==", X, Y))), False),
    _case("booleans", [DIGIT], (0,), [], _both(_is("==", X, 1), False), False),
    _case("cases", [DIGIT], (0,), [], _is("==", _int("ite", _is("<", X, 5), X, Offset(0, 10)), 7), False),
    _case("cases", [DIGIT], (0,), [], _is("==", _int("ite", _is("<", X, 5), X, Offset(0, 10)), 17), True),
    _case("domains", [(3, 3)], (3,), [], _is("!=", X, 3), False),
    _case("domains", [(None, 3)], (3,), [], _is(">", X, 3), False),
    _case("domains", [(-3, None)], (3,), [], _is("<", X, -3), False),
    _case("domains", [(10**30, None)], (10**30,), [], _is(">", X, 10**30), True),
)
_FLOATS = (
    _case("float orders", [UNIT] * 2, (0.0, 0.5), [_is("<", U, V)], _is("==", V, 0.0), False),
    _case("float orders", [UNIT] * 2, (0.0, 0.5), [_is("<", U, V)], _is("==", V, 5e-324), True),
    _case("float orders", [(0.5, 0.5)], (0.5,), [], _is("!=", U, 0.5), False),
    _case("float sums", [UNIT], (0.0,), [], _is("==", _float("+", U, U), 0.3), True),
    _case("float sums", [(0.0, 1e-20)], (1e-20,), [_is(">", U, 0.0)], _is("==", _float("+", U, 1.0), 1.0), True),
    _case("float sums", [(0.1, 0.1)], (0.1,), [], _is("==", _float("+", U, 0.2), 0.3), False),
    _case("float products", [_NARROW], (_NARROW[0],), [], _is("==", _float("*", U, 2.9), 0.1), False),
    _case("float products", [(0.1, 0.1)], (0.1,), [], _is("==", _float("*", U, 3.0), 0.3), False),
    _case("rounding", [(0.0, 9.0)], (0.0,), [], _is("==", _int("floor", U), 7), True),
    _case("infinity", [FREE], (0.0,), [], _is("==", U, float("inf")), False),
    _case("not a number", [FREE], (0.0,), [], Not(_is("!=", U, float("nan"))), False),
    _case("mixed", [FREE, UNIT], (0, 0.5), [], _both(_is("<", X, V), _is("<", V, Offset(0, 1))), True),
    _case("mixed", _LONG, (float(LARGE), LARGE), [], _is(">", Y, _float("+", U, 1.0)), True),
)
_A, _B = bits.vector(8, X), bits.vector(8, Y)
_SUM = bits.apply("bvadd", _A, _B)
_WIDE = bits.concat(_A, _B)
_MORE: list[Expr] = [bits.compare(">", _A, 200)]
_VECTORS = (
    _case("bit-vectors", [BYTE] * 2, (201, 0), _MORE, bits.compare("<", _SUM, 3), True),
    _case("bit-vectors", [BYTE, DIGIT], (201, 0), _MORE, bits.compare("==", _SUM, 199), False),
    _case("bit-vectors", [FREE], (0,), [], bits.compare("!=", bits.vector(8, Offset(0, 256)), _A), False),
    _case("bit-vectors", [BYTE], (0,), [], bits.compare("==", bits.apply("bvmul", _A, 2), 7), False),
    _case("bit-vectors", [BYTE], (1,), [], bits.compare("==", bits.apply("bvudiv", 9, _A), 255), True),
    _case("bit-vectors", [BYTE], (0,), [], bits.compare("==", bits.apply("bvsdiv", _A, -1), 128), True),
    _case("bit-vectors", [BYTE] * 2, (0, 0), [], bits.compare("==", bits.extract(11, 4, _WIDE), 0x5A), True),
    _case("bit-vectors", [BYTE] * 2, (0, 0), [], _is(">", bits.zero_extend(16, _A), 255), False),
    _case(
        "signs", [BYTE], (0,), [], _both(bits.compare(">", _A, 127), bits.compare(">", _A, 0, is_signed=True)), False
    ),
    _case("signs", [BYTE], (0,), [], _is("==", bits.signed(_A), -128), True),
    _case("signs", [BYTE], (0,), [], _is("==", bits.sign_extend(16, _A), 0xFF7F), False),
)
_PARITY = BlackBox("parity", lambda a, b: (a + b) % 2)(X, Y)
_CALLS = (
    _case("black boxes", [DIGIT] * 2, (0, 0), [_is("==", _PARITY, 0)], _is("==", X, 7), True),
    _case("black boxes", [DIGIT] * 2, (0, 0), [_is("==", X, Y)], _is("==", _PARITY, 1), False),
    _case("black boxes", [FREE] * 2, (0, 0), [], _is("==", _PARITY, 1), True),
)
CASES = (*_INTEGERS, *_BOOLEANS, *_FLOATS, *_VECTORS, *_CALLS)
