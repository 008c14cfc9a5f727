"""``random``: every branch is decided by a coin; an infeasible outcome is replaced by a feasible one.

Where there are no symbolic runs, inputs are random instead.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from pessimal.errors import NotSymbolicError, UsageError
from pessimal.runs import RunView
from pessimal.search.descending import random_inputs
from pessimal.strategy import Session


class _Coin:
    """Tosses a coin at every branch, rolls a die where there are more outcomes, and leaves choices to the input."""

    def __init__(self, rng: random.Random, bias: float) -> None:
        self._rng = rng
        self._bias = bias

    def choose(self, run: RunView) -> int | None:
        """A random outcome."""
        return int(self._rng.random() < self._bias) if run.arity == 2 else self._rng.randrange(run.arity)

    def pick(self, run: RunView) -> int | None:
        """Leave choices to the input."""
        return None


class Random:
    """Independent random paths until the budget is spent; ``bias`` is the probability of true."""

    name = "random"
    stop_after = 10.0

    def __init__(self, bias: float = 0.5) -> None:
        if not isinstance(bias, int | float) or not 0 <= bias <= 1:
            raise UsageError(f"bias must be between 0 and 1, but is {bias!r}")
        self._bias = bias
        self._done = 0

    def search(self, session: Session) -> None:
        """Run paths until the session ends the search."""
        for _ in self.steps(session):
            pass

    def steps(self, session: Session) -> Iterator[None]:
        """Run paths, each with its own random source, so that a resumed search continues as if it had not stopped."""
        seed = session.rng.getrandbits(64)
        try:
            while True:
                coin = _Coin(random.Random(f"{seed}:{self._done}"), self._bias)
                session.run(coin)
                self._done += 1
                yield
        except NotSymbolicError:
            yield from random_inputs(session)

    def state(self) -> dict[str, Any]:
        """How many paths were run."""
        return {"done": self._done}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue after the paths that were run."""
        self._done = state["done"]
