"""Examples: the worst paths of small sizes, which show how the worst case grows.

Equally bad paths are kept side by side, the simplest first: only some of those of one size belong together with some
of the next, and who looks for the rule behind them must be able to choose.
"""

from __future__ import annotations

import zlib
from bisect import insort
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Any, NamedTuple, Unpack

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.registry import STRATEGIES
from pessimal.runs import Policy, RunOptions
from pessimal.search.growing import grown
from pessimal.search.guides import Guided
from pessimal.search.history import MAX_HISTORY
from pessimal.search.proxy import SessionProxy
from pessimal.search.rule_learning import Training, coincidences, learn
from pessimal.strategy import Session, Stepwise
from pessimal.trace import COMPLETED, Trace

MOST_KEPT = 12
"""How many equally bad paths of one size are kept."""

LONGEST = 1500
"""Beyond so many branches a path is no small example, unless sizes are given."""

SOURCES = ("fixed", "climb")
"""Who looks for examples beside the rules that all paths of the smallest sizes teach."""

SYMBOLIC, CONCRETE, SOLVING, BRANCHES = 1.0, 0.1, 20.0, 40.0
"""The work of a symbolic run, of a concrete one and of a call of a solver; and how many branches are one more."""

LAST, MOST_IDLE = 2, 2
"""At the last sizes everybody looks; before that, who takes long and found nothing new so often need not."""

TRAINING = 10
"""How much more work than at one size all paths of the smallest sizes may be."""

MOST_TRACED = 20
"""For so many inputs that cost the same the path is looked at."""


@dataclass(order=True, slots=True)
class Example:
    """One of the worst paths of its size; the simplest comes first."""

    rank: tuple[int, int]
    decisions: bytes
    trace: Trace = field(compare=False)


@dataclass(slots=True)
class Examples:
    """The largest cost seen at one size, and the paths that have it; complete if there is nothing else to see."""

    cost: float = -inf
    paths: list[Example] = field(default_factory=list)
    is_complete: bool = False

    def consider(self, trace: Trace, cost: float) -> None:
        """Keep a path if none is worse, and if there are not enough that are simpler."""
        if cost < self.cost or trace.truncated or trace.refused:
            return
        if cost > self.cost:
            self.cost, self.paths = cost, []
        example = Example(_rank(trace), bytes(trace.decisions), trace)
        if example not in self.paths:
            insort(self.paths, example)
            del self.paths[MOST_KEPT:]


def _rank(trace: Trace) -> tuple[int, int]:
    """Few coincidences come first, then what can be told in few words."""
    sites = {id(site): number for number, site in enumerate({id(site): site for site in trace.sites}.values())}
    steps = bytes((2 * sites[id(site)] + taken) & 255 for site, taken in zip(trace.sites, trace.decisions, strict=True))
    return coincidences(trace), len(zlib.compress(steps))


class Maker(NamedTuple):
    """Makes a strategy that looks for examples, a quick one or one that takes long."""

    make: Callable[[], Stepwise]
    is_quick: bool


Asked = Generator[None, None, list[Maker]]


