"""Moves: small changes of an input that search on concrete inputs tries, each on one span of leaves.

A move changes the leaves in place. It returns False if it does not apply to the span.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from random import Random
from typing import TypeAlias

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.spans import Span

Leaves: TypeAlias = list[Leaf]
Move: TypeAlias = Callable[[Leaves, Span, Random], bool]

_LARGEST_STEP = 3.0
_BITS = 40
_COMMON = "".join(map(chr, range(32, 127))) + "\t\n\r"


def _position(span: Span, rng: Random) -> int:
    return span.start + int(rng.random() * len(span))


def _part(span: Span, rng: Random) -> tuple[int, int]:
    one, other = _position(span, rng), _position(span, rng)
    return (one, other + 1) if one <= other else (other, one + 1)


def is_number(domain: Domain) -> bool:
    """Whether the leaves are numbers that have an order of their own."""
    return domain.kind in ("int", "float")


def draw(domain: Domain, rng: Random) -> Leaf:
    """A random value; of characters, mostly printable ones."""
    if domain.kind == "char" and rng.random() < 0.6:
        return domain.clip(ord(_COMMON[int(rng.random() * len(_COMMON))]))
    return domain.sample(rng)


def renew(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Give a leaf a random value."""
    leaves[_position(span, rng)] = draw(span.domain, rng)
    return True


def extreme(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Give a leaf the smallest or largest value, or a small number."""
    domain = span.domain
    bounds = [bound for bound in (domain.low, domain.high, domain.initial) if bound is not None]
    options = [*bounds, *(domain.clip(value) for value in (0, 1, -1, 2))] if is_number(domain) else bounds
    leaves[_position(span, rng)] = rng.choice(options)
    return True


def nudge(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Add a random number, whose magnitude is uniform on a logarithmic scale."""
    position, domain = _position(span, rng), span.domain
    size = 10 ** rng.uniform(0, _LARGEST_STEP if is_number(domain) else 1.0)
    step = rng.uniform(-size, size) if domain.kind == "float" else rng.randint(-int(size), int(size))
    leaves[position] = domain.clip(leaves[position] + step)
    return True


def scale(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Double, halve or negate a number, multiply it, or flip one of its bits."""
    domain = span.domain
    if not is_number(domain):
        return False
    position = _position(span, rng)
    value = leaves[position]
    if domain.kind == "float":
        options = [value * 2, value / 2, -value, value * 10, value * 1e3]
    else:
        options = [value * 2, value // 2, -value, value * 10, int(value) ^ (1 << rng.randrange(_BITS))]
    leaves[position] = domain.clip(rng.choice(options))
    return True


def copy(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Set a leaf to the value of another, or next to it."""
    if len(span) < 2:
        return False
    other = leaves[_position(span, rng)]
    step = rng.randint(-1, 1) if is_number(span.domain) else 0
    leaves[_position(span, rng)] = span.domain.clip(other + step)
    return True


def swap(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Exchange two leaves."""
    one, other = _position(span, rng), _position(span, rng)
    leaves[one], leaves[other] = leaves[other], leaves[one]
    return one != other


def rotate(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Rotate a part."""
    start, stop = _part(span, rng)
    if stop - start < 2:
        return False
    by = rng.choice((1, -1, rng.randrange(1, stop - start)))
    part = leaves[start:stop]
    leaves[start:stop] = part[by:] + part[:by]
    return True


def shift(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Shift all values from a position on below or above those before it, keeping their differences."""
    if not is_number(span.domain) or len(span) < 3:
        return False
    cut = rng.randrange(span.start + 1, span.stop)
    head, tail = leaves[span.start : cut], leaves[cut : span.stop]
    step = min(head) - max(tail) - 1 if rng.random() < 0.5 else max(head) - min(tail) + 1
    leaves[cut : span.stop] = [span.domain.clip(value + step) for value in tail]
    return True


def order(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Sort, reverse or interleave a part."""
    start, stop = (span.start, span.stop) if rng.random() < 0.3 else _part(span, rng)
    if stop - start < 2:
        return False
    leaves[start:stop] = rng.choice(_ORDERS)(leaves[start:stop])
    return True


def _interleaved(values: Leaves) -> Leaves:
    half = (len(values) + 1) // 2
    return [value for value in chain.from_iterable(zip_longest(values[:half], values[half:])) if value is not None]


_ORDERS: tuple[Callable[[Leaves], Leaves], ...] = (
    sorted,
    lambda values: sorted(values, reverse=True),
    lambda values: values[::-1],
    lambda values: values[::2] + values[1::2],
    _interleaved,
)


def progression(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Make a part an arithmetic progression."""
    if not is_number(span.domain) or len(span) < 3:
        return False
    start, stop = _part(span, rng)
    first, step = leaves[start], rng.choice((0, 1, -1, 2, -2, rng.randint(-100, 100)))
    leaves[start:stop] = [span.domain.clip(first + step * index) for index in range(stop - start)]
    return True


def pump(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Repeat a piece over a part."""
    if len(span) < 3:
        return False
    piece = _piece(leaves, span, rng)
    start, stop = (span.start, span.stop) if rng.random() < 0.3 else _part(span, rng)
    leaves[start:stop] = (piece * ((stop - start) // len(piece) + 1))[: stop - start]
    return True


def _piece(leaves: Leaves, span: Span, rng: Random) -> Leaves:
    length = min(len(span), rng.choice((1, 1, 2, 2, 3, 4, rng.randint(1, max(1, len(span) // 2)))))
    start = rng.randrange(span.start, span.stop - length + 1)
    return leaves[start : start + length]


def move_block(leaves: Leaves, span: Span, rng: Random) -> bool:
    """Insert a copy of a piece somewhere and drop as much elsewhere."""
    if len(span) < 3:
        return False
    piece = _piece(leaves, span, rng)[: len(span) - 1]
    dropped = rng.randrange(span.start, span.stop - len(piece) + 1)
    rest = leaves[span.start : dropped] + leaves[dropped + len(piece) : span.stop]
    place = rng.randrange(len(rest) + 1)
    leaves[span.start : span.stop] = rest[:place] + piece + rest[place:]
    return True


MOVES: dict[str, Move] = {
    move.__name__: move
    for move in (renew, extreme, nudge, scale, copy, swap, rotate, shift, order, progression, pump, move_block)
}


def splice(leaves: Leaves, other: Sequence[Leaf], spans: Sequence[Span], rng: Random) -> None:
    """Take a part of one span, or whole spans, from another input."""
    if rng.random() < 0.7:
        start, stop = _part(rng.choice(spans), rng)
        leaves[start:stop] = other[start:stop]
        return
    for span in spans:
        if rng.random() < 0.5:
            leaves[span.start : span.stop] = other[span.start : span.stop]
