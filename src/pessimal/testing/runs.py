"""Runs of a small function in this process, for conformance checks."""

from __future__ import annotations

from pessimal.runs import Request
from pessimal.testing.in_process import InProcess
from pessimal.testing.programs import classify
from pessimal.trace import Trace

SECONDS = 10.0
INPUTS = ([0, 0], [1, 2], [2, 1], [3, 3], [-1, 5], [5, -1], [7, 7], [0, 1])


def traces() -> list[tuple[Trace, float]]:
    """Symbolic runs of several inputs with their costs; some take the same path."""
    front_end = InProcess(classify, 1)
    found = [front_end.run(Request(start=leaves), SECONDS) for leaves in INPUTS]
    return [(trace, front_end.cost(trace, SECONDS)) for trace in found]
