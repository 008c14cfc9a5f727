"""The costs that this front-end measures: instructions, blocks, branches, and executions of an address."""

from __future__ import annotations

from pessimal.cost import BRANCHES, NEUTRAL, Cost, Costs
from pessimal.errors import UsageError


def _measured(name: str) -> Cost:
    return Cost(name, True, lambda trace: trace.costs.get(name, 0.0))


def _address(name: str, rest: str) -> Cost:
    try:
        int(rest, 16)
    except ValueError:
        if not rest.isidentifier():
            raise UsageError(f"cost {name!r} names no address: write address:0x1189 or address:function") from None
    return _measured(name)


INSTRUCTIONS = _measured("instructions")
BLOCKS = _measured("blocks")
COSTS = Costs(
    {cost.name: cost for cost in (INSTRUCTIONS, BLOCKS, BRANCHES)},
    {"address": ("0xOFFSET", _address), **NEUTRAL.families},
)
"""All costs by name."""


def watched_place(name: object) -> str | None:
    """The offset or function whose executions a cost counts."""
    kind, _, rest = str(name).partition(":")
    return rest if kind == "address" else None
