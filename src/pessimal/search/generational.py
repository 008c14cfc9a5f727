"""``generational``: flips single branches of the runs that are worth most (generational search, as in SAGE).

A run starts from an input and follows it. Each of its branches can be flipped: the next run takes the same decisions up
to there and another outcome, and then follows its input again. Runs that come of a flip are flipped only behind it, so
that no flip is made twice. Outcomes that no run has reached come first. Where other strategies find better inputs,
their runs are flipped, too: this finds the single condition that a search on concrete inputs does not meet.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import inf
from random import Random
from typing import Any

from pessimal.expr import Leaf
from pessimal.objective import reached_by
from pessimal.runs import Follow
from pessimal.search.random_state import random_state, restore_random
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Outcome, Side, Trace

MOST_RUNS = 500
"""How many runs are kept for flipping; those that are worth least are forgotten."""
MOST_FLIPS = 2000
"""How many branches of one run are flipped at most: a sample of a long path."""
MOST_TRIED = 500_000
SLOW = 3
"""A site is not flipped any more after so many runs that took too long behind it."""
BEST_FIRST = 0.7
"""How often the run that is worth most is flipped, and not any of those that are kept."""


class _Kept:
    """A run that can be flipped: its decisions, its input, and the flips that are left, the next one last."""

    __slots__ = ("decisions", "flips", "leaves", "value")

    def __init__(self, decisions: bytes, leaves: list[Leaf], value: float, flips: list[tuple[int, int, str]]) -> None:
        self.decisions = decisions
        self.leaves = leaves
        self.value = value
        self.flips = flips


class Generational:
    """Flips branches until none is left."""

    name = "generational"
    stop_after = 20.0

    def __init__(self) -> None:
        self._rng = Random(0)
        self._random_state: list[Any] | None = None
        self._starts: list[list[Leaf]] | None = None
        self._kept: list[_Kept] = []
        self._chosen: _Kept | None = None
        self._tried: set[str] = set()
        self._reached: set[str] = set()
        self._slow: Counter[str] = Counter()

    def search(self, session: Session) -> None:
        """Flip branches until none is left or the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        self._rng = session.rng
        if self._random_state is not None:
            restore_random(self._rng, self._random_state)
        if self._starts is None:
            self._starts = [list(session.initial)]
        while self._starts or self._kept:
            if self._starts:
                leaves = self._starts[0]
                self._keep(session.run(None, leaves), 0, session)
                self._starts.remove(leaves)
                yield
            elif self._flip_one(session):
                yield

    def adopt(self, leaves: list[Leaf], value: float) -> None:
        """Flip the branches of an input that another strategy found, too."""
        self._starts = [*(self._starts or []), leaves]

    def _flip_one(self, session: Session) -> bool:
        """Make one flip; False if it was made before."""
        # Kept until the run is over: an interrupted one is repeated without drawing again.
        kept = self._chosen = self._chosen or self._choose()
        was_run = self._flip(kept, session)
        self._chosen = None
        if not kept.flips:
            self._kept.remove(kept)
        return was_run

    def _flip(self, kept: _Kept, session: Session) -> bool:
        position, outcome, site = kept.flips[-1]
        decisions = kept.decisions[:position] + bytes((outcome,))
        key = blake2b(decisions, digest_size=8).hexdigest()
        if key in self._tried or self._slow[site] >= SLOW:
            kept.flips.pop()
            return False
        trace = session.run(Follow(decisions), kept.leaves, stop_when_infeasible=True)
        kept.flips.pop()
        if len(self._tried) < MOST_TRIED:
            self._tried.add(key)
        if trace.outcome is Outcome.TIMED_OUT:
            self._slow[site] += 1
        elif trace.decisions[: len(decisions)] == decisions:
            self._keep(trace, len(decisions), session)
        return True

    def _choose(self) -> _Kept:
        if self._rng.random() < BEST_FIRST:
            return max(self._kept, key=lambda kept: kept.value)
        return self._rng.choice(self._kept)

    def _keep(self, trace: Trace, bound: int, session: Session) -> None:
        """Keep a run for flipping behind the bound."""
        if trace.outcome not in COMPLETED:
            return
        value = session.cost(trace)
        self._reached.update(reached_by(trace))
        flips = self._flips(trace, bound)
        if not flips or value == -inf:
            return
        self._kept.append(_Kept(bytes(trace.decisions), list(trace.leaves), value, flips))
        if len(self._kept) > MOST_RUNS:
            others = [kept for kept in self._kept if kept is not self._chosen]
            self._kept.remove(min(others, key=lambda kept: kept.value))

    def _flips(self, trace: Trace, bound: int) -> list[tuple[int, int, str]]:
        """The flips of a run in a random order, those to outcomes that no run has reached last, so that they are next.

        Of a site that a run passes many times only a sample is flipped.
        """
        positions: Sequence[int] = range(bound, len(trace))
        if len(positions) > MOST_FLIPS:
            positions = sorted(self._rng.sample(positions, MOST_FLIPS))
        flips = [(i, outcome, trace.sites[i].id) for i in positions for outcome in _others(trace, i)]
        self._rng.shuffle(flips)
        return sorted(flips, key=lambda flip: f"{flip[2]}:{flip[1]}" not in self._reached)

    def state(self) -> dict[str, Any]:
        """The runs that are kept, what was tried, and the random state."""
        return {
            "rng": random_state(self._rng),
            "starts": self._starts,
            "kept": [[kept.decisions.hex(), kept.leaves, kept.value, kept.flips] for kept in self._kept],
            "chosen": None if self._chosen is None else self._kept.index(self._chosen),
            "tried": sorted(self._tried),
            "reached": sorted(self._reached),
            "slow": dict(self._slow),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._random_state, self._starts = state["rng"], state["starts"]
        restore_random(self._rng, state["rng"])  # for a state that is taken before the next step
        self._kept = [
            _Kept(bytes.fromhex(decisions), leaves, value, [(i, outcome, site) for i, outcome, site in flips])
            for decisions, leaves, value, flips in state["kept"]
        ]
        self._chosen = None if state["chosen"] is None else self._kept[state["chosen"]]
        self._tried, self._reached = set(state["tried"]), set(state["reached"])
        self._slow = Counter(state["slow"])


def _others(trace: Trace, position: int) -> list[int]:
    """The outcomes that were not taken and are not known to be infeasible."""
    return [outcome for side in (Side.UNTRIED, Side.FEASIBLE) for outcome in trace.untaken(position, side)]
