"""Which cases belong to the result: few that together take every arc, and those that a reader likes best."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.cover.messages import ArcRow, CaseFound
from pessimal.scenario import Name, Scenario
from pessimal.trace import Outcome


def chosen(cases: Sequence[CaseFound], arcs: Sequence[frozenset[ArcRow]]) -> list[int]:
    """The indices of cases that take all arcs which any of them takes, in their order.

    The case that takes most of what is left comes first; of equal ones, that which returns, then the simplest. A case
    whose arcs others take as well is dropped in the end.
    """
    left = frozenset[ArcRow]().union(*arcs)
    order = sorted(range(len(cases)), key=lambda index: _preference(cases[index]))
    picked: list[int] = []
    while left:
        best = max(order, key=lambda index: len(arcs[index] & left))
        picked.append(best)
        left -= arcs[best]
    for index in sorted(picked, key=lambda index: _preference(cases[index]), reverse=True):
        others = frozenset[ArcRow]().union(*(arcs[other] for other in picked if other != index))
        if arcs[index] <= others:
            picked.remove(index)
    return sorted(picked)


def _preference(case: CaseFound) -> tuple[bool, bool, int, int]:
    scenario = case.steps
    returns = case.outcome == Outcome.RETURNED.value
    return not _is_public(scenario), not returns, len(scenario.steps), len(str(case.scenario))


def _is_public(scenario: Scenario) -> bool:
    names = [step.name for step in scenario.steps]
    names += [part for step in scenario.steps if isinstance(step.subject, Name) for part in _parts(step.subject)]
    return not any(name.startswith("_") and not name.endswith("__") for name in names)


def _parts(name: Name) -> list[str]:
    return name.qualname.split(".")
