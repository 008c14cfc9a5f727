"""Branches of a path as numbers: rows of a table that a model has one vector for each.

A branch is described as in River-RL: its module, its site within the module, and the outcome taken. A site is known by
its identity, which survives edits elsewhere in the file. Each site hashes into two rows: so no list of sites has to be
kept, sites that were never seen have a description, too, and hardly two have the same.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

MODULE_ROWS, SITE_ROWS, OUTCOME_ROWS = 16, 128, 3
NOTHING = 0
"""The row of what is missing before the first branch of a path."""
_FIRST_SITE = 1 + MODULE_ROWS
_FIRST_OUTCOME = _FIRST_SITE + SITE_ROWS
ROWS = _FIRST_OUTCOME + OUTCOME_ROWS
COLUMNS = 4
"""How many rows describe a branch: its module, its site twice, and its outcome."""

Steps = NDArray[np.int16]


@lru_cache(maxsize=100_000)
def site_rows(site: str) -> tuple[int, int, int]:
    """The rows of a site, given its identity, which begins with the path of its module."""
    module = site.partition(":")[0]
    first, second = np.frombuffer(blake2b(site.encode(), digest_size=8).digest(), np.uint32) % SITE_ROWS
    number = int.from_bytes(blake2b(module.encode(), digest_size=4).digest(), "little") % MODULE_ROWS
    return 1 + number, _FIRST_SITE + int(first), _FIRST_SITE + int(second)


def outcome_row(outcome: int) -> int:
    """The row of an outcome; those of wide branches beyond the first two share one."""
    return _FIRST_OUTCOME + min(outcome, OUTCOME_ROWS - 1)


def path_steps(sites: list[str], decisions: bytes) -> Steps:
    """The branches of a path in order."""
    rows = [(*site_rows(site), outcome_row(taken)) for site, taken in zip(sites, decisions, strict=True)]
    return np.array(rows, np.int16).reshape(-1, COLUMNS)


def window(steps: Steps, start: int, end: int, length: int) -> Steps:
    """The branches from a position up to another, as the last ones of so many."""
    rows = np.zeros((length, COLUMNS), np.int16)
    if end > start:
        rows[start - end :] = steps[start:end]
    return rows
