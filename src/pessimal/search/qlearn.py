"""``qlearn``: Q-learning with an LSTM steers symbolic execution to the worst path.

By default the rules are ours (:mod:`pessimal.learn.treewise`); with ``paper`` they are exactly PySE's
(:mod:`pessimal.learn.pyse`). Both practise at smaller sizes first if told to, and save and load what they learned.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.util import find_spec
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.errors import UsageError
from pessimal.learn.learner import Learner
from pessimal.learn.rules import PaperRules, TreeRules
from pessimal.search.options import natural, number, sizes, truth
from pessimal.search.saving import check_writable, write
from pessimal.strategy import Session
from pessimal.tree import Kinds, Tree

FORMAT = "pessimal model 2"
NEEDED = ("numpy", "jax", "optax")
LARGEST_PRACTICE = 20
NEAR_PRACTICE = range(8, 13)
"""Sizes for which there is practice at four fifths as well: smaller ones gain nothing by it, larger ones take long."""

SAVE_EVERY = 2.0
"""After how many seconds the model is saved again while the search goes on."""

LEAST = {"length": 0, "memory": 16}
RANGES = {"epsilon": (0, 1), "penalty": (-inf, 1)}
"""What options may be, where it is not one or more and zero or more."""


class QLearn:
    """Searches by a policy that it learns while it searches.

    ``practice`` are the sizes to practise at first, by default two small ones for our rules and none for the paper's;
    ``save`` and ``load`` name a file for the model. All other options are those of the rules: see docs/strategies.md.
    """

    name = "qlearn"
    stop_after = 30.0

    def __init__(
        self,
        paper: bool | str = False,
        practice: str | int | Sequence[int] | None = None,
        save: str | None = None,
        load: str | None = None,
        **rules: Any,
    ) -> None:
        self._paper = truth("paper", paper)
        self._practice = None if practice is None else sizes("practice", practice or [], is_none_fine=True)
        self._save = None if save is None else Path(save)
        self._rules = self._read_rules(rules)
        self._model = None if load is None else self._load(Path(load))
        self._learner: Learner | None = None
        self._seed: int | None = None
        self._waiting: list[int] | None = None
        self._practised = 0
        self._unsaved: str | None = None  # why, if the model could not be saved
        self._resumed: dict[str, Any] | None = None
        self.tree: Tree | None = None
        """The tree of a portfolio, to go on with after practice instead of one of its own."""

    def search(self, session: Session) -> None:
        """Practise, then search until the tree is exhausted or somebody stops it."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """The same, one run at a time."""
        if self._save is not None:
            check_writable(self._save, "model")
        learner = self._begin(session)
        while self._waiting:
            yield from self._practise(session, self._waiting[0], learner)
        if self.tree is not None:
            learner.use_tree(self.tree)
        yield from learner.steps(session) if self._save is None else self._saved(learner, session, self._save)

    def _saved(self, learner: Learner, session: Session, file: Path) -> Iterator[None]:
        """The steps of a learner whose model is saved every now and then, and in the end however the search ends."""
        due = 0.0
        try:
            for _ in learner.steps(session):
                if monotonic() >= due:
                    self._write(learner, file)
                    due = monotonic() + SAVE_EVERY
                yield
        finally:
            self._write(learner, file)

    def _begin(self, session: Session) -> Learner:
        if self._seed is None:
            self._seed = session.rng.getrandbits(32)
        if self._waiting is None:
            self._waiting = self._default_sizes(session.size) if self._practice is None else list(self._practice)
        with session.learning(), session.importing():
            learner = self._learner = self._make(self._seed)
            if self._resumed is not None:
                learner.restore(self._resumed)
                self._resumed = None
        return learner

    def _practise(self, session: Session, size: int, learner: Learner) -> Iterator[None]:
        """Search at another size for a while; a size that cannot be had is left out."""
        try:
            field = session.at(size)
        except UsageError:
            field = None
        if field is not None:
            for _ in learner.steps(field):
                self._practised += 1
                if self._practised >= self._rules.practice_runs:
                    break
                yield
            with session.learning():
                learner.start_new_size()
        assert self._waiting is not None
        self._waiting.pop(0)
        self._practised = 0

    def _default_sizes(self, size: int) -> list[int]:
        if self._paper or self._model is not None:
            return []
        wanted = [min(size // 3, LARGEST_PRACTICE // 2), min(3 * size // 5, LARGEST_PRACTICE)]
        if size in NEAR_PRACTICE:
            wanted.append(4 * size // 5)
        return [small for small in dict.fromkeys(wanted) if 2 <= small < size]

    def _make(self, seed: int) -> Learner:
        kinds = (
            self.tree.kinds
            if self.tree is not None
            else Kinds(self._model["kinds"] if self._model else (), is_coarse=self._paper)
        )
        if self._paper:
            from pessimal.learn.pyse import PyseLearner

            learner: Learner = PyseLearner(self._rules, kinds, seed)
        else:
            from pessimal.learn.treewise import TreewiseLearner

            learner = TreewiseLearner(self._rules, kinds, seed)
        if self._model is not None:
            try:
                learner.restore_model(self._model)
                learner.start_new_size()
            except (ValueError, LookupError, TypeError) as error:
                raise UsageError(f"the model does not fit: {error}", slug="model") from None
        return learner

    def _read_rules(self, given: dict[str, Any]) -> Any:
        for library in NEEDED:
            if find_spec(library) is None:
                raise UsageError(
                    f"qlearn needs {library}, which is not installed",
                    slug="missing",
                    hint="pip install 'pessimal[learn]'",
                )
        return _checked(PaperRules if self._paper else TreeRules, given)

    def _load(self, file: Path) -> dict[str, Any]:
        try:
            data = json.loads(file.read_text(), parse_constant=_refuse)
            if data["format"] != FORMAT or data["paper"] != self._paper:
                raise ValueError
            if not all(isinstance(name, str) for name in data["kinds"]):
                raise TypeError
            if data["rules"] != _shape(self._rules):
                raise UsageError(f"{file} was learned with {data['rules']}, give the same options", slug="model")
        except OSError as error:
            raise UsageError(f"{file} cannot be read: {error.strerror}", slug="model") from None
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{file} is no model of these rules", slug="model") from None
        return dict(data)

    def _write(self, learner: Learner, file: Path) -> None:
        """Save the model; a search is worth more than its model, so that a failure is told and ends nothing."""
        data = {
            "format": FORMAT,
            "paper": self._paper,
            "rules": _shape(self._rules),
            "kinds": learner.kinds.names,
            **learner.model_to_json(),
        }
        try:
            write(file, json.dumps(data))
            self._unsaved = None
        except OSError as error:
            self._unsaved = f"the model could not be saved: {file} cannot be written: {error.strerror}"

    def report(self) -> dict[str, Any]:
        """By which rules it learned, and how much it has seen, as JSON values."""
        rules = {field.name: getattr(self._rules, field.name) for field in fields(self._rules)}
        nodes = 0 if self._learner is None else len(self._learner.tree)
        kinds = [] if self._learner is None else self._learner.kinds.names
        report = {"paper": self._paper, "rules": rules, "nodes": nodes, "kinds": kinds}
        return report if self._unsaved is None else {**report, "note": self._unsaved}

    def state(self) -> dict[str, Any]:
        """Experience and model, and where practice stands."""
        learner = self._resumed if self._learner is None else self._learner.to_json()
        if self._learner is not None and self._learner.tree is self.tree:
            learner = {**(learner or {}), "tree": None}  # it belongs to somebody else, who keeps it
        return {"seed": self._seed, "waiting": self._waiting, "practised": self._practised, "learner": learner}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with the experience and the model of an earlier search."""
        self._seed, self._waiting, self._practised = state["seed"], state["waiting"], state["practised"]
        self._resumed = state["learner"]


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _shape(rules: Any) -> dict[str, int]:
    return {"length": rules.length, "hidden": rules.hidden}


def _checked(rules: Any, given: dict[str, Any]) -> Any:
    """Rules from the user's options, each of its default's type and sensible."""
    known = {field.name: field.default for field in fields(rules)}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"qlearn has no option {name!r} here; there are: {', '.join(known)}")
        default = known[name]
        if isinstance(default, str):
            if value not in ("basic", "advanced"):
                raise UsageError(f"{name} must be basic or advanced, but is {value!r}")
        elif isinstance(default, int):
            natural(name, value, least=LEAST.get(name, 1))
        else:
            number(name, value, *RANGES.get(name, (0, inf)))
    return rules(**given)
