"""``generational``: flips single branches of the runs that are worth most (generational search, as in SAGE).

A run starts from an input and follows it. Each of its branches can be flipped: the next run takes the same decisions up
to there and another outcome, and then follows its input again. Runs that come of a flip are flipped only behind it, so
that no flip is made twice. Sites that the session wants come first, and among them outcomes that no run has reached.
Where something was made concrete, a flip is another value. Where other strategies find better inputs, their runs are
flipped, too: this finds the single condition that a search on concrete inputs does not meet.

Several processes divide the flips of the first runs among them: each flip belongs to one, with all that comes of it.
Few flips are made by all of them, and the flips of the runs that come of those are divided.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from math import inf
from random import Random
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.objective import reached_by
from pessimal.search.flip_runs import is_flipped, other_outcomes, run_flip
from pessimal.search.random_state import random_state, restore_random
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Outcome, Site, Trace

MOST_RUNS = 500
"""How many runs are kept for flipping; those that are worth least are forgotten."""
MOST_FLIPS = 2000
"""How many branches of one run are flipped at most: a sample of a long path."""
MOST_TRIED = 500_000
SLOW = 3
"""A site is not flipped any more after so many runs that took too long behind it."""
BEST_FIRST = 0.7
"""How often the run that is worth most is flipped, and not any of those that are kept."""
MOST_UNWANTED = 50
"""A site that is not wanted is flipped no more after so many flips that were worth nothing."""


LEAST_DIVIDED = 8
"""The flips of a first run are divided if there are so many for each part."""


class _Flip(NamedTuple):
    """Another outcome at a position of a run, or another value where something was made concrete with these."""

    position: int
    outcome: int
    site: str
    is_wanted: bool = True
    values: tuple[Leaf, ...] = ()


class _Kept:
    """A run that can be flipped: its decisions, its input, and the flips that are left, the next one last.

    If it is common, all parts of the search make its flips, and divide those of the runs that come of them.
    """

    __slots__ = ("decisions", "flips", "is_common", "leaves", "value")

    def __init__(
        self, decisions: bytes, leaves: list[Leaf], value: float, flips: list[_Flip], is_common: bool = False
    ) -> None:
        self.decisions = decisions
        self.leaves = leaves
        self.value = value
        self.flips = flips
        self.is_common = is_common


class Generational:
    """Flips branches until none is left."""

    name = "generational"
    stop_after = 20.0

    def __init__(self, starts: Sequence[Sequence[Leaf]] = ()) -> None:
        self._further = [list(leaves) for leaves in starts]
        self._rng = Random(0)
        self._random_state: list[Any] | None = None
        self._starts: list[list[Leaf]] | None = None
        self._kept: list[_Kept] = []
        self._chosen: _Kept | None = None
        self._tried: set[str] = set()
        self._reached: set[str] = set()
        self._slow: Counter[str] = Counter()
        self._vain: Counter[str] = Counter()
        self._sites: dict[str, Site] = {}
        self._complete = True
        self._part, self._parts = 0, 1

    def take_part(self, part: int, parts: int) -> None:
        """Make only the flips that belong to one of so many parts, and those that come of them."""
        self._part, self._parts = part, parts
        self._complete = self._complete and parts == 1

    @property
    def is_exhausted(self) -> bool:
        """Whether every path was run, and nothing was left out."""
        return self._complete and self._starts == [] and not self._kept

    def search(self, session: Session) -> None:
        """Flip branches until none is left or the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        self._rng = session.rng
        if self._random_state is not None:
            restore_random(self._rng, self._random_state)
        if self._starts is None:
            self._starts = [list(session.initial), *self._further]
        while self._starts or self._kept:
            if self._parts > 1 and (received := session.newest_input()) is not None:
                self._reached.update(reached_by(session.run(None, received[0])))  # another part flips it
                yield
            elif self._starts:
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
        flip = kept.flips[-1]
        if flip.is_wanted and not self._is_wanted(flip.site, session):
            kept.flips[:] = self._sorted(
                flip._replace(is_wanted=self._is_wanted(flip.site, session)) for flip in kept.flips
            )
            return False
        decisions = kept.decisions[: flip.position] + bytes((flip.outcome,))
        key = blake2b(decisions, digest_size=8).hexdigest()
        if key in self._tried or self._is_given_up(flip):
            kept.flips.pop()
            return False
        before = decisions[:-1]
        trace = run_flip(session, before, flip.outcome, kept.leaves, flip.values)
        kept.flips.pop()
        if len(self._tried) < MOST_TRIED:
            self._tried.add(key)
        if trace.outcome is Outcome.TIMED_OUT:
            self._slow[flip.site] += 1
            self._complete = False
        elif is_flipped(trace, before, flip.outcome, flip.values):
            value = self._keep(trace, len(decisions), session, kept)
            self._vain[flip.site] += not flip.is_wanted and value <= 0
        elif trace.outcome is not Outcome.INFEASIBLE:
            self._complete = False
        return True

    def _is_given_up(self, flip: _Flip) -> bool:
        is_vain = not flip.is_wanted and self._vain[flip.site] >= MOST_UNWANTED
        if is_vain or self._slow[flip.site] >= SLOW:
            self._complete = False
            return True
        return False

    def _is_wanted(self, site: str, session: Session) -> bool:
        known = self._sites.get(site)
        return known is None or session.wants(known)

    def _choose(self) -> _Kept:
        kept = [item for item in self._kept if item.flips[-1].is_wanted] or self._kept
        if self._rng.random() < BEST_FIRST:
            return max(kept, key=lambda item: item.value)
        return self._rng.choice(kept)

    def _keep(self, trace: Trace, bound: int, session: Session, parent: _Kept | None = None) -> float:
        """Keep a run for flipping behind the bound; what it is worth."""
        if trace.outcome not in COMPLETED or trace.refused or trace.concretisations:
            self._complete = False
        if trace.outcome not in COMPLETED:
            return -inf
        value = session.cost(trace)
        self._reached.update(reached_by(trace))
        flips = self._flips(trace, bound, session)
        is_common = parent is None and len(flips) < LEAST_DIVIDED * self._parts
        if self._parts > 1 and not is_common and (parent is None or parent.is_common):
            flips = [flip for flip in flips if self._is_own(trace, flip)]
        if not flips or value == -inf:
            return value
        self._kept.append(_Kept(bytes(trace.decisions), list(trace.leaves), value, flips, is_common))
        if len(self._kept) > MOST_RUNS:
            others = [kept for kept in self._kept if kept is not self._chosen]
            self._kept.remove(min(others, key=lambda kept: kept.value))
            self._complete = False
        return value

    def _is_own(self, trace: Trace, flip: _Flip) -> bool:
        """Whether a flip belongs to this part; it is the same in every process."""
        key = bytes(trace.decisions[: flip.position]) + bytes((flip.outcome,))
        return int.from_bytes(blake2b(key, digest_size=8).digest(), "big") % self._parts == self._part

    def _flips(self, trace: Trace, bound: int, session: Session) -> list[_Flip]:
        """The flips of a run in a random order, the next one last.

        Of a site that a run passes many times only a sample is flipped.
        """
        positions: Sequence[int] = range(bound, len(trace))
        if len(positions) > MOST_FLIPS:
            positions = sorted(self._rng.sample(positions, MOST_FLIPS))
            self._complete = False
        concrete = {event.position: event.values for event in trace.concretisations}
        known = {site: (site.id, session.wants(site)) for site in {trace.sites[i] for i in positions}}
        self._sites |= {name: site for site, (name, _) in known.items()}
        flips = [
            _Flip(i, outcome, *known[trace.sites[i]], concrete.get(i, ()))
            for i in positions
            for outcome in other_outcomes(trace, i)
        ]
        self._rng.shuffle(flips)
        return self._sorted(flips)

    def _sorted(self, flips: Iterable[_Flip]) -> list[_Flip]:
        """In the same order, but with wanted ones last, and of them those to outcomes that no run has reached."""
        return sorted(flips, key=lambda flip: (flip.is_wanted, f"{flip.site}:{flip.outcome}" not in self._reached))

    def state(self) -> dict[str, Any]:
        """The runs that are kept, what was tried, and the random state."""
        return {
            "rng": random_state(self._rng),
            "starts": self._starts,
            "kept": [
                [kept.decisions.hex(), kept.leaves, kept.value, kept.flips, kept.is_common] for kept in self._kept
            ],
            "chosen": None if self._chosen is None else self._kept.index(self._chosen),
            "tried": sorted(self._tried),
            "reached": sorted(self._reached),
            "slow": dict(self._slow),
            "vain": dict(self._vain),
            "complete": self._complete,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._random_state, self._starts = state["rng"], state["starts"]
        restore_random(self._rng, state["rng"])  # for a state that is taken before the next step
        self._kept = [
            _Kept(bytes.fromhex(decisions), leaves, value, [_flip_from_json(flip) for flip in flips], is_common)
            for decisions, leaves, value, flips, is_common in state["kept"]
        ]
        self._chosen = None if state["chosen"] is None else self._kept[state["chosen"]]
        self._tried, self._reached = set(state["tried"]), set(state["reached"])
        self._slow, self._vain = Counter(state["slow"]), Counter(state["vain"])
        self._complete = state["complete"]


def _flip_from_json(data: Sequence[Any]) -> _Flip:
    position, outcome, site, is_wanted, values = data
    return _Flip(position, outcome, site, is_wanted, tuple(values))
