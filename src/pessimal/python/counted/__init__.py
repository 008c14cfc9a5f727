"""Concrete values that count: real ints, floats and texts whose truth tests add up to the cost of a run.

The symbolic front-end needs a solver to know where a run goes; these values need nothing, because they are
subclasses of the real types and every C function computes on them natively. A search on concrete inputs thus
sees the same cost, the number of truth tests of input-dependent conditions, at nearly the target's own speed.
"""

from __future__ import annotations

from pessimal.python.counted.maker import Counted
from pessimal.python.counted.truth import FALSE, TRUE, BranchCounter, CountedBool, LocateSite
from pessimal.python.counted.values import (
    NATIVE,
    CountedBytes,
    CountedFloat,
    CountedInt,
    CountedStr,
    counted,
    hash_by_identity,
    hash_natively,
)

COUNTED = frozenset((CountedBool, CountedInt, CountedFloat, CountedStr, CountedBytes))
"""All kinds of counted value."""

__all__ = [
    "COUNTED",
    "FALSE",
    "NATIVE",
    "TRUE",
    "BranchCounter",
    "Counted",
    "CountedBool",
    "CountedBytes",
    "CountedFloat",
    "CountedInt",
    "CountedStr",
    "LocateSite",
    "counted",
    "hash_by_identity",
    "hash_natively",
]
