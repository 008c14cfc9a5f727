"""Executed blocks as users think of them: functions by name, with how many blocks each has, and source lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pessimal.binary.blocks import Blocks, blocks_of
from pessimal.binary.elf import ElfFile

UNNAMED = "?"


@dataclass(slots=True)
class BlockReport:
    """What was executed of a file, and what was not of the functions that were entered."""

    functions: int
    """How many functions the file has."""
    executed: dict[str, int] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    lines: dict[str, list[int]] = field(default_factory=dict)
    missed_lines: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, elf: ElfFile, offsets: set[int]) -> BlockReport:
        """The report on blocks at some offsets of a file."""
        report = cls(len(elf.functions))
        named: dict[str, set[int]] = {}
        for offset in sorted(offsets):
            named.setdefault(elf.function_at(offset) or UNNAMED, set()).add(offset)
        report.executed = {name: len(found) for name, found in named.items()}
        for name, found in named.items():
            if name != UNNAMED:
                report._add(elf, blocks_of(elf, elf.function(name)), name, found)
        return report

    def _add(self, elf: ElfFile, blocks: Blocks, name: str, executed: set[int]) -> None:
        """Add a function."""
        every = blocks.starts | executed
        self.totals[name] = len(every)
        reached = _lines(elf, blocks, executed)
        _extend(self.lines, reached)
        _extend(self.missed_lines, _lines(elf, blocks, every) - reached)


def _lines(elf: ElfFile, blocks: Blocks, starts: Iterable[int]) -> set[tuple[str, int]]:
    return {line for start in starts for line in elf.lines_between(start, blocks.end_of(start))}


def _extend(files: dict[str, list[int]], lines: set[tuple[str, int]]) -> None:
    for file, line in lines:
        files[file] = sorted({*files.get(file, ()), line})
