"""``fuzz``: search on concrete inputs with a corpus, typed moves, a dictionary, and the operands of comparisons.

It mutates the best input, the inputs that execute some place in the code most often, and those of a hill climb of its
own, which starts again from a random input when it is stuck. Where the front-end shows what a run compares, operands
are copied into the input, which passes tests that no random change would; so do the literals in the code. A domain of
few inputs is enumerated.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
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
from pessimal.search.moves import MOVES, RESIZE, WIDENING, applicable, draw_all, is_number, pick, splice, write
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


class _Role(Enum):
    """What becomes of an input after its run, beside the corpus: nothing, a step of the climb, or its new start."""

    NONE = "none"
    CLIMB = "climb"
    START = "start"


@dataclass(slots=True)
class _Pending:
    """What is to be done next: to run an input that some moves made, or to look at its comparisons.

    ``made`` has the name of each move and the key of its schedule; ``value_before`` is what the input was worth before
    them; ``probes`` are the leaves that are changed to see which comparisons depend on them.
    """

    leaves: list[Leaf]
    made: list[tuple[str, str]] = field(default_factory=list)
    value_before: float | None = None
    role: _Role = _Role.NONE
    probes: list[int] | None = None

    @property
    def is_wider(self) -> bool:
        """Whether a move widens the range of the values, so that without gain it is not accepted."""
        return any(name in WIDENING for name, _ in self.made)

    def to_json(self) -> list[Any]:
        """What is to be done as JSON values."""
        before = None if self.value_before == -inf else self.value_before
        return [self.leaves, self.made, before, self.role.value, self.probes]

    @classmethod
    def from_json(cls, data: list[Any]) -> _Pending:
        """What :meth:`to_json` wrote."""
        leaves, made, value_before, role, probes = data
        return cls(leaves, [(name, key) for name, key in made], value_before, _Role(role), probes)


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
        self._choices: list[tuple[Span, str]] = []  # each with the key of its schedule
        self._seeds: list[list[Leaf]] | None = None
        self._literals: list[int | float | str] | None = None
        self._dictionary = Dictionary()
        self._corpus = Corpus()
        self._schedules: dict[str, MoveSchedule] = {}
        self._climbed: list[Leaf] | None = None
        self._climbed_value = -inf
        self._stale = 0
        self._runs = 0
        self._improved_at = 0
        self._compared_at = 0
        self._stuck_after = STUCK
        self._waiting: list[list[Leaf]] = []
        self._queue: list[list[Leaf]] = []
        self._pending: _Pending | None = None

    def search(self, session: Session) -> None:
        """Search until the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run; a resumed search repeats what was not finished."""
        size = number_of_inputs(session.domains)
        if size is not None and size <= FEW_INPUTS:
            yield from self._enumerate.steps(session)
            return
        self._begin(session)
        while True:
            self._pending = self._pending or self._propose(session)
            self._carry_out(self._pending, session)
            self._pending = None
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
        if self._seeds is None:
            self._seeds = list(self._first_inputs(session))
        if self._literals is not None:
            self._prepare_moves()

    def _first_inputs(self, session: Session) -> Iterator[list[Leaf]]:
        """Inputs to start with: simple, extreme, rising, falling and random ones."""
        yield list(session.initial)
        for pattern in _PATTERNS:
            yield [value for span in _all_spans(session.domains) for value in pattern(span)]
        for _ in range(SEEDS):
            yield draw_all(session.domains, self._rng)

    def _read_literals(self, session: Session) -> None:
        """Read the dictionary, once code was run, and queue inputs that are full of one of its words."""
        self._literals = [each.decode("latin-1") if isinstance(each, bytes) else each for each in session.literals()]
        self._prepare_moves()
        self._queue = [*self._filled(session)][-MOST_QUEUED:]

    def _prepare_moves(self) -> None:
        """Find the moves for each span."""
        self._dictionary, self._choices = Dictionary(self._literals or ()), []
        for span in self._spans:
            names = [*applicable(span), SPLICE, *([LITERAL] * bool(self._dictionary.pieces(span.domain)))]
            key = " ".join(names)
            self._schedules.setdefault(key, MoveSchedule(names))
            self._choices += [(span, key)] * min(len(span), MOST_PER_SPAN)

    def _filled(self, session: Session) -> Iterator[list[Leaf]]:
        """Inputs in which a text is one literal again and again."""
        for span in self._spans:
            for piece in self._dictionary.pieces(span.domain) if len(span) > 1 else ():
                times = len(span) // len(piece) + 1
                leaves = [*session.initial[: span.start], *(piece * times)[: len(span)], *session.initial[span.stop :]]
                if span.length is not None:
                    leaves[span.length] = len(span)
                yield leaves

    def _propose(self, session: Session) -> _Pending:
        """What to do next; all that is left to chance is drawn here, so that it can be repeated."""
        if self._seeds:
            return _Pending(self._seeds.pop(0))
        if self._literals is None:
            self._read_literals(session)
        since = self._runs - self._compared_at
        if self._waiting and since >= COMPARE_EVERY:
            return _Pending(self._waiting.pop(0), probes=self._probed())
        if since >= self._stuck_after and self._corpus.best:
            self._stuck_after *= 2
            kept = self._rng.choice([self._corpus.best, *self._corpus.champions])
            return _Pending(kept, probes=self._probed())
        if self._queue and self._runs % 2:
            return _Pending(self._queue.pop())
        if self._climbed is None or not self._corpus.best or self._stale > self._patience * len(self._climbed) + 1500:
            return _Pending(draw_all(session.domains, self._rng), role=_Role.START)
        return self._mutated(session)

    def _mutated(self, session: Session) -> _Pending:
        """A changed input; a random one if no move has an effect."""
        for _ in range(MOST_IN_VAIN):
            parent, role, value_before = self._parent()
            leaves, made = self._moved(parent)
            if leaves != parent:
                return _Pending(leaves, made=made, value_before=value_before, role=role)
        return _Pending(draw_all(session.domains, self._rng))

    def _carry_out(self, pending: _Pending, session: Session) -> None:
        if pending.probes is not None:
            self._compare(pending.leaves, pending.probes, session)
            return
        value = self._judge(pending, session)
        if pending.role is _Role.START:
            self._climbed, self._climbed_value, self._stale = pending.leaves, value, 0
        elif pending.role is _Role.CLIMB:
            self._climb(pending.leaves, value, accepts_equal=not pending.is_wider)

    def _climb(self, leaves: list[Leaf], value: float, accepts_equal: bool) -> None:
        self._stale = 0 if value > self._climbed_value else self._stale + 1
        if value > self._climbed_value or (value == self._climbed_value and accepts_equal):
            self._climbed, self._climbed_value = leaves, value

    def _parent(self) -> tuple[list[Leaf], _Role, float | None]:
        """The input to change, what for, and its value; None of one that is not kept for its value."""
        chance = self._rng.random()
        is_fresh = self._runs - self._improved_at < 500 + 20 * len(self._corpus.best)
        climbing, trying = (0.4, 0.55) if is_fresh else (0.6, 0.75)
        if self._climbed is not None and chance < climbing:
            return self._climbed, _Role.CLIMB, self._climbed_value
        if self._corpus.champions and chance < trying:
            return pick(self._corpus.champions, self._rng), _Role.NONE, None
        return self._corpus.best, _Role.NONE, self._corpus.value

    def _moved(self, parent: list[Leaf]) -> tuple[list[Leaf], list[tuple[str, str]]]:
        """A changed copy of an input, and the moves that were made, each with the key of its schedule."""
        rng, leaves, made = self._rng, parent.copy(), []
        while True:
            span, key = pick(self._choices, rng)
            name = self._schedules[key].draw(rng)
            made.append((name, key))
            if name == SPLICE:
                splice(leaves, pick(self._corpus.champions or [self._corpus.best or parent], rng), self._spans, rng)
            elif name == LITERAL:
                write(leaves, span.used(leaves), pick(self._dictionary.pieces(span.domain), rng), rng)
            else:
                MOVES[name](leaves, span if name == RESIZE else span.used(leaves), rng)
            if rng.random() > CHAIN:
                return leaves, made

    def _judge(self, pending: _Pending, session: Session) -> float:
        """Run an input, keep it where it is the best, and reward the moves that made it."""
        leaves, made, value_before = pending.leaves, pending.made, pending.value_before
        value, counts = session.measure(leaves)
        self._runs += 1
        if value == -inf:
            self._queue = self._queue or self._halfway(leaves)
            return value
        is_best, is_champion = self._corpus.add(leaves, value, counts, accepts_equal=not pending.is_wider)
        if is_best:
            self._improved_at, self._stuck_after = self._runs, STUCK
        if is_best or is_champion:
            self._waiting = [leaves, *self._waiting][:MOST_WAITING]
        gain = 1.0 if value_before is not None and value > value_before else 0.3 if is_champion else 0.0
        for name, key in made:
            self._schedules[key].reward(name, gain / len(made) ** 2)
        return value

    def _halfway(self, leaves: list[Leaf]) -> list[list[Leaf]]:
        """The input between the best and one without a value: the worst may be just before what does not end."""
        best = self._corpus.best
        if len(best) != len(leaves):
            return []
        halfway = list(best)
        for span in self._spans:
            if is_number(span.domain):
                for i in range(span.start, span.stop):
                    middle = best[i] / 2 + leaves[i] / 2 if span.domain.kind == "float" else (best[i] + leaves[i]) // 2
                    halfway[i] = span.domain.clip(middle)
        return [] if halfway in (best, leaves) else [halfway]

    def _compare(self, leaves: list[Leaf], probes: Sequence[int], session: Session) -> None:
        """Queue candidates that the comparisons of a run suggest."""
        self._compared_at = self._runs
        found = session.comparisons(leaves)
        candidates = list(operands.replaced(leaves, found, self._spans))
        for position in probes if found else ():
            span = next(span for span in self._spans if position in span.positions)
            candidates += self._meeting(leaves, position, span, found, session)
        self._rng.shuffle(candidates)
        self._queue = [*self._queue, *candidates[:MOST_CANDIDATES]][-MOST_QUEUED:]

    def _probed(self) -> list[int]:
        """Leaves that are changed to see what depends on them: one of each span, since most spans are alike inside."""
        numeric = [span for span in self._spans if is_number(span.domain)]
        chosen = self._rng.sample(numeric, min(PROBED_SPANS, len(numeric)))
        return [self._rng.randrange(span.start, span.stop) for span in chosen]

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
        """The corpus, the climb, the queues, what is not finished, and the random state."""
        return {
            "rng": random_state(self._rng),
            "enumerate": self._enumerate.state(),
            "seeds": self._seeds,
            "literals": self._literals,
            "corpus": self._corpus.to_json(),
            "schedules": {names: schedule.to_json() for names, schedule in self._schedules.items()},
            "climbed": self._climbed,
            "climbed_value": None if self._climbed_value == -inf else self._climbed_value,
            "counters": [self._stale, self._runs, self._improved_at, self._compared_at, self._stuck_after],
            "waiting": self._waiting,
            "queue": self._queue,
            "pending": None if self._pending is None else self._pending.to_json(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._random_state = state["rng"]
        restore_random(self._rng, state["rng"])  # for a state that is taken before the next step
        self._enumerate.restore(state["enumerate"])
        self._seeds, self._literals = state["seeds"], state["literals"]
        self._corpus = Corpus.from_json(state["corpus"])
        self._schedules = {names: MoveSchedule.from_json(data) for names, data in state["schedules"].items()}
        self._climbed = state["climbed"]
        self._climbed_value = -inf if state["climbed_value"] is None else state["climbed_value"]
        self._stale, self._runs, self._improved_at, self._compared_at, self._stuck_after = state["counters"]
        self._waiting, self._queue = state["waiting"], state["queue"]
        self._pending = None if state["pending"] is None else _Pending.from_json(state["pending"])


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
