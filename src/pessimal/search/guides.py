"""Search along a learnt policy: rules that force the direction of some decisions, and leave the others free.

A rule is looked up by a key: the site, and the last decisions before it. With no decision in the key this is the
memoryless policy of WISE, with some the history of SPF-WCA.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from pessimal.expr import Leaf
from pessimal.runs import Avoid, RunView
from pessimal.search.exhaustive import Exhaustive
from pessimal.strategy import Session
from pessimal.trace import Outcome, Site, Trace

Step: TypeAlias = tuple[str, int]
"""A decision that was made: the identity of its site, and the outcome."""

Key: TypeAlias = tuple[str, tuple[Step, ...]]
"""A decision to make: the identity of its site, and the last steps before it, the latest last."""

MOST_OUTCOMES = 256
"""A decision is one byte."""

RESOLVED, UNRESOLVED, NEW = "resolved", "unresolved", "new"


def recent(steps: Sequence[Step], links: Sequence[int], link: int, history: int) -> tuple[Step, ...]:
    """The last steps of a row, at most so many; each is linked to the one before it."""
    found: list[Step] = []
    while link >= 0 and len(found) < history:
        found.append(steps[link])
        link = links[link]
    return tuple(reversed(found))


@dataclass(slots=True)
class Rules:
    """What was learnt: a direction for each key, or None where what was seen disagrees.

    ``history`` is how many steps a key has at most; with ``context`` they are those made under the same caller.
    """

    history: int
    context: bool
    table: dict[Key, int | None] = field(default_factory=dict)

    def add(self, key: Key, direction: int | None) -> None:
        """Learn one decision; None, or another direction than before, makes the key unresolved."""
        self.table[key] = direction if self.table.get(key, direction) == direction else None

    def merge(self, other: Rules) -> None:
        """Learn what others have learnt under keys of the same kind."""
        for key, direction in other.table.items():
            self.add(key, direction)

    @property
    def unresolved(self) -> int:
        """How many keys have no direction."""
        return sum(direction is None for direction in self.table.values())

    def lines(self) -> list[str]:
        """The rules for people, one line for each."""
        return [_line(key, direction) for key, direction in self.table.items()]

    def to_json(self) -> dict[str, Any]:
        """The rules as JSON values."""
        table = [
            {"site": site, "after": [list(step) for step in steps], "direction": direction}
            for (site, steps), direction in self.table.items()
        ]
        return {"history": self.history, "context": self.context, "rules": table}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Rules:
        """The rules that :meth:`to_json` wrote; ValueError, KeyError or TypeError if it did not."""
        rules = cls(_checked(data["history"], int), _checked(data["context"], bool))
        if rules.history < 0:
            raise ValueError(f"{rules.history} is not a length")
        for item in data["rules"]:
            steps = tuple((_checked(site, str), _outcome(taken)) for site, taken in item["after"])
            direction = item["direction"]
            key = _checked(item["site"], str), steps
            if len(steps) > rules.history or key in rules.table:
                raise ValueError(f"the rule for {key[0]} does not fit")
            rules.table[key] = None if direction is None else _outcome(direction)
        return rules


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r} is not of type {kind.__name__}")
    return value


def _outcome(value: Any) -> int:
    if not 0 <= _checked(value, int) < MOST_OUTCOMES:
        raise ValueError(f"{value} is not an outcome")
    return int(value)


def _line(key: Key, direction: int | None) -> str:
    site, steps = key
    after = ", ".join(f"{name} {_word(taken)}" for name, taken in steps)
    return f"{site}: {_word(direction)}" + (f" after {after}" if after else "")


def _word(direction: int | None) -> str:
    return "free" if direction is None else {0: "false", 1: "true"}.get(direction, f"outcome {direction}")


@lru_cache(maxsize=4096)
def _name(site: Site) -> str:
    return site.id


class Guide:
    """The policy of one run: it follows decisions, then the rules, and where they say nothing the input.

    It notes the steps of the run, how they are linked into rows, and which positions were forced.
    """

    def __init__(self, rules: Rules, decisions: bytes) -> None:
        self._rules = rules
        self._decisions = decisions
        self._last: dict[int, int] = {}  # the index of the last decision under each caller
        self._names: list[str] = []
        self._positions: list[int] = []
        self._steps: list[Step] = []
        self._forced: list[int] = []
        self.links: list[int] = []
        self.tally: Counter[str] = Counter()

    def choose(self, run: RunView) -> int | None:
        """The known decision, or what the rule says."""
        position = run.position
        index = len(self._names)
        if index > len(self._steps):
            self._note(run.step(self._positions[-1]).taken)
        link = self._link(index, run) if self._rules.context else index - 1
        self._names.append(_name(run.site))
        self._positions.append(position)
        self.links.append(link)
        if position < len(self._decisions):
            return self._decisions[position]
        return self._rule(link, run)

    def pick(self, run: RunView) -> int | None:
        """The known decision: no rule is learnt about choices."""
        position = run.position
        return self._decisions[position] if position < len(self._decisions) else None

    def _link(self, index: int, run: RunView) -> int:
        """The index of the caller's last decision, or -1; the one with this index is its last now."""
        caller = run.caller
        last = self._last.get(caller, -1)
        self._last[caller] = index
        return last

    def finish(self, trace: Trace) -> Iterator[int]:
        """End the run, and tell the positions that were forced."""
        if len(self._steps) < len(self._names) and self._positions[-1] < len(trace):
            self._note(trace.decisions[self._positions[-1]])
        return (position for position in self._forced if position < len(trace))

    @property
    def steps(self) -> list[Step]:
        """The decisions that the program made."""
        return self._steps

    def _note(self, taken: int) -> None:
        """Note the outcome of the last decision, which is known only afterwards."""
        self._steps.append((self._names[-1], taken))

    def _rule(self, link: int, run: RunView) -> int | None:
        table = self._rules.table
        key = self._names[-1], recent(self._steps, self.links, link, self._rules.history)
        direction = table.get(key)
        if direction is not None and direction < run.arity:
            self._forced.append(run.position)
            self.tally[RESOLVED] += 1
        else:
            self.tally[UNRESOLVED if key in table else NEW] += 1
        return direction


