"""Runs of a small function in this process, for conformance checks."""

from __future__ import annotations

from pessimal.runs import Request
from pessimal.testing.in_process import InProcess
from pessimal.trace import Trace

SECONDS = 10.0
INPUTS = ([0, 0], [1, 2], [2, 1], [3, 3], [-1, 5], [5, -1], [7, 7], [0, 1])


def classify(a: int, b: int) -> str:
    """The function under test: its paths have several lengths, and one raises."""
    if a < b:
        return "less"
    if a == b and a > 5:
        raise ValueError("large")
    return "equal" if a == b else "more"


def traces() -> list[tuple[Trace, float]]:
    """Symbolic runs of several inputs with their costs; some take the same path."""
    front_end = InProcess(classify, 1)
    found = [front_end.run(Request(start=leaves), SECONDS) for leaves in INPUTS]
    return [(trace, front_end.cost(trace, SECONDS)) for trace in found]
