"""Learning rules at small sizes: the tree of each size is searched, and the rules are what its worst path keeps to.

Several paths often have the same cost. The path to learn from is, in this order of importance, the one

- with the fewest coincidences, equalities that were taken: they hold for few inputs, and forcing them would take away
  freedom that a larger size needs;
- with the most sites that always take the same outcome;
- with the fewest keys that do not, then with the fewest keys, which makes it the most regular;
- that contradicts the rules of larger sizes least, because larger sizes show more;
- that was found first.

The rules of several sizes are merged; where they disagree nothing is forced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, NamedTuple

from pessimal.errors import UsageError
from pessimal.expr import Compare, Expr, Not
from pessimal.search.guides import Guide, Guided, Key, NamedStep, Rules, last_steps
from pessimal.strategy import Session
from pessimal.trace import Outcome, Trace

DEFAULT_PATHS = 1000
"""How many paths training may run, if the user names no sizes."""

SIZES_KEPT = 2
"""From how many sizes rules are learned, if the user names none."""

MAX_EXAMPLES = 500
"""How many equally good example paths of one size are kept."""


class ExamplePath(NamedTuple):
    """A path to learn from: its steps, and for each step the index of the previous one, or -1."""

    steps: list[NamedStep]
    previous: list[int]

    def keys(self, history: int) -> Iterator[tuple[Key, int]]:
        """The key of each decision, and the outcome taken."""
        for (name, taken), last in zip(self.steps, self.previous, strict=False):
            yield (name, last_steps(self.steps, self.previous, last, history)), taken

    def rules(self, history: int) -> Rules:
        """The rules that this path alone gives."""
        rules = Rules(history, context=False)
        for key, taken in self.keys(history):
            rules.add(key, taken)
        return rules


@dataclass(slots=True)
class TrainedSize:
    """One size that was searched: its best example paths, and how good they are."""

    size: int
    paths: int = 0
    exhausted: bool = False
    rank: tuple[float, int, int] = (-inf, 0, 0)
    examples: list[ExamplePath] = field(default_factory=list)

    @property
    def cost(self) -> float:
        """The largest cost seen."""
        return self.rank[0]

    @property
    def is_useful(self) -> bool:
        """Whether the examples have a decision to learn from."""
        return bool(self.examples) and bool(self.examples[0].steps)

    def consider(self, cost: float, trace: Trace, guide: Guide) -> None:
        """Keep a path as an example unless a better one is known."""
        if not isfinite(cost) or cost < self.cost:
            return
        example = ExamplePath(guide.steps, guide.previous)
        resolved = sum(direction is not None for direction in example.rules(0).table.values())
        rank = cost, -coincidences(trace), resolved
        if rank > self.rank:
            self.rank, self.examples = rank, []
        if rank == self.rank and len(self.examples) < MAX_EXAMPLES:
            self.examples.append(example)

    def best(self, history: int, known: Rules) -> ExamplePath:
        """The example with the fewest unresolved keys, then the fewest keys, then the fewest contradictions."""

        def rank_of(example: ExamplePath) -> tuple[int, int, int]:
            rules = example.rules(history)
            pairs = ((known.table.get(key), direction) for key, direction in rules.table.items())
            conflicts = sum(a is not None and b is not None and a != b for a, b in pairs)
            return -rules.unresolved, -len(rules.table), -conflicts

        return max(self.examples, key=rank_of)

    def to_json(self) -> dict[str, Any]:
        """The size and its examples, as JSON values."""
        return {
            "size": self.size,
            "paths": self.paths,
            "exhausted": self.exhausted,
            "rank": self.rank if isfinite(self.cost) else None,
            "examples": self.examples,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TrainedSize:
        """What :meth:`to_json` wrote."""
        trained = cls(data["size"], data["paths"], data["exhausted"])
        if data["rank"] is not None:
            cost, coincidence_rank, resolved = data["rank"]
            trained.rank = cost, coincidence_rank, resolved
        trained.examples = [
            ExamplePath([(site, taken) for site, taken in steps], previous) for steps, previous in data["examples"]
        ]
        return trained


def coincidences(trace: Trace) -> int:
    """How many equalities must hold for a path to be taken."""
    return sum(_is_equality(*trace.literal(i)) for i in range(len(trace)) if i not in trace.choices)


def _is_equality(condition: Expr | None, taken: bool) -> bool:
    while isinstance(condition, Not):
        condition, taken = condition.part, not taken
    return isinstance(condition, Compare) and condition.op == ("==" if taken else "!=")


def learn(trained_sizes: Iterable[TrainedSize], history: int | None, max_history: int, context: bool) -> Rules:
    """The rules of all sizes; if no history is given, the shortest one that resolves the largest share of keys."""
    trained_sizes = sorted(trained_sizes, key=lambda trained: -trained.size)
    if history is not None:
        return _unify(trained_sizes, history, context)
    best = _unify(trained_sizes, 0, context)
    for length in range(1, max_history + 1):
        if not best.unresolved:
            break
        rules = _unify(trained_sizes, length, context)
        if rules.unresolved * len(best.table) < best.unresolved * len(rules.table):
            best = rules
    return best


def _unify(trained_sizes: Iterable[TrainedSize], history: int, context: bool) -> Rules:
    rules = Rules(history, context)
    for trained in trained_sizes:
        rules.merge(trained.best(history, rules).rules(history))
    return rules


class Training:
    """Searches the trees of small sizes and keeps the best examples.

    If no sizes are given, it searches from size 1 up to below the size of the session, until its paths are used up. It
    keeps the two largest sizes whose trees were searched completely and whose costs differ, since equal costs do not
    show how the cost grows. If there is no such size, it keeps what it saw of the first that has a decision.
    """

    def __init__(self, sizes: Sequence[int] | None, paths: int | None, context: bool) -> None:
        self._sizes = None if sizes is None else sorted(set(sizes))
        self._limit = paths if paths is not None or sizes is not None else DEFAULT_PATHS
        self._no_rules = Rules(0, context)
        self._spent = 0
        self._next = 0
        self._current: TrainedSize | None = None
        self._search: Guided | None = None
        self._resumed: dict[str, Any] | None = None
        self.trained_sizes: list[TrainedSize] = []

    def steps(self, session: Session) -> Iterator[None]:
        """Search the sizes; yields after each run."""
        sizes = range(1, session.size) if self._sizes is None else self._sizes
        while self._current is not None or (self._next < len(sizes) and not self._is_spent):
            yield from self._search_size(session, sizes[self._next])
            self._close()

    @property
    def _is_spent(self) -> bool:
        running = 0 if self._current is None else self._current.paths
        return self._limit is not None and self._spent + running >= self._limit

    def _search_size(self, session: Session, size: int) -> Iterator[None]:
        """Search the tree of one size until its end, or until the paths are used up."""
        try:
            practice = session.at(size)
        except UsageError:
            if self._sizes is not None:
                raise
            return  # the target has no input of this size
        trained = self._current = self._current or TrainedSize(size)

        def on_run(trace: Trace, guide: Guide) -> None:
            trained.paths += 1
            if trace.outcome in (Outcome.RETURNED, Outcome.RAISED):
                trained.consider(practice.cost(trace), trace, guide)

        self._search = search = Guided(self._no_rules, on_run)
        if self._resumed is not None:
            search.restore(self._resumed)
            self._resumed = None
        runs = search.steps(practice)
        while not (self._is_spent and search.is_open) and next(runs, self) is not self:
            yield
        trained.exhausted = search.is_exhausted

    def _close(self) -> None:
        """Finish the current size, and keep it if there is something to learn from."""
        trained, search = self._current, self._search
        self._current = self._search = None
        self._next += 1
        if trained is None or search is None:
            return
        self._spent += trained.paths
        # A tree that was not searched completely is worth less than one that was, but more than none.
        if trained.is_useful and (self._sizes is not None or not search.is_open or not self.trained_sizes):
            self._keep(trained)

    def _keep(self, trained: TrainedSize) -> None:
        if self._sizes is None and self.trained_sizes and self.trained_sizes[-1].cost == trained.cost:
            self.trained_sizes.pop()
        self.trained_sizes.append(trained)
        if self._sizes is None:
            del self.trained_sizes[:-SIZES_KEPT]

    def state(self) -> dict[str, Any]:
        """The sizes kept so far, and the search in progress."""
        return {
            "spent": self._spent,
            "next": self._next,
            "sizes": [trained.to_json() for trained in self.trained_sizes],
            "current": None if self._current is None else self._current.to_json(),
            "search": self._resumed if self._search is None else self._search.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier training."""
        self._spent, self._next = state["spent"], state["next"]
        self.trained_sizes = [TrainedSize.from_json(item) for item in state["sizes"]]
        self._current = None if state["current"] is None else TrainedSize.from_json(state["current"])
        self._resumed = state["search"]
