"""``fuzz``: search on concrete inputs with a corpus, typed moves, a dictionary, and the operands of comparisons.

It mutates the best input, the inputs that execute some place in the code most often, and those of a hill climb of its
own, which starts again from a random input when it is stuck. Where the front-end shows what a run compares, operands
are copied into the input, which passes tests that no random change would; so do the literals in the code. A domain of
few inputs is enumerated.
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
from pessimal.search.dictionary import Dictionary
from pessimal.search.enumeration import Enumerate, number_of_inputs
from pessimal.search.leaf_groups import Span, spans
from pessimal.search.move_schedule import MoveSchedule
from pessimal.search.moves import MOVES, WIDENING, applicable, draw_all, is_number, pick, splice, write
from pessimal.search.random_state import random_state, restore_random
from pessimal.strategy import Session

SPLICE = "splice"
LITERAL = "literal"
CHAIN = 0.3
"""The probability that another move follows a move."""
SEEDS = 10
FEW_INPUTS = 500
"""A domain of at most so many inputs is enumerated."""
MOST_PER_SPAN = 12
"""A span is chosen as often as it has leaves, but a long one not more often than this."""
COMPARE_EVERY = 40
"""How many runs lie at least between two runs whose comparisons are noted."""
MOST_WAITING = 4
MOST_QUEUED = 400
MOST_CANDIDATES = 60
PROBED_SPANS = 4
STUCK = 500
"""After so many runs without improvement, the comparisons of inputs that were kept are looked at again; the next time
after twice as many."""
MOST_IN_VAIN = 50
"""After so many moves without effect a random input is run."""


class Fuzz:
    """Searches until the session ends the search.

    ``patience`` is the number of runs without improvement, per leaf of the input, after which the climb starts again
    from a random input.
    """

    name = "fuzz"
    stop_after = 10.0

    def __init__(self, patience: int = 60) -> None:
        if patience < 1:
            raise UsageError(f"patience must be at least 1, but is {patience}")
        self._patience = patience
        self._rng = Random(0)
        self._random_state: list[Any] | None = None
        self._enumerate = Enumerate(most=FEW_INPUTS)
        self._spans: list[Span] = []
        self._choices: list[tuple[Span, MoveSchedule]] = []
        self._literals: list[int | float | str] | None = None
        self._dictionary = Dictionary()
        self._corpus = Corpus()
        self._schedules: dict[str, MoveSchedule] = {}
        self._lane: list[Leaf] | None = None
        self._lane_value = -inf
        self._stale = 0
        self._runs = 0
        self._improved_at = 0
        self._compared_at = 0
        self._stuck_after = STUCK
        self._in_vain = 0
        self._waiting: list[list[Leaf]] = []
        self._queue: list[list[Leaf]] = []

    def search(self, session: Session) -> None:
        """Search until the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        size = number_of_inputs(session.domains)
        if size is not None and size <= FEW_INPUTS:
            yield from self._enumerate.steps(session)
            return
        self._begin(session)
        for leaves in self._seeds(session):
            self._judge(leaves, session)
            yield
        self._start(session)
        while True:
            self._step(session)
            yield

    def adopt(self, leaves: list[Leaf], value: float) -> None:
        """Continue from an input that another strategy found, if it is better."""
        if self._corpus.add(leaves, value, ())[0]:
            self._improved_at = self._runs
            self._waiting = [leaves, *self._waiting][:MOST_WAITING]

    def _begin(self, session: Session) -> None:
        self._rng = session.rng
        if self._random_state is not None:
            restore_random(self._rng, self._random_state)
        self._spans = spans(session.domains)

    def _seeds(self, session: Session) -> Iterator[list[Leaf]]:
        """Inputs to start with: simple, extreme, rising, falling and random ones."""
        if self._runs:
            return
        yield list(session.initial)
        for pattern in _PATTERNS:
            yield [value for span in _all_spans(session.domains) for value in pattern(span)]
        for _ in range(SEEDS):
            yield draw_all(session.domains, self._rng)

    def _start(self, session: Session) -> None:
        """Read the dictionary, now that code was run, and prepare the moves for each span."""
        if self._literals is None:
            self._literals = [
                each.decode("latin-1") if isinstance(each, bytes) else each for each in session.literals()
            ]
        self._dictionary = Dictionary(self._literals)
        for span in self._spans:
            names = [*applicable(span), SPLICE, *([LITERAL] * bool(self._dictionary.pieces(span.domain)))]
            schedule = self._schedules.setdefault(" ".join(names), MoveSchedule(names))
            self._choices += [(span, schedule)] * min(len(span), MOST_PER_SPAN)
        if self._runs <= 1 + len(_PATTERNS) + SEEDS:
            self._queue = [*self._filled(session)][-MOST_QUEUED:]

    def _filled(self, session: Session) -> Iterator[list[Leaf]]:
        """Inputs in which a text is one literal again and again."""
        for span in self._spans:
            for piece in self._dictionary.pieces(span.domain) if len(span) > 1 else ():
                times = len(span) // len(piece) + 1
                yield [*session.initial[: span.start], *(piece * times)[: len(span)], *session.initial[span.stop :]]

    def _step(self, session: Session) -> None:
        since = self._runs - self._compared_at
        if self._waiting and since >= COMPARE_EVERY:
            self._compare(self._waiting.pop(0), session)
        elif since >= self._stuck_after and self._corpus.best:
            self._stuck_after *= 2
            self._compare(self._rng.choice([self._corpus.best, *self._corpus.champions]), session)
        elif self._queue and self._runs % 2:
            self._judge(self._queue.pop(), session)
        elif self._lane is None or self._stale > self._patience * len(self._lane) + 1500:
            self._restart(session)
        else:
            self._mutate(session)

    def _restart(self, session: Session) -> None:
        self._lane = draw_all(session.domains, self._rng)
        self._lane_value, self._stale = self._judge(self._lane, session), 0

    def _mutate(self, session: Session) -> None:
        parent, is_lane, value_before = self._parent()
        leaves, made = self._moved(parent)
        if leaves == parent:
            self._in_vain += 1
            if self._in_vain > MOST_IN_VAIN:
                self._in_vain = 0
                self._judge(draw_all(session.domains, self._rng), session)
            return
        self._in_vain = 0
        is_wider = any(name in WIDENING for name, _ in made)
        value = self._judge(leaves, session, made, value_before, accepts_equal=not is_wider)
        if is_lane:
            self._climb(leaves, value, accepts_equal=not is_wider)

    def _climb(self, leaves: list[Leaf], value: float, accepts_equal: bool) -> None:
        self._stale = 0 if value > self._lane_value else self._stale + 1
        if value > self._lane_value or (value == self._lane_value and accepts_equal):
            self._lane, self._lane_value = leaves, value

    def _parent(self) -> tuple[list[Leaf], bool, float]:
        """The input to change, whether it is that of the climb, and its value."""
        chance = self._rng.random()
        is_fresh = self._runs - self._improved_at < 500 + 20 * len(self._corpus.best)
        climbing, trying = (0.4, 0.55) if is_fresh else (0.6, 0.75)
        if self._lane is not None and chance < climbing:
            return self._lane, True, self._lane_value
        if self._corpus.champions and chance < trying:
            return pick(self._corpus.champions, self._rng), False, inf
        return self._corpus.best, False, self._corpus.value

    def _moved(self, parent: list[Leaf]) -> tuple[list[Leaf], list[tuple[str, MoveSchedule]]]:
        """A changed copy of an input, and the moves that were made."""
        rng, leaves, made = self._rng, parent.copy(), []
        while True:
            span, schedule = pick(self._choices, rng)
            name = schedule.draw(rng)
            made.append((name, schedule))
            if name == SPLICE:
                splice(leaves, pick(self._corpus.champions or [self._corpus.best], rng), self._spans, rng)
            elif name == LITERAL:
                write(leaves, span, pick(self._dictionary.pieces(span.domain), rng), rng)
            else:
                MOVES[name](leaves, span, rng)
            if rng.random() > CHAIN:
                return leaves, made

    def _judge(
        self,
        leaves: list[Leaf],
        session: Session,
        made: Sequence[tuple[str, MoveSchedule]] = (),
        value_before: float | None = None,
        accepts_equal: bool = True,
    ) -> float:
        """Run an input, keep it where it is the best, and reward the moves that made it."""
        value, counts = session.measure(leaves)
        self._runs += 1
        if value == -inf:
            return value
        is_best, is_champion = self._corpus.add(leaves, value, counts, accepts_equal=accepts_equal)
        if is_best:
            self._improved_at, self._stuck_after = self._runs, STUCK
        if is_best or is_champion:
            self._waiting = [leaves, *self._waiting][:MOST_WAITING]
        if value_before is not None:
            gain = 1.0 if value > value_before else 0.3 if is_champion else 0.0
            for name, schedule in made:
                schedule.reward(name, gain / len(made) ** 2)
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
            "enumerate": self._enumerate.state(),
            "literals": self._literals,
            "corpus": self._corpus.to_json(),
            "schedules": {names: schedule.to_json() for names, schedule in self._schedules.items()},
            "lane": self._lane,
            "lane_value": None if self._lane_value == -inf else self._lane_value,
            "counters": [
                *(self._stale, self._runs, self._improved_at, self._compared_at, self._stuck_after, self._in_vain)
            ],
            "waiting": self._waiting,
            "queue": self._queue,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._random_state = state["rng"]
        restore_random(self._rng, state["rng"])  # for a state that is taken before the next step
        self._enumerate.restore(state["enumerate"])
        self._literals = state["literals"]
        self._corpus = Corpus.from_json(state["corpus"])
        self._schedules = {names: MoveSchedule.from_json(data) for names, data in state["schedules"].items()}
        self._lane = state["lane"]
        self._lane_value = -inf if state["lane_value"] is None else state["lane_value"]
        self._stale, self._runs, self._improved_at, self._compared_at, self._stuck_after, self._in_vain = state[
            "counters"
        ]
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
