"""How runs ended, in words and for comparison: the addresses of objects differ between runs that are equal."""

from __future__ import annotations

import re

from pessimal.trace import Outcome, Trace

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def ending(trace: Trace) -> tuple[str, str, str]:
    """How a run ended: its outcome, what it returned and what it raised, without the addresses of objects."""
    return trace.outcome.value, _ADDRESS.sub("", trace.returned or ""), _ADDRESS.sub("", trace.exception or "")


def brief(trace: Trace) -> str:
    """How a run ended, in a few words."""
    detail = trace.exception if trace.outcome is Outcome.RAISED else trace.returned
    return f"{trace.outcome.value} {(detail or '')[:80]}".strip()


def exception_type(exception: str | None) -> str:
    """The name of an exception's class, from its description."""
    return (exception or "").partition(":")[0]


def difference(counted: Trace, native: Trace) -> str | None:
    """How a counted run and a native run of one input end differently: in outcome, value, or class of exception."""
    ours, theirs = ending(counted), ending(native)
    if ours[:2] == theirs[:2] and exception_type(ours[2]) == exception_type(theirs[2]):
        return None
    return f"{brief(counted)} with counted values, but natively {brief(native)}"
