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
from pessimal.target import Reference, load

RUN_SECONDS = 1.0


class TooLongError(BaseException):
    """A run takes too long."""


def stop(number: int, frame: FrameType | None) -> None:
    """End the run."""
    raise TooLongError


def lines(function: Callable[..., Any], inputs: Inputs, leaves: list[Any], seconds: float = RUN_SECONDS) -> int:
    """How many lines a call executes, in any file; none if it takes too long."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    args, kwargs = inputs.decode(Native(leaves))
    signal.setitimer(signal.ITIMER_REAL, seconds)
    sys.settrace(trace)
    try:
        function(*args, **kwargs)
    except TooLongError:
        return 0
    except Exception:
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


def search(function: Callable[..., Any], inputs: Inputs, seconds: float, seed: int) -> tuple[list[Any], int]:
    """The worst input that was found, and how many were tried."""
    rng, end, runs = random.Random(seed), monotonic() + seconds, 1
    best, most = inputs.initial(), lines(function, inputs, inputs.initial())
    while monotonic() < end:
        runs += 1
        leaves = mutated(best, inputs, rng) if rng.random() < 0.8 and best else inputs.sample(rng)
        count = lines(function, inputs, leaves)
        if count >= most:
            best, most = leaves, count
    return best, runs


def main() -> None:
    """Search with the target, specifications, size, seconds and seed that are given as JSON."""
    given = json.loads(sys.argv[1])
    signal.signal(signal.SIGALRM, stop)
    function = load(Reference.parse(given["target"])).call
    inputs = Inputs.of(function, given["size"], given["inputs"])
    best, runs = search(function, inputs, given["seconds"], given["seed"])
    print(json.dumps({"leaves": best, "runs": runs}))


if __name__ == "__main__":
    main()
