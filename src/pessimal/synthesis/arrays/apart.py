"""Disequalities: solve without them, then push apart what came out equal.

What bounds force is a proof; where both sides are possible one is chosen along the order of the net, so that no cycle
arises, and a contradiction that follows from a choice proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from pessimal.synthesis.arrays.net import Edges, Net
from pessimal.synthesis.arrays.system import EXACT, Ints, Unsatisfiable, Unsupported

ROUNDS = 64
"""How often equals are pushed apart before the solver gives up."""

PATIENCE = 8
"""After so many rounds all pairs are put in order, not only those that are equal."""


@dataclass
class Holes:
    """Values that a class must not have, as runs of adjacent ones: ``begin`` to ``end``, both forbidden."""

    node: Ints
    begin: Ints
    end: Ints


def holes(node: Ints, value: Ints) -> Holes:
    """Unite adjacent forbidden values to runs, so that one step leaves them all behind."""
    order = np.lexsort((value, node))
    node, value = node[order], value[order]
    fresh = np.ones(len(node), bool)
    fresh[1:] = (node[1:] != node[:-1]) | (value[1:] > value[:-1] + 1)
    last = np.append(fresh[1:], True)[: len(node)]
    return Holes(node[fresh], value[fresh], value[last])


def apart(net: Net, gaps: Holes, pairs: Edges) -> Ints:
    """The least values of a net outside of the gaps and with ``x[left] - x[right] + const != 0`` for all pairs."""
    left, right, const = pairs
    equal = left == right
    wrong = left[equal & (const == 0)]
    if len(wrong):
        raise Unsatisfiable("equals must differ", net.classes.members((int(wrong[0]),)))
    pairs = left[~equal], right[~equal], const[~equal]
    guessed = False
    for turn in range(ROUNDS):
        try:
            values = net.least()
            late = _touching(values, pairs)
            inside = (gaps.begin <= values[gaps.node]) & (values[gaps.node] <= gaps.end)
            if not late.any() and not inside.any():
                return values
            # What has no bound is still far away after this, and differences of it do not overflow.
            bottom, top = (np.clip(ends, -2 * EXACT, 2 * EXACT) for ends in (net.bottom(), net.top()))
            guessed |= _leave(net, gaps, inside, bottom, top)
            if turn >= PATIENCE:
                late[:] = True
            guessed |= _push(net, late, pairs, bottom, top)
        except Unsatisfiable as error:
            if guessed:
                raise Unsupported(f"a choice among disequalities failed: {error}") from error
            raise
    raise Unsupported("disequalities need too many rounds")


def _touching(values: Ints, pairs: Edges) -> npt.NDArray[np.bool_]:
    left, right, const = pairs
    touching: npt.NDArray[np.bool_] = values[left] - values[right] + const == 0
    return touching


def _leave(net: Net, gaps: Holes, inside: npt.NDArray[np.bool_], bottom: Ints, top: Ints) -> bool:
    """Move bounds out of the gaps, upwards where there is room; whether that was a choice."""
    node, begin, end = gaps.node, gaps.begin, gaps.end
    at_bottom = (begin <= bottom[node]) & (bottom[node] <= end)
    at_top = (begin <= top[node]) & (top[node] <= end)
    free = inside & ~at_bottom & ~at_top
    raised, lowered = at_bottom | free, at_top
    net.low[node[raised]] = np.maximum(net.low[node[raised]], end[raised] + 1)
    net.high[node[lowered]] = np.minimum(net.high[node[lowered]], begin[lowered] - 1)
    _crossed(net)
    return bool(free.any())


def _push(net: Net, late: npt.NDArray[np.bool_], pairs: Edges, bottom: Ints, top: Ints) -> bool:
    """Order the pairs that came out equal by edges; whether that was a choice."""
    left, right, const = (column[late] for column in pairs)
    if not len(left):
        return False
    below = top[left] - bottom[right] + const <= 0
    above = bottom[left] - top[right] + const >= 0
    forced = below | above
    # Of two neighbouring values that two variables share, each takes one.
    two = (top - bottom) == 1
    opposite = ~forced & two[left] & two[right] & (bottom[left] - bottom[right] + const == 0)
    chosen = False
    if opposite.any():
        chosen = _alternate(net, pairs, bottom, top)
    free = ~forced & ~opposite
    if free.any():
        chosen = True
        depth = net.graph.depths()
        before = (depth[left] < depth[right]) | ((depth[left] == depth[right]) & (left < right))
        below, above = below | (free & before), above | (free & ~before)
    lower = np.concatenate([left[below], right[above]])
    upper = np.concatenate([right[below], left[above]])
    net.add((lower, upper, np.concatenate([const[below] + 1, 1 - const[above]])))
    return chosen


def _alternate(net: Net, pairs: Edges, bottom: Ints, top: Ints) -> bool:
    """Give variables of two values theirs by turns along the pairs; whether some could have gone either way.

    Node ``2v`` says that ``v`` has its lower value and ``2v + 1`` that it has the upper one; what is joined to
    the last node is true and to the one before it false.
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
        raise Unsatisfiable("an odd ring of pairs with two values", net.classes.members(tuple(odd[odd < size][:1])))
    used = np.unique(np.concatenate([left[both], right[both]]))
    settled = (label[2 * used] == label[true]) | (label[2 * used] == label[false])
    # The first variable of each ring gets the lower value.
    lower = np.where(settled, label[2 * used] == label[true], label[2 * used] < label[2 * used + 1])
    net.low[used] = net.high[used] = np.where(lower, bottom[used], top[used])
    return not settled.all()


def _crossed(net: Net) -> None:
    crossed = np.flatnonzero(net.low > net.high)
    if len(crossed):
        raise Unsatisfiable("no value is left for a variable", net.classes.members((int(crossed[0]),)))
