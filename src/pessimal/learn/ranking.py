"""The networks behind ranked search: they score flips before any solver is asked, and learn what the flips were worth.

``single`` is one model for paths of all lengths. It adds what it has learned to a plain rule, that outcomes which were
not reached come first, so that it begins as good as the rule. ``per-length`` are the models of River-RL.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pessimal.learn.arrays import pack, unpack
from pessimal.learn.branches import COLUMNS, ROWS, Steps, outcome_row, path_steps, window
from pessimal.learn.known import NO_DOUBTS, Known, Led
from pessimal.learn.ranking_rules import NO_SCORE, RankingRules
from pessimal.learn.scores import KNOWN, Floats, new_weights, scores

LARGEST = 1e4
"""No training gives larger weights than this, in absolute value."""


class Question(NamedTuple):
    """A flip to be scored: which model does that, the branches that it reads, the flip's place there, what is known."""

    model: int
    steps: Steps
    place: int
    known: Known


class _Model:
    """One network with the experiences that it learns from, each of them once; the oldest are overwritten."""

    def __init__(self, rules: RankingRules, rng: np.random.Generator) -> None:
        self._rules = rules
        self.weights = new_weights(rules.model, rules.longest, rules.hidden, rng)
        self._optimizer: list[Any] = []
        self._steps = np.zeros((rules.memory, rules.longest, COLUMNS), np.int16)
        self._index = np.zeros(rules.memory, np.int32)
        self._known = np.zeros((rules.memory, KNOWN), np.float32)
        self._targets = np.zeros(rules.memory, np.float32)
        self.added = self._since = 0
        self._rows: dict[bytes, int] = {}

    def add(self, question: Question, target: float) -> bool:
        """Note what a flip was worth; whether an update is due."""
        known = np.array(question.known.numbers(), np.float32)
        key = _key(question.steps, question.place, known)
        row = self._rows.get(key)
        if row is None:
            row = self.added % self._rules.memory
            self._rows.pop(_key(self._steps[row], int(self._index[row]), self._known[row]), None)
            self._rows[key] = row
            self.added += 1
            self._since += 1
        self._steps[row], self._index[row], self._known[row] = question.steps, question.place, known
        self._targets[row] = target
        return self._since >= self._rules.update_every

    @property
    def count(self) -> int:
        return min(self.added, self._rules.memory)

    def update(self, rng: np.random.Generator) -> float:
        from pessimal.learn.score_training import update

        rules = self._rules
        rows = rng.integers(0, self.count, (rules.batches, rules.batch))
        memory = self._steps, self._index, self._known, self._targets
        self._since = 0
        weights, optimizer, loss = update(
            self.weights, self._optimizer, memory, rows, rate=rules.rate, decay=rules.decay
        )
        if all(_is_sane(array) for array in weights.values()):
            self.weights, self._optimizer = weights, optimizer
        return float(loss)

    def to_json(self) -> dict[str, Any]:
        columns = self._steps, self._index, self._known, self._targets
        return {
            "weights": {name: pack(array) for name, array in self.weights.items()},
            "optimizer": [pack(leaf) for leaf in self._optimizer],
            "memory": [pack(column[: self.count]) for column in columns],
            "added": self.added,
            "since": self._since,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """What :meth:`to_json` wrote; ValueError, LookupError, TypeError or OverflowError if it cannot be that."""
        self.weights = {name: unpack(data["weights"][name], array) for name, array in self.weights.items()}
        like = [self.weights[name] for name in sorted(self.weights)] if data["optimizer"] else []
        self._optimizer = [unpack(item, array) for item, array in zip(data["optimizer"], like, strict=True)]
        if not all(map(_is_sane, (*self.weights.values(), *self._optimizer))):
            raise ValueError("its weights are not those of a model")
        self._since = max(0, int(data["since"]))
        self._restore_memory(data["memory"], max(0, int(data["added"])))

    def _restore_memory(self, packed: Sequence[dict[str, Any]], added: int) -> None:
        """The experiences; if there is less room than there was, the newest of them."""
        columns: Sequence[Any] = self._steps, self._index, self._known, self._targets
        count = len(packed[1]["values"])
        if count > added:
            raise ValueError("it has more experiences than were made")
        self.added = added if count == min(added, self._rules.memory) else min(count, self._rules.memory)
        for column, item in zip(columns, packed, strict=True):
            rows = unpack(item, np.empty((count, *column.shape[1:]), column.dtype))
            if self.added != added or count > self.count:
                rows = np.roll(rows, -(added % max(count, 1)), axis=0)[-self.count :]
            column[: self.count] = rows
        self._check_memory()
        kept = zip(self._steps[: self.count], self._index.tolist(), self._known, strict=False)
        self._rows = {_key(*parts): row for row, parts in enumerate(kept)}

    def _check_memory(self) -> None:
        is_within = 0 <= self._steps.min() <= self._steps.max() < ROWS and self._index.min() >= 0
        if not is_within or self._index.max() >= self._rules.longest:
            raise ValueError("its experiences are not those of a search")
        if not (np.isfinite(self._known).all() and _is_sane(self._targets)):
            raise ValueError("its experiences have no finite worth")


def _is_sane(array: Any) -> bool:
    """Whether scores can be computed with the numbers of an array."""
    return bool(np.isfinite(array).all() and (np.abs(array) <= LARGEST).all())


def _key(steps: Steps, index: int, known: Floats) -> bytes:
    """What tells experiences apart."""
    return b"".join((steps.tobytes(), index.to_bytes(2), known.tobytes()))


class Ranking:
    """Scores the flips of paths and learns from those that were made."""

    def __init__(self, rules: RankingRules, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        count = 1 if rules.model == "single" else rules.longest - rules.shortest + 1
        rng = np.random.default_rng(seed)
        self._models = [_Model(rules, rng) for _ in range(count)]
        self.updates = 0
        self.losses: list[float] = []

    def question(self, steps: Steps, bound: int, position: int, outcome: int, known: Known) -> Question | None:
        """How the flip at a position of a path is put to a model; None if the path's tail is too short for one."""
        longest = self._rules.longest
        if self._rules.model == "single":
            rows = window(steps, max(0, position + 1 - longest), position + 1, longest)
            rows[-1, -1] = outcome_row(outcome)  # what it would be flipped to
            return Question(0, rows, longest - 1, known)
        length = min(len(steps) - bound, longest)
        if length < self._rules.shortest:
            return None
        behind = (len(steps) - 1 - position) // longest * longest  # a long tail is cut into windows, from its end
        end = max(len(steps) - behind, bound + length)
        index = longest - (end - position)
        return Question(length - self._rules.shortest, window(steps, end - length, end, longest), index, known)

    @staticmethod
    def read(sites: list[str], decisions: bytes) -> Steps:
        """The branches of a path as questions are made of them."""
        return path_steps(sites, decisions)

    def scores(
        self,
        questions: Sequence[Question | None],
        settled: Collection[str] = (),
        novelty: float = 1.0,
        doubts: Mapping[str, float] = NO_DOUBTS,
    ) -> list[float]:
        """The score of each flip; those that no model is for come first, as in River-RL."""
        found = [NO_SCORE] * len(questions)
        for number, model in enumerate(self._models):
            asked = [(i, item) for i, item in enumerate(questions) if item is not None and item.model == number]
            if asked:
                for (i, item), score in zip(asked, self._values(model, [item for _, item in asked]), strict=True):
                    found[i] = item.known.score(score) if self._rules.model == "single" else score
        return found

    def _values(self, model: _Model, questions: Sequence[Question]) -> list[float]:
        if not model.added:  # it has not learned anything: its scores are zero
            return [0.0] * len(questions)
        steps = np.stack([item.steps for item in questions])
        index = np.array([item.place for item in questions], np.int32)
        known: Floats = np.array([item.known.numbers() for item in questions], np.float32)
        values: list[float] = scores(model.weights, steps, index, known).tolist()
        return values

    @staticmethod
    def promised(question: Question, settled: Collection[str]) -> Mapping[str, float]:
        """A network says nothing about single outcomes."""
        return NO_DOUBTS

    def learn(self, question: Question, led: Led) -> bool:
        """Note what a flip was worth, and update its model from time to time; whether that was done."""
        model = self._models[question.model]
        if not self._rules.learns or not model.add(question, self._target(question, led.worth)):
            return False
        self.losses = [*self.losses[-99:], model.update(np.random.default_rng([self._seed, self.updates]))]
        self.updates += 1
        return True

    def _target(self, question: Question, worth: float) -> float:
        """What the model should say; one that is added to the rule is kept to the rule's scale."""
        if self._rules.model != "single":
            return worth
        return worth / (1 + max(worth, 0.0)) - question.known.rule

    @property
    def experiences(self) -> int:
        """How many flips were learned from."""
        return sum(model.added for model in self._models)

    def to_json(self) -> dict[str, Any]:
        """The models with their experiences, as JSON values."""
        return {
            "models": [model.to_json() for model in self._models],
            "updates": self.updates,
            "losses": self.losses,
        }

    def restore(self, data: dict[str, Any]) -> None:
        """What :meth:`to_json` wrote; ValueError, LookupError, TypeError or OverflowError if it does not fit."""
        for model, item in zip(self._models, data["models"], strict=True):
            model.restore(item)
        self.updates, self.losses = max(0, int(data["updates"])), [float(loss) for loss in data["losses"]]
