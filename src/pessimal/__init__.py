"""Pessimal finds the inputs that hurt: worst-case inputs and branch-reaching inputs of Python functions."""

from pessimal.api import explore, stress
from pessimal.errors import InputError, TargetError, UnknownNameError, UsageError
from pessimal.result import ExploreResult, StressResult, Witness

__version__ = "0.1.0"

__all__ = [
    "ExploreResult",
    "InputError",
    "StressResult",
    "TargetError",
    "UnknownNameError",
    "UsageError",
    "Witness",
    "explore",
    "stress",
]
