"""Which code points a one-character item of a pattern accepts: ranges, and the condition that a code lies in them.

The ranges are read off the native engine, so that categories and the rules of case are exactly those of ``re``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pessimal.expr import Compare, Expr, Term, conjunction, disjunction
from pessimal.python.deciding import between
from pessimal.python.tables import table

sre: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
compiler: Any = import_module("re._compiler")

ASCII_LOWER = compiler._sre.ascii_tolower
UNICODE_LOWER = compiler._sre.unicode_tolower

Ranges = tuple[tuple[int, int], ...]

ASCII: Ranges = ((0, 127),)
CHARACTERS: Ranges = ((0, 0x10FFFF),)
OCTETS: Ranges = ((0, 255),)
OCTET_ROW = bytes(range(256))
FLAT = 4
"""So many ranges are written side by side; more are searched by halves, as a tree of comparisons."""


@table
def _all_characters() -> str:
    return "".join(map(chr, range(CHARACTERS[0][1] + 1)))


@table
def accepted(op: Any, value: Any, flags: int, of_bytes: bool) -> Ranges:
    """The code points that a one-character item accepts; ``value`` of a set is a tuple of its items."""
    if not flags & sre.SRE_FLAG_IGNORECASE:
        if op is sre.LITERAL:
            return ((value, value),)
        if op is sre.NOT_LITERAL:
            return subtract(whole(of_bytes), ((value, value),))
    if op is sre.ANY:
        return whole(of_bytes) if flags & sre.SRE_FLAG_DOTALL else subtract(whole(of_bytes), ((10, 10),))
    row = OCTET_ROW if of_bytes else _all_characters()
    return _observed(op, list(value) if op is sre.IN else value, flags, row)


def accepted_first(op: Any, value: Any, flags: int, of_bytes: bool) -> Ranges:
    """Those below 256, which are found much faster."""
    row = OCTET_ROW if of_bytes else OCTET_ROW.decode("latin-1")
    return _observed(op, value, flags, row)


def _observed(op: Any, value: Any, flags: int, row: str | bytes) -> Ranges:
    """The runs of accepted code points that the native engine finds in a row of them."""
    state = parser.State()
    state.flags = flags
    item = parser.SubPattern(state, [(op, value)])
    runs = parser.SubPattern(state, [(sre.MAX_REPEAT, (1, sre.MAXREPEAT, item))])
    return tuple((found.start(), found.end() - 1) for found in compiler.compile(runs).finditer(row))


def words(flags: int, of_bytes: bool) -> Ranges:
    """The characters of words, which boundaries are made of."""
    return accepted(sre.IN, ((sre.CATEGORY, sre.CATEGORY_WORD),), flags & ~sre.SRE_FLAG_IGNORECASE, of_bytes)


def whole(of_bytes: bool) -> Ranges:
    """All code points there are."""
    return OCTETS if of_bytes else CHARACTERS


def member(code: int, ranges: Ranges) -> bool:
    """Whether a known code lies in the ranges."""
    return any(low <= code <= high for low, high in ranges)


def intersect(left: Ranges, right: Ranges) -> Ranges:
    """What lies in both."""
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low <= high:
            found.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(found)


def subtract(left: Ranges, right: Ranges) -> Ranges:
    """What lies in the first and not in the second."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for low, high in right:
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    gaps.append((start, max(start, CHARACTERS[0][1])))
    return intersect(left, tuple(gaps))


def within(code: Term, ranges: Ranges, known: Ranges) -> Expr:
    """The condition that a code, known to lie in some ranges, lies in others."""
    inside = intersect(known, ranges)
    if not inside or inside == known:
        return bool(inside)
    outside = subtract(known, inside)
    if len(outside) == 1 and outside[0][0] == outside[0][1]:
        return Compare("!=", code, outside[0][0])
    return _tree(code, inside, known[0][0], known[-1][1])


def _tree(code: Term, ranges: Ranges, low: int, high: int) -> Expr:
    """The condition for a code between two bounds; the halves of a long table repeat no comparison of the bounds."""
    if len(ranges) <= FLAT:
        return disjunction([_range(code, span, low, high) for span in ranges])
    half = len(ranges) // 2
    pivot = ranges[half][0]
    below = conjunction([Compare("<", code, pivot), _tree(code, ranges[:half], low, pivot - 1)])
    above = conjunction([Compare(">=", code, pivot), _tree(code, ranges[half:], pivot, high)])
    return disjunction([below, above])


def _range(code: Term, span: tuple[int, int], low: int, high: int) -> Expr:
    first, last = span
    if first == last:
        return Compare("==", code, first)
    if first <= low and last >= high:
        return True
    if first <= low:
        return Compare("<=", code, last)
    return Compare(">=", code, first) if last >= high else between(code, first, last)
