"""What the PySE and the XSTRESSOR papers print in their tables, number by number, and which numbers are wrong.

PySE: J. Koo, C. Saumya, M. Kulkarni, S. Bagchi, PySE: Automatic Worst-Case Test Generation by Reinforcement Learning,
ICST 2019. ``-`` is its mark for what did not end in 1,000 minutes, ``x`` for a wrong prediction. Its times leave out
what WISE and SPF-WCA spend on learning and PySE on practice.

XSTRESSOR: C. Saumya, J. Koo, M. Kulkarni, S. Bagchi, XSTRESSOR: Automatic Generation of Large-Scale Worst-Case Test
Inputs by Inferring Path Conditions, ICST 2019. ``OOT`` is its mark for what did not end in twelve hours, ``OOM`` for
what did not fit into 192 GB.
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


# XSTRESSOR.

XSTRESSOR = "XSTRESSOR"

OUT_OF_TIME = "OOT"
OUT_OF_MEMORY = "OOM"

Seconds = float | str
"""A time in seconds, or one of the paper's two marks."""


def _seconds(sizes: str, times: str) -> Mapping[int, Seconds]:
    """A row of times as it is printed."""
    marks = (OUT_OF_TIME, OUT_OF_MEMORY)
    values = (time if time in marks else float(time) for time in times.split())
    return MappingProxyType(dict(zip(map(int, sizes.split()), values, strict=True)))


_TEN = "10 20 30 40 50 100 200 300 400 500"
_NEVER = " ".join([OUT_OF_TIME] * 10)


def _methods(xstressor: str, wise: str, spf_wca: str) -> Mapping[str, Mapping[int, Seconds]]:
    times = {XSTRESSOR: xstressor, WISE: wise, SPF_WCA: spf_wca}
    return MappingProxyType({method: _seconds(_TEN, row) for method, row in times.items()})


XSTRESSOR_TABLE_1: Mapping[str, Mapping[str, Mapping[int, Seconds]]] = MappingProxyType(
    {
        "insertion sort": _methods(
            "1.30 1.35 1.48 1.63 1.85 3.92 14.30 27.61 57.03 96.73",
            "2.14 4.12 9.83 21.03 49.57 498.92 12512.28 OOT OOT OOT",
            "2.05 3.10 8.52 25.96 72.86 OOM OOM OOM OOM OOM",
        ),
        "sorted list": _methods(
            "1.63 1.64 1.64 1.64 1.65 1.68 1.69 1.74 1.76 1.79",
            "2.77 4.76 11.12 26.74 62.39 553.89 12879.05 OOT OOT OOT",
            "2.02 3.70 11.86 31.79 86.88 OOM OOM OOM OOM OOM",
        ),
        "merging": _methods(
            "2.12 2.13 2.14 2.15 2.16 2.20 2.30 2.40 2.49 2.57",
            "826.84 OOT OOT OOT OOT OOT OOT OOT OOT OOT",
            "30.82 29.88 30.1 29.9 29.96 30.42 32.25 35.41 43.18 46.62",
        ),
        "binary tree": _methods(
            "3.28 3.32 3.44 3.66 3.97 6.05 16.57 29.92 58.64 103.74",
            "4.18 6.84 16.16 33.00 56.29 1043.69 16042.95 OOT OOT OOT",
            "2.41 5.31 19.38 65.05 237.67 OOM OOM OOM OOM OOM",
        ),
        "dijkstra": _methods(
            "2.49 2.86 3.60 4.84 6.32 26.36 242.74 1438.06 4603.48 12830",
            "2.39 2.94 4.31 5.85 9.68 27.69 193.13 654.39 1581.12 3099.41",
            "2.45 11.23 158.28 602.75 1714.26 OOT OOT OOT OOT OOT",
        ),
        "boolean matrices": _methods(
            "3.76 9.01 23.27 52.86 107.87 1279.56 22022 OOT OOT OOT",
            "6.11 42.85 139.34 362.01 960.03 OOM OOM OOM OOM OOM",
            "20.35 1548.19 11649.63 OOT OOT OOT OOT OOT OOT OOT",
        ),
        "salesman": _methods(_NEVER, _NEVER.replace(OUT_OF_TIME, OUT_OF_MEMORY), _NEVER),
    }
)
"""Seconds until an input of a size is had, everything included: by benchmark, method and size."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Where XSTRESSOR spends its seconds: on the model once, on the path and in the solver by size."""

    model: float
    path: Mapping[int, Seconds]
    solver: Mapping[int, Seconds]


def _breakdown(model: float, path: str, solver: str) -> Breakdown:
    return Breakdown(model, _seconds("40 50 100", path), _seconds("40 50 100", solver))


XSTRESSOR_TABLE_2: Mapping[str, Breakdown] = MappingProxyType(
    {
        "insertion sort": _breakdown(9.28, "0.52 0.66 2.01", "0.10 0.15 0.84"),
        "sorted list": _breakdown(4.67, "0.01 0.02 0.03", "0.01 0.01 0.02"),
        "merging": _breakdown(2.08, "0.04 0.06 0.13", "0.03 0.03 0.06"),
        "binary tree": _breakdown(10.98, "0.33 0.49 1.90", "0.10 0.16 0.88"),
        "dijkstra": _breakdown(25.53, "1.92 3.13 17.52", "0.26 0.41 1.95"),
        "boolean matrices": _breakdown(13.68, "45.57 92.92 1102.13", "5.96 14.41 69.32"),
    }
)
"""The same seconds divided. They do not add up to Table I: there insertion sort at 40 takes 1.63 s with its model."""


@dataclass(frozen=True, slots=True)
class CaseStudy:
    """Seconds of one method on a real program: for its model, and for the prediction by size."""

    model: Seconds
    prediction: Mapping[int, Seconds]


def _study(model: Seconds, prediction: str) -> CaseStudy:
    return CaseStudy(model, _seconds("50 100 500", prediction))


XSTRESSOR_TABLE_3: Mapping[str, Mapping[str, CaseStudy]] = MappingProxyType(
    {
        "cmp": {
            WISE: _study(2.98, "1.40 3.31 41.24"),
            SPF_WCA: _study(1.72, "1.81 1.75 2.49"),
            XSTRESSOR: _study(4.234, "1.86 4.07 26.77"),
        },
        "grep": {
            WISE: _study(16.99, "OOT OOT OOT"),
            SPF_WCA: _study(OUT_OF_TIME, "OOT OOT OOT"),
            XSTRESSOR: _study(22.70, "96.54 674.27 29825.23"),
        },
    }
)
"""The two case studies: by program and method."""

NOT_FOUND = frozenset({("cmp", SPF_WCA)})
"""Case studies in which a method ended without the worst case, with every length of history that was tried."""
