"""Names for conditions that are equal to the letter, so that two runs can be compared without keeping them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from pessimal.expr.node import App, Compare, Junction, Not, Offset, Var, bottom_up, children
from pessimal.trace import Trace

START = b""
"""The name of no condition at all."""


class Names:
    """Names equal expressions equally; shared parts are named once, so that deep ones cost no more than they hold."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}

    def chain(self, trace: Trace) -> list[bytes]:
        """For each decision of a run, one name for its site, its condition and all those before it."""
        known: dict[int, int] = {}
        result, last = [], START
        for position, site in enumerate(trace.sites):
            switch = trace.switches.get(position)
            conditions = (trace.conditions[position],) if switch is None else switch.conditions
            names = [self._name(condition, known) for condition in conditions]
            own = ascii((names, position in trace.choices, site.id))
            last = blake2b(last + own.encode(), digest_size=16).digest()
            result.append(last)
        return result

    def _name(self, node: Any, known: dict[int, int]) -> int:
        if type(node) is App:
            for part in bottom_up(node, known):
                known[id(part)] = self._number(part, known)
            return known[id(node)]
        return self._number(node, known)

    def _number(self, node: Any, known: dict[int, int]) -> int:
        parts = (self._name(part, known) for part in children(node))
        return self._numbers.setdefault((*_label(node), *parts), len(self._numbers))


def _label(node: Any) -> tuple[Any, ...]:
    kind = type(node)
    if kind is Offset:
        return kind, node.var, node.const
    if kind is Var:
        return kind, node.var
    if kind is App:
        return kind, node.op, node.sort
    if kind is Compare or kind is Junction:
        return kind, node.op
    return (kind,) if kind is Not else (kind, repr(node))
