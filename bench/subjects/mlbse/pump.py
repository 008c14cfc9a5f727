"""The pump of a mine: it runs while the water is high, unless there is methane or the operator forbids it."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real

LOW, HIGH = 20.0, 80.0
METHANE, CARBON, AIR = 1.0, 35.0, 0.5
FLOW = 15.0


class _Mine:
    def __init__(self, level: float) -> None:
        self.level = level
        self.runs = False
        self.alarms = 0
        self.failed = False

    def _may_run(self, methane: float, forbidden: bool) -> bool:
        if forbidden or self.failed:
            return False
        return methane < METHANE

    def step(self, inflow: float, methane: float, forbidden: bool) -> None:
        self.level = max(0.0, self.level + inflow - (FLOW if self.runs else 0.0))
        if self.level >= HIGH and not self.runs:
            self.runs = self._may_run(methane, forbidden)
            if not self.runs:
                self.alarms += 1
        elif self.level <= LOW and self.runs:
            self.runs = False
        elif self.runs and not self._may_run(methane, forbidden):
            self.runs = False
            self.alarms += 1

    def check_flow(self, current: float) -> None:
        """A pump that takes current but moves nothing has failed; one that takes none while it runs as well."""
        if not self.runs:
            return
        if current < 0.1 or current > 9:
            self.failed = True
            self.runs = False


def control(
    level: Real, inflow1: Real, inflow2: Real, methane1: Real, methane2: Real, forbidden: bool, current: Real
) -> str:
    if level < 0 or methane1 < 0 or methane2 < 0:
        return "no measurement"
    mine = _Mine(level)
    mine.step(inflow1, methane1, False)
    mine.check_flow(current)
    mine.step(inflow2, methane2, forbidden)
    if mine.failed:
        return "failed"
    if mine.level > 100:
        return "flooded, pumping" if mine.runs else "flooded"
    if mine.alarms >= 2:
        return "evacuate"
    if mine.alarms == 1:
        return "alarm"
    return "pumping" if mine.runs else "quiet"


def air(carbon: Real, flow: Real, hours: Real, people: Real) -> str:
    """Whether the air lasts: gas grows with people and hours and leaves with the flow."""
    if carbon < 0 or flow < 0 or hours < 0 or people < 0:
        return "no measurement"
    if flow < AIR:
        return "fan stopped"
    decay = math.exp(-flow * hours / 100)
    later = carbon * decay + people * (1 - decay) / flow
    if later > CARBON:
        return "leave at once" if carbon > CARBON else "leave in time"
    return "recovering" if later < carbon / 2 else "fine"
