"""Solving path conditions: the order solver, repair, back-ends such as Z3, and the portfolio that picks."""

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
