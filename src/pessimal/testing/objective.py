"""The conformance check of objectives, on the runs of a small function."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isnan

from pessimal.conformance import expect
from pessimal.objective import Objective, Verdict
from pessimal.testing.runs import traces
from pessimal.trace import Trace

METHODS = ("judge", "state", "restore")


def check_objective(make: Callable[[], Objective]) -> None:
    """Check that an objective fulfils the contract of :class:`pessimal.objective.Objective`."""
    _check_shape(make())
    runs = traces()
    first = _judged(make(), runs)
    expect(any(verdict.is_best for verdict in first), "one of the runs must be judged the best, or there is no witness")
    _check_values(first)
    expect(first == _judged(make(), runs), "the same runs must get the same verdicts")
    _check_repetition(make, runs)
    _check_resuming(make, runs)


def _judged(objective: Objective, runs: list[tuple[Trace, float]]) -> list[Verdict]:
    return [objective.judge(trace, cost) for trace, cost in runs]


def _check_shape(objective: Objective) -> None:
    name = getattr(objective, "name", None)
    expect(isinstance(name, str) and name == name.lower() != "", "an objective needs a name, a lower-case word")
    expect(isinstance(getattr(objective, "needs_branches", None), bool), "needs_branches must be true or false")
    for method in METHODS:
        expect(callable(getattr(objective, method, None)), f"an objective needs a method {method}()")


def _check_values(verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        expect(isinstance(verdict, Verdict), "judge() must return a Verdict")
        expect(not isnan(verdict.value), "a value must be a number, but is nan")


def _check_repetition(make: Callable[[], Objective], runs: list[tuple[Trace, float]]) -> None:
    objective = make()
    _judged(objective, runs)
    again = _judged(objective, runs)
    expect(not any(verdict.is_best for verdict in again), "a run must not be judged the best a second time")


def _check_resuming(make: Callable[[], Objective], runs: list[tuple[Trace, float]]) -> None:
    """A second objective that continues from the state of the first must give the verdicts that one alone gives."""
    middle = len(runs) // 2
    first, second = make(), make()
    before = _judged(first, runs[:middle])
    second.restore(json.loads(json.dumps(first.state())))
    whole = _judged(make(), runs)
    expect(before + _judged(second, runs[middle:]) == whole, "state() and restore() must lead to the same verdicts")
