"""The strategies of flip searches: one for each scenario, and all of them go on with what the first has learned."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pessimal.covering.spec import DEFAULT
from pessimal.errors import UsageError
from pessimal.registry import STRATEGIES
from pessimal.strategy import Stepwise, report_of, writable_by


class FlipStrategies:
    """Makes the strategy of each scenario; one with ``sibling`` makes the others itself."""

    def __init__(self, name: str = DEFAULT, options: Mapping[str, Any] | None = None) -> None:
        self._name = name
        self._options = dict(options or {})
        self._class = STRATEGIES.get(name)  # looked up once: there is a search for each scenario
        self._first: Stepwise = self._made()

    def _made(self) -> Stepwise:
        strategy = STRATEGIES.make(self._name, self._options) if self._options else self._class()
        if not isinstance(strategy, Stepwise):
            raise UsageError(f"strategy {self._name!r} cannot flip branches step by step: choose generational")
        return strategy

    def next(self) -> Stepwise:
        """The strategy of another scenario."""
        sibling = getattr(self._first, "sibling", None)
        return self._made() if sibling is None else sibling()

    @property
    def note(self) -> str | None:
        """What users should know about the strategy, such as why a model is not used."""
        report = report_of(self._first) or {}
        note = report.get("note")
        return None if note is None else str(note)

    def writable(self) -> list[Path]:
        """The directories that the strategy writes to."""
        return writable_by(self._first)
