"""Fingerprints of path conditions, so that the conditions of two runs can be compared without keeping them."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from pessimal.expr.node import App, Compare, Junction, Not, Offset, Var, bottom_up, children
from pessimal.trace import Trace

START = b""
"""The fingerprint of the empty path condition."""


class Fingerprints:
    """Fingerprints are equal for structurally equal conditions; a shared subexpression is visited once."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Any, ...], int] = {}

    def of_prefixes(self, trace: Trace) -> list[bytes]:
        """For each decision of a run, the fingerprint of its site and condition and of all those before it."""
        known: dict[int, int] = {}
        result, last = [], START
        for position, site in enumerate(trace.sites):
            switch = trace.switches.get(position)
            conditions = (trace.conditions[position],) if switch is None else switch.conditions
            numbers = [self._number(condition, known) for condition in conditions]
            decision = ascii((numbers, position in trace.choices, site.id))
            last = blake2b(last + decision.encode(), digest_size=16).digest()
            result.append(last)
        return result

    def _number(self, node: Any, known: dict[int, int]) -> int:
        if type(node) is App:
            for part in bottom_up(node, known):
                known[id(part)] = self._number_from_parts(part, known)
            return known[id(node)]
        return self._number_from_parts(node, known)

    def _number_from_parts(self, node: Any, known: dict[int, int]) -> int:
        parts = (self._number(part, known) for part in children(node))
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
