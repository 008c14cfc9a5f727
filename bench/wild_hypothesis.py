"""Hypothesis as a rival of bench-wild: its own generation of inputs, steered by ``target()`` on executed lines."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings, target
from hypothesis import strategies as st

from bench.wild_plain import Rival
from pessimal.inputs import Domain


class TimeIsUpError(BaseException):
    """The time of the search is over."""


def values(domain: Domain) -> st.SearchStrategy[Any]:
    """The values of one leaf."""
    if domain.kind == "float":
        return st.floats(domain.low, domain.high, allow_nan=False, allow_infinity=False)
    low, high = (None if bound is None else int(bound) for bound in (domain.low, domain.high))
    return st.integers(low, high)


def main() -> None:
    """Search until the time is over."""
    rival = Rival()
    random.seed(rival.asked["seed"])

    @settings(
        max_examples=10**9,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.target],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.tuples(*map(values, rival.inputs.domains)))
    def run(drawn: tuple[Any, ...]) -> None:
        if rival.is_over:
            raise TimeIsUpError
        target(float(rival.judge(list(drawn))))

    try:
        while not rival.is_over:
            run()
    except TimeIsUpError:
        pass
    rival.answer()


if __name__ == "__main__":
    main()
