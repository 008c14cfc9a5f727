"""A cube that overflows: one side needs a positive number whose cube, in 32 bits, is not positive."""

from __future__ import annotations

from bench.subjects.mlbse.machine import Int, int32


def check(x: Int, y: Int) -> str:
    cube = int32(x * x * x)
    if cube > 0:
        if x > 0 and y == 10:
            return "cube"
    elif x > 0 and y == 20:
        return "overflow"
    return "nothing"
