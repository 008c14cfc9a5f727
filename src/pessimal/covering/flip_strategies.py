"""The strategies of flip searches: one for each scenario, and all of them go on with what the first has learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pessimal.covering.spec import AUTO, DEFAULT, CoverSpec
from pessimal.errors import UsageError
from pessimal.project import project_path
from pessimal.registry import STRATEGIES
from pessimal.search.model_worth import ModelWorth
from pessimal.strategy import Stepwise, report_of, writable_by

DESCENDING = ("avm", "agent")
"""The members of ``auto`` that descend."""


class FlipStrategies:
    """Makes the strategy of each scenario; one with ``sibling`` makes the others itself.

    With ``has_fallback`` a model that cannot be used leaves the strategy that needs none.
    """

    def __init__(
        self, name: str = DEFAULT, options: Mapping[str, Any] | None = None, *, has_fallback: bool = False
    ) -> None:
        self._has_fallback = has_fallback
        self._note: str | None = None
        self._use(name, dict(options or {}))
        self._fall_back()

    @classmethod
    def of(cls, spec: CoverSpec, lane: int = 0) -> FlipStrategies:
        """Those of one lane; the first lane alone saves what it has learned."""
        options = dict(spec.options)
        if lane and options.pop("save", None) is not None and not Path(options["load"]).exists():
            del options["load"]
        return cls(spec.flip_strategy, options, has_fallback=spec.strategy == AUTO)

    def _use(self, name: str, options: dict[str, Any]) -> None:
        self._name = name
        self._options = options
        self._class = STRATEGIES.get(name)  # looked up once: there is a search for each scenario
        self._first: Stepwise = self._made()

    def _fall_back(self) -> None:
        self._note = self.note
        if self._note is not None and self._has_fallback:
            self._use(DEFAULT, {})

    def check(self, files: Iterable[str]) -> None:
        """A model that knows none of the files to cover is not used."""
        check_modules = getattr(self._first, "check_modules", None)
        if check_modules is not None:
            check_modules([project_path(file) for file in files])
            self._fall_back()

    def _made(self) -> Stepwise:
        made = STRATEGIES.make(self._name, self._options) if self._options else self._class()
        strategy = getattr(made, "flipping", lambda: made)()
        if not isinstance(strategy, Stepwise):
            raise UsageError(f"strategy {self._name!r} cannot flip branches step by step: choose generational")
        return strategy

    def next(self) -> Stepwise:
        """The strategy of another scenario."""
        sibling = getattr(self._first, "sibling", None)
        return self._made() if sibling is None else sibling()

    def descent(self) -> Stepwise | None:
        """What ``auto`` tries where a strategy of symbolic runs has ended: descents by distances; None for others.

        The agent needs NumPy, which most searches never load.
        """
        if not self._has_fallback:
            return None
        from pessimal.learn.agent_file import shipped
        from pessimal.search.descents import Descents

        return Descents(*DESCENDING, agent=shipped())

    @property
    def note(self) -> str | None:
        """What users should know about the strategy, such as why a model is not used."""
        note = (report_of(self._first) or {}).get("note", self._note)
        return None if note is None else str(note)

    @property
    def worth(self) -> ModelWorth | None:
        """How many flips the model chose, and what came of them; None without a model."""
        return getattr(self._first, "worth", None)

    def save(self) -> None:
        """Save what the strategy has learned, if it was told where."""
        save = getattr(self._first, "save", None)
        if save is not None:
            save()

    def writable(self) -> list[Path]:
        """The directories that the strategy writes to."""
        return writable_by(self._first)
