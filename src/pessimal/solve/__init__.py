"""Solving path conditions: the order solver, repair, back-ends such as Z3, and the portfolio that picks.

The package can be called: ``pessimal.solve(...)`` is :func:`pessimal.solving.solve`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from pessimal.solve.base import Answer, Bounds, Literal, Query, Solver, Statistics, Status, satisfies, solver_factory
from pessimal.solve.path import PathSolver, Selection
from pessimal.solve.portfolio import Portfolio

__all__ = [
    "Answer",
    "Bounds",
    "Literal",
    "PathSolver",
    "Portfolio",
    "Query",
    "Selection",
    "Solver",
    "Statistics",
    "Status",
    "satisfies",
    "solver_factory",
]


class _Callable(ModuleType):
    """A package and a function under one name: what is public is called ``solve``, and so is this package."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return import_module("pessimal.solving").solve(*args, **kwargs)


sys.modules[__name__].__class__ = _Callable
