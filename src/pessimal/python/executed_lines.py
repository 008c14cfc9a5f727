"""Which lines of the target's own code a run executes: those of a counted run must be those of a native one."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from pessimal.python.meters import TraceFunction
from pessimal.python.scope import is_standard
from pessimal.python.sites import PACKAGE


class ExecutedLines:
    """Counts how often each line is executed while the block runs; ``in_scope`` is asked of a module's name and file.

    The standard library is left out: counted runs may use the Python version of a module that is compiled natively.
    """

    def __init__(self, in_scope: Callable[[str, str], bool]) -> None:
        self._in_scope = in_scope
        self._counts: Counter[tuple[str, int]] = Counter()
        self._followed: dict[str, bool] = {}
        self._previous: Any = None

    def __enter__(self) -> ExecutedLines:
        self._previous = sys.gettrace()
        sys.settrace(self._on_call)
        return self

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._previous)

    @property
    def files(self) -> list[str]:
        """The files with lines that were executed."""
        return sorted({file for file, _ in self._counts})

    def difference(
        self, other: ExecutedLines, name: str = "with counted values", other_name: str = "natively"
    ) -> str | None:
        """The first line that the two blocks, which have names, executed a different number of times, in words."""
        lines = sorted(self._counts.keys() | other._counts.keys())
        for file, line in lines:
            ours, theirs = self._counts[file, line], other._counts[file, line]
            if ours != theirs:
                place = f"{file.rpartition('/')[2]}:{line}"
                return f"{place} is executed {ours} times {name}, but {other_name} {theirs} times"
        return None

    def _on_call(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        file = frame.f_code.co_filename
        if file not in self._followed:
            name = str(frame.f_globals.get("__name__"))
            is_ours = file.startswith(PACKAGE)
            self._followed[file] = self._in_scope(name, file) and not is_standard(file) and not is_ours
        return self._following(file) if self._followed[file] else None

    def _following(self, file: str) -> TraceFunction:
        """Counts the lines of one call; a line that is followed by itself counts once.

        How often Python reports such a line depends on how its code was compiled, which the rewrite changes.
        """
        counts, last = self._counts, 0

        def on_line(frame: FrameType, event: str, argument: Any) -> TraceFunction:
            nonlocal last
            if event == "line" and frame.f_lineno != last:
                last = frame.f_lineno
                counts[file, last] += 1
            return on_line

        return on_line
