"""One file with counters: its functions' code, and the sites that these count."""

from __future__ import annotations

import ast
from types import CodeType
from typing import Any

from pessimal.python.meters import is_users
from pessimal.python.work.counters import insert_counters
from pessimal.python.work.counts import Counts

Place = tuple[str, int]
"""The qualified name and the first line of a function."""


class CountedFile:
    """The functions of a file as code with counters."""

    def __init__(self, path: str, source: bytes, shown_path: str, counts: Counts) -> None:
        tree = ast.parse(source, path)
        self.path = path
        sites = insert_counters(tree, len(counts.numbers))
        self.codes = codes_by_place(compile(tree, shown_path, "exec", dont_inherit=True))
        self._ticks = sites.ticks
        self._counts = counts
        self._spaces: dict[int, dict[str, Any]] = {}
        counts.add(sites.weights, is_users(path))

    def define_names(self, space: dict[str, Any]) -> None:
        """Define the global names that the code refers to in a module's globals."""
        if id(space) not in self._spaces:
            self._spaces[id(space)] = space
            self._counts.define_names(space, self._ticks)


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
