"""Advice to a pilot who meets another aircraft: climb, descend, or nothing."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Small

OLD_SEPARATION, MIN_SEPARATION, CROSSING = 600, 300, 100
LIMITS = (400, 500, 640, 740)
UNRESOLVED, UPWARD, DOWNWARD = 0, 1, 2
TCAS, OTHER = 1, 2
NO_INTENT, NO_CLIMB, NO_DESCENT = 0, 1, 2


class _Meeting:
    """What both aircraft know of each other."""

    def __init__(self, own: int, other: int, up: int, down: int, layer: int, inhibited: bool) -> None:
        self.own = own
        self.other = other
        self.up = up
        self.down = down
        self.limit = LIMITS[layer]
        self.inhibited = inhibited

    def own_is_below(self) -> bool:
        return self.own < self.other

    def own_is_above(self) -> bool:
        return self.own > self.other

    def biased_up(self) -> int:
        """The separation after climbing; where climbing is inhibited, a crossing is preferred."""
        return self.up + CROSSING if self.inhibited else self.up

    def climbs(self) -> bool:
        if self.biased_up() > self.down:
            return not self.own_is_below() or (self.own_is_below() and not self.down >= self.limit)
        return self.own_is_above() and self.up >= self.limit

    def descends(self) -> bool:
        if self.biased_up() > self.down:
            return self.own_is_below() and self.down >= self.limit
        return not self.own_is_above() or (self.own_is_above() and self.up >= self.limit)


def advise(
    separation: Small,
    confident: bool,
    two_reports: bool,
    own: Small,
    rate: Small,
    other: Small,
    layer: Small,
    up: Small,
    down: Small,
    advice: Small,
    equipment: Small,
    inhibited: bool,
) -> int:
    if not 0 <= layer < len(LIMITS):
        return -1
    meeting = _Meeting(own, other, up, down, layer, inhibited)
    enabled = confident and rate <= OLD_SEPARATION and separation > MIN_SEPARATION
    equipped = equipment == TCAS
    unknown_intent = two_reports and advice == NO_INTENT
    if not enabled or not ((equipped and unknown_intent) or not equipped):
        return UNRESOLVED
    needs_up = meeting.climbs() and meeting.own_is_below()
    needs_down = meeting.descends() and meeting.own_is_above()
    if needs_up and needs_down:
        return UNRESOLVED
    if needs_up:
        return UPWARD if advice != NO_CLIMB else UNRESOLVED
    if needs_down:
        return DOWNWARD if advice != NO_DESCENT else UNRESOLVED
    return UNRESOLVED
