"""From the events of a run to its trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pessimal.c.executor import FURTHER, MOST_EVENTS
from pessimal.c.sites import CTest
from pessimal.expr import Expr
from pessimal.trace import Switch, Trace

_LARGEST_OUTCOME = 255


class Tests:
    """The tests of a build by their slots."""

    def __init__(self, tests: Sequence[CTest], slots: int) -> None:
        self.tests = tuple(tests)
        self._by_slot: list[CTest | None] = [None] * slots
        for test in tests:
            self._by_slot[test.slot] = test

    def at(self, slot: int) -> CTest:
        """The test whose first slot this is."""
        return cast("CTest", self._by_slot[slot])

    def fill(self, trace: Trace, events: NDArray[np.void]) -> None:
        """Add the events to a trace as branches."""
        measured: list[tuple[float, ...]] = []
        for slot, outcome, _, _, distance in events.tolist():
            if slot == FURTHER:
                measured[-1] = _nearer(measured[-1], outcome, distance)
                continue
            test = self.at(slot)
            if test.is_switch:
                conditions = cast("tuple[Expr, ...]", (None,) * test.arity)  # what they depend on is not known
                trace.switches[len(measured)] = Switch(conditions, bytearray(test.arity))
                measured.append(tuple(0.0 if i == outcome else np.inf for i in range(test.arity)))
            else:
                measured.append((distance, 0.0) if outcome else (0.0, distance))
            trace.sites.append(test.site)
            trace.decisions.append(min(outcome, _LARGEST_OUTCOME))
        count = len(measured)
        trace.measured = measured
        trace.conditions, trace.others, trace.depths = [None] * count, bytearray(count), [0] * count
        trace.truncated = len(events) >= MOST_EVENTS

    def operands(self, events: NDArray[np.void]) -> list[tuple[int, Any, Any]]:
        """What the events compared: the slot of the test and two numbers, of a switch its value twice."""
        return [(slot, left, right) for slot, _, left, right, _ in events.tolist() if slot != FURTHER]


def _nearer(distances: tuple[float, ...], outcome: int, distance: float) -> tuple[float, ...]:
    return tuple(min(old, distance) if i == outcome else old for i, old in enumerate(distances))
