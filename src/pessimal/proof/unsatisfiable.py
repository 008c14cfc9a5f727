"""Whether outcomes along a path are infeasible, decided by plain Z3 with nothing of ours but the translation."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import z3

from pessimal.expr import Expr, Leaf, negation
from pessimal.expr.node import App, Compare, Offset, Var, children
from pessimal.expr.reals import Untranslatable
from pessimal.expr.smt import Translator
from pessimal.inputs import Domain
from pessimal.trace import Trace

SECONDS = 60
"""The time limit of one query; what Z3 does not decide within it cannot be checked."""

EXACT = 1 << 53
"""Every integer below this is a double, so that rounding does not change a comparison with it."""


class Uncheckable(Exception):
    """Something cannot be checked, which does not mean that it is wrong."""


def first_feasible(trace: Trace, closed: Collection[tuple[int, int]], domains: Sequence[Domain]) -> int | None:
    """The position of the first of the closed outcomes, given as position and outcome, that is feasible after all.

    Z3 must also agree that the input takes this path: from a false path condition anything would follow.
    """
    if not closed:
        return None
    outcomes = [_outcomes(trace, position) for position in range(max(closed)[0] + 1)]
    translator = Translator(ieee=_has_doubles([condition for row in outcomes for condition in row]))
    solver = z3.Solver()
    solver.set("timeout", SECONDS * 1000)
    declared: set[int] = set()
    for position, conditions in enumerate(outcomes):
        try:
            terms = [_translated(condition, translator, solver) for condition in conditions]
            _declare(solver, translator, declared, domains)
        except (Untranslatable, z3.Z3Exception) as error:
            raise Uncheckable(f"it cannot be translated to Z3: {error}") from None
        if position in trace.switches and _is_satisfiable(solver, z3.Not(z3.Or(*terms))):
            raise Uncheckable("a decision may have an outcome that is not listed")
        if any((position, i) in closed and _is_satisfiable(solver, term) for i, term in enumerate(terms)):
            return position
        solver.add(terms[trace.decisions[position]])
    if not _is_satisfiable(solver, *_equal(translator, trace.leaves)):
        raise Uncheckable("Z3 does not confirm that the input takes its path")
    return None


def _outcomes(trace: Trace, position: int) -> tuple[Expr, ...]:
    """The condition of each outcome of a decision."""
    switch = trace.switches.get(position)
    if switch is not None:
        return switch.conditions
    condition = _known(trace.conditions[position])
    return negation(condition), condition


def _translated(condition: Expr, translator: Translator, solver: Any) -> Any:
    term = translator.condition(condition)
    solver.add(*translator.definitions())
    if translator.assumptions(condition):
        raise Uncheckable("bit operations on integers are exact only for machine words")
    return term


def _is_satisfiable(solver: Any, *terms: Any) -> bool:
    solver.push()
    solver.add(*terms)
    answer = solver.check()
    solver.pop()
    if answer == z3.unknown:
        raise Uncheckable("Z3 gives no answer")
    return bool(answer == z3.sat)


def _equal(translator: Translator, leaves: Sequence[Leaf]) -> Iterator[Any]:
    for leaf, term in translator.variables.items():
        yield term == translator.term(leaves[leaf])


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


def _known(condition: Expr | None) -> Expr:
    if condition is None:
        raise Uncheckable("a decision has no condition")
    return condition


def _has_doubles(conditions: Sequence[Expr]) -> bool:
    """Whether doubles occur, so that Z3 must use IEEE arithmetic; it rounds in some cases where Python does not."""
    nodes = list(_nodes(conditions))
    if not any(_sort(node) == "float" for node in nodes if type(node) is not float):
        return False
    for node in nodes:
        if type(node) is Compare and {_sort(node.left), _sort(node.right)} == {"int", "float"}:
            if not any(isinstance(side, int | float) and abs(side) < EXACT for side in (node.left, node.right)):
                raise Uncheckable("Z3 rounds integers to compare them with floats, and Python does not")
        elif type(node) is App and node.op == "/" and all(_sort(part) == "int" for part in node.args):
            raise Uncheckable("Z3 rounds integers to divide them, and Python does not")
    return True


def _nodes(conditions: Sequence[Expr]) -> Iterator[Any]:
    """All nodes of the conditions; shared ones once, and without recursion."""
    stack: list[Any] = list(conditions)
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            stack.extend(children(node))


def _sort(node: Any) -> str:
    if isinstance(node, Offset | Var | App):
        return node.sort
    return {int: "int", float: "float"}.get(type(node), "bool")