class Collection:
    """Looks for examples at small sizes: all paths where they are few, then along the rules that these teach.

    ``sizes`` says where to look, by default from 1 up as long as paths are short. ``sources`` are strategies that look,
    too, at every size. ``given`` may be set to inputs of the user's, as leaves by size, in place of any search.
    """

    def __init__(self, sizes: Sequence[int] | None = None, sources: Sequence[str] = SOURCES) -> None:
        self._sizes = sizes
        self._sources = sources
        self.given: Sequence[tuple[int, Sequence[Leaf]]] | None = None
        self._resumed: list[tuple[int, Sequence[Leaf]]] = []
        self.seen: dict[int, Examples] = {}
        self._idle = 0
        self._searched: dict[int, int] = {}  # with how many paths each size was, so that nothing is done twice

    def steps(self, session: Session, paths: int, largest: int) -> Iterator[None]:
        """Look for better examples with so many paths at each size up to the largest, one run at a time."""
        while self._resumed:
            size, leaves = self._resumed[0]
            self._watched(session.at(size)).run(start=leaves)
            del self._resumed[0]
            yield
        for size, leaves in self.given or ():
            self._watched(session.at(size)).run(start=leaves)
            yield
        sizes = self._sizes or [size for size in range(1, largest + 1) if size != session.size]
        if self.given is not None or all(self._is_known(size, paths) for size in sizes):
            return
        training, watched = Training(None, paths, context=True), self._watched(session)
        yield from watched.spend(training.steps(watched), TRAINING * paths)
        rules = [learn(training.lessons, 0, 0, True), learn(training.lessons, None, MAX_HISTORY, True)]
        makers = [Maker(partial(Guided, rule), True) for rule in rules if rule.table]
        makers += [Maker(partial(_source, name), name == "fixed") for name in self._sources]
        for size in [size for size in self.seen if size not in sizes]:
            del self.seen[size]  # training has begun there, but nobody goes on with it
        self._idle = 0
        for size in sizes:
            if self._is_too_long(size):
                break
            if not self._is_known(size, paths):
                practice = self._practice(session, size)
                if practice is not None:
                    yield from self._grow(session, practice)
                    makers = yield from self._ask(makers, practice, paths, is_last=size in sizes[-LAST:])
                self._searched[size] = paths
        self._searched = dict.fromkeys(sizes, paths)  # the paths of those that are left are too long

    def _practice(self, session: Session, size: int) -> Session | None:
        try:
            return session.at(size)
        except UsageError:
            if self._sizes is not None:
                raise
            return None  # the target has no input of this size

    def _ask(self, makers: Sequence[Maker], practice: Session, paths: int, *, is_last: bool) -> Asked:
        """Let everybody look, and tell whom to ask at the next size: who found the worst paths of this one.

        Who takes long is not asked while others find as much, but at the last sizes everybody is.
        """
        best = {}
        for make in makers:
            watched = self._watched(practice)
            before = self.seen.get(practice.size, Examples()).cost
            if make.is_quick or self._idle < MOST_IDLE or is_last:
                yield from watched.spend(make.make().steps(watched), paths)
                best[make] = watched.best
                if not make.is_quick:
                    self._idle = 0 if watched.best > before else self._idle + 1
        most = max(best.values(), default=-inf)
        return [make for make in makers if best.get(make, inf) >= most]

    def _grow(self, session: Session, practice: Session) -> Iterator[None]:
        """Try what the worst inputs of the size before become with one element more."""
        smaller = self.seen.get(practice.size - 1, Examples())
        watched = self._watched(practice)
        for path in smaller.paths:
            for leaves in grown(session.at(practice.size - 1).inputs, path.trace.leaves, practice.inputs):
                watched.evaluate(leaves)
                yield

    def _watched(self, session: Session) -> _Watched:
        return _Watched(session, self.seen)

    def _is_known(self, size: int, paths: int) -> bool:
        return self.seen.get(size, Examples()).is_complete or self._searched.get(size, 0) >= paths

    def _is_too_long(self, size: int) -> bool:
        smaller = self.seen.get(size - 1)
        return self._sizes is None and smaller is not None and any(len(p.trace) > LONGEST for p in smaller.paths[:1])

    def state(self) -> dict[str, Any]:
        """The inputs of all examples, and how far each size was searched, as JSON values."""
        inputs = {str(size): [path.trace.leaves for path in item.paths] for size, item in self.seen.items()}
        for size, leaves in self._resumed:
            inputs.setdefault(str(size), []).append(list(leaves))
        return {"inputs": inputs, "searched": {str(size): paths for size, paths in self._searched.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with examples that were found before."""
        self._resumed = [(int(size), leaves) for size, inputs in state["inputs"].items() for leaves in inputs]
        self._searched = {int(size): paths for size, paths in state["searched"].items()}


def _source(name: str) -> Stepwise:
    options = {"default": "both"} if name == "fixed" else None
    strategy = STRATEGIES.make(name, options)
    if not isinstance(strategy, Stepwise):
        raise UsageError(f"{name} cannot look for examples: it has no steps(session), state and restore")
    return strategy


class _Watched(SessionProxy):
    """A session of which every run is looked at, in practice too."""

    def __init__(self, session: Session, seen: dict[int, Examples]) -> None:
        super().__init__(session)
        self._seen = seen
        self._traced: set[tuple[Leaf, ...]] = set()
        self._work = 0.0
        self.best = -inf

    def at(self, size: int) -> _Watched:
        """The same target at another size, watched too."""
        return _Watched(self._session.at(size), self._seen)

    def spend(self, steps: Iterator[None], paths: int) -> Iterator[None]:
        """Let a strategy take steps until the work of so many paths is done."""
        called = self._session.solver_calls
        for _ in steps:
            yield
            if self._work + SOLVING * (self._session.solver_calls - called) > paths:
                return

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution, which may be an example."""
        trace = self._session.run(policy, start, **options)
        self._work += SYMBOLIC + len(trace) / BRANCHES
        if trace.outcome in COMPLETED:
            cost = self._session.cost(trace)
            self.best = max(self.best, cost)
            self._examples.consider(trace, cost)
        return trace

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """A concrete run that costs no less than the examples may be one itself: its path takes a symbolic run."""
        cost = self._session.evaluate(leaves)
        self._work += CONCRETE
        examples, key = self._examples, tuple(leaves)
        is_news = key not in self._traced and (cost > examples.cost or len(self._traced) < MOST_TRACED)
        if is_news and cost >= examples.cost and cost > -inf:
            self._traced.add(key)
            self.run(start=leaves)
        return cost

    def claim(self, proof: str) -> None:
        """All paths of this size were seen."""
        self._examples.is_complete = True
        self._session.claim(proof)

    @property
    def _examples(self) -> Examples:
        return self._seen.setdefault(self._session.size, Examples())
