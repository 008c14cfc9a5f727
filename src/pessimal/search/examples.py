"""Examples: the worst paths of small sizes, which show how the worst case grows.

Of equally bad paths several are kept, the simplest first: only some of one size follow the same pattern as those of the
next, and synthesis chooses among them.
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

MAX_KEPT = 12
"""How many equally bad paths of one size are kept."""

MAX_BRANCHES = 1500
"""Sizes whose paths have more branches than this are not searched, unless the user names them."""

SOURCES = ("fixed", "climb")
"""The strategies that search for examples, in addition to rules learned at the smallest sizes."""

SYMBOLIC_WORK, CONCRETE_WORK, SOLVER_CALL_WORK, BRANCHES_PER_PATH = 1.0, 0.1, 20.0, 40.0
"""Work in units of one path: a symbolic run, a concrete run, a solver call; and how many branches make one unit."""

LAST_SIZES, MAX_FRUITLESS = 2, 2
"""Slow sources pause after so many fruitless searches in a row, except at the last sizes, where all are used."""

TRAINING_FACTOR = 10
"""How much work training may do, as a multiple of the work at one size."""

MAX_TRACED = 20
"""For how many inputs of equal cost a symbolic run finds out the path."""


@dataclass(order=True, slots=True)
class Example:
    """One of the worst paths of its size; simpler ones order first."""

    rank: tuple[int, int]
    decisions: bytes
    trace: Trace = field(compare=False)


@dataclass(slots=True)
class Examples:
    """The largest cost seen at one size and the paths that have it; complete if every path of the size was run."""

    cost: float = -inf
    paths: list[Example] = field(default_factory=list)
    is_complete: bool = False

    def consider(self, trace: Trace, cost: float) -> None:
        """Keep a path if no known one costs more, and if it is among the simplest of those that cost the same."""
        if cost < self.cost or trace.truncated or trace.refused:
            return
        if cost > self.cost:
            self.cost, self.paths = cost, []
        example = Example(_rank(trace), bytes(trace.decisions), trace)
        if example not in self.paths:
            insort(self.paths, example)
            del self.paths[MAX_KEPT:]


def _rank(trace: Trace) -> tuple[int, int]:
    """Paths with few coincidences come first, then those whose decisions compress well."""
    sites = {id(site): number for number, site in enumerate({id(site): site for site in trace.sites}.values())}
    steps = bytes((2 * sites[id(site)] + taken) & 255 for site, taken in zip(trace.sites, trace.decisions, strict=True))
    return coincidences(trace), len(zlib.compress(steps))


class Source(NamedTuple):
    """A source of examples: makes a strategy that searches for them, and says whether that is quick."""

    make: Callable[[], Stepwise]
    is_quick: bool


SourcesKept = Generator[None, None, list[Source]]
"""Steps of a search, and in the end the sources to use at the next size."""


class Collection:
    """Collects examples at small sizes: from all paths where these are few, then by following rules learned from them.

    ``sizes`` are the sizes to search, by default from 1 up as long as paths are short. ``sources`` are strategies that
    also search, at every size. If ``given`` is set to inputs of the user, as leaves by size, nothing is searched.
    """

    def __init__(self, sizes: Sequence[int] | None = None, sources: Sequence[str] = SOURCES) -> None:
        self._sizes = sizes
        self._sources = sources
        self.given: Sequence[tuple[int, Sequence[Leaf]]] | None = None
        self._resumed: list[tuple[int, Sequence[Leaf]]] = []
        self.by_size: dict[int, Examples] = {}
        self._fruitless = 0
        self._searched: dict[int, int] = {}  # the number of paths that each size was searched with

    def steps(self, session: Session, paths: int, largest: int) -> Iterator[None]:
        """Search each size up to the largest with the work of so many paths; yields after each run."""
        while self._resumed:
            size, leaves = self._resumed[0]
            self._collecting(session.at(size)).run(start=leaves)
            del self._resumed[0]
            yield
        for size, leaves in self.given or ():
            self._collecting(session.at(size)).run(start=leaves)
            yield
        sizes = self._sizes or [size for size in range(1, largest + 1) if size != session.size]
        if self.given is not None or all(self._is_searched(size, paths) for size in sizes):
            return
        training, collecting = Training(None, paths, context=True), self._collecting(session)
        yield from collecting.spend(training.steps(collecting), TRAINING_FACTOR * paths)
        rules = [learn(training.trained_sizes, 0, 0, True), learn(training.trained_sizes, None, MAX_HISTORY, True)]
        sources = [Source(partial(Guided, rule), True) for rule in rules if rule.table]
        sources += [Source(partial(_make_source, name), name == "fixed") for name in self._sources]
        for size in [size for size in self.by_size if size not in sizes]:
            del self.by_size[size]  # training began to search it, but examples are not collected there
        self._fruitless = 0
        for size in sizes:
            if self._is_too_long(size):
                break
            if not self._is_searched(size, paths):
                practice = self._practice(session, size)
                if practice is not None:
                    yield from self._grow(session, practice)
                    sources = yield from self._collect(sources, practice, paths, is_last=size in sizes[-LAST_SIZES:])
                self._searched[size] = paths
        self._searched = dict.fromkeys(sizes, paths)  # in the sizes that are left out paths are too long

    def _practice(self, session: Session, size: int) -> Session | None:
        try:
            return session.at(size)
        except UsageError:
            if self._sizes is not None:
                raise
            return None  # the target has no input of this size

    def _collect(self, sources: Sequence[Source], practice: Session, paths: int, *, is_last: bool) -> SourcesKept:
        """Search one size with all sources; return those to use at the next size, which found its worst paths.

        Slow sources pause while quick ones find as much, except at the last sizes.
        """
        best = {}
        for source in sources:
            collecting = self._collecting(practice)
            before = self.by_size.get(practice.size, Examples()).cost
            if source.is_quick or self._fruitless < MAX_FRUITLESS or is_last:
                yield from collecting.spend(source.make().steps(collecting), paths)
                best[source] = collecting.best
                if not source.is_quick:
                    self._fruitless = 0 if collecting.best > before else self._fruitless + 1
        most = max(best.values(), default=-inf)
        return [source for source in sources if best.get(source, inf) >= most]

    def _grow(self, session: Session, practice: Session) -> Iterator[None]:
        """Try the worst inputs of the previous size with one element added."""
        smaller = self.by_size.get(practice.size - 1, Examples())
        collecting = self._collecting(practice)
        for path in smaller.paths:
            for leaves in grown(session.at(practice.size - 1).inputs, path.trace.leaves, practice.inputs):
                collecting.evaluate(leaves)
                yield

    def _collecting(self, session: Session) -> _CollectingSession:
        return _CollectingSession(session, self.by_size)

    def _is_searched(self, size: int, paths: int) -> bool:
        return self.by_size.get(size, Examples()).is_complete or self._searched.get(size, 0) >= paths

    def _is_too_long(self, size: int) -> bool:
        smaller = self.by_size.get(size - 1)
        return (
            self._sizes is None and smaller is not None and any(len(p.trace) > MAX_BRANCHES for p in smaller.paths[:1])
        )

    def state(self) -> dict[str, Any]:
        """The inputs of all examples, and how far each size was searched, as JSON values."""
        inputs = {str(size): [path.trace.leaves for path in item.paths] for size, item in self.by_size.items()}
        for size, leaves in self._resumed:
            inputs.setdefault(str(size), []).append(list(leaves))
        return {"inputs": inputs, "searched": {str(size): paths for size, paths in self._searched.items()}}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue with examples that were found before."""
        self._resumed = [(int(size), leaves) for size, inputs in state["inputs"].items() for leaves in inputs]
        self._searched = {int(size): paths for size, paths in state["searched"].items()}


