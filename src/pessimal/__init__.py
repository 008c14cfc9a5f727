"""Pessimal finds the inputs that hurt: worst-case inputs and branch-reaching inputs of Python functions."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pessimal.agent_training import train_agent
    from pessimal.api import check, explore, stress
    from pessimal.covering.command import cover
    from pessimal.errors import InputError, TargetError, UnknownNameError, UsageError
    from pessimal.proof import Verdict
    from pessimal.result import ExploreResult, StressResult, Witness
    from pessimal.solving import SolveResult, solve
    from pessimal.training import TrainResult, train

__version__ = "0.1.0"

__all__ = [
    "ExploreResult",
    "InputError",
    "SolveResult",
    "StressResult",
    "TargetError",
    "TrainResult",
    "UnknownNameError",
    "UsageError",
    "Verdict",
    "Witness",
    "check",
    "cover",
    "explore",
    "solve",
    "stress",
    "train",
    "train_agent",
]

_HOMES = {
    "ExploreResult": "result",
    "SolveResult": "solving",
    "StressResult": "result",
    "TrainResult": "training",
    "Verdict": "proof",
    "Witness": "result",
    "check": "api",
    "cover": "covering.command",
    "explore": "api",
    "stress": "api",
    "train": "training",
    "train_agent": "agent_training",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: worker processes start faster for it."""
    if name not in __all__:
        raise AttributeError(f"module 'pessimal' has no attribute {name!r}")
    if name == "solve":
        return importlib.import_module("pessimal.solve")  # a package that can be called
    return getattr(importlib.import_module(f"pessimal.{_HOMES.get(name, 'errors')}"), name)
