"""The counts of all sites in a process, read after each run.

Most sites are never executed by a target, so that only those that ever were are looked at one by one: they are *live*.
Whether others were executed shows in the sum of all counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from operator import itemgetter, mul
from typing import Any

from pessimal.python.work.counters import COUNTS, tick_name


class Counts:
    """The counts of the sites, by number, and the sites that are live, in the order in which they became so."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self._zeros: list[int] = []
        self._weights: list[int] = []
        self._live: list[int] = []
        self._live_weights: list[int] = []
        self._own_weights: list[int] = []
        self._live_own_weights: list[int] = []
        self._is_live = bytearray()
        self._read: Callable[[list[int]], Sequence[int]] = _none
        self._ticks: dict[int, count[int]] = {}
        self._ticked: list[int] = []
        self._spaces: dict[int, list[dict[str, Any]]] = {}

    def add(self, weights: Sequence[int], is_own: bool) -> None:
        """Add the sites of a file, which is the user's own or not."""
        self.numbers += [0] * len(weights)
        self._zeros = [0] * len(self.numbers)
        self._weights += weights
        self._own_weights += weights if is_own else [0] * len(weights)
        self._is_live += bytes(len(weights))

    def define_names(self, space: dict[str, Any], ticks: Iterable[int]) -> None:
        """Define the global names that code with counters refers to in a module's globals."""
        space[COUNTS] = self.numbers
        for site in ticks:
            self._spaces.setdefault(site, []).append(space)
            space[tick_name(site)] = self._ticks[site].__next__ if site in self._ticks else self._first_tick(site)

    def _first_tick(self, site: int) -> Callable[[], int]:
        """What counts the first tick of a site; the next ones are counted by a compiled function."""

        def tick() -> int:
            if site not in self._ticks:
                self._ticks[site] = count(1)
                self._ticked.append(1)
                for space in self._spaces[site]:
                    space[tick_name(site)] = self._ticks[site].__next__
            return next(self._ticks[site])

        return tick

    def reset(self) -> None:
        """Start from zero."""
        self.numbers[:] = self._zeros
        if self._ticks:
            self._ticked = [next(ticks) + 1 for ticks in self._ticks.values()]

    def take(self) -> Sequence[int]:
        """The counts of the live sites since the last reset."""
        numbers = self.numbers
        for index, (site, ticks) in enumerate(self._ticks.items()):
            numbers[site] = next(ticks) - self._ticked[index]
        found = self._read(numbers)
        if sum(numbers) != sum(found):
            self._enliven()
            found = self._read(numbers)
        return found

    def weighed(self, found: Sequence[int]) -> int:
        """How many statements the counts of the live sites stand for."""
        return sum(map(mul, found, self._live_weights))

    def weighed_own(self, found: Sequence[int]) -> int:
        """How many of these statements are those of the user's own code."""
        return sum(map(mul, found, self._live_own_weights))

    def _enliven(self) -> None:
        for site, number in enumerate(self.numbers):
            if number and not self._is_live[site]:
                self._is_live[site] = 1
                self._live.append(site)
                self._live_weights.append(self._weights[site])
                self._live_own_weights.append(self._own_weights[site])
        first = self._live[0]  # a getter of one item does not return a tuple
        self._read = itemgetter(*self._live) if len(self._live) > 1 else lambda numbers: (numbers[first],)


def _none(numbers: list[int]) -> Sequence[int]:
    return ()
