"""What a replay should show: the trace that the search found, on the simplest input that has it."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.messages import Finding
from pessimal.runs import Request
from pessimal.solve import Literal, satisfies
from pessimal.tidy import tidy
from pessimal.trace import Trace

THOROUGH = 200_000
"""Up to this many conditions times leaves an input is simplified leaf by leaf."""


def predict(front_end: FrontEnd, finding: Finding, seconds: float) -> Trace:
    """The trace that is expected; of a concrete run only its input and its outcome are known."""
    leaves = list(finding.leaves)
    if not finding.ended:
        return Trace(leaves=leaves, outcome=finding.outcome)
    if finding.origin == "concrete":
        return _simplified_by_cost(front_end, finding, seconds)
    trace = front_end.run(Request(start=leaves), seconds)
    path = trace.path_condition
    thorough = len(path) * len(leaves) <= THOROUGH

    def keeps_path(other: list[Leaf]) -> bool:
        return _satisfies(other, path) and front_end.admits(other)

    trace.leaves = tidy(leaves, front_end.domains, keeps_path, thorough)
    return trace


def _simplified_by_cost(front_end: FrontEnd, finding: Finding, seconds: float) -> Trace:
    def keeps_cost(other: list[Leaf]) -> bool:
        trace = front_end.evaluate(other, seconds)
        return trace.outcome is finding.outcome and front_end.cost(trace, seconds) >= finding.cost

    leaves = tidy(list(finding.leaves), front_end.domains, keeps_cost, thorough=False)
    return Trace(leaves=leaves, outcome=finding.outcome)


def _satisfies(leaves: list[Leaf], path: Sequence[Literal]) -> bool:
    try:
        return satisfies(leaves, path)
    except (ArithmeticError, ValueError):
        return False
