"""``fuzz``: search on concrete inputs with a corpus, typed moves, and the operands of comparisons.

It mutates the best input, the inputs that execute some place in the code most often, and those of a hill climb of its
own, which starts again from a random input when it is stuck. Where the front-end shows what a run compares, operands
are copied into the input, which passes tests that no random change would.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import Any

from pessimal.comparison import Comparison
from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search import operands
from pessimal.search.corpus import Corpus
from pessimal.search.leaf_groups import Span, spans
from pessimal.search.move_schedule import MoveSchedule
from pessimal.search.moves import MOVES, applies, draw, is_number, pick, splice
from pessimal.search.random_state import random_state, restore_random
from pessimal.strategy import Session

SPLICE = "splice"
CHAIN = 0.3
"""The probability that another move follows a move."""
SEEDS = 10
MOST_PER_SPAN = 12
"""A span is chosen as often as it has leaves, but a long one not more often than this."""
COMPARE_EVERY = 40
"""How many runs lie at least between two runs whose comparisons are noted."""
MOST_WAITING = 4
MOST_QUEUED = 200
MOST_CANDIDATES = 60
PROBED_SPANS = 4
STUCK = 500
"""After so many runs without improvement, the comparisons of inputs that were kept are looked at again."""


class Fuzz:
    """Searches until the session ends the search.

    ``patience`` is the number of runs without improvement, per leaf of the input, after which the climb starts again
    from a random input.
    """

    name = "fuzz"
    stop_after = 10.0

    def __init__(self, patience: int = 40) -> None:
        if patience < 1:
            raise UsageError(f"patience must be at least 1, but is {patience}")
        self._patience = patience
        self._rng = Random(0)
        self._random_state: list[Any] | None = None
        self._spans: list[Span] = []
        self._choices: list[Span] = []
        self._corpus = Corpus()
        self._schedule = MoveSchedule([*MOVES, SPLICE])
        self._lane: list[Leaf] | None = None
        self._lane_value = -inf
        self._stale = 0
        self._runs = 0
        self._improved_at = 0
        self._compared_at = 0
        self._waiting: list[list[Leaf]] = []
        self._queue: list[list[Leaf]] = []

    def search(self, session: Session) -> None:
        """Search until the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        self._begin(session)
        if not self._spans:
            self._judge(list(session.initial), session)
            return
        for leaves in self._seeds(session):
            self._judge(leaves, session)
            yield
        while True:
            self._step(session)
            yield

    def adopt(self, leaves: list[Leaf], value: float) -> None:
        """Continue from an input that another strategy found, if it is better."""
        if self._corpus.add(leaves, value, ())[0]:
            self._improved_at = self._runs

    def _begin(self, session: Session) -> None:
        self._rng = session.rng
        if self._random_state is not None:
            restore_random(self._rng, self._random_state)
        self._spans = spans(session.domains)
        self._choices = [span for span in self._spans for _ in range(min(len(span), MOST_PER_SPAN))]

    def _seeds(self, session: Session) -> Iterator[list[Leaf]]:
        """Inputs to start with: simple, extreme, rising, falling and random ones."""
        if self._runs:
            return
        yield list(session.initial)
        for pattern in _PATTERNS:
            yield [value for span in _all_spans(session.domains) for value in pattern(span)]
        for _ in range(SEEDS):
            yield [draw(domain, self._rng) for domain in session.domains]

    def _step(self, session: Session) -> None:
        since = self._runs - self._compared_at
        if self._waiting and since >= COMPARE_EVERY:
            self._compare(self._waiting.pop(0), session)
        elif since >= STUCK and self._corpus.best:
            self._compare(self._rng.choice([self._corpus.best, *self._corpus.champions]), session)
        elif self._queue and self._runs % 2:
            self._judge(self._queue.pop(), session)
        elif self._lane is None or self._stale > self._patience * len(self._lane) + 1500:
            self._restart(session)
        else:
            self._mutate(session)

    def _restart(self, session: Session) -> None:
        self._lane = [draw(domain, self._rng) for domain in session.domains]
        self._lane_value, self._stale = self._judge(self._lane, session), 0

    def _mutate(self, session: Session) -> None:
        parent, is_lane, value_before = self._parent()
        leaves, names = self._moved(parent)
        if leaves == parent:
            self._runs += 1  # so that nothing waits for ever if moves have no effect
            return
        value = self._judge(leaves, session, names, value_before)
        if is_lane:
            self._climb(leaves, value)

    def _climb(self, leaves: list[Leaf], value: float) -> None:
        self._stale = 0 if value > self._lane_value else self._stale + 1
        if value >= self._lane_value:
            self._lane, self._lane_value = leaves, value

    def _parent(self) -> tuple[list[Leaf], bool, float]:
        """The input to change, whether it is that of the climb, and its value."""
        chance = self._rng.random()
        is_fresh = self._runs - self._improved_at < 500 + 20 * len(self._corpus.best)
        climbing, trying = (0.4, 0.55) if is_fresh else (0.6, 0.75)
        if self._lane is not None and chance < climbing:
            return self._lane, True, self._lane_value
        if self._corpus.champions and chance < trying:
            return self._rng.choice(self._corpus.champions), False, inf
        return self._corpus.best, False, self._corpus.value

    def _moved(self, parent: list[Leaf]) -> tuple[list[Leaf], list[str]]:
        rng, leaves, names = self._rng, parent.copy(), []
        while True:
            name = self._schedule.draw(rng)
            if name == SPLICE:
                others = self._corpus.champions or [self._corpus.best]
                splice(leaves, rng.choice(others), self._spans, rng)
                names.append(name)
            elif applies(name, span := pick(self._choices, rng)):
                MOVES[name](leaves, span, rng)
                names.append(name)
            if rng.random() > CHAIN:
                return leaves, names

    def _judge(
        self, leaves: list[Leaf], session: Session, names: Sequence[str] = (), value_before: float | None = None
    ) -> float:
        """Run an input, keep it where it is the best, and reward the moves that made it."""
        value, counts = session.measure(leaves)
        self._runs += 1
        if value == -inf:
            return value
        is_best, is_champion = self._corpus.add(leaves, value, counts)
        if is_best:
            self._improved_at = self._runs
        if is_best or is_champion:
            self._waiting = [leaves, *self._waiting][:MOST_WAITING]
        if names and value_before is not None:
            self._schedule.reward(names, 1.0 if value > value_before else 0.3 if is_champion else 0.0)
        return value

    def _compare(self, leaves: list[Leaf], session: Session) -> None:
        """Queue candidates that the comparisons of a run suggest."""
        self._compared_at = self._runs
        found = session.comparisons(leaves)
        candidates = list(operands.replaced(leaves, found, self._spans))
        for position, span in self._probed() if found else ():
            candidates += self._meeting(leaves, position, span, found, session)
        self._rng.shuffle(candidates)
        self._queue = [*self._queue, *candidates[:MOST_CANDIDATES]][-MOST_QUEUED:]

    def _probed(self) -> list[tuple[int, Span]]:
        """Leaves that are changed to see what depends on them: one of each span, since most spans are alike inside."""
        numeric = [span for span in self._spans if is_number(span.domain)]
        chosen = self._rng.sample(numeric, min(PROBED_SPANS, len(numeric)))
        return [(self._rng.randrange(span.start, span.stop), span) for span in chosen]

    def _meeting(
        self, leaves: list[Leaf], position: int, span: Span, found: list[Comparison], session: Session
    ) -> Iterator[list[Leaf]]:
        value = leaves[position]
        other = next((near for step in (1, -1) if (near := span.domain.clip(value + step)) != value), None)
        if other is not None:
            moved = [*leaves[:position], other, *leaves[position + 1 :]]
            observed = [(value, found), (other, session.comparisons(moved))]
            yield from operands.met(leaves, position, span, observed)

    def state(self) -> dict[str, Any]:
        """The corpus, the climb, the queue and the random state."""
        return {
            "rng": random_state(self._rng),
            "corpus": self._corpus.to_json(),
            "schedule": self._schedule.to_json(),
            "lane": self._lane,
            "lane_value": None if self._lane_value == -inf else self._lane_value,
            "counters": [self._stale, self._runs, self._improved_at, self._compared_at],
            "waiting": self._waiting,
            "queue": self._queue,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._random_state = state["rng"]
        self._corpus = Corpus.from_json(state["corpus"])
        self._schedule.restore(state["schedule"])
        self._lane = state["lane"]
        self._lane_value = -inf if state["lane_value"] is None else state["lane_value"]
        self._stale, self._runs, self._improved_at, self._compared_at = state["counters"]
        self._waiting, self._queue = state["waiting"], state["queue"]


def _all_spans(domains: Sequence[Domain]) -> list[Span]:
    """Spans that cover every leaf, also those that cannot change."""
    found, position = [], 0
    for span in [*spans(domains), Span(len(domains), len(domains), Domain.of("int"))]:
        found += [Span(i, i + 1, domains[i]) for i in range(position, span.start)]
        found += [span] if len(span) else []
        position = span.stop
    return found


def _highest(span: Span) -> list[Leaf]:
    top = span.domain.high if span.domain.high is not None else 1000
    return [span.domain.clip(top)] * len(span)


def _lowest(span: Span) -> list[Leaf]:
    bottom = span.domain.low if span.domain.low is not None else -1000
    return [span.domain.clip(bottom)] * len(span)


def _rising(span: Span) -> list[Leaf]:
    return [span.domain.clip(span.domain.initial + index) for index in range(len(span))]


def _falling(span: Span) -> list[Leaf]:
    return [span.domain.clip(span.domain.initial + len(span) - index) for index in range(len(span))]


_PATTERNS = (_highest, _lowest, _rising, _falling)
