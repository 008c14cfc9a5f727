"""Two traces of one input compared: where they differ, in words."""

from __future__ import annotations

from pessimal.endings import brief, exception_type
from pessimal.messages import ENDED, Finding
from pessimal.trace import Outcome, Trace


def difference(finding: Finding, prediction: Trace, native: Trace, measured: Trace) -> str | None:
    """Where a replay, run natively and measured, differs from what was predicted."""
    if native.outcome is not finding.outcome:
        return f"predicted to be {finding.outcome.value}, but natively {brief(native)}"
    expected = exception_type(finding.exception)
    if native.outcome is Outcome.RAISED and exception_type(native.exception) != expected:
        return f"predicted to raise {expected}, but natively {brief(native)}"
    if finding.origin == "symbolic" and native.outcome in ENDED:
        found = _first_difference(prediction, measured)
        if found is not None:
            return found
    return native.refused


def _first_difference(predicted: Trace, measured: Trace) -> str | None:
    """The first branch at which two traces differ."""
    ours, theirs = steps(predicted), steps(measured)
    if ours == theirs:
        return None
    for position, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"branch {position} was predicted as {_step(*a)}, but replayed as {_step(*b)}"
    return f"{len(ours)} branches were predicted, but {len(theirs)} replayed"


def _step(site: str, taken: int) -> str:
    return f"{site} {bool(taken) if taken < 2 else f'outcome {taken}'}"


def steps(trace: Trace) -> list[tuple[str, int]]:
    """The sites and decisions of a trace, choices left out."""
    names: dict[int, str] = {}  # a site's identity is computed at each access, and a path has few sites
    for site in trace.sites:
        if id(site) not in names:
            names[id(site)] = site.id
    pairs = zip(trace.sites, trace.decisions, strict=True)
    return [(names[id(site)], taken) for i, (site, taken) in enumerate(pairs) if i not in trace.choices]
