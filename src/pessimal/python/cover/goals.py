"""What there is to reach: the branches of the covered code, and its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pessimal.arcs import Arc
from pessimal.python.cover.branches import parts_of
from pessimal.python.cover.contradictions import excluded_outcomes
from pessimal.python.cover.extent import arcs_within
from pessimal.python.cover.modules import Modules

EXECUTED = 0
"""Where a line leads that was executed, whatever came next."""


class Goals:
    """The branches and the lines of modules; a line is an arc that leads to ``EXECUTED``."""

    def __init__(self, branches: Iterable[tuple[str, int, int]], lines: Iterable[tuple[str, int, int]]) -> None:
        self.branches = frozenset(Arc(*row) for row in branches)
        self.lines = frozenset(Arc(*row) for row in lines)

    @classmethod
    def of(cls, modules: Modules) -> Goals:
        """All that modules have."""
        known = {file: found for file in modules.files if (found := parts_of(file)) is not None}
        branches = [arc for found in known.values() for arc in found.branches]
        lines = [Arc(file, line, EXECUTED) for file, found in known.items() for line in found.lines]
        return cls(arcs_within(branches, modules), arcs_within(lines, modules))

    def impossible(self, missing: Iterable[Arc]) -> frozenset[Arc]:
        """The branches among those missing of which the source alone proves that no input takes them."""
        lines: dict[str, set[int]] = {}
        for arc in missing:
            lines.setdefault(arc.file, set()).add(arc.line)
        return frozenset(arc for file in lines for arc in self._impossible(file, lines[file]))

    def _impossible(self, file: str, lines: set[int]) -> Iterator[Arc]:
        try:
            source = Path(file).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return
        for line, outcome, body in excluded_outcomes(source, lines):
            ways = [arc for arc in self.branches if arc.file == file and arc.line == line]
            if len(ways) == 2 and any(arc.to == body for arc in ways):
                yield from (arc for arc in ways if (arc.to == body) is outcome)

    def reached_by(self, arcs: Iterable[Arc]) -> frozenset[Arc]:
        """The branches and lines among arcs."""
        taken = frozenset(arcs)
        arrived = {Arc(arc.file, arc.to, EXECUTED) for arc in taken if arc.to > 0}
        return (self.branches & taken) | (self.lines & arrived)
