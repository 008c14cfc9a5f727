"""Runs that flip a branch of an earlier one: the same decisions, another outcome, then whatever the input leads to."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.expr import Leaf
from pessimal.runs import Avoid, Follow
from pessimal.strategy import Session
from pessimal.trace import Side, Trace


def run_flip(
    session: Session, before: bytes, outcome: int, leaves: Sequence[Leaf], values: tuple[Leaf, ...] = ()
) -> Trace:
    """Take another outcome after some decisions; or, where something was made concrete, a value other than these."""
    if values:
        avoid = Avoid(len(before), (values,))
        return session.run(Follow(before), leaves, stop_when_infeasible=True, avoid=avoid)
    return session.run(Follow(before + bytes((outcome,))), leaves, stop_when_infeasible=True)


def is_flipped(trace: Trace, before: bytes, outcome: int, values: tuple[Leaf, ...] = ()) -> bool:
    """Whether a run made the flip that it was asked for."""
    if values:
        return len(trace) > len(before) and trace.decisions[: len(before)] == before
    return bool(trace.decisions[: len(before) + 1] == before + bytes((outcome,)))


def other_outcomes(trace: Trace, position: int) -> list[int]:
    """The outcomes that were not taken and are not known to be infeasible."""
    return [outcome for side in (Side.UNTRIED, Side.FEASIBLE) for outcome in trace.untaken(position, side)]
