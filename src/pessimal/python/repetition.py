"""Whether a repeated call does the same: a target that keeps state between calls has no worst input of its own.

A memo in a global dict is the usual case. Once all inputs of a small domain were run, every run finds its result there,
and no later comparison shows that the first call of each did more. So the first inputs are run twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pessimal.endings import brief, ending
from pessimal.expr import Leaf
from pessimal.python.executed_lines import ExecutedLines
from pessimal.trace import COMPLETED, Trace

INPUTS = 9
"""How many inputs are run twice: as many as the opening has."""
SECONDS, SHARE = 0.1, 0.1
"""How long such a run may take, at most this share of what a run may take; after a longer one none is run twice."""

RunNatively: TypeAlias = Callable[[Sequence[Leaf], float, float], Trace]
"""Runs an input, with a time limit and the time after which it is interrupted."""


class Repetition:
    """Compares two native runs of each of the first inputs, in how they end and in the lines that they execute.

    ``in_scope`` says which modules have lines of interest.
    """

    def __init__(self, run: RunNatively, in_scope: Callable[[str, str], bool]) -> None:
        self._run = run
        self._in_scope = in_scope
        self._left = INPUTS
        self.difference: str | None = None
        """How a repeated call differed, in words."""

    def try_input(self, leaves: Sequence[Leaf], seconds: float) -> None:
        """Run an input twice, if it is one of the first and no difference is known."""
        if self._left <= 0 or self.difference is not None:
            return
        self._left -= 1
        first, lines = self._traced(leaves, seconds)
        if first.outcome in COMPLETED:
            second, other_lines = self._traced(leaves, seconds)
            if second.outcome in COMPLETED:
                self.difference = _difference(first, second) or lines.difference(other_lines, "first", "then")
                return
        self._left = 0

    def _traced(self, leaves: Sequence[Leaf], seconds: float) -> tuple[Trace, ExecutedLines]:
        with ExecutedLines(self._in_scope) as lines:
            trace = self._run(leaves, seconds, min(SECONDS, SHARE * seconds))
        return trace, lines


def _difference(first: Trace, second: Trace) -> str | None:
    return None if ending(first) == ending(second) else f"first {brief(first)}, then {brief(second)}"
