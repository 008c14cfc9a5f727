"""Predicting the cost of the worst case at a large size from the costs at small sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pessimal.synthesis.laws import Law, fit

MIN_SIZES, MAX_LEFT_OUT = 5, 3
"""A law of the costs must fit at least so many sizes; at most so many of the smallest may be left out."""


@dataclass(frozen=True, slots=True)
class CostPrediction:
    """The law of the costs, if there is one, and whether the cost is the number of branches."""

    counts_branches: bool
    law: Law | None

    @classmethod
    def of(cls, costs: Mapping[int, float], branches: Mapping[int, int]) -> CostPrediction:
        """The prediction from the costs by size and the numbers of branches of the paths with these costs."""
        counts_branches = all(costs[size] == number for size, number in branches.items())
        if not all(float(cost).is_integer() for cost in costs.values()):
            return cls(counts_branches, None)
        points = [(size, int(cost)) for size, cost in sorted(costs.items())]
        most = min(MAX_LEFT_OUT, len(points) - MIN_SIZES)
        laws = (fit(dict(points[first:])) for first in range(most + 1))
        return cls(counts_branches, next((law for law in laws if law is not None), None))

    def cost(self, size: int, branches: int | None = None) -> float | None:
        """The predicted cost of the worst input of a size; ``branches`` is its number of branches, if known."""
        if self.counts_branches and branches is not None:
            return branches
        return None if self.law is None else self.law(size)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"counts_branches": self.counts_branches, "law": None if self.law is None else self.law.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CostPrediction:
        """What :meth:`to_json` wrote."""
        return cls(bool(data["counts_branches"]), None if data["law"] is None else Law.from_json(data["law"]))
