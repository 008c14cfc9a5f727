"""Which conditions bear on each other: those that share variables, directly or by way of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pessimal.expr import Expr, Junction, Not, conjunction, negation, variables
from pessimal.solve.base import Literal, Query


class Components:
    """Which variables depend on each other by way of conditions: each is led by one of its own."""

    def __init__(self) -> None:
        self._leader: dict[int, int] = {}

    def of(self, found: Iterable[int]) -> set[int]:
        """The leaders of the groups that some variables belong to."""
        return {self._lead(var) for var in found}

    def join(self, found: Iterable[int]) -> None:
        """Make one group of the groups of some variables."""
        leaders = sorted(self.of(found))
        for other in leaders[1:]:
            self._leader[other] = leaders[0]

    def _lead(self, var: int) -> int:
        while (leader := self._leader.get(var, var)) != var:
            var = leader
        return var


def relevant(query: Query) -> tuple[list[Literal], set[int]]:
    """The conditions that share variables with the question, however indirectly, and all of their variables."""
    components = Components()
    asked = variables(query.extra[0])
    found = [(literal, variables(literal[0])) for literal in query.path]
    components.join(asked)
    for _, names in found:
        components.join(names)
    together = components.of(asked)
    kept = [(literal, names) for literal, names in found if names and components.of(names) <= together]
    return [*(literal for literal, _ in kept), query.extra], asked.union(*(names for _, names in kept))


def independent(query: Query) -> list[Query]:
    """The parts of a question that share no variable, however indirectly, each as a question; mostly there is one."""
    conjuncts = list(_conjuncts(query.extra))
    if len(conjuncts) == 1:
        return [query]
    components, names = Components(), [variables(part) for part in conjuncts]
    for together in (*names, *(variables(condition) for condition, _ in query.path)):
        components.join(together)
    leaders = [min(components.of(together), default=None) for together in names]
    groups = list(dict.fromkeys(leader for leader in leaders if leader is not None))
    if len(groups) < 2 or None in leaders:
        return [query]
    parts = ([part for part, leader in zip(conjuncts, leaders, strict=True) if leader == group] for group in groups)
    return [replace(query, extra=(conjunction(part), True)) for part in parts]


def _conjuncts(literal: Literal) -> Iterator[Expr]:
    """What must hold all at once for a literal to hold."""
    condition, want = literal
    if type(condition) is Not:
        yield from _conjuncts((condition.part, not want))
    elif type(condition) is Junction and condition.op == ("and" if want else "or"):
        for part in condition.parts:
            yield from _conjuncts((part, want))
    else:
        yield condition if want else negation(condition)
