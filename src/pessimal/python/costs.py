"""The costs of Python targets: those of any trace, and those that are measured while the target runs natively."""

from __future__ import annotations

from dataclasses import replace

from pessimal.cost import NEUTRAL, Cost, Costs, metered, place
from pessimal.errors import UsageError
from pessimal.python.meters import Allocated, Block, Calls, Depth, Lines, PeakMemory, WallTime
from pessimal.python.work import Work


def _block(name: str, rest: str) -> Cost:
    is_file, line = place(name, rest)
    return metered(name, True, lambda: Block(line, is_file))


def _calls(name: str, rest: str) -> Cost:
    if not rest:
        raise UsageError(f"cost {name!r} names no function: write calls:QUALNAME")
    return metered(name, True, lambda: Calls(rest))


_METERED = (
    replace(metered("work", True, Work), is_counted=True),
    metered("lines", True, Lines),
    metered("depth", True, Depth),
    metered("allocated", False, Allocated),
    metered("memory", False, PeakMemory),
    replace(metered("time", False, WallTime), confirmations=4),
)

PYTHON = Costs(
    {**NEUTRAL.simple, **{cost.name: cost for cost in _METERED}},
    {**NEUTRAL.families, "block": ("FILE:LINE", _block), "calls": ("QUALNAME", _calls)},
)

find, names = PYTHON.find, PYTHON.names
