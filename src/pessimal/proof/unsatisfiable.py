"""Whether directions beside a path are impossible, by plain Z3 and nothing of our own but the translation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import z3

from pessimal.expr import Expr
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator
from pessimal.inputs import Domain

SECONDS = 60
"""How long one question may take; what is not settled by then is not checked."""


class Unchecked(Exception):
    """Something that could not be checked, which is not to say that it is wrong."""


def first_possible(
    conditions: Sequence[Expr], taken: str, closed: Collection[int], domains: Sequence[Domain]
) -> int | None:
    """The first of the closed positions at which the direction not taken is possible after all."""
    solver = z3.Solver()
    solver.set("timeout", SECONDS * 1000)
    ieee = any(domain.kind == "float" for domain in domains)
    translator = Translator(ieee)  # doubles as they are, or else integers, which are exact
    declared: set[int] = set()
    for position in range(max(closed, default=-1) + 1):
        try:
            term = translator.condition(conditions[position])
            solver.add(*translator.definitions())
            _declare(solver, translator, declared, domains)
            if translator.assumptions(conditions[position]):
                raise Unchecked("bit operations of integers are only exact for machine words")
        except (Untranslatable, z3.Z3Exception) as error:
            raise Unchecked(f"Z3 has no words for it: {error}") from None
        way = taken[position] == "1"
        if position in closed and _is_possible(solver, z3.Not(term) if way else term):
            return position
        solver.add(term if way else z3.Not(term))
    return None


def _is_possible(solver: Any, term: Any) -> bool:
    solver.push()
    solver.add(term)
    answer = solver.check()
    solver.pop()
    if answer == z3.unknown:
        raise Unchecked("Z3 does not know")
    return bool(answer == z3.sat)


def _declare(solver: Any, translator: Translator, declared: set[int], domains: Sequence[Domain]) -> None:
    """Tell the bounds of leaves that are new."""
    for leaf in translator.variables.keys() - declared:
        declared.add(leaf)
        term, domain = translator.variables[leaf], domains[leaf]
        if z3.is_fp(term):
            solver.add(z3.Not(z3.fpIsNaN(term)), z3.Not(z3.fpIsInf(term)))
        for bound, is_low in ((domain.low, True), (domain.high, False)):
            if bound is not None:
                limit = translator.term(float(bound) if z3.is_fp(term) else int(bound))
                solver.add(term >= limit if is_low else term <= limit)
