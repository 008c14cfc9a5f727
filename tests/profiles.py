"""How much the properties try: little in the profile ``quick``, much in ``thorough``; no example is timed.

The quick profile tries the same examples each time, so that a change fails for its own faults alone; the thorough one
draws others each time, and prints how to reproduce a failure.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def load() -> None:
    """Make the profiles known, and the quick one the default; ``--hypothesis-profile`` chooses another."""
    settings.register_profile("quick", UNTIMED, max_examples=25, derandomize=True)
    settings.register_profile("thorough", UNTIMED, max_examples=1000, derandomize=False, print_blob=True)
    settings.load_profile("quick")


def examples(percent: int) -> settings:
    """Settings of a property that tries so many percent of the examples that others try."""
    return settings(max_examples=max(1, settings.default.max_examples * percent // 100))


def thorough(values: Iterable[object]) -> list[ParameterSet]:
    """Parameters that a test has only when it is run thoroughly."""
    return [pytest.param(value, marks=pytest.mark.thorough) for value in values]
