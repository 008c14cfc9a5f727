"""Hypothesis as a rival of bench-wild: its own generation of inputs, steered by ``target()`` on executed lines."""

from __future__ import annotations

import json
import random
import signal
import sys
from time import monotonic
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import strategies as st

from bench.wild_plain import lines, stop
from pessimal.inputs import Domain, Inputs
from pessimal.target import Reference, load


class TimeIsUpError(BaseException):
    """The time of the search is over."""


def values(domain: Domain) -> st.SearchStrategy[Any]:
    """The values of one leaf."""
    if domain.kind == "float":
        return st.floats(domain.low, domain.high, allow_nan=False, allow_infinity=False)
    low, high = (None if bound is None else int(bound) for bound in (domain.low, domain.high))
    return st.integers(low, high)


def main() -> None:
    """Search with the target, specifications, size, seconds and seed that are given as JSON."""
    asked = json.loads(sys.argv[1])
    signal.signal(signal.SIGALRM, stop)
    function = load(Reference.parse(asked["target"])).call
    inputs = Inputs.of(function, asked["size"], asked["inputs"])
    best, most, runs, end = inputs.initial(), 0, 0, monotonic() + asked["seconds"]
    random.seed(asked["seed"])

    @settings(
        max_examples=10**9,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*map(values, inputs.domains)))
    def run(drawn: tuple[Any, ...]) -> None:
        nonlocal best, most, runs
        if monotonic() >= end:
            raise TimeIsUpError
        count = lines(function, inputs, list(drawn))
        runs += 1
        if count > most:
            best, most = list(drawn), count
        target(float(count))

    try:
        while True:
            run()
    except TimeIsUpError:
        print(json.dumps({"leaves": best, "runs": runs}))


if __name__ == "__main__":
    main()
