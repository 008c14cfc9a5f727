"""What the rivals of bench-cover that run inputs share: the question, calls with a time limit, figures over time."""

from __future__ import annotations

import importlib
import json
import resource
import signal
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

from bench.cover_measure import Measure, constants, quiet
from bench.cover_targets import calls

CALL_SECONDS = 1.0
EVERY_SECONDS = 2.5
ITEMS = 50
"""How many items of a returned iterator are taken."""
MEMORY = 3 * 2**30


class TooLongError(BaseException):
    """A call takes too long."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLongError


class Play:
    """One rival on one module, until the time is over."""

    def __init__(self) -> None:
        self.asked = json.loads(sys.argv[1])
        self._out = sys.stdout
        quiet()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, _stop)
        self._measure = Measure(self.asked["file"])
        self._measure.imports(self.asked["module"])
        self.module = importlib.import_module(self.asked["module"])
        self.calls = calls(self.module)
        self.constants = constants(Path(self.asked["file"]).read_text())
        self.runs = 0
        self._start = monotonic()
        self._next = self._start
        self.report()

    @property
    def is_over(self) -> bool:
        """Whether the time is over, which is given as the clock reads then: starting a process is part of it."""
        return bool(monotonic() >= self.asked["end"])

    def run(self, function: Callable[[], Any]) -> Any:
        """What a call returns, which may take a second; it counts as covered even if it raises."""
        self.runs += 1
        try:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, min(CALL_SECONDS, self.asked["end"] - monotonic())))
            with self._measure.counting():
                value = function()
                if hasattr(value, "__next__"):
                    value = list(islice(value, ITEMS))
            return value
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if monotonic() >= self._next:
                self.report()

    def report(self) -> None:
        """Print the branches so far, so that nothing is lost if the process is killed."""
        covered, total = self._measure.branches()
        seconds = self.asked["seconds"] - (self.asked["end"] - monotonic())
        line = {"seconds": round(seconds, 2), "covered": covered, "total": total, "runs": self.runs}
        print(json.dumps(line), file=self._out, flush=True)
        self._next = monotonic() + EVERY_SECONDS
