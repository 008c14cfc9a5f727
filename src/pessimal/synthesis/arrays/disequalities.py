"""Disequalities: solve without them, then separate the values that came out equal.

Where the bounds force an order, a contradiction is a proof. Where both orders are possible, one is guessed along the
order of the graph, so that no cycle arises; a contradiction that follows from a guess proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from pessimal.synthesis.arrays.class_graph import ClassGraph, Edges
from pessimal.synthesis.arrays.system import EXACT, Ints, Unsatisfiable, Unsupported

MAX_ROUNDS = 64
"""After this many rounds the solver gives up."""

ORDER_ALL_AFTER = 8
"""After this many rounds all pairs are ordered, not only those whose values are equal."""


@dataclass
class ForbiddenRanges:
    """Values that classes must not have, as ranges from ``begin`` to ``end`` inclusive."""

    node: Ints
    begin: Ints
    end: Ints


def forbidden_ranges(node: Ints, value: Ints) -> ForbiddenRanges:
    """Merge adjacent forbidden values into ranges, so that one step passes all of them."""
    order = np.lexsort((value, node))
    node, value = node[order], value[order]
    fresh = np.ones(len(node), bool)
    fresh[1:] = (node[1:] != node[:-1]) | (value[1:] > value[:-1] + 1)
    last = np.append(fresh[1:], True)[: len(node)]
    return ForbiddenRanges(node[fresh], value[fresh], value[last])


def separated(graph: ClassGraph, forbidden: ForbiddenRanges, pairs: Edges) -> Ints:
    """The least values that are not forbidden, with ``x[left] - x[right] + const != 0`` for all pairs."""
    left, right, const = pairs
    equal = left == right
    wrong = left[equal & (const == 0)]
    if len(wrong):
        raise Unsatisfiable("equal variables must differ", graph.classes.members((int(wrong[0]),)))
    pairs = left[~equal], right[~equal], const[~equal]
    has_guessed = False
    for round_number in range(MAX_ROUNDS):
        try:
            values = graph.least()
            pending = _equal_pairs(values, pairs)
            inside = (forbidden.begin <= values[forbidden.node]) & (values[forbidden.node] <= forbidden.end)
            if not pending.any() and not inside.any():
                return values
            # Unbounded ends are clipped: they stay far away, and their differences do not overflow.
            bottom, top = (np.clip(ends, -2 * EXACT, 2 * EXACT) for ends in (graph.bottom(), graph.top()))
            has_guessed |= _leave_forbidden(graph, forbidden, inside, bottom, top)
            if round_number >= ORDER_ALL_AFTER:
                pending[:] = True
            has_guessed |= _order_pairs(graph, pending, pairs, bottom, top)
        except Unsatisfiable as error:
            if has_guessed:
                raise Unsupported(f"a guess about disequalities failed: {error}") from error
            raise
    raise Unsupported("disequalities need too many rounds")


def _equal_pairs(values: Ints, pairs: Edges) -> npt.NDArray[np.bool_]:
    left, right, const = pairs
    equal: npt.NDArray[np.bool_] = values[left] - values[right] + const == 0
    return equal


def _leave_forbidden(
    graph: ClassGraph, forbidden: ForbiddenRanges, inside: npt.NDArray[np.bool_], bottom: Ints, top: Ints
) -> bool:
    """Move bounds out of forbidden ranges, upwards if possible; return whether that was a guess."""
    node, begin, end = forbidden.node, forbidden.begin, forbidden.end
    at_bottom = (begin <= bottom[node]) & (bottom[node] <= end)
    at_top = (begin <= top[node]) & (top[node] <= end)
    free = inside & ~at_bottom & ~at_top
    raised, lowered = at_bottom | free, at_top
    graph.low[node[raised]] = np.maximum(graph.low[node[raised]], end[raised] + 1)
    graph.high[node[lowered]] = np.minimum(graph.high[node[lowered]], begin[lowered] - 1)
    _check_bounds(graph)
    return bool(free.any())


def _order_pairs(graph: ClassGraph, pending: npt.NDArray[np.bool_], pairs: Edges, bottom: Ints, top: Ints) -> bool:
    """Add edges that order the pending pairs; return whether that was a guess."""
    left, right, const = (column[pending] for column in pairs)
    if not len(left):
        return False
    below = top[left] - bottom[right] + const <= 0
    above = bottom[left] - top[right] + const >= 0
    forced = below | above
    # If two variables have the same two values left, each takes one of them.
    two = (top - bottom) == 1
    opposite = ~forced & two[left] & two[right] & (bottom[left] - bottom[right] + const == 0)
    has_guessed = False
    if opposite.any():
        has_guessed = _alternate(graph, pairs, bottom, top)
    free = ~forced & ~opposite
    if free.any():
        has_guessed = True
        depth = graph.graph.depths()
        before = (depth[left] < depth[right]) | ((depth[left] == depth[right]) & (left < right))
        below, above = below | (free & before), above | (free & ~before)
    lower = np.concatenate([left[below], right[above]])
    upper = np.concatenate([right[below], left[above]])
    graph.add((lower, upper, np.concatenate([const[below] + 1, 1 - const[above]])))
    return has_guessed


def _alternate(graph: ClassGraph, pairs: Edges, bottom: Ints, top: Ints) -> bool:
    """Assign variables with two values left so that all pairs differ; return whether some assignment was a guess.

    Node ``2v`` stands for "``v`` has its lower value" and ``2v + 1`` for "``v`` has its upper value"; nodes connected
    to the last node are true, those connected to the one before it are false.
    """
    left, right, const = pairs
    size = len(bottom)
    false, true = 2 * size, 2 * size + 1
    two = (top - bottom) == 1
    both = two[left] & two[right] & (bottom[left] - bottom[right] + const == 0)
    ends = [(2 * left[both], 2 * right[both] + 1), (2 * left[both] + 1, 2 * right[both])]
    for node, other, gap in ((left, right, -const), (right, left, const)):
        pinned = two[node] & (bottom[other] == top[other])
        node, taken = node[pinned], bottom[other[pinned]] + gap[pinned]
        upper, lower = node[taken == bottom[node]], node[taken == top[node]]
        for lit, truth in ((2 * upper + 1, true), (2 * upper, false), (2 * lower, true), (2 * lower + 1, false)):
            ends.append((lit, np.full(len(lit), truth)))
    rows, columns = (np.concatenate(column) for column in zip(*ends, strict=True))
    matrix = csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(2 * size + 2, 2 * size + 2))
    _, label = connected_components(matrix, directed=False)
    odd = np.flatnonzero(label[::2] == label[1::2])
    if len(odd):
        raise Unsatisfiable("an odd cycle of pairs with two values", graph.classes.members(tuple(odd[odd < size][:1])))
    used = np.unique(np.concatenate([left[both], right[both]]))
    settled = (label[2 * used] == label[true]) | (label[2 * used] == label[false])
    # The first variable of each component gets its lower value.
    lower = np.where(settled, label[2 * used] == label[true], label[2 * used] < label[2 * used + 1])
    graph.low[used] = graph.high[used] = np.where(lower, bottom[used], top[used])
    return not settled.all()


def _check_bounds(graph: ClassGraph) -> None:
    crossed = np.flatnonzero(graph.low > graph.high)
    if len(crossed):
        raise Unsatisfiable("no value is left for a variable", graph.classes.members((int(crossed[0]),)))
