"""The question whether a condition can hold: asked by ``pessimal solve`` and :func:`pessimal.solving.solve`."""

from pessimal.solving.ask import solve
from pessimal.solving.question import SolveResult

__all__ = ["SolveResult", "solve"]
