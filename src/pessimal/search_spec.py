"""What one search is asked to do: everything that a worker process needs to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Spec
from pessimal.json_values import leaves, typed
from pessimal.runs import Avoid
from pessimal.search.base import Strategy
from pessimal.search.budget import Budget
from pessimal.target import Reference
from pessimal.trace import Outcome

GIB = 1 << 30
CONCRETE, SYMBOLIC = 0, 1
"""The kinds of run that the flight recorder distinguishes."""


class Run(NamedTuple):
    """What a run starts from. With the decisions it makes, that identifies it.

    The size is the one that was asked for, unless a strategy practises at another.
    """

    leaves: tuple[Leaf, ...]
    avoid: Avoid | None
    size: int


@dataclass(frozen=True, slots=True)
class Fatal:
    """A run that killed or hung its process: what it started from and, if it was symbolic, how far it came."""

    run: Run
    decisions: bytes | None
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        """The run as JSON values."""
        decisions = None if self.decisions is None else self.decisions.hex()
        return {"run": self.run, "decisions": decisions, "outcome": self.outcome.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fatal:
        """The run that :meth:`to_json` wrote."""
        start, avoid, size = data["run"]
        if avoid is not None:
            position, values = avoid
            avoid = Avoid(typed(position, int), tuple(leaves(item) for item in values))
        decisions = None if data["decisions"] is None else bytes.fromhex(data["decisions"])
        return cls(Run(leaves(start), avoid, typed(size, int)), decisions, Outcome(data["outcome"]))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run of the target may use: wall seconds, and bytes of memory for its process."""

    run_seconds: float = 10.0
    memory: int = 4 * GIB

    def __post_init__(self) -> None:
        if not self.run_seconds > 0:
            raise UsageError(f"--run-timeout must be more than 0, but is {self.run_seconds}", slug="duration")
        if not self.memory > 0:
            raise UsageError(f"--memory must be more than 0, but is {self.memory >> 20} MiB")


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """One target at one size, one strategy, one cost.

    The target is a reference, or for a function that only exists in the user's process, the function itself.
    """

    target: Reference | Callable[..., Any]
    size: int
    strategy: str | Strategy
    options: Mapping[str, Any] = field(default_factory=dict)
    cost: str | Callable[..., float] = "branches"
    given: Mapping[str, Spec | str] = field(default_factory=dict)
    requirements: Sequence[str | Callable[..., Any]] = ()
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    allow_side_effects: bool = False
    pyse_compatible: bool = False
    collect: bool = False
    growing: bool = False
    """Whether the input has all lengths up to the size, and not just that."""
    certificate: Path | None = None
    """Where the search writes down what it found, for a proof that can be checked."""

    @property
    def strategy_name(self) -> str:
        """The name under which the strategy is reported."""
        return self.strategy if isinstance(self.strategy, str) else self.strategy.name

    @property
    def identity(self) -> dict[str, Any]:
        """What makes two searches the same one, so that the second can resume the first."""
        return {
            "target": name_of(self.target),
            "size": f"up to {self.size}" if self.growing else self.size,
            "strategy": self.strategy_name,
            "options": {key: str(value) for key, value in sorted(self.options.items())},
            "cost": name_of(self.cost),
            "inputs": {name: str(spec) for name, spec in sorted(self.given.items())},
            "requirements": [name_of(item) for item in self.requirements],
            "seed": self.seed,
            "pyse_compatible": self.pyse_compatible,
            "certificate": None if self.certificate is None else str(self.certificate),
        }


def name_of(given: Reference | str | Callable[..., Any]) -> str:
    """The name of what was given by name or as an object, the same in every process."""
    if isinstance(given, Reference | str):
        return str(given)
    return str(getattr(given, "__qualname__", type(given).__qualname__))
