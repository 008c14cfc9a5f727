"""An upper bound given by the user: an input that reaches it needs no other proof.

The bound itself is not checked, so the proof says that it was given; an input that costs more refutes it.
"""

from __future__ import annotations

from dataclasses import replace

from pessimal.search.budget import Budget


def stopping_at(budget: Budget, bound: float) -> Budget:
    """The budget of a search that ends when the bound is reached, or earlier at the user's own ``stop_at``."""
    return replace(budget, stop_at=bound if budget.stop_at is None else min(bound, budget.stop_at))


def met(cost: float | None, bound: float, formula: str) -> str | None:
    """The proof that a replayed cost is the maximum, if it equals the bound."""
    return f"bound met, as given: {_equation(bound, formula)}" if cost == bound else None


def refuted(cost: float | None, bound: float, formula: str) -> str | None:
    """The warning for a bound that a replayed cost exceeds."""
    if cost is None or cost <= bound:
        return None
    return f"the bound is wrong: {_equation(bound, formula)}, but an input costs {cost:.12g}"


def _equation(bound: float, formula: str) -> str:
    value = f"{bound:.12g}"
    return value if formula == value else f"{formula} = {value}"
