"""Search guided by learned rules, which force the outcome of some decisions and leave the others free.

A rule is looked up by a key: the site, and the last decisions before it. Keys without earlier decisions make the
memoryless policy of WISE, keys with them the history-based policy of SPF-WCA.
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

NamedStep: TypeAlias = tuple[str, int]
"""A decision that was made, by name: the identity of its site, and the outcome."""

Key: TypeAlias = tuple[str, tuple[NamedStep, ...]]
"""A decision to be made: the identity of its site, and the last steps before it, the latest last."""

MAX_OUTCOMES = 256
"""A trace keeps each decision in one byte."""

RESOLVED, UNRESOLVED, NEW = "resolved", "unresolved", "new"
"""How a decision was made: a rule forced it, the rule for its key is free, or there is no rule for its key."""


def last_steps(steps: Sequence[NamedStep], previous: Sequence[int], last: int, history: int) -> tuple[NamedStep, ...]:
    """Up to ``history`` steps, of which the last has the given index; ``previous`` links each to the one before it."""
    found: list[NamedStep] = []
    while last >= 0 and len(found) < history:
        found.append(steps[last])
        last = previous[last]
    return tuple(reversed(found))


@dataclass(slots=True)
class Rules:
    """What was learned: the outcome for each key, or None where the observed paths disagree.

    ``history`` is the largest number of steps in a key; with ``context`` only steps made under the same caller count.
    """

    history: int
    context: bool
    table: dict[Key, int | None] = field(default_factory=dict)

    def add(self, key: Key, outcome: int | None) -> None:
        """Add a rule; None, or another outcome than before, leaves the key unresolved."""
        self.table[key] = outcome if self.table.get(key, outcome) == outcome else None

    def merge(self, other: Rules) -> None:
        """Add all rules of another table whose keys have the same form."""
        for key, outcome in other.table.items():
            self.add(key, outcome)

    @property
    def unresolved(self) -> int:
        """How many keys have no outcome."""
        return sum(outcome is None for outcome in self.table.values())

    def lines(self) -> list[str]:
        """The rules as readable text, one line each."""
        return [_line(key, outcome) for key, outcome in self.table.items()]

    def to_json(self) -> dict[str, Any]:
        """The rules as JSON values."""
        table = [
            {"site": site, "after": [list(step) for step in steps], "direction": outcome}
            for (site, steps), outcome in self.table.items()
        ]
        return {"history": self.history, "context": self.context, "rules": table}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Rules:
        """The rules that :meth:`to_json` wrote; ValueError, KeyError or TypeError if it did not."""
        rules = cls(_checked(data["history"], int), _checked(data["context"], bool))
        if rules.history < 0:
            raise ValueError(f"{rules.history} is not a length")
        for item in data["rules"]:
            steps = tuple((_checked(site, str), _checked_outcome(taken)) for site, taken in item["after"])
            outcome = item["direction"]
            key = _checked(item["site"], str), steps
            if len(steps) > rules.history or key in rules.table:
                raise ValueError(f"the rule for {key[0]} does not fit")
            rules.table[key] = None if outcome is None else _checked_outcome(outcome)
        return rules


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r} is not of type {kind.__name__}")
    return value


def _checked_outcome(value: Any) -> int:
    if not 0 <= _checked(value, int) < MAX_OUTCOMES:
        raise ValueError(f"{value} is not an outcome")
    return int(value)


def _line(key: Key, outcome: int | None) -> str:
    site, steps = key
    after = ", ".join(f"{name} {_word(taken)}" for name, taken in steps)
    return f"{site}: {_word(outcome)}" + (f" after {after}" if after else "")


def _word(outcome: int | None) -> str:
    return "free" if outcome is None else {0: "false", 1: "true"}.get(outcome, f"outcome {outcome}")


@lru_cache(maxsize=4096)
def _name(site: Site) -> str:
    return site.id


class Guide:
    """The policy of one run: it follows given decisions, then the rules, and where there is no rule, the input.

    It records the steps of the run, for each step the index of the one before it (under the same caller, if the rules
    depend on the caller), and which positions a rule forced.
    """

    def __init__(self, rules: Rules, decisions: bytes) -> None:
        self._rules = rules
        self._decisions = decisions
        self._last_by_caller: dict[int, int] = {}  # the index of the last step under each caller
        self._names: list[str] = []
        self._positions: list[int] = []
        self._steps: list[NamedStep] = []
        self._forced: list[int] = []
        self.previous: list[int] = []
        self.tally: Counter[str] = Counter()

    def choose(self, run: RunView) -> int | None:
        """The given decision, or the outcome of the rule."""
        position = run.position
        index = len(self._names)
        if index > len(self._steps):
            self._add_step(run.step(self._positions[-1]).taken)
        last = self._previous_of_caller(index, run) if self._rules.context else index - 1
        self._names.append(_name(run.site))
        self._positions.append(position)
        self.previous.append(last)
        if position < len(self._decisions):
            return self._decisions[position]
        return self._rule(last, run)

    def pick(self, run: RunView) -> int | None:
        """The given decision: there are no rules about choices."""
        position = run.position
        return self._decisions[position] if position < len(self._decisions) else None

    def _previous_of_caller(self, index: int, run: RunView) -> int:
        """The index of the last step under this caller, or -1; the step with the given index is its last one now."""
        caller = run.caller
        last = self._last_by_caller.get(caller, -1)
        self._last_by_caller[caller] = index
        return last

    def finish(self, trace: Trace) -> Iterator[int]:
        """Record the end of the run, and give the positions that a rule forced."""
        if len(self._steps) < len(self._names) and self._positions[-1] < len(trace):
            self._add_step(trace.decisions[self._positions[-1]])
        return (position for position in self._forced if position < len(trace))

    @property
    def steps(self) -> list[NamedStep]:
        """The decisions of the program, in order."""
        return self._steps

    def _add_step(self, taken: int) -> None:
        """Record the outcome of the last decision, which is known only after it was made."""
        self._steps.append((self._names[-1], taken))

    def _rule(self, last: int, run: RunView) -> int | None:
        table = self._rules.table
        key = self._names[-1], last_steps(self._steps, self.previous, last, self._rules.history)
        outcome = table.get(key)
        if outcome is not None and outcome < run.arity:
            self._forced.append(run.position)
            self.tally[RESOLVED] += 1
        else:
            self.tally[UNRESOLVED if key in table else NEW] += 1
        return outcome


class Guided(Exhaustive):
    """Runs every path that keeps to the rules; a run ends, and counts as a path, where a forced outcome is infeasible.

    It proves something only if no rule left anything out. ``on_run`` is called after each run. ``all_infeasible`` says
    whether every run so far ended at an infeasible outcome.
    """

    def __init__(self, rules: Rules, on_run: Callable[[Trace, Guide], None] | None = None) -> None:
        super().__init__()
        self._rules = rules
        self._on_run = on_run
        self.tally: Counter[str] = Counter()
        self.all_infeasible = True

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
        self.all_infeasible = self.all_infeasible and trace.outcome is Outcome.INFEASIBLE
        if self._on_run is not None:
            self._on_run(trace, guide)
        return trace

    def state(self) -> dict[str, Any]:
        """What is left to run, and how decisions were made so far."""
        return {**super().state(), "tally": dict(self.tally), "all_infeasible": self.all_infeasible}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        super().restore(state)
        self.tally = Counter(state["tally"])
        self.all_infeasible = state["all_infeasible"]
