"""Which arcs of files are taken, measured by coverage.py: its judgement of a written test file is the one that counts.

An arc leads from one line to another; a negative number is the entry or the exit of a function, as in coverage.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from os.path import realpath
from typing import Any, NamedTuple

import coverage

_LINE = 0xFFFFFFF
_SHIFT, _FROM_IS_NEGATIVE, _TO_IS_NEGATIVE = 28, 1 << 56, 1 << 57


class Arc(NamedTuple):
    """A way from one line of a file to another."""

    file: str
    line: int
    to: int


class ArcMeter:
    """Traces what is executed in some files, in one block after the other.

    The tracer adds to sets, so that a block that adds nothing new costs no more than a look at their sizes.
    """

    def __init__(self, files: Collection[str]) -> None:
        self._coverage = coverage.Coverage(
            data_file=None,
            branch=True,
            config_file=False,
            include=[*files, *map(realpath, files)],
            check_preimported=False,
            messages=False,
        )
        self._known: dict[str, set[Any]] = {file: set() for file in files}
        self._names: dict[str, str] = {}
        self._packed = True

    def __enter__(self) -> ArcMeter:
        self._coverage.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._coverage.stop()

    def name_files(self, files: Collection[str]) -> None:
        """Let arcs name files as they are given: coverage.py itself resolves symbolic links."""
        self._names = {realpath(file): file for file in files}

    def new(self) -> list[Arc]:
        """The arcs that blocks took since the last call and never before."""
        found: list[Arc] = []
        for file, taken in self._taken().items():
            known = self._known.setdefault(file, set())
            if len(taken) > len(known):
                fresh = taken - known
                known |= fresh
                found += [self._arc(file, item) for item in fresh]
        return sorted(found)

    def taken_by(self, block: Any) -> list[Arc]:
        """All arcs that one more block takes, whether known or not; the block is called."""
        data = self._taken()
        before = {file: set(taken) for file, taken in data.items()}
        for taken in data.values():
            taken.clear()
        with self:
            block()
        after = [self._arc(file, item) for file, taken in self._taken().items() for item in taken]
        for file, taken in before.items():
            data[file] |= taken
        return sorted(after)

    def _taken(self) -> Mapping[str, set[Any]]:
        collector: Any = self._coverage._collector  # the sets themselves: the public way copies all of them each time
        if collector is None:
            return {}
        self._packed = bool(getattr(collector.core, "packed_arcs", False))
        data: Mapping[str, set[Any]] = collector.data
        return data

    def _arc(self, file: str, item: Any) -> Arc:
        file = self._names.get(file, file)
        if not self._packed:
            return Arc(file, *item)
        line, to = item & _LINE, (item >> _SHIFT) & _LINE
        return Arc(file, -line if item & _FROM_IS_NEGATIVE else line, -to if item & _TO_IS_NEGATIVE else to)
