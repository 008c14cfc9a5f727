"""The fast path for one large path condition: order, difference, equality and sum conditions in near-linear time.

Values are the least ones above the number nearest to its origin in each domain: small, and the same every time. Every
model is checked against all conditions before it is returned, and "unsatisfiable" is said only if proved.
"""

from __future__ import annotations

import numpy as np

from pessimal.synthesis.arrays.apart import apart, holes
from pessimal.synthesis.arrays.linear import programmed
from pessimal.synthesis.arrays.net import carried, joined, net
from pessimal.synthesis.arrays.reduction import Reduction, reduction
from pessimal.synthesis.arrays.system import HIGHEST, LOWEST, Ints, System, Unsatisfiable, Unsupported, defined

ROUNDS = 64
"""How often sums and orders push each other up before a linear program is asked."""


def solve(system: System) -> Ints:
    """Values of all variables that satisfy the system; or raise ``Unsatisfiable`` (proved) or ``Unsupported``."""
    reduced = reduction(system)
    values = _summed(system, reduced) if reduced.sums else _settled(reduced)
    if system.violated(values):
        raise Unsupported("the model that was found breaks a condition")
    return values


def _settled(reduced: Reduction, floor: Ints | None = None) -> Ints:
    """A model of all but the sums that remain; loose parts of sums stay at their starts where that is possible."""
    if reduced.loose:
        try:
            return _model(reduced, floor, reduced.start)
        except (Unsatisfiable, Unsupported):
            pass
    return _model(reduced, floor, None)


def _model(reduced: Reduction, floor: Ints | None, wish: Ints | None) -> Ints:
    """A model with the loose parts of sums at least at a wish, or anywhere within their bounds."""
    start = reduced.start
    edges = list(reduced.blocks["<="])
    for block in reduced.loose:
        least = (reduced.low if wish is None else wish)[block.second]
        if wish is not None:  # the sum itself says how small its target is
            start[block.target] = LOWEST
        some, most = least > LOWEST, reduced.high[block.second] < HIGHEST
        shift = block.const + least
        edges.append((block.first[some], block.target[some], shift[some]))
        shift = -(block.const + reduced.high[block.second])
        edges.append((block.target[most], block.first[most], shift[most]))
    if floor is not None:
        start = np.where(floor > LOWEST, np.maximum(floor, reduced.low), start)
    made = net(reduced, np.where(start > LOWEST, start, reduced.low), edges)
    united = made.classes
    taken = joined([(nodes, nodes, forbidden) for nodes, forbidden in reduced.holes])
    gaps = holes(united.label[taken[0]], taken[2] - united.offset[taken[0]])
    values = apart(made, gaps, carried(united, reduced.blocks["!="]))
    return reduced.complete(united.expand(values))


def _summed(system: System, reduced: Reduction) -> Ints:
    """A model with sums whose parts occur elsewhere: pushed up round by round, else by a linear program."""
    try:
        values = _pushed(reduced)
    except Unsupported:
        values = None
    return programmed(system) if values is None else values


def _pushed(reduced: Reduction) -> Ints | None:
    """Let sums and orders push each other up from the start until both hold; None where sums would have to rise."""
    target = np.concatenate([block.target for block in reduced.sums])
    floor = np.full(len(reduced.low), LOWEST, np.int64)
    wanted = defined(reduced.sums, reduced.start)
    for _ in range(ROUNDS):
        floor[target] = wanted[target]
        values = _settled(reduced, floor)
        wanted = defined(reduced.sums, values)
        if (wanted < values).any():
            return None
        if np.array_equal(wanted, values):
            return values
    return None
