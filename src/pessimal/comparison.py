"""What a run compares: the hint that a front-end gives to searches on concrete inputs."""

from __future__ import annotations

from typing import NamedTuple

Operand = int | float | str | bytes


class Comparison(NamedTuple):
    """Two values that were compared somewhere in the program; the same ``site`` is the same place."""

    site: int
    left: Operand
    right: Operand
