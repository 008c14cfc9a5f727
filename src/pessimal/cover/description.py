"""A scenario as one line of Python text, for reports."""

from __future__ import annotations

from pessimal.scenario import Scenario


def described(scenario: Scenario) -> str:
    """The scenario as Python text: steps that make an object stand inside those that use it."""
    raise NotImplementedError
