"""Runs that kill or hang their process: how they are identified, so that they are reported and not repeated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.json_values import leaves, typed
from pessimal.runs import Avoid
from pessimal.trace import Outcome

CONCRETE, SYMBOLIC = 0, 1
"""The kinds of run that the flight recorder distinguishes."""


class RunStart(NamedTuple):
    """What a run starts from; together with its decisions this identifies the run.

    ``size`` is the requested size, or another one if a strategy practises there.
    """

    leaves: tuple[Leaf, ...]
    avoid: Avoid | None
    size: int


@dataclass(frozen=True, slots=True)
class FatalRun:
    """A run that killed or hung its process: what it started from and, if it was symbolic, its decisions until then."""

    run: RunStart
    decisions: bytes | None
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        """The run as JSON values."""
        decisions = None if self.decisions is None else self.decisions.hex()
        return {"run": self.run, "decisions": decisions, "outcome": self.outcome.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FatalRun:
        """The run that :meth:`to_json` wrote."""
        start, avoid, size = data["run"]
        if avoid is not None:
            position, values = avoid
            avoid = Avoid(typed(position, int), tuple(leaves(item) for item in values))
        decisions = None if data["decisions"] is None else bytes.fromhex(data["decisions"])
        return cls(RunStart(leaves(start), avoid, typed(size, int)), decisions, Outcome(data["outcome"]))
