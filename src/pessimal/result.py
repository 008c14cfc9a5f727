"""What a search gives back: the same fields in Python and in JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from pessimal.growth import Growth
from pessimal.inputs import to_json
from pessimal.trace import Outcome, signal_of


@dataclass(slots=True)
class Witness:
    """An input, what the unmodified target did with it, and what it cost when it was replayed.

    ``call`` is the call as Python text. ``replayed`` is true if a fresh process ran it natively; ``difference`` says
    where that replay differs from what the search had predicted; ``unfinished`` says what was left out for want of
    time; ``seconds`` is how long a run that did not end was given; ``place`` is where a signal ended the run of a
    binary, by the innermost calls.
    """

    input: dict[str, Any]
    call: str
    outcome: str
    cost: float | None
    branches: int | None = None
    returned: str | None = None
    exception: str | None = None
    replayed: bool = False
    difference: str | None = None
    unfinished: str | None = None
    seconds: float | None = None
    place: str | None = None

    @property
    def is_uncompared(self) -> bool:
        """Whether there was no time to compare the replay with what was predicted."""
        return self.unfinished is not None and not self.unfinished.startswith("not simplified")

    @property
    def failure(self) -> str:
        """What went wrong, in a sentence, if the run did not come to its own end."""
        signal = signal_of(self.exception)
        if signal is not None and self.outcome == Outcome.RAISED:
            return f"dies of {signal}: {self.call}"
        if self.outcome == Outcome.CRASHED:
            return f"crashes the interpreter: {self.call} {self.exception or ''}".rstrip()
        within = "" if self.seconds is None else f" within {self.seconds:.3g} s"
        return f"hangs: {self.call} did not end{within}"

    def to_json(self) -> dict[str, Any]:
        """The witness as JSON values."""
        return {**_fields(self), "input": {name: to_json(value) for name, value in self.input.items()}}


@dataclass(slots=True)
class Effort:
    """What the search spent, and what it could not settle."""

    paths: int = 0
    opening_runs: int = 0
    infeasible: int = 0
    unknown: int = 0
    confidence: float | None = None
    """The largest estimate of the probability that an unknown outcome is feasible after all."""
    concretisations: int = 0
    solver: dict[str, float] = field(default_factory=lambda: {"calls": 0, "seconds": 0.0})
    seconds: float = 0.0
    found_after: float | None = None
    found_run: int | None = None
    found_by: str | None = None
    practised: int = 0
    learning_seconds: float = 0.0
    stopped: str = ""
    nondeterministic: str | None = None


@dataclass(slots=True)
class StressResult:
    """The worst input that was found, and why it is believed to be the worst."""

    target: str
    strategy: str
    size: int
    cost: dict[str, Any]
    witness: Witness | None
    proof: str | None
    effort: Effort
    seed: int
    failures: list[Witness] = field(default_factory=list)
    curve: list[dict[str, Any]] | None = None
    growth: Growth | None = None
    over_budget: list[dict[str, Any]] | None = None
    over_bound: list[dict[str, Any]] | None = None
    interrupted: bool = False
    confined_by: tuple[str, ...] = ()
    """What kept the target from side effects, the strongest first; nothing if they were allowed."""
    explain: dict[str, Any] | None = None
    attack: dict[str, Any] | None = None
    """How the claim of a proof was attacked, as JSON values: see :class:`pessimal.messages.AttackReport`."""
    report: dict[str, Any] | None = None
    """What the strategy reports of its search, as JSON values: see :func:`pessimal.strategy.report_of`."""
    assumed: dict[str, str] = field(default_factory=dict)
    """The ranges of numbers that were given none: ``{"n": "int:-10..10"}``."""
    inferred: dict[str, str] = field(default_factory=dict)
    """The inputs of parameters that have no hint: ``{"xs": "list[int]:N"}``."""

    @property
    def headline(self) -> str | None:
        """That the target hangs or crashes, which matters more than any cost; None if it does neither."""
        return None if not self.failures else self.failures[0].failure

    @property
    def input(self) -> dict[str, Any] | None:
        """The witness's arguments by name."""
        return None if self.witness is None else self.witness.input

    @property
    def generator(self) -> str | None:
        """The text of a function ``worst_case(n)`` that builds inputs as bad as this of any size, if one was found."""
        report, cost = self.report or {}, self.cost["value"]
        is_worse = cost is not None and report.get("generator_cost", cost) < cost
        return None if is_worse else report.get("generator")

    @property
    def shown(self) -> Witness | None:
        """The witness, or the first input that failed when no run ended normally."""
        return self.witness or next(iter(self.failures), None)

    @property
    def outcome(self) -> str | None:
        """How the target ended on the input that is shown."""
        return None if self.shown is None else self.shown.outcome

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        shown = self.shown
        data: dict[str, Any] = {
            "target": self.target,
            "strategy": self.strategy,
            "size": self.size,
            "headline": self.headline,
            "cost": self.cost,
            "input": None if shown is None else shown.to_json()["input"],
            "call": None if shown is None else shown.call,
            "outcome": self.outcome,
            "exception": None if shown is None else shown.exception,
            "replayed": shown is not None and shown.replayed,
            "difference": None if shown is None else shown.difference,
            "unfinished": None if shown is None else shown.unfinished,
            "proof": self.proof,
            "assumed": self.assumed,
            "inferred": self.inferred,
            "attack": self.attack,
            **asdict(self.effort),
            "seed": self.seed,
            "failures": [failure.to_json() for failure in self.failures],
            "interrupted": self.interrupted,
            "confined_by": list(self.confined_by),
        }
        return data | {name: value for name, value in self._optional().items() if value is not None}

    def _optional(self) -> dict[str, Any]:
        """What is left out of the JSON where it was not asked for."""
        return {
            "report": self.report,
            "curve": self.curve,
            "growth": None if self.growth is None else asdict(self.growth),
            "over_budget": self.over_budget,
            "over_bound": self.over_bound,
            "explain": self.explain,
        }


