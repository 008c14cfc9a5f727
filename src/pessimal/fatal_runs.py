"""Runs that kill or hang their process: how they are identified, so that they are reported and not repeated."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.json_values import rebuilt
from pessimal.pool import wire
from pessimal.runs import Avoid
from pessimal.trace import Outcome

CONCRETE, SYMBOLIC, IMPORT = 0, 1, 2
"""What the flight recorder distinguishes: two kinds of run, and lines of an import."""

_INTS = b"ints:"


class RunStart(NamedTuple):
    """What a run starts from; together with its decisions this identifies the run.

    ``size`` is the requested size, or another one if a strategy practises there.
    """

    leaves: tuple[Leaf, ...]
    avoid: Avoid | None
    size: int

    def pack(self) -> bytes:
        """The start as bytes for the flight recorder, from which another process reads it without trusting them."""
        if self.avoid is None:
            with suppress(OverflowError, TypeError):  # this is done before every run, and JSON takes longer
                return _INTS + array("q", (self.size, *self.leaves)).tobytes()
        return wire.encode(self)

    @classmethod
    def unpack(cls, data: bytes) -> RunStart:
        """The start that :meth:`pack` packed; ``TypeError`` or ``ValueError`` if it is none."""
        if not data.startswith(_INTS):
            start: RunStart = rebuilt(cls, wire.decode(data))
            return start
        size, *found = array("q", data[len(_INTS) :])
        return cls(tuple(found), None, size)


@dataclass(frozen=True, slots=True)
class FatalRun:
    """A run that killed or hung its process: what it started from and, if it was symbolic, its decisions until then.

    ``sample`` is the call of a black box on a sample that is to blame, if one is: then the run itself may be repeated.
    """

    run: RunStart
    decisions: bytes | None
    outcome: Outcome
    sample: str = ""

    def to_json(self) -> dict[str, Any]:
        """The run as JSON values."""
        decisions = None if self.decisions is None else self.decisions.hex()
        return {"run": self.run, "decisions": decisions, "outcome": self.outcome.value, "sample": self.sample}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FatalRun:
        """The run that :meth:`to_json` wrote."""
        decisions = None if data["decisions"] is None else bytes.fromhex(data["decisions"])
        return cls(rebuilt(RunStart, data["run"]), decisions, Outcome(data["outcome"]), data.get("sample", ""))
