"""The specification of one search: everything that a worker process needs to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pessimal.objective import Maximise, Objective, ReachBranches
from pessimal.registry import STRATEGIES
from pessimal.search.budget import Budget
from pessimal.strategy import Strategy
from pessimal.target_spec import TargetSpec, name_of


@dataclass(frozen=True, slots=True)
class SearchSpec(TargetSpec):
    """One target at one size, and how to search it."""

    strategy: str | Strategy
    options: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    objective: str | Objective = "cost"
    certificate: Path | None = None
    """The file for a certificate of the proof, if one was requested."""
    workers: int = 1
    """How many processes a portfolio may work in."""

    @property
    def is_portfolio(self) -> bool:
        """Whether the strategy has members that can work side by side."""
        return self._strategy_has("take_lane")

    @property
    def lanes(self) -> int:
        """In how many processes the search is done: each has a part of the members, or of what there is to reach."""
        is_shared = {Maximise.name: self.is_portfolio, ReachBranches.name: self._strategy_has("take_part")}
        return self.workers if is_shared.get(self.objective_name, False) else 1

    def _strategy_has(self, method: str) -> bool:
        return hasattr(STRATEGIES.get(self.strategy) if isinstance(self.strategy, str) else self.strategy, method)

    @property
    def strategy_name(self) -> str:
        """The name under which the strategy is reported."""
        return self.strategy if isinstance(self.strategy, str) else self.strategy.name

    @property
    def objective_name(self) -> str:
        """The name under which the objective is reported."""
        return self.objective if isinstance(self.objective, str) else self.objective.name

    @property
    def identity(self) -> dict[str, Any]:
        """What two searches must have in common for the second to resume the first."""
        return {
            "target": name_of(self.target),
            "size": f"up to {self.size}" if self.growing else self.size,
            "strategy": self.strategy_name,
            "options": _texts(self.options),
            "objective": self.objective_name,
            "solver": self.solver,
            "cost": name_of(self.cost),
            "inputs": {name: str(spec) for name, spec in sorted(self.given.items())},
            "sized_numbers": self.sized_numbers,
            "requirements": [name_of(item) for item in self.requirements],
            **({"solver_options": _texts(self.solver_options)} if self.solver_options else {}),
            **({"black_boxes": list(self.black_boxes)} if self.black_boxes else {}),
            **({"call": self.call} if self.call is not None else {}),
            "seed": self.seed,
            "pyse_compatible": self.pyse_compatible,
            "certificate": None if self.certificate is None else str(self.certificate),
        }


def _texts(options: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in sorted(options.items())}
