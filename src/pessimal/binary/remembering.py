"""The solver of binaries: what bears on a question is told to Bitwuzla directly, and no question is asked twice.

The runs of a search share most of their paths, and their terms are the same objects. So the same questions come again,
and an answer is remembered by the conditions that bear on it. What Bitwuzla does not settle, or everything if it is not
installed, is left to the solver that the user has chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pessimal.binary.terms import leaves_of
from pessimal.binary.vectors import Untold, Vectors
from pessimal.expr import Expr
from pessimal.solve import Solver
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Bounds, Literal, Query, Status

LONGEST = 2_000
"""Milliseconds after which a question is given up."""
MOST_KNOWN = 100_000
_Key = frozenset[tuple[int, bool]]


class Memory:
    """The answers to the questions of one search, and what was translated for them."""

    def __init__(self, domains: Bounds) -> None:
        self._domains = domains
        self._library: Any = import_module("bitwuzla") if find_spec("bitwuzla") is not None else None
        self._vectors: Vectors | None = None
        self._answers: dict[tuple[int, bool, _Key], Answer] = {}
        self._masks: dict[int, tuple[Expr, int]] = {}

    def solver(self, make_other: Callable[[], Solver]) -> RememberingSolver:
        """The solver of one run."""
        self._forget_if_full()
        return RememberingSolver(self, make_other)

    def recall(self, query: Query, bearing: list[Literal]) -> Answer | None:
        """What is known of a question with what bears on it."""
        return self._answers.get(_key(query, bearing))

    def note(self, query: Query, bearing: list[Literal], answer: Answer) -> None:
        """Remember an answer; that something is unknown may be for want of time."""
        if answer.status is not Status.UNKNOWN:
            mask = 0
            for condition, _ in [*bearing, query.extra]:
                mask |= self._mask(condition)
            values = {leaf: value for leaf, value in answer.values.items() if mask >> leaf & 1}
            self._answers[_key(query, bearing)] = replace(answer, values=values)

    def bearing(self, query: Query) -> list[Literal]:
        """The conditions of the path that share leaves with the question, however indirectly."""
        waiting = [(literal, self._mask(literal[0])) for literal in query.path]
        mask, found = self._mask(query.extra[0]), list[Literal]()
        while True:
            near = [literal for literal, leaves in waiting if leaves & mask]
            if not near:
                return found
            found += near
            waiting, before = [item for item in waiting if not item[1] & mask], waiting
            for _, leaves in before:
                mask |= leaves if leaves & mask else 0

    def _mask(self, condition: Expr) -> int:
        known = self._masks.get(id(condition))
        if known is None:
            # The condition is kept, so that its id stays its own: answers are remembered by it.
            known = self._masks[id(condition)] = condition, leaves_of(condition)
        return known[1]

    def _forget_if_full(self) -> None:
        """Begin anew between two runs, when very much is known."""
        if len(self._masks) > MOST_KNOWN:
            self._masks.clear()
            self._answers.clear()

    def ask(self, query: Query, bearing: list[Literal]) -> Answer:
        """What Bitwuzla says."""
        milliseconds = query.milliseconds(LONGEST)
        if self._library is None or milliseconds <= 0:
            return UNKNOWN
        if self._vectors is None or self._vectors.is_full:
            self._vectors = Vectors(self._library, self._domains)
        try:
            return self._asked(self._vectors, [*bearing, query.extra], milliseconds)
        except (Untold, self._library.BitwuzlaException):
            return UNKNOWN

    def _asked(self, vectors: Vectors, literals: list[Literal], milliseconds: int) -> Answer:
        library, options = self._library, self._library.Options()
        options.set(library.Option.PRODUCE_MODELS, True)
        options.set(library.Option.TIME_LIMIT_PER, milliseconds)
        solver = library.Bitwuzla(vectors.manager, options)
        mask = 0
        for condition, want in literals:
            term = vectors.condition(condition)
            solver.assert_formula(term if want else vectors.manager.mk_term(library.Kind.NOT, [term]))
            mask |= self._mask(condition)
        leaves = [leaf for leaf in range(mask.bit_length()) if mask >> leaf & 1]
        for leaf in leaves:
            for bound in vectors.bounds(leaf):
                solver.assert_formula(bound)
        status = solver.check_sat()
        if status != library.Result.SAT:
            return UNSAT if status == library.Result.UNSAT else UNKNOWN
        values = {leaf: str(solver.get_value(vectors.variables[leaf]).value()) for leaf in leaves}
        return Answer(Status.SAT, {leaf: vectors.value(leaf, bits) for leaf, bits in values.items()})


class RememberingSolver:
    """The solver of one run, with the memory of all."""

    name = "binary"

    def __init__(self, memory: Memory, make_other: Callable[[], Solver]) -> None:
        self._memory = memory
        self._make_other = make_other
        self._other: Solver | None = None

    def solve(self, query: Query) -> Answer:
        """The answer that is remembered, or the first that settles the question."""
        memory = self._memory
        bearing = memory.bearing(query)
        known = memory.recall(query, bearing)
        if known is not None:
            return known
        answer = memory.ask(query, bearing)
        if answer.status is Status.SAT and not query.satisfied_by(answer.values):
            answer = UNKNOWN
        if answer.status is Status.UNKNOWN:
            self._other = self._other or self._make_other()
            answer = self._other.solve(query)
        memory.note(query, bearing, answer)
        return answer


def _key(query: Query, bearing: list[Literal]) -> tuple[int, bool, _Key]:
    condition, want = query.extra
    return id(condition), want, frozenset((id(item), holds) for item, holds in bearing)
