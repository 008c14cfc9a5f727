"""The plain rival of bench-wild: random inputs and mutations of the best, judged by the lines that are executed."""

from __future__ import annotations

import json
import random
import signal
import sys
from collections.abc import Callable
from time import monotonic
from types import FrameType
from typing import Any

from pessimal.inputs import Inputs, Native
from pessimal.python.inference import specs_for_call
from pessimal.target import Reference, load

RUN_SECONDS = 1.0

Count = Callable[[list[Any]], int]
"""How many lines an input executes."""


class TooLongError(BaseException):
    """A run takes too long."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError


class Rival:
    """What all rivals share: the question, given as JSON, and the best input so far."""

    def __init__(self) -> None:
        self.asked = json.loads(sys.argv[1])
        signal.signal(signal.SIGALRM, _stop)
        self.function = load(Reference.parse(self.asked["target"])).call
        # What is not given is as stress assumes it.
        size, given = self.asked["size"], self.asked["inputs"]
        self.inputs = Inputs.of(self.function, size, given, sized_numbers=True, infer=specs_for_call)
        self.best, self.most, self.runs = self.inputs.initial(), -1, 0

    @property
    def is_over(self) -> bool:
        """Whether the time is over, which is given as the clock reads then: starting a process is part of it."""
        return bool(monotonic() >= self.asked["end"])

    def judge(self, leaves: list[Any]) -> int:
        """Run an input, and keep it if it is at least as bad as the best."""
        count = lines(self.function, self.inputs, leaves, min(RUN_SECONDS, self.asked["end"] - monotonic()))
        self.runs += 1
        if count >= self.most:
            self.best, self.most = leaves, count
        return count

    def answer(self) -> None:
        """Print what was found."""
        print(json.dumps({"leaves": self.best, "runs": self.runs}), flush=True)


def lines(function: Callable[..., Any], inputs: Inputs, leaves: list[Any], seconds: float) -> int:
    """How many lines a call executes within some seconds, in any file."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    try:
        args, kwargs = inputs.decode(Native(leaves))
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
        sys.settrace(trace)
        function(*args, **kwargs)
    except (TooLongError, Exception):
        pass
    finally:
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return count


def mutated(leaves: list[Any], inputs: Inputs, rng: random.Random) -> list[Any]:
    """The leaves with one to three small changes."""
    leaves = list(leaves)
    for _ in range(rng.randint(1, 3)):
        one, other = rng.randrange(len(leaves)), rng.randrange(len(leaves))
        domain = inputs.domains[one]
        change = rng.choice((domain.sample(rng), leaves[one] + rng.choice((-1, 1)), leaves[other]))
        leaves[one] = domain.clip(change)
    return leaves


def main() -> None:
    """Search until the time is over."""
    rival = Rival()
    rng = random.Random(rival.asked["seed"])
    rival.judge(rival.best)
    while not rival.is_over:
        is_mutated = rng.random() < 0.8 and rival.best
        rival.judge(mutated(rival.best, rival.inputs, rng) if is_mutated else rival.inputs.sample(rng))
    rival.answer()


if __name__ == "__main__":
    main()
