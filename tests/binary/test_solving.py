"""The solver of binaries: its translation is exact, and a question is asked once in all runs."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pessimal.binary import remembering, terms
from pessimal.binary.remembering import Memory
from pessimal.expr import App, Compare, Evaluator, Expr, Offset, negation
from pessimal.solve.base import UNKNOWN, Answer, Query, Status

pytest.importorskip("bitwuzla")

DOMAINS = [(0, 255), (-1, 1)]
INPUTS = list(product(range(256), range(-1, 2)))
WIDTH = 16
BINARY = ("bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvudiv", "bvurem", "bvsdiv", "bvsrem")
SHIFTS = ("bvshl", "bvlshr", "bvashr", "rotate_left", "rotate_right")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

_byte = st.just(terms.zero_extend(WIDTH, terms.leaf(0), 8))
_integer = st.just(terms.integer_leaf(1, WIDTH))
_few = st.integers(0, 200)
_number = st.integers(0, (1 << WIDTH) - 1)


def _made(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    binary = st.builds(lambda op, a, b: terms.apply(op, WIDTH, a, b), st.sampled_from(BINARY + SHIFTS), parts, parts)
    unary = st.builds(lambda op, a: terms.unary(op, WIDTH, a), st.sampled_from(("bvnot", "bvneg")), parts)
    signed = st.builds(lambda a: terms.sign_extend(WIDTH, terms.extract(6, 0, a), 7), parts)
    joined = st.builds(lambda a, b: terms.concat(terms.extract(4, 0, a), 5, terms.extract(12, 2, b), 11), parts, parts)
    chosen = st.builds(lambda test, a, b: terms.ite(test, a, b, WIDTH), _condition(parts), parts, parts)
    table = st.builds(lambda a, b: terms.table(terms.leaf(0), tuple(a * i ^ b for i in range(256)), WIDTH), _few, _few)
    return st.one_of(binary, unary, signed, joined, chosen, table)


def _condition(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    def compared(op: str, a: Any, b: Any, is_signed: bool) -> Expr:
        if is_signed:
            a, b = (App("signed", (WIDTH, side), "int") if type(side) is App else side for side in (a, b))
        return Compare(op, a, b)

    either = st.one_of(parts, st.integers(-4, 40), st.just(Offset(1, 2)))
    return st.builds(
        compared, st.sampled_from(COMPARISONS), parts.filter(lambda a: type(a) is App), either, st.booleans()
    )


TERMS = st.recursive(st.one_of(_byte, _integer, _number), _made, max_leaves=6)


class Refusing:
    """The other solver, which must not be needed."""

    name = "refusing"

    def __init__(self) -> None:
        self.asked = 0

    def solve(self, query: Query) -> Answer:
        self.asked += 1
        return UNKNOWN


def _query(extra: tuple[Expr, bool], path: tuple[tuple[Expr, bool], ...] = (), domains: Any = DOMAINS) -> Query:
    return Query(path, extra, domains, [domain[0] for domain in domains])


@given(_condition(TERMS), st.booleans())
def test_answers_are_those_of_trying_all_inputs(condition: Expr, want: bool) -> None:
    other = Refusing()
    answer = Memory(DOMAINS).solver(lambda: other).solve(_query((condition, want)))
    exists = any(Evaluator(values).condition(condition) is want for values in INPUTS)
    assert answer.status is (Status.SAT if exists else Status.UNSAT)
    assert other.asked == 0


@given(_condition(TERMS), _condition(TERMS))
def test_conditions_of_the_path_hold_in_answers(first: Expr, second: Expr) -> None:
    models = [values for values in INPUTS if Evaluator(values).condition(first)]
    assume(models)  # the model of a question satisfies its path
    query = Query(((negation(first), False),), (second, True), DOMAINS, models[0])
    answer = Memory(DOMAINS).solver(Refusing).solve(query)
    exists = any(Evaluator(values).condition(second) for values in models)
    assert answer.status is (Status.SAT if exists else Status.UNSAT)
    assert answer.status is Status.UNSAT or query.satisfied_by(answer.values)


def test_a_question_is_asked_once_whatever_else_the_path_has(monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_ = [(0, 255)] * 4
    memory, asked = Memory(bytes_), []
    ask = memory.ask
    monkeypatch.setattr(memory, "ask", lambda query, bearing: asked.append(bearing) or ask(query, bearing))
    word = terms.concat(terms.leaf(1), 8, terms.leaf(0), 8)
    question = Compare("==", terms.apply("bvmul", 16, word, 3), 999)
    bearing = Compare(">", terms.leaf(1), 2), False
    other = Compare("==", terms.leaf(3), 7), True
    first = memory.solver(Refusing).solve(_query((question, True), (bearing,), bytes_))
    second = memory.solver(Refusing).solve(_query((question, True), (other, bearing), bytes_))
    third = memory.solver(Refusing).solve(_query((question, True), ((bearing[0], True),), bytes_))
    assert first.values == second.values == {0: 333 % 256, 1: 333 // 256}
    assert third.status is Status.UNSAT
    assert asked == [[bearing], [(bearing[0], True)]]


def test_a_question_that_cannot_be_told_is_left_to_the_other_solver() -> None:
    unbounded = [(None, None)]
    other = Refusing()
    answer = (
        Memory(unbounded)
        .solver(lambda: other)
        .solve(_query((Compare("==", terms.integer_leaf(0, 32), 5), True), (), [(0, 1 << 80)]))
    )
    assert answer is UNKNOWN and other.asked == 1


def test_without_bitwuzla_every_new_question_goes_to_the_other_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "find_spec", lambda name: None)
    other = Refusing()
    query = _query((Compare("==", terms.leaf(0), 5), True))
    assert Memory(DOMAINS).solver(lambda: other).solve(query) is UNKNOWN
    assert other.asked == 1
