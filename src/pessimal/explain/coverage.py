"""What the inputs of a search cover of the target's code, measured natively when the search is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any

from pessimal.explain.jumps import Jump, Watch, jumps_of

Place = tuple[str, str, int]
"""File, function and line."""


class Coverage:
    """The jumps that some input took, and those whose line some input passed after a place."""

    def __init__(self) -> None:
        self.runs = 0
        self.taken: set[Jump] = set()
        self.after: dict[Place, set[Jump]] = {}

    def missing(self, place: Place) -> set[Jump]:
        """The ways out of lines that were passed after a place, which no input went."""
        return self.after.get(place, set()) - self.taken

    def add(
        self, taken: Sequence[Sequence[Any]], after: Sequence[tuple[Sequence[Any], Sequence[Sequence[Any]]]]
    ) -> None:
        """Add what a :class:`Measure` told of one more run."""
        self.runs += 1
        self.taken.update(Jump(*item) for item in taken)
        for (file, function, line), jumps in after:
            self.after.setdefault((file, function, line), set()).update(Jump(*item) for item in jumps)


class Measure:
    """Watches runs in the target's process and tells of each what is new."""

    def __init__(self, places: Sequence[Place], in_scope: Callable[[str, str], bool]) -> None:
        self._places = places
        self._watch = Watch(in_scope)
        self._jumps: dict[int, dict[int, dict[int, Jump]]] = {}
        self._told = Coverage()

    def run(self, call: Callable[[], object]) -> dict[str, Any]:
        """The news that one run brings, as arguments for :meth:`Coverage.add`."""
        with self._watch:
            call()
        taken: set[Jump] = set()
        passed: dict[Jump, int] = {}
        for (key, line, to), time in self._watch.last.items():
            ways = self._from(self._watch.codes[key], line)
            if to in ways:
                taken.add(ways[to])
            for jump in ways.values():
                passed[jump] = max(time, passed.get(jump, 0))
        new = sorted(taken - self._told.taken)
        after = [(place, self._after(place, start, passed)) for place, start in self._reached().items()]
        self._told.add(new, after)
        return {"taken": new, "after": after}

    def _after(self, place: Place, start: int, passed: Mapping[Jump, int]) -> list[Jump]:
        known = self._told.after.get(place, set())
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
