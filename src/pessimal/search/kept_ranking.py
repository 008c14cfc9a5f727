"""The models of ranked search over their life: loaded or new, checked against the target, saved from time to time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import astuple
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from pessimal.learn.cache import compile_cache
from pessimal.learn.ranking_file import NoModel, fitting, packed
from pessimal.learn.ranking_rules import RankingRules
from pessimal.search.model_worth import ModelWorth
from pessimal.search.saving import check_writable, folder, write
from pessimal.strategy import Session
from pessimal.trace import Trace

if TYPE_CHECKING:
    from pessimal.learn.outlook import Outlook
    from pessimal.learn.ranking import Ranking

SAVE_EVERY = 5.0
"""Every so many seconds the models are saved during the search."""


class KeptRanking:
    """Models that several searches may share, one after the other.

    A file that cannot be used is noted, and the search goes on without it. With ``transfer`` the file may have been
    learned from other targets. A file that is to be saved need not exist to be loaded.
    """

    def __init__(self, rules: RankingRules, *, load: str | None, save: str | None, transfer: bool) -> None:
        self._rules = rules
        self._save = None if save is None else Path(save)
        self._load = None if load is None else Path(load)
        self._transfer = transfer
        self._ranking: Ranking | Outlook | None = None
        self._seed = 0
        self._resumed: dict[str, Any] | None = None
        self._save_error: str | None = None
        self._due = 0.0
        self.worth = ModelWorth()
        self.note: str | None = None
        """Why the models of a file are not used."""
        self.modules: set[str] = set()
        self.targets: set[str] = set()
        self._content = self._read()
        self._is_checked = self._content is None or transfer

    def _read(self) -> dict[str, Any] | None:
        if self._load is None or (self._load == self._save and not self._load.exists()):
            return None
        try:
            content = fitting(self._load, self._rules)
        except NoModel as problem:
            self._go_on_without(str(problem))
            return None
        self.modules, self.targets = set(content["modules"]), set(content["targets"])
        return content

    @property
    def ranking(self) -> Any:
        """The models, once a search has begun."""
        assert self._ranking is not None
        return self._ranking

    def begin(self, session: Session, seed: int) -> None:
        """Make or load the models, unless an earlier search has."""
        if self._save is not None:
            check_writable(self._save, "model")
        if self._ranking is not None:
            return
        self._seed = seed
        self._due = monotonic() + SAVE_EVERY
        with session.learning(), session.importing():
            self._renew()
            if self._resumed is not None:
                self.ranking.restore(self._resumed)
            elif self._content is not None:
                try:
                    self.ranking.restore(self._content["ranking"])
                except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
                    self._go_on_without(f"{self._load} is damaged: {error}")

    def _renew(self) -> None:
        if self._rules.model == "outlook":
            from pessimal.learn.outlook import Outlook

            self._ranking = Outlook(self._rules)
        else:
            from pessimal.learn.ranking import Ranking

            self._ranking = Ranking(self._rules, self._seed)

    def _go_on_without(self, problem: str) -> None:
        """Note the problem; the file stays as it is, even if it was to be saved."""
        self.note = f"{problem}: the search goes on without it"
        self._save = None if self._save == self._load else self._save
        self.modules, self.targets = set(), set()
        self._is_checked, self._content = True, None
        if self._ranking is not None:
            self._renew()

    def check(self, modules: Collection[str]) -> None:
        """Go on without the models of a file if they know none of these modules."""
        if self._is_checked or not modules:
            return
        self._is_checked = True
        if not self.modules.intersection(modules):
            known = ", ".join(sorted(self.targets)) or "nothing"
            self._go_on_without(f"{self._load} was learned from {known} and not from {', '.join(sorted(modules))}")

    def meet(self, trace: Trace, target: str) -> None:
        """Note what is searched; the first run shows whether the models know any of its modules."""
        modules = {site.path for site in set(trace.sites)}
        self.check(modules)
        self.modules |= modules
        self.targets.add(target)

    def save(self, *, at_end: bool = False) -> None:
        """Save the models if that is due; if it fails, the report says so and the search continues."""
        if self._save is None or self._ranking is None or (not at_end and monotonic() < self._due):
            return
        try:
            write(self._save, packed(self._ranking.to_json(), self._rules, sorted(self.modules), sorted(self.targets)))
            self._save_error = None
        except OSError as error:
            self._save_error = f"the model could not be saved: {self._save} cannot be written: {error.strerror}"
        self._due = monotonic() + SAVE_EVERY

    def writable(self) -> list[Path]:
        """The directory of the file to save, and that of compiled functions."""
        return [*folder(self._save), compile_cache()]

    def report(self) -> dict[str, Any]:
        """How much was learned, and what went wrong, as JSON values."""
        counts: dict[str, Any] = {"experiences": 0, "updates": 0}
        if self._ranking is not None:
            counts = {"experiences": self._ranking.experiences, "updates": self._ranking.updates}
        if self.worth.is_counted:
            counts["worth"] = self.worth.to_json()
        problems = [problem for problem in (self.note, self._save_error) if problem is not None]
        return {**counts, **({"note": "; ".join(problems)} if problems else {})}

    def state(self) -> dict[str, Any]:
        """The models with their experiences, and what they were learned from."""
        return {
            "seed": self._seed,
            "models": self._resumed if self._ranking is None else self._ranking.to_json(),
            "modules": sorted(self.modules),
            "targets": sorted(self.targets),
            "is_checked": self._is_checked,
            "note": self.note,
            "worth": list(astuple(self.worth)),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from the state of an earlier search."""
        self._seed, self._resumed = state["seed"], state["models"]
        self.modules, self.targets = set(state["modules"]), set(state["targets"])
        self._is_checked, self.note = state["is_checked"], state["note"]
        self.worth = ModelWorth(*state["worth"])
