"""Forecasts: what the costs of small sizes foretell of a large one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pessimal.synthesis.laws import Law, fit

LEAST_SIZES, MOST_LEFT_OUT = 5, 3
"""A law of the costs must hold at so many sizes; so many of the smallest may be left out."""


@dataclass(frozen=True, slots=True)
class CostPrediction:
    """The law of the costs, if there is one, and whether they are simply the branches of the paths."""

    is_counted: bool
    law: Law | None

    @classmethod
    def of(cls, costs: Mapping[int, float], branches: Mapping[int, int]) -> CostPrediction:
        """What costs by size foretell, given how many branches the paths have that cost so much."""
        is_counted = all(costs[size] == number for size, number in branches.items())
        if not all(float(cost).is_integer() for cost in costs.values()):
            return cls(is_counted, None)
        points = [(size, int(cost)) for size, cost in sorted(costs.items())]
        most = min(MOST_LEFT_OUT, len(points) - LEAST_SIZES)
        laws = (fit(dict(points[first:])) for first in range(most + 1))
        return cls(is_counted, next((law for law in laws if law is not None), None))

    def cost(self, size: int, branches: int | None = None) -> float | None:
        """What the worst input of a size should cost, whose path has so many branches if that is known."""
        if self.is_counted and branches is not None:
            return branches
        return None if self.law is None else self.law(size)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"counted": self.is_counted, "law": None if self.law is None else self.law.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CostPrediction:
        """What :meth:`to_json` wrote."""
        return cls(bool(data["counted"]), None if data["law"] is None else Law.from_json(data["law"]))
