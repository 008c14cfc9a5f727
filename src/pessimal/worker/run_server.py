"""A process that runs one target on request, for those who ask from outside of a search.

It is told the target by its argument. Each line that it reads is a request, each line that it writes an answer, all of
them JSON: ``{"decisions": hex, "leaves": [...]}`` follows decisions from an input, ``{"seed": n}`` follows a random
input, both symbolically; ``{"inputs": [[...], ...]}`` runs inputs and tells how far they are from each outcome of the
tests they reach. The first answer is the path of the simplest input, or the domains of the leaves, as it is asked. It
confines itself before it imports the target, as all workers do.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from math import inf
from random import Random
from typing import Any

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd, MeasuresDistances, make_front_end, start_outside
from pessimal.pool import sandbox
from pessimal.runs import Follow, Request
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec
from pessimal.trace import COMPLETED, Trace

RUN_SECONDS = 10.0
LARGEST, ALMOST = 1e300, 1e-3
TRIES = 100
"""How many random inputs are tried to find one that is admitted and ends."""


def main() -> None:
    """Answer requests until there are no more."""
    asked = json.loads(sys.argv[1])
    requests, answers = os.dup(0), os.dup(1)  # the target gets others, which lead nowhere
    for descriptor in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
    try:
        front_end = _opened(asked)
        first = _described(front_end) if asked["first"] == "domains" else _followed(front_end, b"", front_end.initial)
    except UsageError as error:
        _write(answers, {"error": error.to_json()})
        return
    _write(answers, first)
    for line in _lines(requests):
        request = json.loads(line)
        if "inputs" in request:
            _write(answers, [_distances(front_end, leaves) for leaves in request["inputs"]])
        elif "seed" in request:
            _write(answers, _random(front_end, Random(request["seed"])))
        else:
            _write(answers, _followed(front_end, bytes.fromhex(request["decisions"]), request["leaves"]))


def _opened(asked: dict[str, Any]) -> FrontEnd:
    allowed = asked["allow_side_effects"]
    place = Reference.parse(asked["target"])
    spec = TargetSpec(place, asked["size"], given=asked["inputs"], allow_side_effects=allowed)
    start_outside(spec)
    sandbox.confine(allowed)
    front_end = make_front_end(spec)
    front_end.prepare()
    return front_end


def _lines(descriptor: int) -> Iterator[bytes]:
    with os.fdopen(descriptor, "rb") as file:
        yield from file


def _write(descriptor: int, data: Any) -> None:
    text = json.dumps(data).encode() + b"\n"
    while text:
        text = text[os.write(descriptor, text) :]


def _followed(front_end: FrontEnd, decisions: bytes, leaves: Sequence[Leaf]) -> dict[str, Any]:
    request = Request(Follow(decisions), list(leaves), stop_when_infeasible=True)
    return _told(front_end, front_end.run(request, RUN_SECONDS))


def _random(front_end: FrontEnd, rng: Random) -> dict[str, Any]:
    """The run of a random input with a branch on it; of the simplest one if none is found."""
    for _ in range(TRIES):
        leaves = [domain.sample(rng) for domain in front_end.domains]
        if front_end.admits(leaves):
            trace = front_end.run(Request(None, leaves), RUN_SECONDS)
            if trace.outcome in COMPLETED and len(trace):
                return _told(front_end, trace)
    return _followed(front_end, b"", front_end.initial)


def _described(front_end: FrontEnd) -> dict[str, Any]:
    """The domains of the leaves, and the numbers in the code."""
    if not isinstance(front_end, MeasuresDistances):
        raise UsageError("the distances of its tests cannot be measured", slug="target")
    front_end.evaluate(front_end.initial, RUN_SECONDS)
    numbers = [item for item in front_end.literals() if isinstance(item, int | float) and abs(item) < LARGEST]
    domains = [(item.kind, item.low, item.high, item.initial, item.name, item.special) for item in front_end.domains]
    return {"domains": domains, "literals": [float(item) for item in numbers]}


def _distances(front_end: FrontEnd, leaves: Sequence[Leaf]) -> list[tuple[str, int, float]]:
    """The least distance to each outcome of each test that a run reaches; that of a run which fails is never 0."""
    assert isinstance(front_end, MeasuresDistances)
    trace = front_end.approach(leaves, RUN_SECONDS)
    nearest: dict[tuple[str, int], float] = {}
    for position, site in enumerate(trace.sites):
        for outcome, distance in enumerate(trace.distances(position)):
            if distance < nearest.get((site.id, outcome), inf):
                nearest[site.id, outcome] = distance
    least = 0.0 if trace.outcome in COMPLETED else ALMOST
    return [(*key, max(distance, least)) for key, distance in nearest.items()]


def _told(front_end: FrontEnd, trace: Trace) -> dict[str, Any]:
    return {
        "outcome": trace.outcome.value,
        "decisions": bytes(trace.decisions).hex(),
        "sites": [site.id for site in trace.sites],
        "arities": [trace.arity(i) for i in range(len(trace))],
        "choices": sorted(trace.choices),
        "leaves": list(trace.leaves),
        "call": front_end.describe_call(trace.leaves),
    }


if __name__ == "__main__":
    main()
