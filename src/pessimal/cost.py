"""Costs by name: what ``stress`` maximises, and whether it is read off the trace or measured during the run."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path, PurePath
from typing import Any

from pessimal.errors import UnknownNameError, UsageError
from pessimal.importing import describe
from pessimal.python.meters import Allocated, Block, Calls, Depth, Lines, Meter, PeakMemory, WallTime
from pessimal.registry import Registry
from pessimal.trace import Trace


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost: ``of`` reads it off a finished trace; where there is a ``meter``, that measured it before.

    ``path_determined`` tells that all inputs of one path cost the same. For the other costs, having seen every path
    proves nothing.
    """

    name: str
    path_determined: bool
    of: Callable[[Trace], float]
    meter: Callable[[], Meter] | None = None

    @property
    def from_trace(self) -> bool:
        """Whether the trace is enough to know the cost, so that nothing needs to run."""
        return self.meter is None


PLUG_INS = Registry("cost", "pessimal.costs")
"""Installed costs: each a :class:`Cost` or a function of a trace."""

BRANCHES = Cost("branches", True, lambda trace: float(trace.length))


def _metered(name: str, path_determined: bool, meter: Callable[[], Meter]) -> Cost:
    return Cost(name, path_determined, lambda trace: trace.costs[name], meter)


def _site(name: str, rest: str) -> Cost:
    is_file, line = _place(name, rest)
    return Cost(name, True, lambda trace: float(_tests_at(trace, is_file, line)))


def _tests_at(trace: Trace, is_file: Callable[[str], bool], line: int) -> int:
    places = enumerate(trace.sites)
    return sum(site.line == line and is_file(site.file) and i not in trace.choices for i, site in places)


def _block(name: str, rest: str) -> Cost:
    is_file, line = _place(name, rest)
    return _metered(name, True, lambda: Block(line, is_file))


def _calls(name: str, rest: str) -> Cost:
    if not rest:
        raise UsageError(f"cost {name!r} names no function: write calls:QUALNAME")
    return _metered(name, True, lambda: Calls(rest))


_SIMPLE = {
    cost.name: cost
    for cost in (
        BRANCHES,
        _metered("lines", True, Lines),
        _metered("depth", True, Depth),
        _metered("allocated", False, Allocated),
        _metered("memory", False, PeakMemory),
        _metered("time", False, WallTime),
    )
}
_FAMILIES = {"site": ("FILE:LINE", _site), "block": ("FILE:LINE", _block), "calls": ("QUALNAME", _calls)}


def names() -> list[str]:
    """All that can be asked for, places to fill in capitals."""
    families = [f"{name}:{form}" for name, (form, _) in _FAMILIES.items()]
    return [*_SIMPLE, *families, *PLUG_INS.names(), "MODULE:FUNCTION", "FILE.py:FUNCTION"]


def find(given: str | Callable[[Trace], float]) -> Cost:
    """The cost of a name, or the user's own function of a trace."""
    if callable(given):
        return _users(getattr(given, "__name__", type(given).__name__), given)
    if given in _SIMPLE:
        return _SIMPLE[given]
    family, colon, rest = given.partition(":")
    if colon and family in _FAMILIES:
        return _FAMILIES[family][1](given, rest)
    if given in PLUG_INS.names():
        plug_in = PLUG_INS.get(given)
        return plug_in if isinstance(plug_in, Cost) else _users(given, plug_in)
    if not colon or rest.rpartition(":")[2].isdigit():
        raise UnknownNameError(_unknown(given))
    return _imported(given)


def _imported(name: str) -> Cost:
    from pessimal.target import load  # only now, because loading a target is much to import

    return _users(name, load(name).call)


def _users(name: str, function: Callable[[Trace], Any]) -> Cost:
    return Cost(name, False, partial(_checked, name, function))


def _checked(name: str, function: Callable[[Trace], Any], trace: Trace) -> float:
    try:
        value = float(function(trace))
    except Exception as error:
        raise UsageError(f"cost {name!r} raises {describe(error)}: correct it to return a number") from error
    if value != value:
        raise UsageError(f"cost {name!r} returns nan, which is neither more nor less: return a number")
    return value


def _place(name: str, rest: str) -> tuple[Callable[[str], bool], int]:
    file, _, line = rest.rpartition(":")
    if not file or not line.isdigit():
        raise UsageError(f"cost {name!r} names no line: write {name.partition(':')[0]}:FILE:LINE")
    return _is_file(file), int(line)


def _is_file(given: str) -> Callable[[str], bool]:
    """Whether a file's path ends in what the user wrote; that may be its bare name."""
    path = Path(os.path.normpath(given))
    wanted = (path.resolve() if ".." in path.parts else path).parts

    @cache
    def matches(file: str) -> bool:
        return PurePath(file).parts[-len(wanted) :] == wanted

    return matches


def _unknown(name: str) -> str:
    known = {item.partition(":")[0]: item for item in names()}
    close = get_close_matches(name.partition(":")[0], known, 1)
    hint = f", did you mean {known[close[0]]}?" if close else "."
    return f"unknown cost {name!r}{hint} Known are: {', '.join(names())}"
