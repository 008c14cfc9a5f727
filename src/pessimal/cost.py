"""Costs by name: what ``stress`` maximises, and whether it is read from the trace or measured during the run.

Costs that are read from the trace are the same for every front-end; a front-end adds those that it can measure.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
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
        """The measured value, available after the meter was left."""
        ...

    @property
    def own_value(self) -> float:
        """What the target's own code contributes, without the caches of libraries, as far as that can be told."""
        ...

    @property
    def counts(self) -> Sequence[int]:
        """How often each place in the code was executed, if that is what is measured."""
        ...

    @property
    def settled(self) -> bool:
        """Whether the run did nothing that only a first run does, such as importing; otherwise it is measured again."""
        ...

    def __enter__(self) -> Meter: ...

    def __exit__(self, *exception: object) -> None: ...


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost: ``of`` reads it from a finished trace, into which the ``meter``, if there is one, has written it.

    ``path_determined`` says that all inputs that take the same path have the same cost. For other costs, having run
    every path proves nothing.
    """

    name: str
    path_determined: bool
    of: Callable[[Trace], float]
    meter: Callable[[], Meter] | None = None
    is_counted: bool = False
    """Whether the meter counts how often each place in the code is executed."""
    confirmations: int = 1
    """How often the meter measures again what seems to be the largest cost so far; the least of all counts."""

    @property
    def from_trace(self) -> bool:
        """Whether the cost can be read from a trace alone, without another run."""
        return self.meter is None


PLUG_INS = Registry("cost", "pessimal.costs")
"""Costs of installed packages: each a :class:`Cost` or a function of a trace."""

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
"""Makes a cost from its full name and the part after the colon."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one front-end: simple ones by name, and families by prefix, each with the format of the rest."""

    simple: Mapping[str, Cost] = field(default_factory=dict)
    families: Mapping[str, tuple[str, Family]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """All names that can be given, with placeholders in capitals."""
        families = [f"{name}:{form}" for name, (form, _) in self.families.items()]
        return [*self.simple, *families, *PLUG_INS.names(), "MODULE:FUNCTION", "FILE.py:FUNCTION"]

    def find(self, given: str | Callable[[Trace], float]) -> Cost:
        """The cost with a name, or the user's own function of a trace as a cost."""
        if callable(given):
            return _user_cost(getattr(given, "__name__", type(given).__name__), given)
        if given in self.simple:
            return self.simple[given]
        family, colon, rest = given.partition(":")
        if colon and family in self.families:
            return self.families[family][1](given, rest)
        if given in PLUG_INS.names():
            plug_in = PLUG_INS.get(given)
            return plug_in if isinstance(plug_in, Cost) else _user_cost(given, plug_in)
        if not colon or rest.rpartition(":")[2].isdigit():
            raise UnknownNameError(self._unknown(given))
        return _imported(given)

    def _unknown(self, name: str) -> str:
        known = {item.partition(":")[0]: item for item in self.names()}
        close = get_close_matches(name.partition(":")[0], known, 1)
        hint = f", did you mean {known[close[0]]}?" if close else "."
        return f"unknown cost {name!r}{hint} Known costs: {', '.join(self.names())}"


NEUTRAL = Costs({BRANCHES.name: BRANCHES}, {"site": ("FILE:LINE", _site)})
"""The costs that can be read from the trace of any front-end."""


def _imported(name: str) -> Cost:
    from pessimal.target import load  # imported here because it is slow to import and rarely needed

    return _user_cost(name, load(name).call)


def _user_cost(name: str, function: Callable[[Trace], Any]) -> Cost:
    return Cost(name, False, partial(_checked, name, function))


def _checked(name: str, function: Callable[[Trace], Any], trace: Trace) -> float:
    try:
        value = float(function(trace))
    except Exception as error:
        raise UsageError(f"cost {name!r} raises {describe(error)}: it must return a number") from error
    if value != value:
        raise UsageError(f"cost {name!r} returns nan, which cannot be compared: it must return a number")
    return value


def place(name: str, rest: str) -> tuple[Callable[[str], bool], int]:
    """The file and line in a cost's name: a test whether a path is that file, and the line."""
    file, _, line = rest.rpartition(":")
    if not file or not line.isdigit():
        raise UsageError(f"cost {name!r} does not name a line: write {name.partition(':')[0]}:FILE:LINE")
    return _is_file(file), int(line)


def _is_file(given: str) -> Callable[[str], bool]:
    """A test whether the path of a file ends with what the user wrote, which may be its bare name."""
    path = Path(os.path.normpath(given))
    wanted = (path.resolve() if ".." in path.parts else path).parts

    @cache
    def matches(file: str) -> bool:
        return PurePath(file).parts[-len(wanted) :] == wanted

    return matches
