"""What there is to reach: the branches of the covered code, and its lines."""

from __future__ import annotations

from collections.abc import Iterable

from pessimal.python.cover.arcs import Arc
from pessimal.python.cover.branches import parts_of
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

    def reached_by(self, arcs: Iterable[Arc]) -> frozenset[Arc]:
        """The branches and lines among arcs."""
        taken = frozenset(arcs)
        arrived = {Arc(arc.file, arc.to, EXECUTED) for arc in taken if arc.to > 0}
        return (self.branches & taken) | (self.lines & arrived)
