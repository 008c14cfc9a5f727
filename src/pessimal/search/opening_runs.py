"""The opening of every search: the simplest input and some random ones, run concretely before anything symbolic.

So there is something to report, whatever the strategy makes of the target. The opening has its own randomness and its
own record: it changes neither the counters nor the choices of the strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf
from random import Random
from time import monotonic

from pessimal.expr import Leaf
from pessimal.frontend import FrontEnd
from pessimal.inputs import Domain
from pessimal.messages import Finding, OpeningRun, OpeningStarted
from pessimal.trace import COMPLETED, Outcome

RANDOM_RUNS = 8
"""How many random inputs there are; each is drawn from a wider range than the one before."""

OPENING_RUNS = 1 + RANDOM_RUNS

ENOUGH_SECONDS = 0.5
"""After so long no further input is run, once one has ended."""

FIRST_SHARE, NEXT_SHARE = 1 / 4, 1 / 32
"""How much of the time that is left the simplest input, and each of the others, may take."""


FIRST_LEAST, NEXT_LEAST = 0.3, 0.05
"""The seconds that they may take in any case."""

Send = Callable[[OpeningStarted | OpeningRun], None]


def inputs(initial: Sequence[Leaf], domains: Sequence[Domain], seed: int) -> Iterator[list[Leaf]]:
    """The inputs of the opening, the simplest first."""
    yield list(initial)
    rng = Random(f"{seed}:opening")
    for power in range(1, RANDOM_RUNS + 1):
        yield [domain.sample(rng, magnitude=2**power) for domain in domains]


class Opening:
    """Runs the inputs one after the other and sends what they cost; ``opened`` of them were run before.

    How many are run depends on the time, unless the opening must be the same each time.
    """

    def __init__(
        self,
        front_end: FrontEnd,
        *,
        seed: int,
        run_seconds: float,
        opened: int,
        send: Send,
        is_reproducible: bool = False,
    ) -> None:
        self._front_end = front_end
        self._seed = seed
        self._run_seconds = run_seconds
        self._opened = opened
        self._send = send
        self._enough_seconds = inf if is_reproducible else ENOUGH_SECONDS
        self.has_ended = False

    def run(self, seconds_left: Callable[[], float | None]) -> None:
        """Run the inputs, or as many as there is time for, but the simplest one in any case."""
        start = monotonic()
        if self._opened < OPENING_RUNS:
            self._send(OpeningStarted())
        all_inputs = inputs(self._front_end.initial, self._front_end.domains, self._seed)
        for number, leaves in enumerate(all_inputs):
            if number < self._opened:
                continue
            if number and self.has_ended and monotonic() - start > self._enough_seconds:
                return
            left = seconds_left()
            share = inf if left is None else left * (NEXT_SHARE if number else FIRST_SHARE)
            least = NEXT_LEAST if number else FIRST_LEAST
            self._run_one(leaves, min(self._run_seconds, max(least, share)))

    def _run_one(self, leaves: list[Leaf], seconds: float) -> None:
        began = monotonic()
        trace = self._front_end.evaluate(leaves, seconds)
        finding = None
        if trace.outcome in COMPLETED:
            self.has_ended = True
            finding = Finding.of(trace, self._front_end.cost(trace, seconds), "concrete")
        elif trace.outcome is not Outcome.REJECTED and not trace.known_fatal:
            finding = replace(Finding.of(trace, -inf, "concrete"), seconds=monotonic() - began)
        self._send(OpeningRun(finding))
