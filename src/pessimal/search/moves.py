"""Moves: small changes of an input, in place, which searches on concrete inputs try.

The first ones work on any group of leaves with the same domain; the others on a span of neighbouring leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, zip_longest
from random import Random
from typing import TypeAlias, TypeVar

from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.search.characters import draw_character
from pessimal.search.leaf_groups import LeafGroup, Span

T = TypeVar("T")
Leaves: TypeAlias = list[Leaf]
Move: TypeAlias = Callable[[Leaves, LeafGroup, Random], None]
SpanMove: TypeAlias = Callable[[Leaves, Span, Random], None]

_BITS = 40
_SQUARED = 1 << 1024
"""Ints below it are squared: far enough to leave what a float can hold, and not so far that runs take long."""
MAGNITUDES = (8, 100, 1000, 1000, None)
"""How large the numbers of a random input are; None if each has a magnitude of its own."""


def pick(items: Sequence[T], rng: Random) -> T:
    """One of the items, faster than ``rng.choice``."""
    return items[int(rng.random() * len(items))]


def _segment(positions: Sequence[int], rng: Random) -> Sequence[int]:
    first, last = sorted((pick(range(len(positions)), rng), pick(range(len(positions)), rng)))
    return positions[first : last + 1]


def renew(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Give a leaf a random value."""
    leaves[pick(group.positions, rng)] = group.domain.sample(rng)


