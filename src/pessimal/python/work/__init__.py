"""Work as a cost: the statements that are executed, counted by counters in the code."""

from pessimal.python.work.literals import literals
from pessimal.python.work.meter import Work, instrumentation

__all__ = ["Work", "instrumentation", "literals"]
