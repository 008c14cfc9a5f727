"""Two orders of flips, that of a model and a plain one, which share the flips by what each has found of late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log2
from random import Random

from pessimal.learn.known import Known
from pessimal.search.flip_queue import Flip

BEST_FIRST = 0.7
"""How often the plain order flips the run that has reached most, and not any."""
MEMORY = 0.93
"""How much of what was found still counts after one more flip."""
BEFORE = 2.0, 1.0
"""The model and the plain order begin as if so much had been found; what is forgotten comes back to that."""


def plainly(flips: Sequence[Flip], known: Callable[[Flip], Known], rng: Random) -> int:
    """Which flip comes next as in generational search: any to an outcome that was not reached, of a run worth most.

    Flips to outcomes that are wanted come first, and among these those that no run has reached.
    """
    ranks = [(what.is_wanted, not what.is_reached) for what in map(known, flips)]
    best = max(ranks)
    left = [index for index, rank in enumerate(ranks) if rank == best]
    runs = {id(flips[index].run): flips[index].run for index in left}
    if rng.random() < BEST_FIRST:
        chosen = max(runs.values(), key=lambda run: run.value)
    else:
        chosen = rng.choice(list(runs.values()))
    return rng.choice([index for index in left if flips[index].run is chosen])


class OrderShares:
    """How often the plain order chooses: the more, the more its last flips have found beside those of the model.

    What a model promises may not hold for this search; then it soon has no more flips than it is worth.
    """

    def __init__(self, state: Sequence[float] = (0.0, 0.0, 0.0, 0.0)) -> None:
        self._found, self._made = [state[0], state[1]], [state[2], state[3]]

    def note(self, *, is_plain: bool, found: int) -> None:
        """Note how many outcomes a flip of one of the orders has found."""
        for order in (0, 1):
            self._found[order] *= MEMORY
            self._made[order] *= MEMORY
        self._found[is_plain] += log2(1 + found)
        self._made[is_plain] += 1

    def plain(self, least: float) -> float:
        """The share of the flips that the plain order should choose, at least so much; none if that is none."""
        if least <= 0:
            return 0.0
        model, plain = (
            ((before + found) / (1 + made)) ** 2
            for before, found, made in zip(BEFORE, self._found, self._made, strict=True)
        )
        return min(max(plain / (model + plain), least), max(1 - least, least))

    def to_json(self) -> list[float]:
        """What was noted, as JSON values."""
        return [*self._found, *self._made]
