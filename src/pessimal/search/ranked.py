"""``ranked``: flips single branches in the order of learned scores, so that few solver calls are wasted (River-RL).

A run follows an input. Each of its branches can be flipped, and every flip enters a queue, unsolved, with the score
that a model predicts. A solver is asked only when a flip comes out of the queue. What the flip was worth is an
experience; the model learns from these while the search goes on, and from episode to episode in a training.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from pessimal.expr import Leaf
from pessimal.learn.known import Known, Led
from pessimal.learn.outcome_names import outcome_name
from pessimal.learn.ranking_file import shape_in
from pessimal.learn.ranking_rules import NO_SCORE
from pessimal.learn.rewards import Reached, Reward, Transition, read_hot_spots
from pessimal.search.flip_orders import OrderShares, plainly
from pessimal.search.flip_queue import Flip, FlippedRun, FlipQueue
from pessimal.search.flip_runs import is_flipped, other_outcomes, run_flip
from pessimal.search.kept_ranking import KeptRanking
from pessimal.search.model_worth import ModelWorth
from pessimal.search.options import truth
from pessimal.search.random_state import random_state, restore_random
from pessimal.search.ranked_options import rules_of
from pessimal.strategy import Session
from pessimal.trace import COMPLETED, Outcome, Site, Trace

MOST_POSITIONS = 500
"""How many branches of one run are flipped at most: a sample of a long path."""
SLOW = 3
"""A site is not flipped any more after so many runs that took too long behind it."""
MAGNITUDES = range(1, 9)
"""The episodes of a training start from inputs that are drawn from wider and wider ranges, by powers of two."""


class Ranked:
    """Flips the branch with the best score until none is left; with several ``episodes`` it trains a model.

    ``reward`` weighs what flips are worth; ``hot_spots`` names a file of past issues; ``save`` and ``load`` name a file
    for the model, and with ``transfer`` it may be that of another target. All other options are parameters of the
    rules: see docs/strategies.md.
    """

    name = "ranked"
    stop_after = 20.0

    def __init__(
        self,
        reward: str = "new=1",
        hot_spots: str | None = None,
        save: str | None = None,
        load: str | None = None,
        transfer: bool | str = False,
        **rules: Any,
    ) -> None:
        self._rules = rules_of({**({} if load is None else shape_in(Path(load))), **rules})
        self._reward = Reward(str(reward), {} if hot_spots is None else read_hot_spots(Path(hot_spots)))
        self._kept = KeptRanking(self._rules, load=load, save=save, transfer=truth("transfer", transfer))
        self._reset()

    def _reset(self) -> None:
        self._rng = Random(0)
        self._random_state: list[Any] | None = None
        self._seed: int | None = None
        self._sites: dict[str, Site] = {}
        self._episode = 0
        self._curve: list[list[int]] = []
        self._complete = True
        self._is_sibling = self._is_compared = self._is_plain = False
        self._flips = 0
        self._begin_episode()

    def _begin_episode(self) -> None:
        """Forget what was reached; what was learned is kept."""
        self._starts: list[list[Leaf]] | None = None
        self._queue = FlipQueue()
        self._chosen: Flip | None = None
        self._reached: set[str] = set()
        self._settled: set[str] = set()
        self._tries: Counter[str] = Counter()
        self._infeasible: Counter[str] = Counter()
        self._slow: Counter[str] = Counter()
        self._doubts: dict[str, float] = {}
        self._shares = OrderShares()
        self._runs = self._updates = self._idle = 0

    def sibling(self) -> Ranked:
        """A strategy for another search, which goes on with the same models."""
        other = object.__new__(Ranked)
        other._rules, other._reward, other._kept = self._rules, self._reward, self._kept
        other._reset()
        other._is_sibling = True
        return other

    def check_modules(self, modules: Collection[str]) -> None:
        """Before searches of these modules: a model that knows none of them is not used."""
        self._kept.check(modules)

    @property
    def worth(self) -> ModelWorth:
        """What the model was worth so far, to siblings too."""
        return self._kept.worth

    def save(self) -> None:
        """Save what was learned, by siblings too, if a file was named for it."""
        self._kept.save(at_end=True)

    @property
    def is_exhausted(self) -> bool:
        """Whether every path was run, and nothing was left out."""
        is_all = self._complete and not self._queue.has_forgotten
        return is_all and self._starts == [] and not len(self._queue) and self._chosen is None

    def search(self, session: Session) -> None:
        """Flip branches until none is left or the session ends the search."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Search, and yield after each run."""
        self._rng = session.rng
        if self._random_state is not None:
            restore_random(self._rng, self._random_state)
        if self._seed is None:
            self._seed = self._rng.getrandbits(32)
        self._kept.begin(session, self._seed)
        with session.importing():
            self._reward.load()
        try:
            while self._episode < self._rules.episodes:
                for _ in self._search_episode(session):
                    self._kept.save()
                    yield
                self._curve.append([self._runs, len(self._reached), sum(self._infeasible.values())])
                self._episode += 1
                if self._episode < self._rules.episodes:
                    self._begin_episode()
        finally:
            if not self._is_sibling:
                self.save()

    def _search_episode(self, session: Session) -> Iterator[None]:
        if self._starts is None:
            self._starts = [self._start(session)]
        while (self._starts or self._chosen or len(self._queue)) and not self._is_enough():
            if self._starts:
                leaves = self._starts[0]
                began = self._now()
                trace = session.run(None, leaves)
                self._kept.meet(trace, session.target)
                self._keep(trace, 0, self._now() - began, session)
                self._starts.remove(leaves)
            elif not self._make_flip(session):
                continue
            self._runs += 1
            yield

    def _is_enough(self) -> bool:
        """Whether an episode of a training ends before its queue is empty."""
        rules = self._rules
        return rules.is_training and (self._runs >= rules.episode_runs or self._updates >= rules.updates)

    def _start(self, session: Session) -> list[Leaf]:
        """The input that an episode starts from: in a training another one each time."""
        if self._episode == 0:
            return list(session.initial)
        magnitude = 2 ** self._rng.choice(MAGNITUDES)
        return [domain.sample(self._rng, magnitude=magnitude) for domain in session.domains]

    def adopt(self, leaves: list[Leaf], value: float) -> None:
        """Flip the branches of an input that another strategy found, too."""
        self._starts = [*(self._starts or []), leaves]

    def writable(self) -> list[Path]:
        """The directory of the file to save, and that of compiled functions."""
        return self._kept.writable()

    def _make_flip(self, session: Session) -> bool:
        """Make the best flip, or any; False if its site was given up."""
        # Kept until the run is over: an interrupted one is repeated without drawing again.
        flip = self._chosen = self._chosen or self._choose(session)
        if self._slow[flip.site] >= SLOW:
            self._chosen, self._complete = None, False
            return False
        began = self._now()
        trace = run_flip(session, flip.before, flip.outcome, flip.run.leaves, flip.values)
        self._chosen = None
        self._judge(flip, trace, self._now() - began, session)
        return True

    def _now(self) -> float:
        """The time, if the reward asks for it: otherwise nothing may depend on it."""
        return monotonic() if self._reward.is_timed else 0.0

    def _choose(self, session: Session) -> Flip:
        """The flip with the best score; at times any in a training, and that of the plain order otherwise.

        A part of the plain order's flips is spread evenly over the search: what the model was worth is told by these.
        """
        least, drawn = self._rules.exploration(self._episode), self._rng.random()
        self._is_compared = drawn < least
        self._is_plain = drawn < (least if self._rules.is_training else self._shares.plain(least))
        if not self._is_plain:
            return self._queue.pop(lambda flips: self._score(flips, session))
        if self._rules.is_training:
            return self._queue.pop_random(self._rng)
        return self._queue.pop_by(lambda flips: plainly(flips, lambda flip: self._known(flip, session), self._rng))

    def _judge(self, flip: Flip, trace: Trace, seconds: float, session: Session) -> None:
        """Keep the run that came of a flip, and learn from it."""
        question = self._question(flip, session)
        promised = {} if question is None else self._kept.ranking.promised(question, self._settled)
        led = None
        self._tries[flip.goal] += 1
        reached = len(self._reached)
        if trace.outcome is Outcome.TIMED_OUT:
            self._slow[flip.site] += 1
            self._complete = False
        elif is_flipped(trace, flip.before, flip.outcome, flip.values):
            self._kept.meet(trace, session.target)
            led = self._led(flip, trace, seconds, session)
        elif trace.outcome is Outcome.INFEASIBLE:
            self._infeasible[flip.goal] += 1
            led = Led(self._rules.unsatisfiable)
        else:
            self._complete = False
        for name in promised.keys() - self._settled:
            self._doubts[name] = self._doubts.get(name, 0.0) + promised[name]
        found = len(self._reached) - reached
        self._flips += 1
        self._idle = 0 if found else self._idle + 1
        if not self._rules.is_training:
            self._kept.worth.count(is_compared=self._is_compared, found=found)
            self._shares.note(is_plain=self._is_plain, found=found)
        if question is not None and led is not None:
            with session.learning():
                self._learn(question, led, session)

    def _led(self, flip: Flip, trace: Trace, seconds: float, session: Session) -> Led:
        """What a flip led to; its worth is the reward, and a share of what the best flip of its run promises."""
        reached = {(site, taken) for site, taken in zip(trace.sites, trace.decisions, strict=True)}
        new = [(site, taken) for site, taken in reached if outcome_name(site.id, taken) not in self._reached]
        before = set(map(outcome_name, flip.run.sites, flip.run.decisions))
        local = [(site, taken) for site, taken in reached if outcome_name(site.id, taken) not in before]
        value, best_next = self._keep(trace, flip.position + 1, seconds, session)
        behind = range(flip.position, len(trace))
        led = Led(0.0, reached={outcome_name(trace.sites[i].id, trace.decisions[i]) for i in behind})
        if trace.outcome not in COMPLETED:
            return led
        source = flip.run
        transition = Transition(
            trace, flip.position, _sorted(new), _sorted(local), len(source.decisions), source.seconds, seconds, value
        )
        reward = self._reward.of(transition)
        rest = reward - self._reward.novelty * len(new)
        return led._replace(worth=reward + self._rules.discount * max(0.0, best_next), rest=rest)

    def _learn(self, question: Any, led: Led, session: Session) -> None:
        if self._kept.ranking.learn(question, led):
            self._updates += 1
            self._queue.rescore(lambda flips: self._score(flips, session))

    def _keep(self, trace: Trace, bound: int, seconds: float, session: Session) -> tuple[float, float]:
        """Queue the flips of a run behind the bound; what the run is worth, and the best score of its flips."""
        if trace.outcome not in COMPLETED or trace.refused or trace.concretisations:
            self._complete = False
        if trace.outcome not in COMPLETED:
            return 0.0, 0.0
        value = session.cost(trace)
        names = {site: site.id for site in set(trace.sites)}
        self._sites |= {name: site for site, name in names.items()}
        sites = [names[site] for site in trace.sites]
        outcomes = set(map(outcome_name, sites, trace.decisions))
        new_count = len(outcomes - self._reached)
        self._reached |= outcomes
        unwanted = [name for site, name in names.items() if not session.wants(site)]
        self._settled |= outcomes.union(outcome_name(name, outcome) for name in unwanted for outcome in (0, 1))
        run = FlippedRun(
            bytes(trace.decisions),
            list(trace.leaves),
            sites,
            bound=bound,
            value=float(new_count),
            seconds=seconds,
            concrete={event.position: event.values for event in trace.concretisations if event.values},
        )
        best = self._push(run, trace, session)
        return (value if isfinite(value) else 0.0), best

    def _push(self, run: FlippedRun, trace: Trace, session: Session) -> float:
        positions: Sequence[int] = range(run.bound, len(trace))
        if len(positions) > MOST_POSITIONS:
            positions = sorted(self._rng.sample(positions, MOST_POSITIONS))
            self._complete = False
        flips = [Flip(run, position, outcome) for position in positions for outcome in other_outcomes(trace, position)]
        if not flips:
            return 0.0
        self._rng.shuffle(flips)
        with session.learning():
            scores = self._score(flips, session)
        self._queue.push(flips, scores)
        return max((score for score in scores if score < NO_SCORE), default=0.0)

    def _score(self, flips: Sequence[Flip], session: Session) -> list[float]:
        questions = [self._question(flip, session) for flip in flips]
        scores: list[float] = self._kept.ranking.scores(questions, self._settled, self._reward.novelty, self._doubts)
        return scores

    def _question(self, flip: Flip, session: Session) -> Any:
        """How a flip is put to the model; None if it has none for it."""
        run = flip.run
        if run.steps is None:
            run.steps = self._kept.ranking.read(run.sites, run.decisions)
        known = self._known(flip, session)
        return self._kept.ranking.question(run.steps, run.bound, flip.position, flip.outcome, known)

    def _known(self, flip: Flip, session: Session) -> Known:
        goal, site = flip.goal, self._sites.get(flip.site)
        return Known(
            goal in self._reached,
            site is None or session.wants(site),
            self._tries[goal],
            self._infeasible[goal],
            flip.run.value,
            flip.position,
            self._idle,
        )

    def report(self) -> dict[str, Any]:
        """The rules, the flips made, what was learned, and for each episode its runs, outcomes and infeasible flips."""
        worth = self._kept.worth
        lines = [
            ["flips", f"{self._flips}, each a query to the solvers"],
            *([["model", str(worth)]] if worth.is_counted else []),
        ]
        counts = {"rules": asdict(self._rules), "flips": self._flips, "curve": self._curve}
        return {**counts, **self._kept.report(), "lines": lines}

    def state(self) -> dict[str, Any]:
        """The queue, the models with their experiences, and what is known about flips."""
        return {
            "rng": random_state(self._rng),
            "seed": self._seed,
            "starts": self._starts,
            "queue": self._queue.to_json(self._chosen),
            "reached": sorted(self._reached),
            "settled": sorted(self._settled),
            "tries": dict(self._tries),
            "infeasible": dict(self._infeasible),
            "slow": dict(self._slow),
            "doubts": dict(sorted(self._doubts.items())),
            "shares": self._shares.to_json(),
            "counts": [self._runs, self._updates, self._episode, self._idle, self._flips],
            "chosen": [self._is_compared, self._is_plain],
            "curve": self._curve,
            "complete": self._complete,
            "models": self._kept.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._random_state, self._seed, self._starts = state["rng"], state["seed"], state["starts"]
        restore_random(self._rng, state["rng"])  # for a state that is taken before the next step
        self._chosen = self._queue.restore(state["queue"])
        self._reached, self._settled = set(state["reached"]), set(state["settled"])
        self._tries, self._infeasible = Counter(state["tries"]), Counter(state["infeasible"])
        self._slow = Counter(state["slow"])
        self._doubts, self._shares = dict(state["doubts"]), OrderShares(state["shares"])
        self._runs, self._updates, self._episode, self._idle, self._flips = state["counts"]
        self._is_compared, self._is_plain = state["chosen"]
        self._curve, self._complete = state["curve"], state["complete"]
        self._kept.restore(state["models"])


def _sorted(reached: Sequence[Reached]) -> list[Reached]:
    """In an order that is the same each time, for users' functions."""
    return sorted(reached, key=lambda item: (item[0].id, item[1]))