@dataclass(slots=True)
class ExploreResult:
    """The paths that were found, each with an input that was replayed, and whether there are more.

    With an ``objective`` other than ``paths``, these are the paths that it keeps; if ``exhausted``, it judged them all.
    """

    target: str
    strategy: str
    objective: str
    size: int
    paths: list[Witness]
    exhausted: bool
    effort: Effort
    seed: int
    failures: list[Witness] = field(default_factory=list)
    interrupted: bool = False
    confined_by: tuple[str, ...] = ()
    explain: dict[str, Any] | None = None
    attack: dict[str, Any] | None = None
    """How the claim that all paths are known was attacked, as JSON values."""
    report: dict[str, Any] | None = None
    """What the strategy reports of its search, as JSON values: see :func:`pessimal.strategy.report_of`."""
    inferred: dict[str, str] = field(default_factory=dict)
    """The inputs of parameters that have no hint: ``{"xs": "list[int]:N"}``."""

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values."""
        effort = asdict(self.effort)
        effort["explored"] = effort.pop("paths")
        data: dict[str, Any] = {
            "target": self.target,
            "strategy": self.strategy,
            "objective": self.objective,
            "size": self.size,
            "paths": [path.to_json() for path in self.paths],
            "exhausted": self.exhausted,
            "inferred": self.inferred,
            "attack": self.attack,
            **effort,
            "seed": self.seed,
            "failures": [failure.to_json() for failure in self.failures],
            "interrupted": self.interrupted,
            "confined_by": list(self.confined_by),
        }
        if self.report is not None:
            data["report"] = self.report
        if self.explain is not None:
            data["explain"] = self.explain
        return data


def _fields(witness: Witness) -> dict[str, Any]:
    return {name: getattr(witness, name) for name in Witness.__slots__}
