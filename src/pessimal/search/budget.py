"""How long a search may take: seconds, paths, or a time without improvement."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import inf, isnan
from time import monotonic

from pessimal.errors import UsageError

_UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_LONGEST = 1e9


@dataclass(slots=True)
class Budget:
    """Limits in wall seconds, in paths run, and in seconds without improvement; None means no limit.

    For ``stop_after`` None means the strategy's default and "none" means no limit. ``stop_at`` is a cost at which the
    search may end.
    """

    seconds: float | None = 60.0
    paths: int | None = None
    stop_after: float | str | None = None
    stop_at: float | None = None

    def __post_init__(self) -> None:
        for name, value in (("budget", self.seconds), ("paths", self.paths), ("stop-after", self.stop_after)):
            if isinstance(value, int | float) and not value > 0:
                raise UsageError(f"--{name} must be more than 0, but is {value}")
        if isinstance(self.stop_at, float) and isnan(self.stop_at):
            raise UsageError("--stop-at must be a number, but is nan: no cost reaches it")

    def for_strategy(self, strategy: object) -> Budget:
        """The budget with the strategy's own ``stop_after`` if the user gave none."""
        if self.stop_after is None:
            return replace(self, stop_after=getattr(strategy, "stop_after", None))
        return replace(self, stop_after=None) if self.stop_after == "none" else self


class Clock:
    """A budget in use; ``spent`` is what an earlier part of the search used, in seconds and paths.

    ``ends_at`` is when the search must end in any case, as ``time.monotonic()`` reads then.
    """

    def __init__(self, budget: Budget, spent: tuple[float, int] = (0.0, 0), ends_at: float | None = None) -> None:
        self._budget = budget
        self._start = monotonic() - spent[0]
        by_budget = inf if budget.seconds is None else self._start + budget.seconds
        self._ends_at = by_budget if ends_at is None else min(by_budget, ends_at)
        self._improved = monotonic()
        self.paths = spent[1]

    @property
    def seconds(self) -> float:
        """The seconds used so far."""
        return monotonic() - self._start

    @property
    def remaining(self) -> float | None:
        """The seconds left, if there is a limit."""
        return None if self._ends_at == inf else self._ends_at - monotonic()

    def reserve(self, seconds: float) -> None:
        """End earlier by so many seconds, but not before half of what is left."""
        if self._ends_at < inf:
            self._ends_at -= max(0.0, min(seconds, (self._ends_at - monotonic()) / 2))

    @property
    def out_of_time(self) -> str:
        """The reason to end when no time is left."""
        return f"budget of {self._budget.seconds:.3g}s" if self._budget.seconds is not None else "time limit"

    def improved(self) -> None:
        """Restart the time without improvement."""
        self._improved = monotonic()

    @property
    def paths_left(self) -> float:
        """How many paths more are within the budget."""
        return inf if self._budget.paths is None else self._budget.paths - self.paths

    def has_room(self, paths: int) -> bool:
        """Whether so many paths more are within the budget."""
        return paths <= self.paths_left

    def over(self) -> str | None:
        """Which limit is reached, if any."""
        budget = self._budget
        if budget.paths is not None and self.paths >= budget.paths:
            return f"{budget.paths} paths"
        return self.reason_of_time

    @property
    def reason_of_time(self) -> str | None:
        """Which limit of time is reached, if any."""
        if monotonic() >= self._ends_at:
            return self.out_of_time
        patience = self._budget.stop_after
        if isinstance(patience, int | float) and monotonic() - self._improved >= patience:
            return f"{patience:g}s without improvement"
        return None


def seconds(text: str | float, option: str = "budget") -> float:
    """Read a duration such as ``60s``, ``2m``, ``500ms`` or ``10s-without-improvement``."""
    match = re.fullmatch(r"([0-9]*\.?[0-9]+)(ms|s|min|m|h|)(-without-improvement)?", str(text).strip().lower())
    if match is None:
        raise UsageError(f"--{option} {text!r} is not a valid duration: write 60s, 2m or 500ms", slug="duration")
    value = float(match[1]) * _UNITS[match[2]]
    if value > _LONGEST:
        raise UsageError(f"--{option} {text!r} is longer than 30 years: write 60s, 2m or 500ms", slug="duration")
    return value
