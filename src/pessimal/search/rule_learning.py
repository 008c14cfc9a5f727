"""Learning from small sizes: the tree of each is searched, and the rules are those that its worst path keeps to.

Paths often cost the same. The one to learn from is the one with the fewest coincidences (equalities that were taken):
what holds for few inputs by chance is no rule, and takes freedom that a larger size needs. Then the one with the most
sites that always go the same way, then with the fewest keys that do not, then with the fewest keys at all, since it is
the most regular, then the one that agrees best with larger sizes, which tell more, then the first. Rules of several
sizes are unified: where they disagree nothing is forced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, NamedTuple

from pessimal.errors import UsageError
from pessimal.expr import Compare, Expr, Not
from pessimal.search.guides import Guide, Guided, Key, Rules, Step, recent
from pessimal.strategy import Session
from pessimal.trace import Outcome, Trace

DEFAULT_PATHS = 1000
"""How many paths are run to learn from, if the user names no sizes."""

TAUGHT = 2
"""How many sizes are learnt from, if the user names none."""

MAX_EXAMPLES = 500
"""How many paths that are equally good examples are kept of one size."""


class Example(NamedTuple):
    """A path to learn from: its steps, each linked to the one before it in its row."""

    steps: list[Step]
    links: list[int]

    def keys(self, history: int) -> Iterator[tuple[Key, int]]:
        """What was decided under which key."""
        for (name, taken), link in zip(self.steps, self.links, strict=False):
            yield (name, recent(self.steps, self.links, link, history)), taken

    def rules(self, history: int) -> Rules:
        """What the path alone teaches."""
        rules = Rules(history, context=False)
        for key, taken in self.keys(history):
            rules.add(key, taken)
        return rules


@dataclass(slots=True)
class Lesson:
    """The best examples among the paths of one size, and how good they are."""

    size: int
    paths: int = 0
    exhausted: bool = False
    rank: tuple[float, int, int] = (-inf, 0, 0)
    examples: list[Example] = field(default_factory=list)

    @property
    def cost(self) -> float:
        """The largest cost seen."""
        return self.rank[0]

    @property
    def is_useful(self) -> bool:
        """Whether there is a decision to learn."""
        return bool(self.examples) and bool(self.examples[0].steps)

    def consider(self, cost: float, trace: Trace, guide: Guide) -> None:
        """Keep a path if no other is a better example."""
        if not isfinite(cost) or cost < self.cost:
            return
        example = Example(guide.steps, guide.links)
        resolved = sum(direction is not None for direction in example.rules(0).table.values())
        rank = cost, -coincidences(trace), resolved
        if rank > self.rank:
            self.rank, self.examples = rank, []
        if rank == self.rank and len(self.examples) < MAX_EXAMPLES:
            self.examples.append(example)

    def best(self, history: int, known: Rules) -> Example:
        """The example that leaves the fewest keys open, needs the fewest, and contradicts least what is known."""

        def worth(example: Example) -> tuple[int, int, int]:
            rules = example.rules(history)
            pairs = ((known.table.get(key), direction) for key, direction in rules.table.items())
            conflicts = sum(a is not None and b is not None and a != b for a, b in pairs)
            return -rules.unresolved, -len(rules.table), -conflicts

        return max(self.examples, key=worth)

    def to_json(self) -> dict[str, Any]:
        """The lesson as JSON values."""
        return {
            "size": self.size,
            "paths": self.paths,
            "exhausted": self.exhausted,
            "rank": self.rank if isfinite(self.cost) else None,
            "examples": self.examples,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Lesson:
        """The lesson that :meth:`to_json` wrote."""
        lesson = cls(data["size"], data["paths"], data["exhausted"])
        if data["rank"] is not None:
            cost, chance, resolved = data["rank"]
            lesson.rank = cost, chance, resolved
        lesson.examples = [
            Example([(site, taken) for site, taken in steps], links) for steps, links in data["examples"]
        ]
        return lesson


def coincidences(trace: Trace) -> int:
    """How many equalities a path demands."""
    return sum(_equates(*trace.literal(i)) for i in range(len(trace)) if i not in trace.choices)


def _equates(condition: Expr | None, taken: bool) -> bool:
    while isinstance(condition, Not):
        condition, taken = condition.part, not taken
    return isinstance(condition, Compare) and condition.op == ("==" if taken else "!=")


def learn(lessons: Iterable[Lesson], history: int | None, max_history: int, context: bool) -> Rules:
    """The rules of all lessons; without a given history, the shortest that settles the largest share of its keys."""
    lessons = sorted(lessons, key=lambda lesson: -lesson.size)
    if history is not None:
        return _unify(lessons, history, context)
    best = _unify(lessons, 0, context)
    for length in range(1, max_history + 1):
        if not best.unresolved:
            break
        rules = _unify(lessons, length, context)
        if rules.unresolved * len(best.table) < best.unresolved * len(rules.table):
            best = rules
    return best


def _unify(lessons: Iterable[Lesson], history: int, context: bool) -> Rules:
    rules = Rules(history, context)
    for lesson in lessons:
        rules.merge(lesson.best(history, rules).rules(history))
    return rules


class Training:
    """Searches the trees of small sizes and keeps the lessons.

    Without sizes it goes from 1 upwards, below the target's own, until the paths are spent, and keeps the two largest
    whose trees were searched to the end, of different costs: two sizes that cost the same do not show how it grows.
    If there is none such, it keeps what was seen of the first that has a decision.
    """

    def __init__(self, sizes: Sequence[int] | None, paths: int | None, context: bool) -> None:
        self._sizes = None if sizes is None else sorted(set(sizes))
        self._limit = paths if paths is not None or sizes is not None else DEFAULT_PATHS
        self._free = Rules(0, context)
        self._spent = 0
        self._next = 0
        self._lesson: Lesson | None = None
        self._search: Guided | None = None
        self._resumed: dict[str, Any] | None = None
        self.lessons: list[Lesson] = []

    def steps(self, session: Session) -> Iterator[None]:
        """Train, one run at a time."""
        sizes = range(1, session.size) if self._sizes is None else self._sizes
        while self._lesson is not None or (self._next < len(sizes) and not self._is_spent):
            yield from self._study(session, sizes[self._next])
            self._close()

    @property
    def _is_spent(self) -> bool:
        running = 0 if self._lesson is None else self._lesson.paths
        return self._limit is not None and self._spent + running >= self._limit

    def _study(self, session: Session, size: int) -> Iterator[None]:
        """Search the tree of one size, as far as the paths last."""
        try:
            practice = session.at(size)
        except UsageError:
            if self._sizes is not None:
                raise
            return  # the target has no input of this size
        lesson = self._lesson = self._lesson or Lesson(size)

        def watch(trace: Trace, guide: Guide) -> None:
            lesson.paths += 1
            if trace.outcome in (Outcome.RETURNED, Outcome.RAISED):
                lesson.consider(practice.cost(trace), trace, guide)

        self._search = search = Guided(self._free, watch)
        if self._resumed is not None:
            search.restore(self._resumed)
            self._resumed = None
        runs = search.steps(practice)
        while not (self._is_spent and search.is_open) and next(runs, self) is not self:
            yield
        lesson.exhausted = search.is_exhausted

    def _close(self) -> None:
        """Keep the lesson, if it is one."""
        lesson, search = self._lesson, self._search
        self._lesson = self._search = None
        self._next += 1
        if lesson is None or search is None:
            return
        self._spent += lesson.paths
        # A tree that was not searched to the end teaches less than one that was, but more than none.
        if lesson.is_useful and (self._sizes is not None or not search.is_open or not self.lessons):
            self._keep(lesson)

    def _keep(self, lesson: Lesson) -> None:
        if self._sizes is None and self.lessons and self.lessons[-1].cost == lesson.cost:
            self.lessons.pop()
        self.lessons.append(lesson)
        if self._sizes is None:
            del self.lessons[:-TAUGHT]

    def state(self) -> dict[str, Any]:
        """The lessons so far, and the search that is under way."""
        return {
            "spent": self._spent,
            "next": self._next,
            "lessons": [lesson.to_json() for lesson in self.lessons],
            "lesson": None if self._lesson is None else self._lesson.to_json(),
            "search": self._resumed if self._search is None else self._search.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where another training stood."""
        self._spent, self._next = state["spent"], state["next"]
        self.lessons = [Lesson.from_json(item) for item in state["lessons"]]
        self._lesson = None if state["lesson"] is None else Lesson.from_json(state["lesson"])
        self._resumed = state["search"]
