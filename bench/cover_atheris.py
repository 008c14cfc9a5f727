"""atheris as a rival of bench-cover: libFuzzer's bytes decide what the plain random rival decides by chance.

Every input starts with nothing kept from earlier calls, since libFuzzer must find the same again.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any

import atheris

from bench.cover_play import Play
from bench.cover_random import sequence
from bench.cover_values import Values

LONGEST = 400


class Decisions:
    """The bytes of an input as the source of decisions."""

    def __init__(self, data: bytes) -> None:
        self._provider = atheris.FuzzedDataProvider(data)

    def random(self) -> float:
        """A number from 0 to 1."""
        return float(self._provider.ConsumeIntInRange(0, 255)) / 256

    def randrange(self, start: int, stop: int) -> int:
        """An integer of a range."""
        return int(self._provider.ConsumeIntInRange(start, stop - 1))

    def choice(self, items: Any) -> Any:
        """One of the items."""
        return items[self.randrange(0, len(items))]


def main() -> None:
    """Fuzz until the time is over."""
    module = json.loads(sys.argv[1])["module"]
    sys.modules.pop(module, None)
    with atheris.instrument_imports(include=[module]):
        importlib.import_module(module)
    play = Play()

    def run(data: bytes) -> None:
        if play.is_over or not play.calls:
            play.report()
            os._exit(0)  # libFuzzer's own end prints and takes its time
        source = Decisions(data)
        sequence(play, Values(source, play.constants, play.calls), source)

    options = [
        f"-seed={play.asked['seed'] + 1}",
        f"-max_len={LONGEST}",
        "-timeout=0",
        "-verbosity=0",
        "-rss_limit_mb=0",
    ]
    atheris.Setup([sys.argv[0], *options], run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
