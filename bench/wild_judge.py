"""The judge of bench-wild: how many lines an input executes when it is run a second time in a process of its own.

The first run is for what only a first run does, such as imports on the way and the filling of caches. The lines are
counted by line tracing, which owes nothing to our own counters. A run that takes too long under it is cut off, and the
lines until then count. Beside them stands the work that our counters find in the same input.
"""

from __future__ import annotations

import json
from contextlib import suppress
from time import monotonic, perf_counter

from bench.wild_plain import Rival, lines
from pessimal.inputs import Native, encode, from_json
from pessimal.python.work import Work

SECONDS = 60.0


def main() -> None:
    """Judge the input that is given as JSON, by its leaves or by its arguments."""
    rival = Rival()
    asked, inputs = rival.asked, rival.inputs
    arguments = {name: from_json(item) for name, item in asked.get("arguments", {}).items()}
    leaves = asked.get("leaves") or encode(inputs, arguments)
    seconds = asked.get("judged", SECONDS)
    lines(rival.function, inputs, leaves, seconds)
    start = monotonic()
    count = lines(rival.function, inputs, leaves, seconds)
    is_cut = monotonic() - start >= seconds
    judged = {"lines": count, "cut": is_cut, "work": 0.0, "native": seconds}
    if not is_cut:
        judged |= {"native": min(_seconds(rival, leaves) for _ in range(5)), "work": _work(rival, leaves)}
    print(json.dumps(judged))


def _seconds(rival: Rival, leaves: list[object]) -> float:
    args, kwargs = rival.inputs.decode(Native(leaves))  # type: ignore[arg-type]
    start = perf_counter()
    with suppress(Exception):
        rival.function(*args, **kwargs)
    return perf_counter() - start


def _work(rival: Rival, leaves: list[object]) -> float:
    value = 0.0
    for _ in range(3):  # code gets its counters when it is first run
        args, kwargs = rival.inputs.decode(Native(leaves))  # type: ignore[arg-type]
        work = Work()
        with suppress(Exception), work:
            rival.function(*args, **kwargs)
        value = work.value
    return value


if __name__ == "__main__":
    main()
