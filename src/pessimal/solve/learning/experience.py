"""Which solver settles which kind of question: counted from question to question, so that the best is asked first.

What solvers cost is a constant and not the time that they took, so that the order, and with it the result of a search,
is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pessimal.errors import UsageError
from pessimal.solve.kinds import Kind

COSTS = {"intervals": 0.5, "equations": 0.6, "z3": 1.0, "sampling": 2.5, "doubles": 10.0, "words": 0.8}
"""What asking a solver costs compared with the others."""
EXPENSIVE, RARE = 5.0, 0.09
"""What costs so much is not asked where it settles so few questions."""
TRUST = 12.0
"""For how many questions what was known before counts at most."""

Counts = dict[str, list[float]]
"""For each solver how often it was asked and how often it settled the question."""


class Experience:
    """Counts by kind of question; without any, the order is the one that constants below expect to pay."""

    def __init__(self, counts: Mapping[str, Counts] | None = None) -> None:
        known = counts or {}
        self._counts = {kind: {name: list(pair) for name, pair in by.items()} for kind, by in known.items()}

    def order(self, kind: Kind, solvers: Sequence[str]) -> list[str]:
        """The solvers, those first that settle most questions of a kind for what they cost.

        An expensive one that hardly ever settles any is left out.
        """
        rates = {name: self._rate(kind, name) for name in solvers}
        kept = [name for name in solvers if _cost(kind, name) < EXPENSIVE or rates[name] > RARE]
        return sorted(kept, key=lambda name: -rates[name] / _cost(kind, name))

    def _rate(self, kind: Kind, name: str) -> float:
        asked, settled = self._counts.get(kind.name, {}).get(name, (0.0, 0.0))
        return (settled + _PRIOR.get(kind.operations, {}).get(name, 0.5)) / (asked + 1.0)

    def note(self, kind: Kind, name: str, is_settled: bool) -> None:
        """Count an answer; old ones fade as new ones come."""
        pair = self._counts.setdefault(kind.name, {}).setdefault(name, [0.0, 0.0])
        if pair[0] >= TRUST:
            pair[:] = [count * (TRUST - 1) / TRUST for count in pair]
        pair[0] += 1
        pair[1] += is_settled

    def to_json(self) -> dict[str, Any]:
        """The counts as they are kept in files."""
        return {kind: dict(by) for kind, by in sorted(self._counts.items())}

    @classmethod
    def from_json(cls, data: Any) -> Experience:
        """The experience that a file has; what is not one is refused."""
        if not isinstance(data, dict) or not all(map(_is_counts, data.values())):
            raise UsageError("this is not a file of experience: start with a new one", slug="experience")
        return cls(data)


def _cost(kind: Kind, name: str) -> float:
    """Products of floats, read as reals, take Z3 longer than all samples take."""
    is_slow = name == "z3" and kind.has_floats and kind.operations == "products"
    return 4.0 if is_slow else COSTS.get(name, 1.0)


def _is_counts(by: Any) -> bool:
    return isinstance(by, dict) and all(
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(count, int | float) for count in pair)
        and 0 <= pair[1] <= pair[0]
        for pair in by.values()
    )


_PRIOR = {
    "linear": {"intervals": 0.3, "equations": 0.0, "z3": 0.95, "sampling": 0.5, "doubles": 0.7},
    "products": {"intervals": 0.5, "equations": 0.6, "z3": 0.7, "sampling": 0.7, "doubles": 0.12},
    "bits": {"intervals": 0.2, "equations": 0.2, "z3": 0.8, "sampling": 0.3, "doubles": 0.1, "words": 0.85},
    "functions": {"intervals": 0.5, "equations": 0.1, "z3": 0.1, "sampling": 0.8, "doubles": 0.05},
    "calls": {"intervals": 0.2, "equations": 0.1, "z3": 0.05, "sampling": 0.7, "doubles": 0.0},
}
"""What is expected of a solver before it was asked, by the operations of the question."""
