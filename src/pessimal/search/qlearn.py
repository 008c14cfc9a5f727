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
from typing import TYPE_CHECKING, Any

from pessimal.errors import UsageError
from pessimal.learn.rules import PaperRules, TreeRules
from pessimal.python.world import outside
from pessimal.search.base import Session
from pessimal.search.options import natural, number, sizes, truth
from pessimal.search.tree import Kinds, Tree

if TYPE_CHECKING:
    from pessimal.learn.pyse import Paper
    from pessimal.learn.treewise import Treewise

FORMAT = "pessimal model 1"
NEEDED = ("numpy", "jax", "optax")
LARGEST_PRACTICE = 20
NEAR_PRACTICE = range(8, 13)
"""Sizes for which there is practice at four fifths as well: smaller ones gain nothing by it, larger ones take long."""

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
        self._learner: Paper | Treewise | None = None
        self._seed: int | None = None
        self._waiting: list[int] | None = None
        self._practised = 0
        self._resumed: dict[str, Any] | None = None
        self.tree: Tree | None = None
        """The tree of a portfolio, to go on with after practice instead of one of its own."""

    def search(self, session: Session) -> None:
        """Practise, then search until the tree is exhausted or somebody stops it."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """The same, one run at a time."""
        learner = self._begin(session)
        while self._waiting:
            yield from self._practise(session, self._waiting[0], learner)
        if self.tree is not None:
            learner.follow(self.tree)
        for _ in learner.steps(session):
            if self._save is not None:
                self._write()
            yield

    def _begin(self, session: Session) -> Paper | Treewise:
        if self._seed is None:
            self._seed = session.rng.getrandbits(32)
        if self._waiting is None:
            self._waiting = self._default_sizes(session.size) if self._practice is None else list(self._practice)
        with session.learning(), outside():
            learner = self._learner = self._make(self._seed)
            if self._resumed is not None:
                learner.restore(self._resumed)
                self._resumed = None
        return learner

    def _practise(self, session: Session, size: int, learner: Paper | Treewise) -> Iterator[None]:
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
                learner.restart()
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

    def _make(self, seed: int) -> Paper | Treewise:
        kinds = (
            self.tree.kinds
            if self.tree is not None
            else Kinds(self._model["kinds"] if self._model else (), is_coarse=self._paper)
        )
        if self._paper:
            from pessimal.learn.pyse import Paper

            learner: Paper | Treewise = Paper(self._rules, kinds, seed)
        else:
            from pessimal.learn.treewise import Treewise

            learner = Treewise(self._rules, kinds, seed)
        if self._model is not None:
            try:
                learner.network.restore(self._model["network"])
                learner.restore_lessons(self._model["lessons"])
                learner.restart()
            except (ValueError, LookupError, TypeError) as error:
                raise UsageError(f"the model does not fit: {error}", slug="model") from None
        return learner

    def _read_rules(self, given: dict[str, Any]) -> Any:
        for library in NEEDED:
            if find_spec(library) is None:
                raise UsageError(
                    f"qlearn needs {library}, which is not installed: pip install 'pessimal[learn]'", slug="missing"
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

    def _write(self) -> None:
        assert self._learner is not None and self._save is not None
        data = {
            "format": FORMAT,
            "paper": self._paper,
            "rules": _shape(self._rules),
            "kinds": self._learner.kinds.names,
            "network": self._learner.network.to_json(),
            "lessons": self._learner.lessons_to_json(is_final=True),
        }
        try:
            part = self._save.with_name(self._save.name + ".part")
            part.write_text(json.dumps(data))
            part.replace(self._save)
        except OSError as error:
            raise UsageError(f"{self._save} cannot be written: {error.strerror}", slug="model") from None

    def told(self) -> dict[str, Any]:
        """By which rules it learned, and how much it has seen, as JSON values."""
        rules = {field.name: getattr(self._rules, field.name) for field in fields(self._rules)}
        nodes = 0 if self._learner is None else len(self._learner.tree)
        kinds = [] if self._learner is None else self._learner.kinds.names
        return {"paper": self._paper, "rules": rules, "nodes": nodes, "kinds": kinds}

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
