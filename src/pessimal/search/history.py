"""``history``: rules learned from the worst paths of small sizes, by site and last decisions, guide a larger size.

This is the method of SPF-WCA. A key that always took the same outcome on the worst paths is forced to take it; all
others are searched exhaustively. If the worst case has a regular pattern, this finds in a path or two what an
exhaustive search finds in millions. It proves nothing.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError
from pessimal.json_values import read
from pessimal.search.guides import NEW, RESOLVED, UNRESOLVED, Guide, Guided, Rules
from pessimal.search.options import natural, sizes, truth
from pessimal.search.rule_learning import Training, learn
from pessimal.search.saving import check_writable, folder, write
from pessimal.strategy import Session

FORMAT = "pessimal policy 2"
MAX_HISTORY = 8


class History:
    """Learns rules at small sizes and searches the paths that keep to them.

    ``train`` gives the sizes to learn at and ``train_paths`` how many paths that may take. ``history`` is the number of
    earlier decisions in a key, by default the smallest up to ``max_history`` that resolves every key; with ``context``
    only decisions under the same caller count. ``save`` names a file for the rules; ``load`` names one or more files to
    use instead of training, or in addition to it if ``train`` is given.
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
        self._save_error: str | None = None

    def search(self, session: Session) -> None:
        """Train, then run every path that keeps to the rules."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
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
        if self._search.all_infeasible:
            session.run(
                Guide(self._rules, b"")
            )  # one path that takes another outcome where the forced one is infeasible
            yield

    def writable(self) -> list[Path]:
        """The directory of the file to save."""
        return folder(self._save)

    def _write(self) -> None:
        """Save the rules; if that fails, the report says so and the search continues."""
        if self._save is not None and self._rules is not None:
            try:
                save(self._rules, self._save)
            except OSError as error:
                self._save_error = f"the policy could not be saved: {self._save} cannot be written: {error.strerror}"

    def _learn(self) -> Rules:
        rules = learn(self._training.trained_sizes, self._history, self._max_history, self._context)
        if self._loaded is not None:
            rules.merge(self._loaded)
        for trained in self._training.trained_sizes:
            trained.examples.clear()  # no longer needed, and they would be in every snapshot
        return rules

    def _load(self, names: str | Sequence[str]) -> Rules:
        """The rules of all files; their history and context apply to new rules, too."""
        files = names.split(",") if isinstance(names, str) else list(names)
        if not files:
            raise UsageError("load does not name a file", slug="policy")
        found = [load(Path(name.strip())) for name in files]
        first = found[0]
        for name, rules in zip(files, found, strict=True):
            if (rules.history, rules.context) != (first.history, first.context):
                raise UsageError(f"{name} has {_kind(rules)}, but {files[0]} has {_kind(first)}", slug="policy")
        if self._history not in (None, first.history):
            raise UsageError(f"{files[0]} has {_kind(first)}, but history={self._history} was requested", slug="policy")
        merged = Rules(first.history, first.context)
        for rules in found:
            merged.merge(rules)
        self._history, self._context = first.history, first.context
        return merged

    def report(self) -> dict[str, Any]:
        """The rules and how the search used them, as JSON values."""
        rules, search = self._rules, self._search
        tally = {} if search is None else search.tally
        report: dict[str, Any] = {
            "training": [
                {"size": trained.size, "cost": trained.cost, "paths": trained.paths, "exhausted": trained.exhausted}
                for trained in self._training.trained_sizes
            ],
            "choices": {kind: tally.get(kind, 0) for kind in (RESOLVED, UNRESOLVED, NEW)},
        }
        if rules is not None:
            keys = {"all": len(rules.table), "unresolved": rules.unresolved}
            report.update(history=rules.history, context=rules.context, keys=keys, policy=rules.lines())
            if not rules.table:
                report["note"] = "no rule could be learned at a smaller size: the search is exhaustive"
            elif search is not None and search.all_infeasible and not search.is_open:
                report["note"] = "no input satisfies the rules: one path was run that breaks them where it must"
        if self._save_error is not None:
            report["note"] = self._save_error
        return report

    def state(self) -> dict[str, Any]:
        """What was learned so far, and what is left to run."""
        return {
            "training": self._training.state(),
            "rules": None if self._rules is None else self._rules.to_json(),
            "search": self._resumed if self._search is None else self._search.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._training.restore(state["training"])
        self._rules = None if state["rules"] is None else Rules.from_json(state["rules"])
        self._resumed = state["search"]


def save(rules: Rules, file: Path) -> None:
    """Write rules to a file, for other searches to load."""
    write(file, json.dumps({"format": FORMAT, **rules.to_json()}, indent=1) + "\n")


def load(file: Path) -> Rules:
    """Read rules from a file."""
    try:
        data = read(file)
    except OSError as error:
        raise UsageError(f"the policy {file} cannot be read: {error.strerror}", slug="policy") from None
    except ValueError:
        raise UsageError(f"{file} is not a policy: it is not JSON", slug="policy") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UsageError(f"{file} is not a policy: its format is not {FORMAT!r}", slug="policy")
    try:
        return Rules.from_json(data)
    except KeyError as error:
        raise UsageError(f"the policy {file} is damaged: {error} is missing", slug="policy") from None
    except (TypeError, ValueError) as error:
        raise UsageError(f"the policy {file} is damaged: {error}", slug="policy") from None


def _kind(rules: Rules) -> str:
    return f"history={rules.history}, context={rules.context}"
