"""The lines that a user draws: a budget line that no cost should be above, and a bound that no cost can be above."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pessimal.formula import Formula, shown, values_at
from pessimal.proof import met, refuted, stopping_at
from pessimal.result import StressResult
from pessimal.search_spec import SearchSpec


class CostLimits:
    """The budget line and the bound at each size, both known before the search; either may be missing."""

    def __init__(self, sizes: Sequence[int], budget_line: Formula | None, bound: Formula | None) -> None:
        self._bound = bound
        self._allowed = None if budget_line is None else values_at(budget_line, sizes, "budget-line")
        self._bounds = None if bound is None else values_at(bound, sizes, "bound")

    def stop_at_bound(self, spec: SearchSpec) -> SearchSpec:
        """The search, which ends when the bound is met."""
        if self._bounds is None:
            return spec
        return replace(spec, budget=stopping_at(spec.budget, self._bounds[spec.size]))

    def prove(self, result: StressResult, warn: Callable[[str], None]) -> None:
        """A replayed cost that meets the bound is proved; one above it shows that the bound is wrong."""
        if self._bound is None or self._bounds is None or not _is_replayed(result):
            return
        cost, bound, formula = result.cost["value"], self._bounds[result.size], shown(self._bound)
        wrong = refuted(cost, bound, formula)
        if wrong is not None:
            warn(wrong)
        result.proof = result.proof or met(cost, bound, formula)

    def compare(self, result: StressResult, results: Sequence[StressResult]) -> None:
        """Note in the result at which sizes costs are above the budget line, and replayed ones above the bound."""
        replayed = [item for item in results if _is_replayed(item)]
        result.over_budget = None if self._allowed is None else _over(results, self._allowed)
        result.over_bound = None if self._bounds is None else _over(replayed, self._bounds)


def _is_replayed(result: StressResult) -> bool:
    return result.witness is not None and result.witness.replayed


def _over(results: Sequence[StressResult], allowed: Mapping[int, float]) -> list[dict[str, Any]]:
    """The sizes at which the cost is above what is allowed; an unknown cost is not."""
    costs = [(result.size, result.cost["value"], allowed[result.size]) for result in results]
    return [
        {"size": size, "cost": cost, "limit": limit} for size, cost, limit in costs if cost is not None and cost > limit
    ]
