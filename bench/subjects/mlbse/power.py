"""Powers of two numbers compared with each other."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Small


def compare(x: Small, y: Small) -> str:
    square = math.pow(x, 2.0)
    if x > 0 and y == square:
        return "square" if y > 8 else "small square"
    if x > 0 and y > 8:
        return "above" if y > square else "below"
    if x < 0 and math.pow(x, 3.0) == y:
        return "cube"
    return "none"