def _make_source(name: str) -> Stepwise:
    options = {"default": "both"} if name == "fixed" else None
    strategy = STRATEGIES.make(name, options)
    if not isinstance(strategy, Stepwise):
        raise UsageError(f"{name} cannot search for examples: it needs steps(session), state() and restore(state)")
    return strategy


class _CollectingSession(SessionProxy):
    """A session that considers every run as an example, in practice too."""

    def __init__(self, session: Session, by_size: dict[int, Examples]) -> None:
        super().__init__(session)
        self._by_size = by_size
        self._traced: set[tuple[Leaf, ...]] = set()
        self._work = 0.0
        self.best = -inf

    def at(self, size: int) -> _CollectingSession:
        """The same target at another size; its runs are considered, too."""
        return _CollectingSession(self._session.at(size), self._by_size)

    def spend(self, steps: Iterator[None], paths: int) -> Iterator[None]:
        """Let a strategy take steps until it has done the work of so many paths."""
        called = self._session.solver_calls
        for _ in steps:
            yield
            if self._work + SOLVER_CALL_WORK * (self._session.solver_calls - called) > paths:
                return

    def run(
        self, policy: Policy | None = None, start: Sequence[Leaf] | None = None, **options: Unpack[RunOptions]
    ) -> Trace:
        """One symbolic execution, which may be an example."""
        trace = self._session.run(policy, start, **options)
        self._work += SYMBOLIC_WORK + len(trace) / BRANCHES_PER_PATH
        if trace.outcome in COMPLETED:
            cost = self._session.cost(trace)
            self.best = max(self.best, cost)
            self._examples.consider(trace, cost)
        return trace

    def evaluate(self, leaves: Sequence[Leaf]) -> float:
        """One concrete execution; if it costs at least as much as the examples, a symbolic run finds out its path."""
        cost = self._session.evaluate(leaves)
        self._work += CONCRETE_WORK
        examples, key = self._examples, tuple(leaves)
        is_candidate = key not in self._traced and (cost > examples.cost or len(self._traced) < MAX_TRACED)
        if is_candidate and cost >= examples.cost and cost > -inf:
            self._traced.add(key)
            self.run(start=leaves)
        return cost

    def claim(self, proof: str, *, every_input: bool = False) -> None:
        """Note that every path of this size was run."""
        self._examples.is_complete = True
        self._session.claim(proof, every_input=every_input)

    @property
    def _examples(self) -> Examples:
        return self._by_size.setdefault(self._session.size, Examples())
