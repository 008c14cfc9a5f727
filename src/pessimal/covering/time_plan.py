"""How a budget is shared: when a search must end so that tests of what it found can be chosen, written and run twice.

What that takes is estimated from what the search itself took: on a busy machine processes start slowly, and everything
takes longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic, process_time

REFINING_SHARE, LONGEST_REFINING = 0.12, 8.0
"""How much of the budget is kept for choosing and simplifying inputs: a share, and at most so many seconds."""
PROCESSES = 4
"""How many processes open the modules for writing: two observe, and two run the tests. They are started ahead."""
CASE_SECONDS = 0.04
"""How long observing and running one case takes in all of them, on a core that it has for itself."""
LEAST_WRITING, MOST_WRITING = 0.1, 0.6
"""The least and the most that writing may take of the budget."""
WITHOUT_BUDGET = 15.0
"""How long writing may take where there is no budget."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What a search has seen of this machine: how long its modules took to open, its cases, and how slow it is.

    ``slowdown`` is how many seconds pass for each in which the process has a core.
    """

    opened: float = 0.0
    cases: int = 0
    slowdown: float = 1.0


class Watch:
    """Watches one process from when it was made."""

    def __init__(self) -> None:
        self._began, self._worked = monotonic(), process_time()
        self._opened = 0.0

    def opened(self) -> None:
        """The modules are open."""
        self._opened = monotonic() - self._began

    def observed(self, cases: int) -> Observed:
        """What was seen until now."""
        worked = process_time() - self._worked
        slowdown = (monotonic() - self._began) / worked if worked > 0 else 1.0
        return Observed(self._opened, cases, max(1.0, slowdown))


@dataclass(frozen=True, slots=True)
class TimePlan:
    """The budget of a command: its seconds, when it ends, how long a process takes to start, and what it is for."""

    whole: float
    ends_at: float
    start_seconds: float
    writes_tests: bool

    def writing(self, seen: Observed) -> float:
        """How many seconds are kept for tests."""
        if not self.writes_tests:
            return 0.0
        needed = self.start_seconds + PROCESSES * seen.opened + CASE_SECONDS * seen.cases * seen.slowdown
        return min(max(needed, LEAST_WRITING * self.whole), MOST_WRITING * self.whole)

    def refining(self, seen: Observed) -> float:
        """How many seconds are kept for choosing and simplifying inputs."""
        return min(REFINING_SHARE * self.whole, LONGEST_REFINING) + min(seen.opened, REFINING_SHARE * self.whole)

    def search_ends_at(self, seen: Observed) -> float:
        """When the search must end."""
        return self.ends_at - self.refining(seen) - self.writing(seen)
