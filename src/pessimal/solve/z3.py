"""The Z3 back-end: incremental along a path, exact, with a deterministic limit on its effort."""

from __future__ import annotations

import math
import struct
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import z3

from pessimal.expr import App, Expr, Leaf, Offset, Var, variables
from pessimal.expr.node import children
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator
from pessimal.solve import words
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Bounds, Literal, Query, Status
from pessimal.solve.components import Components, relevant

EFFORT = 8_000_000
"""Z3's own count of work per query: unlike a time-out it gives the same answer on every machine."""
LONGEST = 10_000
"""Milliseconds after which a query is given up all the same: some products of integers never count as work."""


READINGS = ("numbers", "doubles")
"""How conditions can be read: with words, integers and reals, and with IEEE doubles, which is exact and slow."""


class Z3Solver:
    """Asserts what of a path bears on a question and checks one more literal at a time, never starting afresh."""

    name = "z3"

    def __init__(
        self, effort: int = EFFORT, float_effort: int | None = None, readings: Collection[str] = READINGS
    ) -> None:
        self._effort = effort
        self._float_effort = effort if float_effort is None else float_effort
        self._readings = readings
        self._exact: _Assertions | None = None
        self._ieee: _Assertions | None = None
        self._words = words.WordSolver()
        self._bits = False
        self._scanned = 0

    def solve(self, query: Query) -> Answer:
        """Settle the literal; bit operations are tried as words first, floats as reals first and as doubles second."""
        answer = self._by_numbers(query) if "numbers" in self._readings else UNKNOWN
        is_needed = self._exact is None or self._exact.has_floats
        if answer.status is not Status.UNKNOWN or "doubles" not in self._readings or not is_needed:
            return answer
        if self._ieee is None:
            self._ieee = _Assertions(query.domains, self._float_effort, ieee=True)
        return _checked(self._ieee.solve(query), query)

    def _by_numbers(self, query: Query) -> Answer:
        if self._exact is None:
            has_floats = any(isinstance(value, float) for value in query.model)
            self._exact = _Assertions(query.domains, self._effort, ieee=False, alone=has_floats)
        if self._has_bits(query):
            answer = _checked(self._words.solve(query), query)
            if answer.status is not Status.UNKNOWN:
                return answer
            self._exact.limit(self._effort // 8)
        elif self._exact.has_floats:
            self._exact.limit(self._float_effort)
        answer = self._exact.solve(query)
        if not self._exact.has_floats:
            return _checked(answer, query) if self._exact.needs_check else answer
        if answer.status is Status.UNSAT and not self._exact.only_orders:
            return UNKNOWN
        return _checked(answer, query)

    def _has_bits(self, query: Query) -> bool:
        """Whether bit operations take part; of the path, which only grows, each condition is looked at once."""
        self._bits = self._bits or words.has_bits(condition for condition, _ in query.path[self._scanned :])
        self._scanned = len(query.path)
        return self._bits or words.has_bits((query.extra[0],))


def _checked(answer: Answer, query: Query) -> Answer:
    """The answer; a model that exact evaluation refutes is unknown, and near to a solution at best."""
    if answer.status is not Status.SAT or query.satisfied_by(answer.values):
        return answer
    return Answer(Status.UNKNOWN, near=answer.values)


class DoublesText(NamedTuple):
    """A question over IEEE doubles in SMT-LIB, the names of the leaves in it, and whether nothing had to be assumed."""

    text: str
    names: dict[int, str]
    is_exact: bool


def in_doubles(query: Query) -> DoublesText | None:
    """The question as other solvers of doubles can read it; None if it has no translation."""
    assertions = _Assertions(query.domains, EFFORT, ieee=True)
    literals, _ = relevant(query)
    return assertions.written(literals)


class _Assertions:
    """One Z3 solver in one reading of floats, with what it has been told so far."""

    def __init__(self, domains: Bounds, effort: int, ieee: bool, alone: bool = True) -> None:
        self._domains = domains
        self._translator = Translator(ieee, domains)
        # What Z3 finds among reals and doubles depends on all that its context has seen: they get one of their own.
        self._context = z3.Context() if alone else None
        self._solver = z3.SolverFor("QF_FPLRA", self._context) if ieee else z3.SimpleSolver(self._context)
        self._solver.set("rlimit", effort)
        self._milliseconds = 0
        self._components = Components()
        self._read = 0
        self._waiting: list[tuple[int, Literal]] = []
        self._assumed: list[Any] = []
        self._known: set[int] = set()
        self._inspected: dict[int, App] = {}
        self.has_floats = False
        self.only_orders = True
        self.partial = False

    @property
    def needs_check(self) -> bool:
        """Whether a model may be none of the conditions themselves: some are left out, or are wider than Python's."""
        return self.partial or self._translator.is_partial

    def limit(self, effort: int) -> None:
        """Spend so much on a question from here on."""
        self._solver.set("rlimit", effort)

    def solve(self, query: Query) -> Answer:
        """Whether what was asserted and the literal in question have a model together."""
        path, extra = query.path, query.extra
        for literal in path[self._read :]:
            found = variables(literal[0])
            self._components.join(found)
            self._waiting += [(var, literal) for var in list(found)[:1]]
        self._read = len(path)
        asked = self._components.of(variables(extra[0]))
        self._assert_all(asked)
        try:
            question = self._literal(extra)
            assumed = self._assumed + self._translator.assumptions(extra[0])
        except (Untranslatable, z3.Z3Exception):
            return UNKNOWN
        milliseconds = query.milliseconds(LONGEST)
        return self._check([question, *assumed], bool(assumed), asked, milliseconds)

    def written(self, literals: Sequence[Literal]) -> DoublesText | None:
        """All of some literals as a text; None if one has no translation, or a leaf is no double."""
        try:
            self._tell(*[self._literal(literal) for literal in literals])
            assumed = [term for condition, _ in literals for term in self._translator.assumptions(condition)]
        except (Untranslatable, z3.Z3Exception):
            return None
        self._tell(*assumed)
        names = {index: str(term) for index, term in self._translator.variables.items() if z3.is_fp(term)}
        if len(names) < len(self._translator.variables):
            return None
        plain = z3.Solver(ctx=self._context)
        plain.add([z3.simplify(term) for term in self._solver.assertions()])
        return DoublesText(plain.to_smt2(), names, not assumed and not self.needs_check)

    def _check(self, terms: list[Any], has_assumptions: bool, asked: set[int], milliseconds: int) -> Answer:
        if milliseconds <= 0:
            return UNKNOWN
        if milliseconds != self._milliseconds:
            self._milliseconds = milliseconds
            self._solver.set("timeout", milliseconds)
        self._solver.push()
        try:
            self._tell(*terms)
            status = self._solver.check()
            if status == z3.sat:
                return self._answer(self._solver.model(), asked)
            # With assumptions, unsatisfiable only means that no solution keeps them.
            return UNSAT if status == z3.unsat and not has_assumptions else UNKNOWN
        except z3.Z3Exception:
            return UNKNOWN
        finally:
            self._solver.pop()

    def _assert_all(self, asked: set[int]) -> None:
        """Tell Z3 what bears on the question; what has no variable in common with it, however indirectly, waits."""
        waiting, self._waiting = self._waiting, []
        for var, literal in waiting:
            if self._components.of((var,)) <= asked:
                self._assert(literal)
            else:
                self._waiting.append((var, literal))

    def _assert(self, literal: Literal) -> None:
        """Keep a literal of the path; one without translation is left out, so that models must be checked."""
        try:
            term = self._literal(literal)
        except (Untranslatable, z3.Z3Exception):
            self.partial = True
            return
        self._tell(term)
        self._assumed += self._translator.assumptions(literal[0])

    def _literal(self, literal: Literal) -> Any:
        condition, want = literal
        self._inspect(condition)
        term = self._translator.condition(condition)
        self._tell(*self._translator.definitions())
        for var in self._translator.variables.keys() - self._known:
            self._known.add(var)
            self._declare(var)
        return term if want else z3.Not(term)

    def _tell(self, *terms: Any) -> None:
        self._solver.add(*map(self._own, terms))

    def _own(self, term: Any) -> Any:
        return term if self._context is None else term.translate(self._context)

    def _inspect(self, condition: Expr) -> None:
        """Learn whether floats take part, and whether only in comparisons, where reals are exact."""
        stack: list[Any] = [condition]
        while stack:
            node = stack.pop()
            if isinstance(node, Var):
                self.has_floats = True
            elif type(node) is App and id(node) in self._inspected:
                continue  # shared, and so met again and again
            elif not isinstance(node, (Offset, int, float)):
                if type(node) is App:
                    self._inspected[id(node)] = node
                if getattr(node, "sort", "bool") == "float" or hasattr(node, "args"):
                    self.only_orders = False
                    self.has_floats = self.has_floats or node.sort == "float"
                stack.extend(children(node))

    def _declare(self, var: int) -> None:
        low, high = self._domains[var]
        term = self._translator.variables[var]
        if z3.is_fp(term):
            self._tell(z3.Not(z3.fpIsNaN(term)), z3.Not(z3.fpIsInf(term)))
        elif z3.is_real(term):
            low = -math.inf if low is None else low
            high = math.inf if high is None else high
            low, high = max(low, -_LARGEST), min(high, _LARGEST)
        if low is not None:
            self._tell(term >= self._bound(low, term))
        if high is not None:
            self._tell(term <= self._bound(high, term))

    def _bound(self, value: Leaf, term: Any) -> Any:
        return z3.IntVal(int(value)) if z3.is_int(term) else self._translator.term(float(value))

    def _answer(self, model: Any, asked: set[int]) -> Answer:
        """The values of the variables that bear on the question; the others may stay where they are."""
        values: dict[int, Leaf] = {}
        for index, var in self._translator.variables.items():
            value = model[self._own(var)] if self._components.of((index,)) <= asked else None
            if value is not None:
                number = plain_number(value)
                if number is None:
                    return UNKNOWN
                values[index] = number
        return Answer(Status.SAT, values)


_LARGEST = 1.7976931348623157e308


def plain_number(value: Any) -> Leaf | None:
    """A Z3 value as a Python number, the nearest double for a real."""
    if z3.is_int_value(value):
        return int(value.as_long())
    if z3.is_algebraic_value(value):
        value = value.approx(20)
    if z3.is_rational_value(value):
        return float(Fraction(value.numerator_as_long(), value.denominator_as_long()))
    if z3.is_fp_value(value):
        bits = z3.simplify(z3.fpToIEEEBV(value, value.ctx)).as_long()
        return float(struct.unpack("<d", struct.pack("<Q", bits))[0])
    return None
