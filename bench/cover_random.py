"""The plain random rival of bench-cover, the one to beat: random calls, whose results serve later calls."""

from __future__ import annotations

import random

from bench.cover_play import Play
from bench.cover_targets import Call
from bench.cover_values import Source, Values

MOST_CALLS = 4


def sequence(play: Play, values: Values, source: Source) -> None:
    """One to four calls; methods one after the other have the same receiver."""
    receiver: object = None
    for _ in range(source.randrange(1, MOST_CALLS + 1)):
        own = [call for call in play.calls if call.owner is not None and isinstance(receiver, call.owner)]
        call = source.choice(own or play.calls)
        receiver = perform(play, values, call, receiver if own else None)


def perform(play: Play, values: Values, call: Call, receiver: object = None) -> object:
    """One call; the result is the receiver, or what the call returned if it has none."""

    def run() -> object:
        bound = receiver if receiver is not None or call.owner is None else values.of(call.owner)
        args, kwargs = values.arguments(call)
        returned = call.function(*([] if call.owner is None else [bound]), *args, **kwargs)
        values.keep(returned)
        return returned if bound is None else bound

    try:
        return play.run(run)
    except BaseException:
        return None


def main() -> None:
    """Call until the time is over."""
    play = Play()
    source = random.Random(play.asked["seed"])
    values = Values(source, play.constants, play.calls)
    while play.calls and not play.is_over:
        sequence(play, values, source)
    play.report()


if __name__ == "__main__":
    main()
