"""Classifying the sum of two waves at a moment."""

from __future__ import annotations

import math


def classify(frequency: float, phase: float, moment: float) -> str:
    """What kind of point of the wave a moment is."""
    if not (math.isfinite(frequency) and math.isfinite(phase) and math.isfinite(moment)):
        return "undefined"
    if not 0.0 < frequency <= 100.0:
        return "silent"
    if abs(phase) > math.pi:
        return "out of phase"
    if not 0.0 <= moment <= 10.0:
        return "out of range"
    first = math.sin(frequency * moment + phase)
    second = math.cos(2.0 * frequency * moment - phase)
    if first + second > 1.9:
        if math.tan(phase) > 1.0:
            return "steep crest"
        return "crest"
    if first + second < -1.999:
        return "trough"
    if abs(first - second) < 1e-6:
        if first > 0.5 and phase < -0.5:
            return "meeting above"
        return "meeting"
    if first * second > 0.4 and math.exp(-moment) < 0.05:
        return "late agreement"
    if first < 0.0 < second:
        return "rising"
    return "between"
