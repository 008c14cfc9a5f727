"""Whose turn it is in a portfolio: every member gets its share of the work, and more while it improves the result.

Work is measured in microseconds, or in an estimate of them where a search must be the same on every machine. The next
turn goes to the member that has used the least for its weight. So no member can starve another: whatever a long step
takes is charged to the one that made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIRST_TURN, TURN_SHARE, LONGEST_TURN = 20_000.0, 1 / 100, 500_000.0
"""How long a turn of a member with the weight 1 is: a share of all the work so far, within limits."""

MOST_GAIN, LEAST_GAIN = 4.0, 1 / 8
"""How far the weight of a member rises while it improves the result, and falls while it does not, by default."""

COMPETITIVE, FORGETTING = 1 / 2, 0.8
"""A weight rises if the result improves at least so many times as fast as others lately did, who are forgotten slowly:
after each turn their speed counts so many times as much."""


class Schedule:
    """The turns of the members.

    ``shares`` are their weights, in the order of their first turns. ``starts`` is the total work before which a member
    has no turn as long as others have something to do. ``least`` is how far the weights of some members fall at most
    while they improve nothing: search on concrete inputs may find something after a long time, systematic search finds
    it early or never.
    """

    def __init__(self, shares: Mapping[str, float], starts: Mapping[str, float], least: Mapping[str, float]) -> None:
        self._shares = dict(shares)
        self._starts = dict(starts)
        self.least = least
        self._gains = dict.fromkeys(shares, 1.0)
        self._speeds = dict.fromkeys(shares, 0.0)
        self._work_in_turn = 0.0
        self._used: dict[str, float] = {}  # work by weight
        self.work = dict.fromkeys(shares, 0.0)
        self.ended: list[str] = []

    @property
    def total(self) -> float:
        """All the work so far."""
        return sum(self.work.values())

    def next(self) -> str | None:
        """The member whose turn is next; None if all have ended."""
        active = [name for name in self._shares if name not in self.ended]
        ready = [name for name in active if self._starts.get(name, 0.0) <= self.total] or active
        least = min((self._used[name] for name in ready if name in self._used), default=0.0)
        for name in ready:
            self._used.setdefault(name, least)  # a member that begins late does not catch up
        return min(ready, key=lambda name: self._used[name], default=None)

    def turn(self, name: str) -> float:
        """The work of a member's next turn."""
        return min(LONGEST_TURN, max(FIRST_TURN, TURN_SHARE * self.total)) * max(1.0, self._weight(name))

    def _weight(self, name: str) -> float:
        return self._shares[name] * self._gains[name]

    def weigh(self, name: str, share: float) -> None:
        """Change the share of a member."""
        self._shares[name] = share

    def is_improving(self, name: str) -> bool:
        """Whether a member improved the result in its last turn."""
        return self._gains[name] > 1.0

    def charge(self, name: str, work: float) -> None:
        """Count what a member used."""
        self.work[name] += work
        self._work_in_turn += work
        self._used[name] += work / self._weight(name)

    def reward(self, name: str, improvement: float) -> None:
        """Change the weight of a member after a turn, by how much it improved the result."""
        gain, speed = self._gains[name], improvement / max(1.0, self._work_in_turn)
        self._work_in_turn = 0.0
        others = max((self._speeds[other] for other in self._speeds if other != name), default=0.0)
        for other in self._speeds:
            self._speeds[other] *= FORGETTING
        self._speeds[name] = max(speed, self._speeds[name])
        if improvement <= 0:
            self._gains[name] = max(self.least.get(name, LEAST_GAIN), gain / 2)
        else:
            self._gains[name] = min(MOST_GAIN, max(1.0, 2 * gain)) if speed >= COMPETITIVE * others else 1.0

    def add(self, shares: Mapping[str, float]) -> None:
        """Let further members have turns from now on."""
        self._shares.update(shares)
        for name in shares:
            self._gains.setdefault(name, 1.0)
            self._speeds.setdefault(name, 0.0)
            self.work.setdefault(name, 0.0)

    def end(self, name: str) -> None:
        """A member has nothing left to try."""
        self.ended.append(name)

    def to_json(self) -> dict[str, Any]:
        """The state of the schedule as JSON values."""
        state = {"gains": self._gains, "speeds": self._speeds, "work_in_turn": self._work_in_turn}
        return {**state, "used": self._used, "work": self.work, "ended": self.ended}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Continue from an earlier state, with the members that are still there."""
        for name in self._shares:
            self._gains[name] = data["gains"].get(name, 1.0)
            self._speeds[name] = data["speeds"].get(name, 0.0)
            self.work[name] = data["work"].get(name, 0.0)
        self._work_in_turn = data["work_in_turn"]
        self._used = {name: used for name, used in data["used"].items() if name in self._shares}
        self.ended = [name for name in data["ended"] if name in self._shares]
