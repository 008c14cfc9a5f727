"""What inputs cover of the target's Python code: the ways out of the lines of its tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType

from pessimal.coverage import Coverage, CoverageGain, Jump, Place
from pessimal.expr import Leaf
from pessimal.python.jumps import Watch, jumps_of


class LineCoverage:
    """Follows runs from line to line.

    ``native`` runs the target on leaves for at most so many seconds; ``in_scope`` says of a module, by its name and
    file, whether it belongs to the target.
    """

    def __init__(
        self,
        native: Callable[[Sequence[Leaf], float], object],
        places: Sequence[Place],
        in_scope: Callable[[str, str], bool],
    ) -> None:
        self._native = native
        self._places = places
        self._watch = Watch(in_scope)
        self._jumps: dict[int, dict[int, dict[int, Jump]]] = {}
        self._known = Coverage()

    def run(self, leaves: Sequence[Leaf], seconds: float) -> CoverageGain:
        """Run an input; what it adds to the runs before."""
        with self._watch:
            self._native(leaves, seconds)
        taken: set[Jump] = set()
        passed: dict[Jump, int] = {}
        for (key, line, to), time in self._watch.last.items():
            ways = self._from(self._watch.codes[key], line)
            if to in ways:
                taken.add(ways[to])
            for jump in ways.values():
                passed[jump] = max(time, passed.get(jump, 0))
        new = sorted(taken - self._known.taken)
        after = [(place, self._after(place, start, passed)) for place, start in self._reached().items()]
        gain = CoverageGain(new, after)
        self._known.add(gain)
        return gain

    def _after(self, place: Place, start: int, passed: Mapping[Jump, int]) -> list[Jump]:
        known = self._known.after.get(place, set())
        return [jump for jump, time in passed.items() if time >= start and jump not in known]

    def _reached(self) -> dict[Place, int]:
        """When the latest run first left each of the places."""
        reached: dict[Place, int] = {}
        for (key, line, _), time in self._watch.first.items():
            code = self._watch.codes[key]
            place = code.co_filename, code.co_qualname, line
            if place in self._places:
                reached[place] = min(time, reached.get(place, time))
        return reached

    def _from(self, code: CodeType, line: int) -> Mapping[int, Jump]:
        """The jumps from a line, by where they lead."""
        known = self._jumps.get(id(code))
        if known is None:
            known = self._jumps[id(code)] = {}
            for jump in jumps_of(code):
                known.setdefault(jump.line, {})[jump.to] = jump
        return known.get(line, {})
