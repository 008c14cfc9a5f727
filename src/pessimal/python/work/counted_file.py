"""One file with counters: its functions' code, and the counts of its sites."""

from __future__ import annotations

import ast
from itertools import count
from types import CodeType
from typing import Any

from pessimal.python.work.counters import COUNTS, insert_counters

Place = tuple[str, int]
"""The qualified name and the first line of a function."""


class CountedFile:
    """The functions of a file as code with counters, and what these counted since the last reset."""

    def __init__(self, path: str, source: bytes, shown_path: str) -> None:
        tree = ast.parse(source, path)
        self.path = path
        self.sites = insert_counters(tree)
        self.codes = codes_by_place(compile(tree, shown_path, "exec", dont_inherit=True))
        self.weights = self.sites.weights
        self._counts = [0] * len(self.weights)
        self._zeros = list(self._counts)
        self._ticks = {name: count(1) for name in self.sites.tick_names()}
        self._ticked = list(self.sites.tick_names().values())
        self._taken = [1] * len(self._ticked)

    def define_names(self, space: dict[str, Any]) -> None:
        """Define the global names that the code refers to in a module's globals."""
        if space.get(COUNTS) is not self._counts:
            space[COUNTS] = self._counts
            space.update((name, ticks.__next__) for name, ticks in self._ticks.items())

    def reset(self) -> None:
        """Start from zero."""
        self._counts[:] = self._zeros
        self._taken = [next(ticks) + 1 for ticks in self._ticks.values()]

    def counts(self) -> list[int]:
        """How often each site was executed; the list is overwritten later."""
        for index, (site, ticks) in enumerate(zip(self._ticked, self._ticks.values(), strict=True)):
            self._counts[site] = next(ticks) - self._taken[index]
            self._taken[index] += 1  # the number that was taken just now
        return self._counts


def codes_by_place(code: CodeType) -> dict[Place, CodeType]:
    """The functions' code by place; where two share a place, such as lambdas in one line, neither is there."""
    found: dict[Place, CodeType | None] = {}
    pending = [code]
    while pending:
        inner = [const for const in pending.pop().co_consts if isinstance(const, CodeType)]
        pending += inner
        for each in inner:
            place = (each.co_qualname, each.co_firstlineno)
            found[place] = None if place in found else each
    return {place: each for place, each in found.items() if each is not None}
