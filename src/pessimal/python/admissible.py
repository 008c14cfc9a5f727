"""An input that satisfies the preconditions: strategies start from it, and a search without one is a mistake."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pessimal.errors import InputError
from pessimal.expr import Leaf
from pessimal.inputs import Inputs
from pessimal.python.require import Requirement
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Follow, Request
from pessimal.trace import Outcome, Side, Trace

DRAWS = 2000
TRIES = 200
"""How many ways through the preconditions' own choices are tried before they are called unsatisfiable."""


def admissible_input(
    inputs: Inputs,
    initial: Sequence[Leaf],
    requirements: Sequence[Requirement],
    namespace: Mapping[str, Any],
    admits: Callable[[Sequence[Leaf]], bool],
) -> list[Leaf]:
    """An input that satisfies all preconditions, from symbolic runs of these alone, or a random one."""
    probe = Symbolic(lambda *args, **kwargs: None, inputs, requirements=requirements, namespace=namespace)
    waiting: list[bytes] = [b""]
    unsettled = False
    for _ in range(TRIES):
        if not waiting:
            break
        taken = waiting.pop(0)
        trace = probe.run(Request(Follow(taken), list(initial), probe_other=True))
        if trace.outcome is Outcome.RETURNED:
            return trace.leaves
        unsettled = unsettled or Side.UNKNOWN in trace.others or bool(trace.concretisations)
        waiting += _other_ways(trace, len(taken))
    drawn = _draw(inputs, admits) if waiting or unsettled else None
    if drawn is not None:
        return drawn
    given = " and ".join(repr(item.text) for item in requirements)
    verdict = "was found that satisfies" if waiting or unsettled else "satisfies"
    raise InputError(f"no input of size {inputs.size} {verdict} --require {given}", slug="require")


def _other_ways(trace: Trace, first: int) -> list[bytes]:
    """The ways that leave a run at one of its choices."""
    return [
        bytes(trace.decisions[:i]) + bytes((outcome,))
        for i in range(first, len(trace))
        for outcome in trace.untaken(i)
        if not _is_value(trace, i)
    ]


def _is_value(trace: Trace, position: int) -> bool:
    """Whether the decision at a position is the value that something was made concrete with."""
    return any(event.position == position and event.values for event in trace.concretisations)


def _draw(inputs: Inputs, admits: Callable[[Sequence[Leaf]], bool]) -> list[Leaf] | None:
    """Look for an admissible input among random ones, where choices are too many to go through."""
    rng = random.Random(0)
    for _ in range(DRAWS):
        leaves = [domain.sample(rng) for domain in inputs.domains]
        if admits(leaves):
            return leaves
    return None
