"""``history``: the directions of the worst paths of small sizes, by site and last decisions, guide a larger one.

This is what SPF-WCA does. A key that always went one way on the worst paths is forced that way, all others are
searched both ways. It finds in a path or two what an exhaustive search finds in millions, where the worst case has a
regular pattern, and proves nothing.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError
from pessimal.search.guides import NEW, RESOLVED, UNRESOLVED, Guide, Guided, Rules
from pessimal.search.options import natural, sizes, truth
from pessimal.search.rule_learning import Training, learn
from pessimal.search.saving import check_writable, write
from pessimal.strategy import Session

FORMAT = "pessimal policy 2"
MAX_HISTORY = 8


class History:
    """Learns rules at small sizes and searches the paths that keep to them.

    ``train`` are the sizes to learn at and ``train_paths`` how many paths that may take; ``history`` is how many
    decisions a rule looks back, by default the fewest up to ``max_history`` that settle every rule; with ``context``
    it looks back at those of the same caller only. ``save`` names a file for the rules; ``load`` one or more to use
    instead of training, or beside it if sizes are given.
    """

    name = "history"

    def __init__(
        self,
        train: str | int | Sequence[int] | None = None,
        train_paths: int | None = None,
        history: int | None = None,
        context: bool | str = True,
        max_history: int = MAX_HISTORY,
        save: str | None = None,
        load: str | Sequence[str] | None = None,
    ) -> None:
        wanted = None if train is None else sizes("train", train)
        self._history = None if history is None else natural("history", history)
        self._max_history = natural("max_history", max_history)
        self._context = truth("context", context)
        self._save = None if save is None else Path(save)
        self._loaded = None if load is None else self._load(load)
        paths = None if train_paths is None else natural("train_paths", train_paths, least=1)
        self._training = Training([] if load is not None and wanted is None else wanted, paths, self._context)
        self._rules: Rules | None = None
        self._search: Guided | None = None
        self._resumed: dict[str, Any] | None = None
        self._unsaved: str | None = None  # why, if the rules could not be saved

    def search(self, session: Session) -> None:
        """Train, then run every path that keeps to the rules."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """The same, one run at a time."""
        if self._rules is None:
            if self._save is not None:
                check_writable(self._save, "policy")
            yield from self._training.steps(session)
            with session.learning():
                self._rules = self._learn()
            self._write()
        self._search = Guided(self._rules)
        if self._resumed is not None:
            self._search.restore(self._resumed)
            self._resumed = None
        yield from self._search.steps(session)
        if self._search.is_fruitless:
            session.run(Guide(self._rules, b""))  # along the other direction where the forced one is infeasible
            yield

    def _write(self) -> None:
        """Save the rules; a search is worth more than its rules, so that a failure is told and ends nothing."""
        if self._save is not None and self._rules is not None:
            try:
                save(self._rules, self._save)
            except OSError as error:
                self._unsaved = f"the policy could not be saved: {self._save} cannot be written: {error.strerror}"

    def _learn(self) -> Rules:
        rules = learn(self._training.lessons, self._history, self._max_history, self._context)
        if self._loaded is not None:
            rules.merge(self._loaded)
        for lesson in self._training.lessons:
            lesson.examples.clear()  # they have taught what they can, and would be in every snapshot
        return rules

    def _load(self, names: str | Sequence[str]) -> Rules:
        """The rules of all files; they say how far and under which caller new ones look back."""
        files = names.split(",") if isinstance(names, str) else list(names)
        if not files:
            raise UsageError("load names no file", slug="policy")
        found = [load(Path(name.strip())) for name in files]
        first = found[0]
        for name, rules in zip(files, found, strict=True):
            if (rules.history, rules.context) != (first.history, first.context):
                raise UsageError(f"{name} has {_kind(rules)}, but {files[0]} has {_kind(first)}", slug="policy")
        if self._history not in (None, first.history):
            raise UsageError(f"{files[0]} has {_kind(first)}, but history={self._history} is asked for", slug="policy")
        merged = Rules(first.history, first.context)
        for rules in found:
            merged.merge(rules)
        self._history, self._context = first.history, first.context
        return merged

    def report(self) -> dict[str, Any]:
        """What was learnt and how the search used it, as JSON values."""
        rules, search = self._rules, self._search
        tally = {} if search is None else search.tally
        report: dict[str, Any] = {
            "training": [
                {"size": lesson.size, "cost": lesson.cost, "paths": lesson.paths, "exhausted": lesson.exhausted}
                for lesson in self._training.lessons
            ],
            "choices": {kind: tally.get(kind, 0) for kind in (RESOLVED, UNRESOLVED, NEW)},
        }
        if rules is not None:
            keys = {"all": len(rules.table), "unresolved": rules.unresolved}
            report.update(history=rules.history, context=rules.context, keys=keys, policy=rules.lines())
            if not rules.table:
                report["note"] = "no smaller size taught anything: the search is exhaustive"
            elif search is not None and search.is_fruitless and not search.is_open:
                report["note"] = "no input keeps to the rules: one path that leaves them where it must was run"
        if self._unsaved is not None:
            report["note"] = self._unsaved
        return report

    def state(self) -> dict[str, Any]:
        """What was learnt so far, and what is still to be run."""
        return {
            "training": self._training.state(),
            "rules": None if self._rules is None else self._rules.to_json(),
            "search": self._resumed if self._search is None else self._search.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another search stood."""
        self._training.restore(state["training"])
        self._rules = None if state["rules"] is None else Rules.from_json(state["rules"])
        self._resumed = state["search"]


def save(rules: Rules, file: Path) -> None:
    """Write rules to a file, for other searches to load."""
    write(file, json.dumps({"format": FORMAT, **rules.to_json()}, indent=1) + "\n")


def load(file: Path) -> Rules:
    """Read rules from a file."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"the policy {file} cannot be read: {error.strerror}", slug="policy") from None
    except ValueError:
        raise UsageError(f"{file} is no policy: it is not JSON", slug="policy") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(f"{file} is no policy: it does not say that its format is {FORMAT!r}", slug="policy")
    try:
        return Rules.from_json(data)
    except KeyError as error:
        raise UsageError(f"the policy {file} is damaged: {error} is missing", slug="policy") from None
    except (TypeError, ValueError) as error:
        raise UsageError(f"the policy {file} is damaged: {error}", slug="policy") from None


def _kind(rules: Rules) -> str:
    return f"history={rules.history}, context={rules.context}"
