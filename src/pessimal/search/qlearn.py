"""``qlearn``: Q-learning with an LSTM steers symbolic execution to the worst path.

By default it follows our own rules (:mod:`pessimal.learn.treewise`); with ``paper`` it follows exactly those of PySE
(:mod:`pessimal.learn.pyse`). Either can practise at smaller sizes first, and save and load what was learned.
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
from pessimal.json_values import read
from pessimal.learn.cache import compile_cache
from pessimal.learn.learner import Learner
from pessimal.learn.rules import PaperRules, TreeRules
from pessimal.search.options import natural, number, sizes, truth
from pessimal.search.saving import check_writable, folder, write
from pessimal.strategy import Session
from pessimal.tree import Kinds, Tree

FORMAT = "pessimal model 2"
LIBRARIES = ("numpy", "jax", "optax")
LARGEST_PRACTICE = 20
NEAR_PRACTICE = range(8, 13)
"""Sizes that also practise at four fifths: smaller sizes gain nothing from it, for larger ones it takes too long."""

SAVE_EVERY = 2.0
"""Every so many seconds the model is saved during the search."""

MINIMUM = {"length": 0, "memory": 16}
RANGES = {"epsilon": (0, 1), "penalty": (-inf, 1)}
"""Ranges of options that differ from the usual: at least 1 for integers, at least 0 for other numbers."""


class QLearn:
    """Searches with a policy that it learns during the search.

    ``practice`` gives the sizes to practise at first, by default two or three small ones for our rules and none for the
    paper's; ``save`` and ``load`` name a file for the model. All other options are parameters of the rules: see
    docs/strategies.md.
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
        self._practice = None if practice is None else sizes("practice", practice or [], allows_none=True)
        self._save = None if save is None else Path(save)
        self._rules = self._read_rules(rules)
        self._model = None if load is None else self._load(Path(load))
        self._learner: Learner | None = None
        self._seed: int | None = None
        self._sizes_left: list[int] | None = None
        self._practice_runs = 0
        self._save_error: str | None = None
        self._resumed: dict[str, Any] | None = None
        self.tree: Tree | None = None
        """The tree of a portfolio, to use after practice instead of a tree of its own."""

    def search(self, session: Session) -> None:
        """Practise, then search until the tree is exhausted or the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        if self._save is not None:
            check_writable(self._save, "model")
        learner = self._begin(session)
        while self._sizes_left:
            yield from self._practise(session, self._sizes_left[0], learner)
        if self.tree is not None:
            learner.use_tree(self.tree)
        yield from learner.steps(session) if self._save is None else self._save_regularly(learner, session, self._save)

    def _save_regularly(self, learner: Learner, session: Session, file: Path) -> Iterator[None]:
        """The steps of a learner whose model is saved from time to time and, however the search ends, at its end."""
        due = 0.0
        try:
            for _ in learner.steps(session):
                if monotonic() >= due:
                    self._write(learner, file)
                    due = monotonic() + SAVE_EVERY
                yield
        finally:
            self._write(learner, file)

    def writable(self) -> list[Path]:
        """The directory of the file to save, and that of compiled functions."""
        return [*folder(self._save), compile_cache()]

    def _begin(self, session: Session) -> Learner:
        if self._seed is None:
            self._seed = session.rng.getrandbits(32)
        if self._sizes_left is None:
            self._sizes_left = self._default_sizes(session.size) if self._practice is None else list(self._practice)
        with session.learning(), session.importing():
            learner = self._learner = self._make(self._seed)
            if self._resumed is not None:
                learner.restore(self._resumed)
                self._resumed = None
        return learner

    def _practise(self, session: Session, size: int, learner: Learner) -> Iterator[None]:
        """Search at another size for a while; a size that the inputs cannot have is skipped."""
        try:
            practice = session.at(size)
        except UsageError:
            practice = None
        if practice is not None:
            for _ in learner.steps(practice):
                self._practice_runs += 1
                if self._practice_runs >= self._rules.practice_runs:
                    break
                yield
            with session.learning():
                learner.start_new_size()
        assert self._sizes_left is not None
        self._sizes_left.pop(0)
        self._practice_runs = 0

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
        for library in LIBRARIES:
            if find_spec(library) is None:
                raise UsageError(
                    f"qlearn needs {library}, which is not installed",
                    slug="missing",
                    hint="pip install 'pessimal[learn]'",
                )
        return _checked(PaperRules if self._paper else TreeRules, given)

    def _load(self, file: Path) -> dict[str, Any]:
        try:
            data = read(file)
            if data["format"] != FORMAT or data["paper"] != self._paper:
                raise ValueError
            if not all(isinstance(name, str) for name in data["kinds"]):
                raise TypeError
            if data["rules"] != _network_shape(self._rules):
                raise UsageError(f"{file} was learned with {data['rules']}: give the same options", slug="model")
        except OSError as error:
            raise UsageError(f"{file} cannot be read: {error.strerror}", slug="model") from None
        except (ValueError, KeyError, TypeError):
            raise UsageError(f"{file} is not a model of these rules", slug="model") from None
        return dict(data)

    def _write(self, learner: Learner, file: Path) -> None:
        """Save the model; if that fails, the report says so and the search continues."""
        data = {
            "format": FORMAT,
            "paper": self._paper,
            "rules": _network_shape(self._rules),
            "kinds": learner.kinds.names,
            **learner.model_to_json(),
        }
        try:
            write(file, json.dumps(data))
            self._save_error = None
        except OSError as error:
            self._save_error = f"the model could not be saved: {file} cannot be written: {error.strerror}"

    def report(self) -> dict[str, Any]:
        """The rules, the kinds of branches, and the size of the tree, as JSON values."""
        rules = {field.name: getattr(self._rules, field.name) for field in fields(self._rules)}
        nodes = 0 if self._learner is None else len(self._learner.tree)
        kinds = [] if self._learner is None else self._learner.kinds.names
        report = {"paper": self._paper, "rules": rules, "nodes": nodes, "kinds": kinds}
        return report if self._save_error is None else {**report, "note": self._save_error}

    def state(self) -> dict[str, Any]:
        """The learner, and how far practice has come."""
        learner = self._resumed if self._learner is None else self._learner.to_json()
        if self._learner is not None and self._learner.tree is self.tree:
            learner = {**(learner or {}), "tree": None}  # it belongs to the portfolio, which saves it
        return {
            "seed": self._seed,
            "sizes_left": self._sizes_left,
            "practice_runs": self._practice_runs,
            "learner": learner,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._seed, self._sizes_left, self._practice_runs = state["seed"], state["sizes_left"], state["practice_runs"]
        self._resumed = state["learner"]


def _network_shape(rules: Any) -> dict[str, int]:
    return {"length": rules.length, "hidden": rules.hidden}


def _checked(rules: Any, given: dict[str, Any]) -> Any:
    """The rules with the user's options, each checked for type and range."""
    known = {field.name: field.default for field in fields(rules)}
    for name, value in given.items():
        if name not in known:
            raise UsageError(f"qlearn has no option {name!r} here; its options are: {', '.join(known)}")
        default = known[name]
        if isinstance(default, str):
            if value not in ("basic", "advanced"):
                raise UsageError(f"{name} must be basic or advanced, but is {value!r}")
        elif isinstance(default, int):
            natural(name, value, least=MINIMUM.get(name, 1))
        else:
            number(name, value, *RANGES.get(name, (0, inf)))
    return rules(**given)
