"""Which arcs of files are taken, measured by coverage.py: its judgement of a written test file is the one that counts.

An arc leads from one line to another; a negative number is the entry or the exit of a function, as in coverage.py.
Lines are the first ones of their statements, and the way out of a ``with`` block leads to what comes after it: that is
what coverage.py reports, but not what its tracer sees.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from os.path import realpath
from typing import Any, NamedTuple

import coverage
from coverage.exceptions import CoverageException
from coverage.parser import PythonParser

_LINE = 0xFFFFFFF
_SHIFT, _FROM_IS_NEGATIVE, _TO_IS_NEGATIVE = 28, 1 << 56, 1 << 57


class Arc(NamedTuple):
    """A way from one line of a file to another."""

    file: str
    line: int
    to: int


def first_line(file: str, line: int) -> int:
    """The first line of the statement that a line of a file is in."""
    parser = _parser(file)
    return line if parser is None else int(parser.first_line(line))


@lru_cache(maxsize=1024)
def _parser(file: str) -> PythonParser | None:
    try:
        parser = PythonParser(filename=file)
        parser.parse_source()
        parser.arcs()  # finds out about ``with`` blocks, too
    except (CoverageException, OSError, ValueError, RecursionError):
        return None
    return parser


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
                found += self._arcs(file, fresh)
        return sorted(found)

    def taken_by(self, block: Any) -> list[Arc]:
        """All arcs that one more block takes, whether known or not; the block is called."""
        data = self._taken()
        before = {file: set(taken) for file, taken in data.items()}
        for taken in data.values():
            taken.clear()
        with self:
            block()
        after = [arc for file, taken in self._taken().items() for arc in self._arcs(file, taken)]
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

    def _arcs(self, file: str, items: Collection[Any]) -> list[Arc]:
        """What the tracer has noted of a file, as it is reported."""
        traced = [_unpacked(item) for item in items] if self._packed else items
        parser = _parser(file)
        file = self._names.get(file, file)
        return [Arc(file, *pair) for pair in (traced if parser is None else parser.translate_arcs(traced))]


def _unpacked(item: int) -> tuple[int, int]:
    line, to = item & _LINE, (item >> _SHIFT) & _LINE
    return -line if item & _FROM_IS_NEGATIVE else line, -to if item & _TO_IS_NEGATIVE else to
