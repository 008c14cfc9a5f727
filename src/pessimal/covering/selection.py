"""Which cases belong to the result: few that together take every arc, and those that a reader likes best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pessimal.covering.messages import ArcRow
from pessimal.scenario import Name, Scenario
from pessimal.trace import Outcome


class Measured(Protocol):
    """A case of which all arcs are known."""

    @property
    def steps(self) -> Scenario:
        """The scenario."""
        ...

    @property
    def arcs(self) -> Sequence[ArcRow]:
        """What it takes."""
        ...

    @property
    def outcome(self) -> str:
        """How it ended."""
        ...


M = TypeVar("M", bound=Measured)


def chosen(cases: Sequence[M]) -> list[M]:
    """Cases that take all arcs which any of them takes, in their order.

    The case that takes most of what is left comes first; of equal ones, that which returns, then the simplest. A case
    whose arcs others take as well is dropped in the end.
    """
    arcs = [frozenset(case.arcs) for case in cases]
    preference = [_preference(case) for case in cases]
    order = sorted(range(len(cases)), key=lambda index: preference[index])
    left = frozenset[ArcRow]().union(*arcs)
    picked: list[int] = []
    while left:
        best = max(order, key=lambda index: len(arcs[index] & left))
        picked.append(best)
        left -= arcs[best]
    for index in sorted(picked, key=lambda index: preference[index], reverse=True):
        others = frozenset[ArcRow]().union(*(arcs[other] for other in picked if other != index))
        if arcs[index] <= others:
            picked.remove(index)
    return [cases[index] for index in sorted(picked)]


def shares(cases: Sequence[Measured]) -> list[frozenset[ArcRow]]:
    """For each case the arcs that it must go on taking: those that no case before it takes."""
    taken: set[ArcRow] = set()
    found: list[frozenset[ArcRow]] = []
    for case in cases:
        found.append(frozenset(case.arcs) - taken)
        taken |= set(case.arcs)
    return found


def _preference(case: Measured) -> tuple[bool, bool, int, int]:
    scenario = case.steps
    returns = case.outcome == Outcome.RETURNED.value
    return not _is_public(scenario), not returns, len(scenario.steps), len(str(scenario))


def _is_public(scenario: Scenario) -> bool:
    names = [step.name for step in scenario.steps]
    names += [part for step in scenario.steps if isinstance(step.subject, Name) for part in _parts(step.subject)]
    return not any(name.startswith("_") and not name.endswith("__") for name in names)


def _parts(name: Name) -> list[str]:
    return name.qualname.split(".")
