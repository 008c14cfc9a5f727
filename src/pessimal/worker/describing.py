"""Inputs as a user reads them, made where the target is imported: constructors of its own classes may be needed."""

from __future__ import annotations

from collections.abc import Sequence

from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.inputs import to_json
from pessimal.messages import Finding, InputDescribed

MOST_LEAVES = 10_000
"""An input of more leaves is described by its replay only: a search should end quickly."""


def describe(front_end: FrontEnd, leaves: Sequence[Leaf]) -> InputDescribed:
    """The arguments and the call that leaves stand for."""
    inputs = front_end.inputs
    arguments = {name: to_json(value) for name, value in inputs.arguments(leaves).items()}
    return InputDescribed(arguments, front_end.describe_call(leaves), inputs.assumed, inputs.inferred)


def describe_found(front_end: FrontEnd, found: Finding | None) -> InputDescribed | None:
    """The input of a finding, so that it is known even if no time is left to replay it."""
    if found is None or len(found.leaves) > MOST_LEAVES:
        return None
    try:
        return describe(front_end, found.leaves)
    except Exception:  # of the target's own classes: the replay reports it
        return None
