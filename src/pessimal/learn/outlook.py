"""``outlook``: a model of where flips lead, which counts and needs no network.

A flip is worth what it reaches that this search has not reached yet. So what flips were worth in other searches says
little. What lasts is where they lead: how often a flip to an outcome is feasible, and which outcomes its run reaches.
Both are counted, also for the flip with one, two and four branches before it. What a flip promises is then the sum of
the shares of all outcomes that are still missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import Any, NamedTuple

from pessimal.json_values import typed
from pessimal.learn.known import NO_DOUBTS, Known, Led
from pessimal.learn.outcome_names import other_name, outcome_name
from pessimal.learn.ranking_rules import RankingRules

CONTEXTS = (0, 1, 2, 4)
"""How many branches before a flip tell it apart from others to the same outcome."""
STEADINESS = 2.0
"""So many flips of a context count as much as all those of the next wider one."""
FEASIBLE = 0.5
"""How likely a flip is feasible as long as nothing is known."""
DOUBT = 1.0
"""After so many promises that an outcome will be reached, and was not, it counts half."""
RULE = 0.1
"""The weight of the plain rule, which decides where nothing else is known."""
MOST_COUNTS = 500_000
"""When there are more, the half of the contexts that were seen least is forgotten."""
COUNTED_AGAIN = 4
"""How many times as many there may be, as if no two flips had reached the same, before they are counted."""


class Path(NamedTuple):
    """The names of the outcomes that a path took, and the contexts of flips that were asked for before."""

    names: list[str]
    contexts: dict[tuple[int, int], tuple[str, ...]]


class Question(NamedTuple):
    """A flip to be scored: what is known, and its contexts, the widest first, which is the name of its outcome."""

    known: Known
    contexts: tuple[str, ...]


class _Seen:
    """The flips of one context: how many, how many feasible, their other worth in all, and how many reached what.

    What flips have reached is counted when it is asked for: most contexts never are.
    """

    __slots__ = ("_new", "_reached", "feasible", "rest", "tries")

    def __init__(
        self, tries: int = 0, feasible: int = 0, rest: float = 0.0, reached: Mapping[str, int] | None = None
    ) -> None:
        self.tries = tries
        self.feasible = feasible
        self.rest = rest
        self._reached = Counter(reached or {})
        self._new: list[Collection[str]] = []

    def add(self, led: Led) -> None:
        """Count a flip."""
        self.tries += 1
        if led.reached is not None:
            self.feasible += 1
            self.rest += led.rest
            self._new.append(led.reached)

    @property
    def reached(self) -> Counter[str]:
        """How many of the flips have reached each outcome."""
        for names in self._new:
            self._reached.update(names)
        self._new.clear()
        return self._reached

    def to_json(self) -> list[Any]:
        return [self.tries, self.feasible, self.rest, self.reached]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> _Seen:
        tries, feasible, rest, reached = data
        counts = typed(reached, dict).values()
        if not 0 <= typed(feasible, int) <= typed(tries, int) or not isfinite(rest):
            raise ValueError("its counts are not those of flips")
        if not all(0 < typed(count, int) <= feasible for count in counts):
            raise ValueError("its counts are not those of flips")
        return cls(tries, feasible, float(rest), reached)


class Outlook:
    """Scores flips by where flips like them led, and counts where they lead."""

    def __init__(self, rules: RankingRules) -> None:
        self._rules = rules
        self._all = _Seen()
        self._seen: dict[str, _Seen] = {}
        self._counts = 0
        self.updates = 0

    @staticmethod
    def read(sites: list[str], decisions: bytes) -> Path:
        """The branches of a path as questions are made of them."""
        return Path([outcome_name(site, taken) for site, taken in zip(sites, decisions, strict=True)], {})

    @staticmethod
    def question(steps: Path, bound: int, position: int, outcome: int, known: Known) -> Question:
        """How the flip at a position of a path is put to the model."""
        contexts = steps.contexts.get((position, outcome))
        if contexts is None:
            goal = other_name(steps.names[position], outcome)
            lengths = [length for length in CONTEXTS if length <= position]
            contexts = tuple(" ".join((goal, *steps.names[position - n : position])) for n in lengths)
            steps.contexts[position, outcome] = contexts
        return Question(known, contexts)

    def scores(
        self,
        questions: Sequence[Question | None],
        settled: Collection[str] = (),
        novelty: float = 1.0,
        doubts: Mapping[str, float] = NO_DOUBTS,
    ) -> list[float]:
        """The score of each flip, given the outcomes that are worth nothing any more, and the worth of each other.

        An outcome that this search was promised in vain is doubtful: it may be out of reach from where it started.
        """
        promised: dict[tuple[str, ...], tuple[float, float, float]] = {}
        found = []
        for question in questions:
            assert question is not None
            known, contexts = question.known, question.contexts
            if not self._all.tries:
                found.append(known.rule)
                continue
            if contexts not in promised:
                promised[contexts] = (self.feasible(contexts), *self.promise(contexts, settled, doubts))
            feasible, new, rest = promised[contexts]
            feasible = self._feasible_here(known, feasible)
            worth = feasible * (novelty * new + rest)
            found.append(worth + (1 - feasible) * self._rules.unsatisfiable + RULE * known.rule)
        return found

    def feasible(self, contexts: Iterable[str]) -> float:
        """How likely a flip is feasible: by its narrowest context, steadied by the wider ones."""
        found = (self._all.feasible + STEADINESS * FEASIBLE) / (self._all.tries + STEADINESS)
        for seen in self._known(contexts):
            found = (seen.feasible + STEADINESS * found) / (seen.tries + STEADINESS)
        return found

    @staticmethod
    def _feasible_here(known: Known, feasible: float) -> float:
        """How likely a flip is feasible, after those to the same outcome in this search."""
        made = known.tries - known.infeasible
        return (made + STEADINESS * feasible) / (known.tries + STEADINESS)

    def promised(self, question: Question, settled: Collection[str]) -> dict[str, float]:
        """How likely the flip reaches each outcome that is not settled, but for that which it is made for."""
        shares: dict[str, float] = {}
        for seen in self._known(question.contexts):
            if seen.feasible:
                weight = STEADINESS / (seen.feasible + STEADINESS)
                shares = {name: weight * share for name, share in shares.items()}
                for name, count in seen.reached.items():
                    if name not in settled:
                        shares[name] = shares.get(name, 0.0) + count / (seen.feasible + STEADINESS)
        shares.pop(question.contexts[0], None)
        feasible = self._feasible_here(question.known, self.feasible(question.contexts))
        return {name: feasible * share for name, share in shares.items()}

    def promise(
        self, contexts: Sequence[str], settled: Collection[str], doubts: Mapping[str, float] = NO_DOUBTS
    ) -> tuple[float, float]:
        """How many outcomes that are not settled a feasible flip reaches, and its other worth, as is to be expected."""
        new, rest = float(contexts[0] not in settled), 0.0
        for seen in self._known(contexts):
            if seen.feasible:
                missing = fsum(  # which does not depend on the order
                    count / (1 + DOUBT * doubts.get(name, 0.0))
                    for name, count in seen.reached.items()
                    if name not in settled
                )
                new = (missing + STEADINESS * new) / (seen.feasible + STEADINESS)
                rest = (seen.rest + STEADINESS * rest) / (seen.feasible + STEADINESS)
        return new, rest

    def _known(self, contexts: Iterable[str]) -> Iterable[_Seen]:
        """What was seen in the contexts, up to the first in which nothing was."""
        for context in contexts:
            seen = self._seen.get(context)
            if seen is None:
                return
            yield seen

    def learn(self, question: Question, led: Led) -> bool:
        """Count where a flip led; whether scores are so old that they should be computed again."""
        if not self._rules.learns:
            return False
        self._all.tries += 1
        self._all.feasible += led.reached is not None
        for context in question.contexts:
            if context not in self._seen:
                self._seen[context] = _Seen()
            self._seen[context].add(led)
        self._counts += len(question.contexts) * len(led.reached or ())
        if self._counts > COUNTED_AGAIN * MOST_COUNTS:
            self._forget()
        is_due = self._all.tries % self._rules.update_every == 0
        self.updates += is_due
        return is_due

    def _forget(self) -> None:
        """Forget the contexts that were seen least, if there are too many numbers."""
        self._counts = sum(len(seen.reached) for seen in self._seen.values())
        if self._counts <= MOST_COUNTS:
            return
        often = sorted(self._seen.items(), key=lambda item: (-item[1].tries, item[0]))
        self._seen = dict(often[: len(often) // 2])
        self._counts = sum(len(seen.reached) for seen in self._seen.values())

    @property
    def experiences(self) -> int:
        """How many flips were learned from."""
        return self._all.tries

    def to_json(self) -> dict[str, Any]:
        """The counts, as JSON values."""
        counts = {
            "added": self._all.tries,
            "feasible": self._all.feasible,
            "seen": {context: seen.to_json() for context, seen in self._seen.items()},
        }
        return {"models": [counts], "updates": self.updates, "losses": []}

    def restore(self, data: dict[str, Any]) -> None:
        """What :meth:`to_json` wrote; ValueError, LookupError, TypeError or OverflowError if it does not fit."""
        (counts,) = data["models"]
        self._all = _Seen.from_json([counts["added"], counts["feasible"], 0.0, {}])
        self._seen = {context: _Seen.from_json(item) for context, item in typed(counts["seen"], dict).items()}
        self._counts = sum(len(seen.reached) for seen in self._seen.values())
        self.updates = max(0, int(data["updates"]))
