"""What symbolic runs show about outcomes that no run reached: infeasible, unknown, or just not tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pessimal.trace import Side, Site, Trace

Key = tuple[Site, int]
"""An outcome of a site."""


UNDECIDED = 2
"""The weight of the reason that no solver could decide."""


class Reason(NamedTuple):
    """Why an outcome is not reached, and the probability that it can be, if one was estimated.

    A proof holds for all values of the inputs' types, with nothing left out.
    """

    text: str
    confidence: float | None = None
    is_proof: bool = False
    weight: int = 0
    """Which of several reasons for one outcome says most: the heaviest."""


class FlippedOutcomes:
    """Counts what runs show about each outcome of each site that they pass."""

    def __init__(self) -> None:
        self._reached: set[Key] = set()
        self._arities: dict[Site, int] = {}
        self._infeasible: Counter[Key] = Counter()
        self._unknown: dict[Key, float | None] = {}

    def add(self, trace: Trace) -> None:
        """Count the decisions of a run."""
        for site, taken in set(zip(trace.sites, trace.decisions, strict=True)):
            self._reached.add((site, taken))
            self._arities.setdefault(site, 2)
        for position, switch in trace.switches.items():
            self._arities[trace.sites[position]] = len(switch.conditions)
        for position, side in enumerate(trace.others):
            if side != Side.UNTRIED and position not in trace.choices:
                self._add_sides(trace, position)

    def _add_sides(self, trace: Trace, position: int) -> None:
        site = trace.sites[position]
        for outcome in trace.untaken(position, Side.INFEASIBLE):
            self._infeasible[site, outcome] += 1
        for outcome in trace.untaken(position, Side.UNKNOWN):
            known, new = self._unknown.get((site, outcome)), trace.confidences.get(position)
            self._unknown[site, outcome] = max((item for item in (known, new) if item is not None), default=None)

    def reasons(self, limits: Sequence[str] | None, is_whole: bool) -> dict[Key, Reason]:
        """A reason for each outcome that no run reached.

        ``limits`` are those of the inputs if every path was run, and None otherwise; ``is_whole`` says whether there is
        nothing else that could vary.
        """
        missing = (
            (site, outcome)
            for site, arity in self._arities.items()
            for outcome in range(arity)
            if (site, outcome) not in self._reached
        )
        return {key: self._reason(key, limits, is_whole) for key in missing}

    def _reason(self, key: Key, limits: Sequence[str] | None, is_whole: bool) -> Reason:
        if key in self._unknown:
            return Reason("no solver could decide whether it is feasible", self._unknown[key], weight=UNDECIDED)
        if limits is not None:
            is_proof = is_whole and not limits
            scope = f" for {' and '.join(limits)}" if limits else " for values of these types"
            return Reason(f"{'unreachable: ' * is_proof}infeasible on every path{scope}", 0.0, is_proof, weight=3)
        tried = self._infeasible[key]
        if tried:
            text = f"infeasible on the {tried} paths that were tried" if tried > 1 else "infeasible on one path"
            return Reason(text, weight=1)
        return Reason("not tried in the time given")


def best_reasons(parts: Iterable[dict[Key, Reason]]) -> dict[Key, Reason]:
    """For each outcome the reason of several searches that says most."""
    best: dict[Key, Reason] = {}
    for part in parts:
        for key, reason in part.items():
            if key not in best or reason.weight > best[key].weight:
                best[key] = reason
    return best
