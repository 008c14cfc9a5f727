"""What the PySE paper prints in its Tables I and II, number by number, and which of its numbers are wrong.

The paper: J. Koo, C. Saumya, M. Kulkarni, S. Bagchi, PySE: Automatic Worst-Case Test Generation by Reinforcement
Learning, ICST 2019. ``-`` is its mark for what did not end in 1,000 minutes, ``x`` for a wrong prediction. Its times
leave out what WISE and SPF-WCA spend on learning and PySE on practice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

EXHAUSTIVE, WISE, SPF_WCA, SPF_WCA_67, PYSE, PYSE_10 = (
    "exhaustive",
    "WISE",
    "SPF-WCA",
    "SPF-WCA, trained at 6,7",
    "PySE",
    "PySE, pre-trained at 10",
)

DID_NOT_END = "-"
WRONG = "x"

Count = int | str
"""A number of paths, or one of the paper's two marks."""


@dataclass(frozen=True, slots=True)
class Line:
    """One method on one benchmark: paths and ``min:sec`` by size."""

    paths: Mapping[int, Count]
    times: Mapping[int, str]

    def seconds(self, size: int) -> float | None:
        """The time at a size, if there is one."""
        minutes, _, seconds = self.times.get(size, DID_NOT_END).partition(":")
        return 60.0 * int(minutes) + int(seconds) if seconds else None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One block of a table: the longest paths by size, and a line for each method."""

    longest: Mapping[int, int]
    lines: Mapping[str, Line]

    @property
    def sizes(self) -> list[int]:
        """The sizes of the block."""
        return list(self.longest)


def _block(sizes: str, longest: str, lines: Mapping[str, tuple[str, str]]) -> Benchmark:
    """A block from its rows as they are printed."""
    numbers = [int(size) for size in sizes.split()]

    def line(paths: str, times: str) -> Line:
        counts = (int(count) if count.isdecimal() else count for count in paths.split())
        return Line(dict(zip(numbers, counts, strict=True)), dict(zip(numbers, times.split(), strict=True)))

    return Benchmark(
        dict(zip(numbers, map(int, longest.split()), strict=True)),
        {method: line(*rows) for method, rows in lines.items()},
    )


_SEVEN = "3 4 5 10 20 30 100"

TABLES: Mapping[str, Benchmark] = MappingProxyType(
    {
        "pairwise2": _block(
            _SEVEN,
            "9 12 15 30 60 90 300",
            {
                EXHAUSTIVE: ("127 511 2047 - - - -", "0:04 0:18 1:14 - - - -"),
                WISE: ("1 1 1 1 1 1 1", "0:00 0:00 0:00 0:00 0:00 0:00 0:01"),
                PYSE: ("1 1 1 1 1 1 2", "0:02 0:02 0:02 0:02 0:02 0:02 0:13"),
            },
        ),
        "insertion sort": _block(
            _SEVEN,
            "3 6 10 45 190 435 3875",
            {
                EXHAUSTIVE: ("6 24 120 - - - -", "0:00 0:00 0:01 - - - -"),
                WISE: ("1 1 1 1 1 1 1", "0:00 0:00 0:00 0:00 0:00 0:00 0:09"),
                PYSE: ("2 1 4 4 2 5 2", "0:11 0:02 0:30 0:30 0:30 3:19 23:04"),
            },
        ),
        "priority queue": _block(
            _SEVEN,
            "2 4 6 19 54 94 480",
            {
                EXHAUSTIVE: ("4 12 36 20736 - - -", "0:00 0:00 0:01 21:02 - - -"),
                WISE: ("1 1 1 1 1 1 1", "0:00 0:00 0:00 0:00 0:00 0:00 0:00"),
                PYSE: ("1 1 1 2 2 25 47", "0:02 0:02 0:02 0:10 0:12 3:50 11:19"),
            },
        ),
        "search tree": _block(
            _SEVEN,
            "3 6 10 45 190 435 4950",
            {
                EXHAUSTIVE: ("6 24 120 - - - -", "0:00 0:00 0:01 - - - -"),
                WISE: ("1 1 1 1 1 1 1", "0:00 0:00 0:00 0:00 0:00 0:00 12:40"),
                PYSE: ("1 1 2 2 2 2 2", "0:02 0:02 0:11 0:15 0:21 1:08 21:02"),
            },
        ),
        "grep": _block(
            _SEVEN,
            "3 3 3 9 18 30 99",
            {
                EXHAUSTIVE: ("4 4 4 40 1093 88573 -", "0:00 0:00 0:00 0:01 0:31 43:39 -"),
                WISE: ("4 4 4 40 1093 88573 -", "0:00 0:00 0:00 0:01 0:32 44:24 -"),
                SPF_WCA: ("1 1 1 9 243 19683 -", "0:00 0:00 0:00 0:00 0:07 10:20 -"),
                SPF_WCA_67: ("1 1 1 1 1 1 1", "0:00 0:00 0:00 0:00 0:00 0:00 0:00"),
                PYSE: ("2 2 2 2 2 3 276", "0:11 0:11 0:11 0:11 0:12 0:20 48:21"),
                PYSE_10: ("2 2 2 1 2 3 82", "0:11 0:11 0:11 0:02 0:12 0:20 13:03"),
            },
        ),
        "salesman": _block(
            "3 6 10 15",
            "4 12 28 55",
            {
                EXHAUSTIVE: ("8 728 - -", "0:00 0:22 - -"),
                WISE: ("8 728 - -", "0:00 0:23 - -"),
                SPF_WCA: ("1 1 x -", "0:00 0:00 2:18 -"),
                PYSE: ("2 7 102 1501", "0:11 0:56 41:10 204:16"),
            },
        ),
        "dijkstra": _block(
            "6 12 20 30",
            "5 29 72 126",
            {
                EXHAUSTIVE: ("9 837 - -", "0:00 0:10 - -"),
                WISE: ("7 518 91275 -", "0:00 0:22 114:13 -"),
                SPF_WCA: ("3 269 x -", "0:00 0:10 144:05 -"),
                PYSE: ("4 114 1020 5534", "0:29 16:46 172:42 819:27"),
            },
        ),
    }
)

NOT_THE_WORST: Mapping[tuple[str, int], int] = MappingProxyType({("insertion sort", 100): 4950, ("dijkstra", 30): 136})
"""Longest lengths of the paper that are not the worst case, with the true one."""

DOUBTED = frozenset({("salesman", 10), ("salesman", 15), ("dijkstra", 30)})
"""Longest lengths that the paper itself marks with a question mark."""

FIGURE_7 = {
    "7a": "basic as good as advanced on benchmarks 1-4, advanced significantly better on 5-7",
    "7b": "practice makes no difference on benchmarks 1-4, saves paths on 5-7, most on 7",
    "7c": "no common trend; the worst case is found with any history length",
}
"""What the text says of Figure 7, whose numbers are printed nowhere."""
