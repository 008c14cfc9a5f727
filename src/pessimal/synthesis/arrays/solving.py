"""The array solver: one large path condition of orders, differences, equalities and sums, in near-linear time.

Values are the least ones above the value nearest to the origin in each domain, so they are small and deterministic.
Every model is checked against all conditions before it is returned, and Unsatisfiable is raised only if proved.
"""

from __future__ import annotations

import numpy as np

from pessimal.synthesis.arrays.class_graph import between_classes, class_graph, concatenated
from pessimal.synthesis.arrays.disequalities import forbidden_ranges, separated
from pessimal.synthesis.arrays.linear import solved_linearly
from pessimal.synthesis.arrays.reduction import Reduction, reduction
from pessimal.synthesis.arrays.system import HIGHEST, LOWEST, Ints, System, Unsatisfiable, Unsupported, with_sums

MAX_ROUNDS = 64
"""How often sums and orders may raise each other before a linear program is tried."""


def solve(system: System) -> Ints:
    """Values of all variables that satisfy the system; raises ``Unsatisfiable`` (proved) or ``Unsupported``."""
    reduced = reduction(system)
    values = _solve_with_sums(system, reduced) if reduced.sums else _solve_without_sums(reduced)
    if system.violated(values):
        raise Unsupported("the model that was found violates a condition")
    return values


def _solve_without_sums(reduced: Reduction, floor: Ints | None = None) -> Ints:
    """A model of all conditions but the remaining sums; free parts of sums keep their start values if possible."""
    if reduced.free_sums:
        try:
            return _model(reduced, floor, reduced.start)
        except (Unsatisfiable, Unsupported):
            pass
    return _model(reduced, floor, None)


def _model(reduced: Reduction, floor: Ints | None, preferred: Ints | None) -> Ints:
    """A model with the free parts of sums at least at their preferred values, or anywhere within their bounds."""
    start = reduced.start
    edges = list(reduced.blocks["<="])
    for block in reduced.free_sums:
        least = (reduced.low if preferred is None else preferred)[block.second]
        if preferred is not None:  # the sum itself determines its target
            start[block.target] = LOWEST
        some, most = least > LOWEST, reduced.high[block.second] < HIGHEST
        shift = block.const + least
        edges.append((block.first[some], block.target[some], shift[some]))
        shift = -(block.const + reduced.high[block.second])
        edges.append((block.target[most], block.first[most], shift[most]))
    if floor is not None:
        start = np.where(floor > LOWEST, np.maximum(floor, reduced.low), start)
    graph = class_graph(reduced, np.where(start > LOWEST, start, reduced.low), edges)
    united = graph.classes
    taken = concatenated([(nodes, nodes, forbidden) for nodes, forbidden in reduced.forbidden_values])
    forbidden = forbidden_ranges(united.label[taken[0]], taken[2] - united.offset[taken[0]])
    values = separated(graph, forbidden, between_classes(united, reduced.blocks["!="]))
    return reduced.with_free_parts(united.expand(values))


def _solve_with_sums(system: System, reduced: Reduction) -> Ints:
    """A model that also satisfies the remaining sums: raised round by round, or found by a linear program."""
    try:
        values = _raise_sums(reduced)
    except Unsupported:
        values = None
    return solved_linearly(system) if values is None else values


def _raise_sums(reduced: Reduction) -> Ints | None:
    """Let sums and orders raise each other until both hold; None if a target must be above its sum."""
    target = np.concatenate([block.target for block in reduced.sums])
    floor = np.full(len(reduced.low), LOWEST, np.int64)
    wanted = with_sums(reduced.sums, reduced.start)
    for _ in range(MAX_ROUNDS):
        floor[target] = wanted[target]
        values = _solve_without_sums(reduced, floor)
        wanted = with_sums(reduced.sums, values)
        if (wanted < values).any():
            return None
        if np.array_equal(wanted, values):
            return values
    return None