def nudge(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Add a random number to a leaf; its magnitude is uniform on a logarithmic scale up to 1000."""
    position = pick(group.positions, rng)
    size = 10 ** rng.uniform(0, 3)
    step = rng.uniform(-size, size) if group.domain.kind == "float" else rng.randint(-int(size), int(size))
    leaves[position] = group.domain.clip(leaves[position] + step)


def copy(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Set a leaf to the value of another, or to one more or one less."""
    other = leaves[pick(group.positions, rng)]
    leaves[pick(group.positions, rng)] = group.domain.clip(other + rng.randint(-1, 1))


def swap(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Exchange two leaves."""
    one, other = pick(group.positions, rng), pick(group.positions, rng)
    leaves[one], leaves[other] = leaves[other], leaves[one]


def rotate(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Move a leaf to another position; those in between shift by one."""
    segment = _segment(group.positions, rng)
    values = [leaves[position] for position in segment]
    for position, value in zip(segment, values[1:] + values[:1], strict=True):
        leaves[position] = value


def shift(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Shift all values from a position on below or above all values before it, keeping their differences."""
    cut = pick(range(len(group.positions)), rng)
    head = [leaves[position] for position in group.positions[:cut]] or [0]
    tail = [leaves[position] for position in group.positions[cut:]]
    step = min(head) - max(tail) - 1 if rng.random() < 0.5 else max(head) - min(tail) + 1
    for position, value in zip(group.positions[cut:], tail, strict=True):
        leaves[position] = group.domain.clip(value + step)


def offset(leaves: Leaves, group: LeafGroup, rng: Random) -> None:
    """Set a leaf to another plus the difference of two: steps that helped between some help between others."""
    base, one, other = (leaves[pick(group.positions, rng)] for _ in range(3))
    leaves[pick(group.positions, rng)] = group.domain.clip(base + one - other)


def _part(span: Span, rng: Random) -> tuple[int, int]:
    one, other = pick(span.positions, rng), pick(span.positions, rng)
    return (one, other + 1) if one <= other else (other, one + 1)


def is_number(domain: Domain) -> bool:
    """Whether the leaves are numbers that have an order of their own."""
    return domain.kind in ("int", "float")


def draw(domain: Domain, rng: Random, magnitude: int | None = None) -> Leaf:
    """A random value; of characters, mostly those of ASCII."""
    if domain.kind == "char":
        code = ord(draw_character(rng))
        return code if code in domain else domain.sample(rng)
    return domain.sample(rng, magnitude)


def draw_all(domains: Sequence[Domain], rng: Random) -> Leaves:
    """A random input, whose numbers mostly have one magnitude."""
    magnitude = pick(MAGNITUDES, rng)
    return [draw(domain, rng, magnitude) for domain in domains]


def write(leaves: Leaves, span: Span, piece: Leaves, rng: Random) -> None:
    """Write a piece somewhere, insert it there, or repeat it over a part."""
    piece = piece[: len(span)]
    start = span.start + int(rng.random() * (len(span) - len(piece) + 1))
    chance = rng.random()
    if chance < 0.5:
        leaves[start : start + len(piece)] = piece
    elif chance < 0.75:
        leaves[start : span.stop] = (piece + leaves[start : span.stop])[: span.stop - start]
    else:
        start, stop = (span.start, span.stop) if rng.random() < 0.3 else _part(span, rng)
        leaves[start:stop] = (piece * ((stop - start) // len(piece) + 1))[: stop - start]


def redraw(leaves: Leaves, span: Span, rng: Random) -> None:
    """Give a leaf a random value; characters are mostly printable."""
    leaves[pick(span.positions, rng)] = draw(span.domain, rng)


def extreme(leaves: Leaves, span: Span, rng: Random) -> None:
    """Give a leaf the smallest or largest value, or a small number."""
    domain = span.domain
    bounds = [bound for bound in (domain.low, domain.high, domain.initial) if bound is not None]
    options = [*bounds, *(domain.clip(value) for value in (0, 1, -1, 2))] if is_number(domain) else bounds
    leaves[pick(span.positions, rng)] = rng.choice(options)


def scale(leaves: Leaves, span: Span, rng: Random) -> None:
    """Double, halve, negate or square a number, multiply it, or flip one of its bits."""
    domain = span.domain
    position = pick(span.positions, rng)
    value = leaves[position]
    if domain.kind == "float":
        options = [value * 2, value / 2, -value, value * 10, value * value]
    else:
        options = [value * 2, value // 2, -value, value * 10, int(value) ^ (1 << rng.randrange(_BITS))]
        options += [value * value] * (abs(value) < _SQUARED)
    leaves[position] = domain.clip(rng.choice(options))


def order(leaves: Leaves, span: Span, rng: Random) -> None:
    """Sort, reverse or interleave a part."""
    start, stop = (span.start, span.stop) if rng.random() < 0.3 else _part(span, rng)
    leaves[start:stop] = rng.choice(_ORDERS)(leaves[start:stop])


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


def progression(leaves: Leaves, span: Span, rng: Random) -> None:
    """Make a part an arithmetic progression."""
    start, stop = _part(span, rng)
    first, step = leaves[start], rng.choice((0, 1, -1, 2, -2, rng.randint(-100, 100)))
    leaves[start:stop] = [span.domain.clip(first + step * index) for index in range(stop - start)]


def pump(leaves: Leaves, span: Span, rng: Random) -> None:
    """Repeat a piece over a part."""
    piece = _piece(leaves, span, rng)
    start, stop = (span.start, span.stop) if rng.random() < 0.3 else _part(span, rng)
    leaves[start:stop] = (piece * ((stop - start) // len(piece) + 1))[: stop - start]


def _piece(leaves: Leaves, span: Span, rng: Random) -> Leaves:
    length = min(len(span), rng.choice((1, 1, 2, 2, 3, 4, rng.randint(1, max(1, len(span) // 2)))))
    start = rng.randrange(span.start, span.stop - length + 1)
    return leaves[start : start + length]


def move_block(leaves: Leaves, span: Span, rng: Random) -> None:
    """Insert a copy of a piece somewhere and drop as much elsewhere."""
    piece = _piece(leaves, span, rng)[: len(span) - 1]
    dropped = rng.randrange(span.start, span.stop - len(piece) + 1)
    rest = leaves[span.start : dropped] + leaves[dropped + len(piece) : span.stop]
    place = rng.randrange(len(rest) + 1)
    leaves[span.start : span.stop] = rest[:place] + piece + rest[place:]


def resize(leaves: Leaves, span: Span, rng: Random) -> None:
    """Insert a copy of a piece or a random value, or drop a piece: the input gets longer or shorter, in order."""
    assert span.length is not None
    length = int(leaves[span.length])
    used, room = leaves[span.start : span.start + length], len(span) - length
    if room and (not length or rng.random() < 0.6):
        piece = _piece(leaves, span.used(leaves), rng) if length and rng.random() < 0.7 else [draw(span.domain, rng)]
        place = rng.randrange(length + 1)
        used = used[:place] + piece[:room] + used[place:]
    else:
        place = rng.randrange(length)
        used = used[:place] + used[place + len(_piece(leaves, span.used(leaves), rng)) :]
    leaves[span.start : span.start + len(used)] = used
    leaves[span.length] = len(used)


RESIZE = "resize"
ANY_SPAN: dict[str, SpanMove] = {"redraw": redraw, "extreme": extreme, "nudge": nudge}
SEVERAL_LEAVES: dict[str, SpanMove] = {
    "copy": copy,
    "swap": swap,
    "rotate": rotate,
    "order": order,
    "pump": pump,
    "move_block": move_block,
}
NUMBERS: dict[str, SpanMove] = {"scale": scale}
SEVERAL_NUMBERS: dict[str, SpanMove] = {"shift": shift, "progression": progression, "offset": offset}
VARIABLE: dict[str, SpanMove] = {RESIZE: resize}
MOVES = {**ANY_SPAN, **SEVERAL_LEAVES, **NUMBERS, **SEVERAL_NUMBERS, **VARIABLE}
WIDENING = frozenset(("scale", "shift", "progression", "offset"))
"""Moves that widen the range of the values: accepted without gain again and again, they would let them explode."""


def applicable(span: Span) -> list[str]:
    """The names of the moves that can change a span: some need numbers, several leaves, or a length that varies."""
    names = list(ANY_SPAN)
    if len(span) > 1:
        names += SEVERAL_LEAVES
    if is_number(span.domain):
        names += [*NUMBERS, *(SEVERAL_NUMBERS if len(span) > 1 else ())]
    return names if span.length is None else [*names, *VARIABLE]


def splice(leaves: Leaves, other: Sequence[Leaf], spans: Sequence[Span], rng: Random) -> None:
    """Take a part of one span, or whole spans, from another input."""
    if rng.random() < 0.7:
        start, stop = _part(rng.choice(spans), rng)
        leaves[start:stop] = other[start:stop]
        return
    for span in spans:
        if rng.random() < 0.5:
            leaves[span.start : span.stop] = other[span.start : span.stop]
