"""Whether two aircraft come too near to each other: in a straight flight and in a turn."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Real

DEGREE = math.pi / 180
GRAVITY = 68443.0
"""Of the earth, in the units of knots and nautical miles."""


def conflict(heading: Real, speed: Real, x: Real, y: Real, other_heading: Real, other_speed: Real, bank: Real) -> str:
    tilt = math.tan(bank * DEGREE)
    if tilt == 0:
        return "no turn"
    radius = speed * speed / tilt / GRAVITY
    if heading - other_heading < 0:
        radius = -radius
    angle = (other_heading - heading) * DEGREE
    arc = abs(radius * angle)
    if other_speed <= 0:
        return "standing"
    flown = arc / max(abs(speed), 1.0) * other_speed
    end_x = radius * (1 - math.cos(angle))
    end_y = radius * math.sin(angle)
    other_x = x + flown * math.sin(other_heading * DEGREE)
    other_y = y + flown * math.cos(other_heading * DEGREE)
    distance = math.sqrt((end_x - other_x) ** 2 + (end_y - other_y) ** 2)
    if distance < 999:
        return "collision course" if distance < 2 else "near"
    return "clear"


def turn(x: Real, y: Real, goal_x: Real, goal_y: Real, heading: Real, speed: Real, bank: Real, wind: Real) -> str:
    """Which way to turn to reach a goal, and whether the turn is wide enough for it."""
    dx, dy = goal_x - x, goal_y - y
    distance = math.hypot(dx, dy)
    if distance < 0.01:
        return "arrived"
    wanted = math.atan2(dx, dy) / DEGREE
    change = math.fmod(wanted - heading + 540, 360) - 180
    if abs(change) < 1:
        return "straight on"
    ground = speed + wind * math.cos((heading - 90) * DEGREE)
    if ground <= 0:
        return "blown away"
    tilt = math.tan(abs(bank) * DEGREE)
    if tilt < 0.001:
        return "no bank"
    radius = ground * ground / tilt / GRAVITY
    if 2 * radius * abs(math.sin(change * DEGREE / 2)) > distance:
        return "too wide"
    return "right" if change > 0 else "left"
