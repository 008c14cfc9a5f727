"""Candidates from comparisons: inputs with one operand where the other stood, or where the two would meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pessimal.comparison import Comparison, Operand
from pessimal.expr import Leaf
from pessimal.search.leaf_groups import Span
from pessimal.search.moves import is_number

MOST_PLACES = 3
MOST_PAIRS = 300
LARGEST = 1e15


def replaced(leaves: list[Leaf], comparisons: Sequence[Comparison], spans: Sequence[Span]) -> Iterator[list[Leaf]]:
    """Inputs in which a value of the input that was compared is replaced by what it was compared with."""
    pairs = {(item.left, item.right): None for item in comparisons if item.left != item.right}
    for left, right in list(pairs)[:MOST_PAIRS]:
        for old, new in ((left, right), (right, left)):
            if isinstance(old, int | float) and isinstance(new, int | float):
                yield from _numbers(leaves, old, new, spans)
            elif isinstance(old, str | bytes) and type(old) is type(new):
                yield from _texts(leaves, old, new, spans)


def _numbers(leaves: list[Leaf], old: float, new: float, spans: Sequence[Span]) -> Iterator[list[Leaf]]:
    numeric = [span for span in spans if is_number(span.domain)]
    places = [(i, span) for span in numeric for i in range(span.start, span.stop) if leaves[i] == old]
    for position, span in places[:MOST_PLACES]:
        for value in (new, new + 1, new - 1):
            yield from _changed(leaves, position, value, span)


def _changed(leaves: list[Leaf], position: int, value: float, span: Span) -> Iterator[list[Leaf]]:
    if not abs(value) <= LARGEST:
        return
    fitting = span.domain.clip(value if span.domain.kind == "float" else round(value))
    if fitting != leaves[position]:
        yield [*leaves[:position], fitting, *leaves[position + 1 :]]


def _texts(leaves: list[Leaf], old: Operand, new: Operand, spans: Sequence[Span]) -> Iterator[list[Leaf]]:
    """Put the new text where the old one stands in a span; where it stands nowhere, at the start."""
    was, wanted = _codes(old), _codes(new)
    for span in spans:
        fits = wanted and len(wanted) <= len(span) and all(code in span.domain for code in wanted)
        if span.domain.kind in ("char", "byte") and fits:
            found = _find(leaves, was, span) if was else None
            start = span.start if found is None else min(found, span.stop - len(wanted))
            yield [*leaves[:start], *wanted, *leaves[start + len(wanted) :]]


def _codes(text: Operand) -> list[int]:
    return list(text) if isinstance(text, bytes) else [ord(character) for character in str(text)]


def _find(leaves: list[Leaf], codes: list[int], span: Span) -> int | None:
    last = span.stop - len(codes)
    starts = range(span.start, last + 1)
    return next((start for start in starts if leaves[start : start + len(codes)] == codes), None)


def met(
    leaves: list[Leaf],
    position: int,
    span: Span,
    observed: Sequence[tuple[Leaf, Sequence[Comparison]]],
) -> Iterator[list[Leaf]]:
    """Inputs in which two operands would meet, if their difference changes with one leaf as it did in two runs."""
    (one, before), (other, after) = observed
    first, second = _differences(before), _differences(after)
    for site, difference in first.items():
        slope = (second.get(site, difference) - difference) / (other - one)
        if slope:
            meeting = one - difference / slope
            for value in (meeting, meeting + 1, meeting - 1):
                yield from _changed(leaves, position, value, span)


def _differences(comparisons: Sequence[Comparison]) -> dict[int, float]:
    """The difference of the operands where a site compares numbers for the first time."""
    found: dict[int, float] = {}
    for site, left, right in comparisons:
        if isinstance(left, int | float) and isinstance(right, int | float) and abs(left) + abs(right) <= LARGEST:
            found.setdefault(site, float(left) - float(right))
    return found
