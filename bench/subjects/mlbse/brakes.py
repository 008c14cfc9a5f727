"""The brakes of an aeroplane's wheel: normal, alternate and emergency, with anti-skid and automatic braking."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Small

PEDAL = 100
MEDIUM, MAXIMUM = 40, 80


def _command(pedal: int, automatic: int) -> int:
    """The stronger of what the pilot and the automatic want, within limits."""
    wanted = {0: 0, 1: MEDIUM, 2: MAXIMUM}.get(automatic, 0)
    if pedal > PEDAL:
        pedal = PEDAL
    if pedal < 0:
        pedal = 0
    return pedal if pedal > wanted else wanted


def _relieved(pressure: int, wheel: int, speed: int) -> int:
    """Less pressure for a wheel that skids."""
    if speed <= 10:
        return pressure
    slip = (speed - wheel) * 100 // speed
    if slip > 80:
        return 0
    if slip > 30:
        return pressure // 2
    return pressure


class _System:
    def __init__(self) -> None:
        self.mode = "normal"
        self.stored = 3

    def supply(self, green: int, blue: int) -> int:
        if self.mode == "normal" and green < 30:
            self.mode = "alternate"
        if self.mode == "alternate" and blue < 30:
            self.mode = "emergency"
        if self.mode == "emergency":
            if self.stored == 0:
                return 0
            self.stored -= 1
            return 60
        return green if self.mode == "normal" else blue

    def update(self, pedal: int, automatic: int, green: int, blue: int, wheel: int, speed: int) -> int:
        available = self.supply(green, blue)
        command = _command(pedal, automatic if self.mode == "normal" else 0)
        pressure = command * available // 100
        return pressure if self.mode == "emergency" else _relieved(pressure, wheel, speed)


def brake(
    pedal: Small, automatic: Small, green1: Small, green2: Small, blue1: Small, blue2: Small, wheel: Small, speed: Small
) -> str:
    if speed < 0 or wheel < 0 or wheel > speed:
        return "no landing"
    system = _System()
    first = system.update(pedal, automatic, green1, blue1, wheel, speed)
    later = max(0, speed - first)
    second = system.update(pedal, automatic, green2, blue2, min(wheel, later), later)
    if first == 0 and second == 0:
        return "rolling" if system.mode == "normal" else f"rolling in {system.mode}"
    if later == 0:
        return "stopped"
    if second < first:
        return "weaker" if system.mode == "normal" else f"weaker in {system.mode}"
    return "braking" if second == first else "stronger"
