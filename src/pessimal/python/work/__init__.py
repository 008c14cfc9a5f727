"""Work as a cost: the statements that are executed, counted by counters in the code."""

from pessimal.python.work.comparisons import ComparisonLog
from pessimal.python.work.meter import Work, instrumentation

__all__ = ["ComparisonLog", "Work", "instrumentation"]
