"""``climb``: local search on concrete inputs, which needs no solver and finds most worst cases in seconds.

It keeps one input, changes a few of its leaves, and keeps the change if the cost does not fall. Accepting equal costs
is essential: worst cases lie at the end of long plateaus. An input that is stuck and costs as much as any other is
annealed before it is given up: for a while a smaller cost is accepted now and then, which leads from one plateau to the
next. Most comparisons depend on the order of leaves or of their sums, so most moves set leaves relative to others.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from math import exp, inf, log
from typing import Any

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.leaf_groups import Column, columns
from pessimal.search.moves import Move, copy, draw_all, nudge, pick, renew, rotate, shift, swap
from pessimal.search.random_state import random_state, restore_random
from pessimal.strategy import Session

SMALL: tuple[Move, ...] = (*(copy, swap) * 4, *(nudge, nudge), renew)
MOVES: tuple[Move, ...] = (*SMALL, rotate, shift)
ANNEALED = 30
"""How many times as long as its patience an input is annealed that is stuck."""
ACCEPTED, ADAPTED = 0.02, 0.01
"""How many of the inputs with a smaller cost are accepted meanwhile, and how fast the temperature adapts to that."""

FAR_BETTER, CONSIDERED = 1.5, 500
"""An input of another strategy is taken over after so many runs if it still costs that many times as much as the best
here. One that is a little better is not: climbs that go their own ways find more than two around the same input."""

WITHOUT_NEGATIVE = 0.75
"""How many climbs keep to numbers from 0 on. Where negative ones change nothing, as in many programs, that halves the
space of each leaf; the other climbs find what only they can reach."""


class Climb:
    """Climbs from one start after another until the session ends the search.

    ``patience`` is the number of runs without improvement, per leaf of the input, after which the input is annealed if
    it is the best so far, and given up for a random one otherwise; ``chain`` is the probability that another small move
    follows a move.
    """

    name = "climb"
    stop_after = 10.0

    def __init__(self, patience: int = 50, chain: float = 0.3) -> None:
        if patience < 1:
            raise UsageError(f"patience must be at least 1, but is {patience}")
        if not 0 <= chain < 1:
            raise UsageError(f"chain must be at least 0 and less than 1, but is {chain}")
        self._patience = patience
        self._chain = chain
        self._rng = random.Random(0)
        self._domains: Sequence[Domain] = ()
        self._restricted: Sequence[Domain] = ()
        self._is_restricted = False
        self._columns: dict[bool, list[Column]] = {}  # of the domains, and of the restricted ones
        self._resumed: list[Any] | None = None
        self._candidate: list[Leaf] | None = None
        self._accepts_equal = True
        self._current: list[Leaf] | None = None
        self._cost = -inf
        self._best: list[Leaf] = []
        self._best_cost = -inf
        self._stale = 0
        self._offered: list[Leaf] | None = None  # by another strategy, with its cost and how long it is considered
        self._offered_cost = -inf
        self._considered = 0
        self._annealing = 0  # how many more runs the current input is annealed
        self._temperature = 0.0

    def search(self, session: Session) -> None:
        """Climb until the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Climb, and yield after each run; a resumed search repeats a candidate that was not judged yet."""
        self._begin(session)
        while self._candidate is not None:
            self._judge(self._candidate, session.evaluate(self._candidate))
            self._consider()
            self._candidate = self._propose()
            yield

    def adopt(self, leaves: list[Leaf], cost: float) -> None:
        """Consider an input that another strategy found."""
        self._offered, self._offered_cost, self._considered = leaves, cost, 0

    def _consider(self) -> None:
        """Continue from the input of another strategy, if it is far better than all that was found here."""
        self._considered += 1
        if self._offered is None or self._considered < CONSIDERED:
            return
        if self._offered_cost >= FAR_BETTER * max(self._best_cost, 0.0):
            self._current, self._cost, self._stale, self._annealing = self._offered, self._offered_cost, 0, 0
            self._best, self._best_cost = self._current, self._cost
            self._is_restricted = all(leaf >= 0 for leaf in self._current)
        self._offered = None

    def state(self) -> dict[str, Any]:
        """The candidate, the current and the best input, and the random state."""
        return {
            "rng": random_state(self._rng),
            "candidate": self._candidate,
            "accepts_equal": self._accepts_equal,
            "is_restricted": self._is_restricted,
            "current": self._current,
            "cost": self._cost,
            "best": self._best,
            "best_cost": self._best_cost,
            "stale": self._stale,
            "offered": self._offered,
            "offered_cost": self._offered_cost,
            "considered": self._considered,
            "annealing": self._annealing,
            "temperature": self._temperature,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier climb."""
        self._resumed = state["rng"]
        restore_random(self._rng, state["rng"])  # for a state that is taken before the next step
        self._candidate = state["candidate"]
        self._accepts_equal = state["accepts_equal"]
        self._is_restricted = state["is_restricted"]
        self._current = state["current"]
        self._cost = state["cost"]
        self._best = state["best"]
        self._best_cost = state["best_cost"]
        self._stale = state["stale"]
        self._offered = state["offered"]
        self._offered_cost = state["offered_cost"]
        self._considered = state["considered"]
        self._annealing = state["annealing"]
        self._temperature = state["temperature"]

    def _begin(self, session: Session) -> None:
        self._rng = session.rng
        if self._resumed is not None:
            restore_random(self._rng, self._resumed)
        self._domains = session.domains
        self._restricted = [domain.without_negative() for domain in session.domains]
        self._columns = {False: columns(self._domains), True: columns(self._restricted)}
        if self._candidate is None:
            self._restrict()
            self._candidate = self._best = list(session.initial)

    def _judge(self, candidate: list[Leaf], cost: float) -> None:
        if cost > self._best_cost:
            self._best, self._best_cost = candidate, cost
        if self._current is None:
            self._start(candidate, cost)
            return
        self._stale = 0 if cost > self._cost else self._stale + 1
        if cost > self._cost or (self._accepts_equal and (cost == self._cost or self._accepts_less(cost))):
            self._current, self._cost = candidate, cost
        if self._annealing:
            self._annealing -= 1
            if not self._annealing:
                self._current = None
        elif self._stale >= self._patience * len(candidate):
            self._anneal_or_give_up(len(candidate))

    def _accepts_less(self, cost: float) -> bool:
        """Whether a smaller cost is accepted; the temperature is such that a fixed share of them is."""
        if not self._annealing or cost == -inf:
            return False
        loss = self._cost - cost
        self._temperature = self._temperature or -loss / log(ACCEPTED)
        accepted = self._rng.random() < exp(-loss / self._temperature)
        self._temperature *= exp(ADAPTED * (ACCEPTED - accepted))
        return accepted

    def _anneal_or_give_up(self, leaves: int) -> None:
        """Anneal an input that is as good as the best; start again from a random one otherwise."""
        if self._cost >= self._best_cost:
            self._annealing = ANNEALED * self._patience * leaves
            self._temperature = 0.0  # which the first loss decides
        else:
            self._current = None

    def _start(self, candidate: list[Leaf], cost: float) -> None:
        """Start from the candidate, or from the best input so far if a precondition rejects the candidate."""
        rejected = cost == -inf
        self._current, self._cost = (self._best, self._best_cost) if rejected else (candidate, cost)
        self._stale = 0

    def _restrict(self) -> None:
        """Decide whether the next climb keeps to numbers that are not negative."""
        self._is_restricted = self._rng.random() < WITHOUT_NEGATIVE

    def _propose(self) -> list[Leaf] | None:
        if not self._columns[False]:
            return None
        if self._current is None:
            self._restrict()
            return draw_all(self._restricted if self._is_restricted else self._domains, self._rng)
        candidate = self._current
        while candidate == self._current:
            candidate = self._move(self._current.copy())
        return candidate

    def _move(self, leaves: list[Leaf]) -> list[Leaf]:
        rng, groups = self._rng, self._columns[self._is_restricted]
        move = pick(MOVES, rng)
        move(leaves, pick(groups, rng), rng)
        # A shift widens the range of the values: accepted without gain again and again, it would let them explode.
        self._accepts_equal = move is not shift
        while self._accepts_equal and rng.random() < self._chain:
            pick(SMALL, rng)(leaves, pick(groups, rng), rng)
        return leaves
