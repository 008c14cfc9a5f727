"""A calculator of statistics that keeps its numbers between calls."""

from __future__ import annotations

import math

from bench.subjects.mlbse.machine import Small


class _Calculator:
    def __init__(self) -> None:
        self.values: list[int] = []
        self.total = 0
        self.squares = 0

    def add(self, value: int) -> None:
        place = len(self.values)
        while place > 0 and self.values[place - 1] > value:
            place -= 1
        self.values.insert(place, value)
        self.total += value
        self.squares += value * value

    def median(self) -> float:
        count = len(self.values)
        if count == 0:
            return 0.0
        if count % 2 == 1:
            return float(self.values[count // 2])
        return (self.values[count // 2 - 1] + self.values[count // 2]) / 2

    def mean(self) -> float:
        return self.total / len(self.values) if self.values else 0.0

    def deviation(self) -> float:
        if len(self.values) < 2:
            return 0.0
        mean = self.mean()
        return math.sqrt(max(0.0, self.squares / len(self.values) - mean * mean))


def summary(a: Small, b: Small, c: Small, d: Small) -> str:
    calculator = _Calculator()
    for value in (a, b, c, d):
        if value != -1000:
            calculator.add(value)
    if not calculator.values:
        return "nothing"
    if calculator.deviation() == 0:
        return "constant"
    if calculator.median() == calculator.mean():
        return "balanced"
    if calculator.mean() > calculator.median() + calculator.deviation() / 2:
        return "skewed to the right"
    if calculator.mean() < calculator.median() - calculator.deviation() / 2:
        return "skewed to the left"
    return "ordinary"
