"""Costs by name: what ``stress`` maximises, and whether it is read off the trace or measured during the run.

Those that can be read off a trace are the same for every front-end; a front-end adds those that it can measure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, partial
from pathlib import Path, PurePath
from typing import Any, Protocol

from pessimal.errors import UnknownNameError, UsageError
from pessimal.importing import describe
from pessimal.registry import Registry
from pessimal.trace import Trace


class Meter(Protocol):
    """Measures what happens between entering and leaving it."""

    @property
    def value(self) -> float:
        """The measure, once the meter was left."""
        ...

    def __enter__(self) -> Meter: ...

    def __exit__(self, *exception: object) -> None: ...


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


def metered(name: str, path_determined: bool, meter: Callable[[], Meter]) -> Cost:
    """A cost that a meter measures."""
    return Cost(name, path_determined, lambda trace: trace.costs[name], meter)


def _site(name: str, rest: str) -> Cost:
    is_file, line = place(name, rest)
    return Cost(name, True, lambda trace: float(_tests_at(trace, is_file, line)))


def _tests_at(trace: Trace, is_file: Callable[[str], bool], line: int) -> int:
    places = enumerate(trace.sites)
    return sum(site.line == line and is_file(site.file) and i not in trace.choices for i, site in places)


Family = Callable[[str, str], Cost]
"""Makes a cost of its whole name and of what stands behind the colon."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs that one front-end knows: plain ones, and families by their name, each with the form of the rest."""

    simple: Mapping[str, Cost] = field(default_factory=dict)
    families: Mapping[str, tuple[str, Family]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """All that can be asked for, places to fill in capitals."""
        families = [f"{name}:{form}" for name, (form, _) in self.families.items()]
        return [*self.simple, *families, *PLUG_INS.names(), "MODULE:FUNCTION", "FILE.py:FUNCTION"]

    def find(self, given: str | Callable[[Trace], float]) -> Cost:
        """The cost of a name, or the user's own function of a trace."""
        if callable(given):
            return _users(getattr(given, "__name__", type(given).__name__), given)
        if given in self.simple:
            return self.simple[given]
        family, colon, rest = given.partition(":")
        if colon and family in self.families:
            return self.families[family][1](given, rest)
        if given in PLUG_INS.names():
            plug_in = PLUG_INS.get(given)
            return plug_in if isinstance(plug_in, Cost) else _users(given, plug_in)
        if not colon or rest.rpartition(":")[2].isdigit():
            raise UnknownNameError(self._unknown(given))
        return _imported(given)

    def _unknown(self, name: str) -> str:
        known = {item.partition(":")[0]: item for item in self.names()}
        close = get_close_matches(name.partition(":")[0], known, 1)
        hint = f", did you mean {known[close[0]]}?" if close else "."
        return f"unknown cost {name!r}{hint} Known are: {', '.join(self.names())}"


NEUTRAL = Costs({BRANCHES.name: BRANCHES}, {"site": ("FILE:LINE", _site)})
"""What can be read off the trace of any front-end."""


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


def place(name: str, rest: str) -> tuple[Callable[[str], bool], int]:
    """The place in a cost's name: whether a file is meant, and the line."""
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
