"""The published figures of MLBSE: tables 2, 3, 5 and 6 of Bu et al., on a machine of 3.4 GHz."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """One program: its branches, and the figures with 3,000, 30,000 and 300,000 samples; percentages and seconds.

    ``ecs`` is the confidence that is left at the end; 0 stands for less than 0.01.
    """

    branches: int
    line_coverage: int
    coverage: tuple[int, int, int]
    seconds: tuple[float, float, float]
    ecs: tuple[int, int, int]


PROGRAMS = {
    "coral": Published(582, 91, (82, 86, 88), (62.06, 286.06, 2069.18), (48, 37, 0)),
    "dart": Published(14, 73, (57, 57, 57), (0.49, 0.67, 4.03), (0, 0, 0)),
    "hash": Published(10, 91, (70, 83, 90), (2.29, 2.91, 5.43), (33, 0, 0)),
    "opti": Published(32, 70, (63, 66, 66), (5.56, 15.61, 133.86), (42, 3, 0)),
    "power": Published(14, 85, (100, 100, 100), (0.46, 0.46, 0.46), (0, 0, 0)),
    "ray": Published(52, 91, (98, 98, 98), (334.83, 864.87, 7195.42), (49, 42, 1)),
    "sine": Published(49, 82, (62, 62, 62), (0.73, 2.99, 25.48), (0, 0, 0)),
    "stat": Published(12, 60, (78, 78, 78), (0.72, 1.70, 11.04), (0, 0, 0)),
    "tcas": Published(76, 64, (62, 91, 91), (3.05, 218.30, 2709.25), (42, 28, 0)),
    "tsafe": Published(26, 91, (92, 92, 92), (9.78, 120.63, 2194.63), (45, 14, 0)),
    "airy": Published(108, 98, (82, 82, 82), (4.20, 27.58, 234.23), (18, 0, 0)),
    "bess": Published(88, 98, (94, 94, 94), (8.46, 65.99, 656.47), (18, 0, 0)),
    "caldat": Published(48, 90, (88, 88, 92), (10.28, 95.08, 849.19), (33, 0, 0)),
    "ell": Published(284, 91, (87, 87, 87), (155.09, 622.37, 6587.55), (39, 1, 0)),
    "gam": Published(128, 93, (80, 79, 80), (125.87, 389.76, 3606.10), (33, 0, 0)),
    "ran": Published(140, 89, (72, 72, 72), (853.08, 800.25, 4206.44), (33, 0, 0)),
    "bound": Published(106, 69, (71, 71, 71), (2.86, 4.54, 23.18), (39, 1, 0)),
    "color": Published(102, 81, (76, 85, 87), (11.79, 76.34, 822.45), (47, 22, 0)),
    "scic": Published(34, 81, (94, 97, 97), (9.61, 36.80, 1011.70), (16, 0, 0)),
    "mer": Published(620, 77, (51, 51, 51), (172.55, 302.74, 2905.21), (49, 3, 0)),
    "mine": Published(100, 81, (52, 52, 52), (32.20, 38.09, 605.72), (49, 0, 0)),
    "wbs": Published(90, 77, (67, 67, 67), (0.79, 0.86, 1.25), (0, 0, 0)),
}

OWN = {"arbiter": "mer", "pump": "mine", "brakes": "wbs"}
"""Programs of our own in place of published ones whose sources do not exist."""

GUIDED = (76, 83, 3227.71)
"""Branch coverage, line coverage and seconds of the guided strategy, over all programs."""

BLACK_BOX = {"white-box": (61, 18846.8), "black-box": (77, 222.3)}
"""Branch coverage and seconds on coral with the mathematical functions of a library."""