class Guided(Exhaustive):
    """Every path that keeps to the rules. A forced direction that is infeasible ends its run, which is one path.

    It proves something only if the rules left nothing out. Who wants to learn from the paths can watch them.
    ``is_fruitless`` tells that no run has come to its end.
    """

    def __init__(self, rules: Rules, watch: Callable[[Trace, Guide], None] | None = None) -> None:
        super().__init__()
        self._rules = rules
        self._watch = watch
        self.tally: Counter[str] = Counter()
        self.is_fruitless = True

    def _run(
        self,
        session: Session,
        decisions: bytes,
        leaves: Sequence[Leaf] | None,
        known_prefix: int,
        avoid: Avoid | None = None,
    ) -> Trace:
        guide = Guide(self._rules, decisions)
        trace = session.run(
            guide, leaves, probe_other=True, stop_when_infeasible=True, known_prefix=known_prefix, avoid=avoid
        )
        for position in guide.finish(trace):
            self._complete = False
            trace.set_untried(position)
        self.tally.update(guide.tally)
        self.is_fruitless = self.is_fruitless and trace.outcome is Outcome.INFEASIBLE
        if self._watch is not None:
            self._watch(trace, guide)
        return trace

    def state(self) -> dict[str, Any]:
        """What is still to be run, and how decisions were made."""
        return {**super().state(), "tally": dict(self.tally), "fruitless": self.is_fruitless}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what an earlier search left."""
        super().restore(state)
        self.tally = Counter(state["tally"])
        self.is_fruitless = state["fruitless"]
