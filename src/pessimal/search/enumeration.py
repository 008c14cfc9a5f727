"""``enumerate``: runs every input of a small domain, which proves the worst case of any deterministic cost.

The inputs are run in an order that is spread over the whole domain, so that a search that ends early has seen all of it
thinly. They are run in batches, as long as all goes well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from math import gcd, prod
from time import monotonic
from typing import Any

from pessimal.errors import UsageError
from pessimal.expr import Leaf
from pessimal.inputs import Domain
from pessimal.strategy import Session

PROOF = "domain exhausted"
MOST_INPUTS = 5_000_000
GOLDEN = 0.6180339887498949
FIRST_BATCH = 8
MOST_IN_A_BATCH = 5000
BATCH_SECONDS = 0.05


class Enumerate:
    """Runs all inputs if there are at most ``most``, and otherwise only the initial one."""

    name = "enumerate"
    certifiable = False

    def __init__(self, most: int = MOST_INPUTS) -> None:
        if most < 1:
            raise UsageError(f"most must be at least 1, but is {most}")
        self._most = most
        self._done = 0
        self._size = 0
        self._timed = (0, 0.0)  # how many inputs were run after the first batch, and in how many seconds

    def search(self, session: Session) -> None:
        """Run every input once."""
        deque(self.steps(session), 0)

    def steps(self, session: Session) -> Iterator[None]:
        """Run every input once, and yield after each run."""
        size = number_of_inputs(session.domains)
        self._size = size or 0
        if size is None or size > self._most:
            session.evaluate(session.initial)
            return
        stride, length = _stride(size), FIRST_BATCH
        while self._done < size:
            start = monotonic()
            numbers = range(self._done, min(size, self._done + length))
            batch = [_input(number * stride % size, session.domains) for number in numbers]
            if session.survey(batch) is not None:
                self._note_batch(len(batch), monotonic() - start)
                length = min(2 * length, MOST_IN_A_BATCH) if monotonic() - start < BATCH_SECONDS else length
                yield
                continue
            for leaves in batch:
                start = monotonic()
                session.evaluate(leaves)
                self._note_batch(1, monotonic() - start)
                yield
            length = FIRST_BATCH
        session.claim(PROOF, every_input=True)

    def _note_batch(self, inputs: int, seconds: float) -> None:
        """Count inputs; the first runs of a process take longer than all others, and tell nothing."""
        if self._done >= FIRST_BATCH:
            self._timed = self._timed[0] + inputs, self._timed[1] + seconds
        self._done += inputs

    @property
    def seconds_needed(self) -> float | None:
        """How long the rest of the domain will take; None if that is not known yet."""
        inputs, seconds = self._timed
        return (self._size - self._done) * seconds / inputs if inputs else None

    def state(self) -> dict[str, Any]:
        """How many inputs were run."""
        return {"done": self._done}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue an earlier search."""
        self._done = state["done"]


def number_of_inputs(domains: Sequence[Domain]) -> int | None:
    """How many inputs there are; None if there is no end of them, or more floats than can be counted."""
    widths = [_width(domain) for domain in domains]
    return None if None in widths else prod(width for width in widths if width is not None)


def _width(domain: Domain) -> int | None:
    if domain.low is None or domain.high is None:
        return None
    if domain.kind == "float":
        return 1 if domain.low == domain.high else None
    return int(domain.high) - int(domain.low) + 1


def _stride(size: int) -> int:
    """A step that visits every number below the size once, and spreads out early."""
    stride = max(1, int(size * GOLDEN))
    while gcd(stride, size) != 1:
        stride += 1
    return stride


def _input(number: int, domains: Sequence[Domain]) -> list[Leaf]:
    """The input with a number, whose digits in a mixed base are the leaves."""
    leaves: list[Leaf] = []
    for domain in domains:
        if domain.low is None or domain.kind == "float":
            leaves.append(domain.initial)
            continue
        number, digit = divmod(number, _width(domain) or 1)
        leaves.append(int(domain.low) + digit)
    return leaves
