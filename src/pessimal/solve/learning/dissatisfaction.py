"""How far a comparison is from holding, as a number that is zero exactly where it holds: what samplers minimise.

``paper`` is the published rule: the distance of the sides, 0.01 where a strict comparison fails by nothing. ``tool`` is
what the published tool computes: one more for inequalities. ``even`` is ours: the distance on a scale that grows ever
more slowly, so that a comparison of large numbers does not drown all others, and that still tells the smallest apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from pessimal.errors import UsageError

SMALLEST = 1e-300
STRICT = 0.01


class Rule:
    """A rule by its name; called with the comparisons, their gaps and whether they hold, one row for each."""

    INVALID: ClassVar[float] = 1e300
    """The dissatisfaction of what cannot be evaluated."""

    def __init__(self, name: str = "even") -> None:
        if name not in RULES:
            raise UsageError(f"unknown rule of dissatisfaction {name!r}: known are {', '.join(RULES)}")
        self.name = name
        self._rate = RULES[name]

    def __call__(self, ops: Sequence[str], gaps: Any, holds: Any) -> Any:
        """The dissatisfaction of each comparison for each sample."""
        rates = np.empty_like(gaps)
        with np.errstate(all="ignore"):
            sizes = np.abs(gaps)
            for row, op in enumerate(ops):
                rates[row] = 1.0 if op == "!=" else self._rate(op, sizes[row])
        rates = np.where(np.isfinite(rates), np.clip(rates, SMALLEST, self.INVALID), self.INVALID)
        return np.where(holds, 0.0, rates)


def _paper(op: str, size: Any) -> Any:
    return np.where(size == 0, STRICT, size)


def _tool(op: str, size: Any) -> Any:
    return size if op == "==" else size + 1.0


def _even(op: str, size: Any) -> Any:
    """Proportional to small distances, and to the logarithm of large ones."""
    return np.log1p(size)


RULES: dict[str, Callable[[str, Any], Any]] = {"even": _even, "paper": _paper, "tool": _tool}
