"""Our searches beside those of the paper: which of ours answers which of its lines, and what its cells are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from bench import published
from bench.cells import Cell, Outcome, middle
from bench.pyse_subjects import Subject

MAX_LEAVES = 100_000

Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for a search that stops at the goal, seconds for one of a whole tree, and how many seeds."""

    seconds: float = 60.0
    whole: float = 300.0
    seeds: int = 5


@dataclass(frozen=True, slots=True)
class Method:
    """A column of ours.

    A method with ``leaves`` searches a whole tree of that many, the same for every seed; its count of paths is that of
    the leaves. The others stop at the goal; theirs is the number of runs until then.
    """

    name: str
    strategy: str
    line: str
    options: Callable[[Subject], Options] = lambda subject: {}
    leaves: Callable[[Subject, int], float] | None = None
    is_default: bool = True
    is_for_grep: bool = False

    def applies(self, subject: Subject) -> bool:
        """Whether the paper has such a line for the subject, if it has it for few."""
        return not self.is_for_grep or subject.name == "grep"

    def obstacle(self, subject: Subject, size: int) -> str | None:
        """Why there is no point in trying."""
        leaves = 0 if self.leaves is None else self.leaves(subject, size)
        if leaves <= MAX_LEAVES:
            return None
        return "too many leaves" if leaves == inf else f"{leaves:.2g} leaves"

    def cells(self, subject: Subject, size: int, goal: int, limits: Limits) -> Iterator[Cell]:
        """The searches that the row is made of."""
        whole = self.leaves is not None
        for seed in range(1 if whole else limits.seeds):
            yield Cell(
                subject.target,
                size,
                self.strategy,
                limits.whole if whole else limits.seconds,
                seed,
                None if whole else goal,
                dict(self.options(subject)),
                subject.pyse_compatible,
            )


def _train(subject: Subject) -> Options:
    return {"train": list(subject.train)}


def _history(subject: Subject) -> Options:
    return {**_train(subject), "history": 2}


def _paper(subject: Subject) -> Options:
    return {"paper": True, "practice": list(subject.practice)}


METHODS = [
    Method("exhaustive", "exhaustive", published.EXHAUSTIVE, leaves=lambda subject, n: subject.leaves(n)),
    Method("wise", "wise", published.WISE, _train, lambda subject, n: subject.wise(n)),
    Method("history", "history", published.SPF_WCA, _history, lambda subject, n: subject.history(n)),
    Method(
        "history 6,7",
        "history",
        published.SPF_WCA_67,
        lambda subject: {"train": [6, 7], "history": 2},
        lambda subject, n: 1,
        is_for_grep=True,
    ),
    Method("pyse", "qlearn", published.PYSE, _paper),
    Method("pyse 10", "qlearn", published.PYSE_10, lambda subject: {"paper": True, "practice": [10]}, is_for_grep=True),
    Method("qlearn", "qlearn", published.PYSE),
    Method("auto", "auto", published.PYSE),
    Method("climb", "climb", published.PYSE, is_default=False),
]


def summary(outcomes: Sequence[Outcome], goal: int, *, whole: bool) -> dict[str, Any]:
    """The medians of a row. A seed that missed the goal counts as one that would have needed longer than all others."""
    reached = [outcome["cost"] >= goal for outcome in outcomes]
    done = [outcome["ended"] if whole else hit for outcome, hit in zip(outcomes, reached, strict=True)]
    count = "paths" if whole else "found_run"

    def median_of(name: str) -> float | None:
        return middle(item[name] if hit else None for item, hit in zip(outcomes, done, strict=True))

    spent = sum(item["seconds"] for item in outcomes)
    learning = sum(item["learning_seconds"] for item in outcomes)
    return {
        "paths": median_of(count),
        "leaves": median_of("paths"),
        "seconds": median_of("seconds"),
        "longest": max(item["cost"] for item in outcomes),
        "reached": f"{sum(reached)} of {len(reached)}",
        "practice": middle(item["practised"] for item in outcomes),
        "learning": f"{learning / spent:.0%}" if learning and spent else None,
    }


def shortfall(outcomes: Sequence[Outcome]) -> str:
    """What the searches that did not come to their end did meanwhile."""
    ran = middle(item["paths"] for item in outcomes)
    reasons = (item["stopped"] for item in outcomes if not item["stopped"].endswith("was enough"))
    return f"{ran:,.0f} paths, then {next(reasons)}"
