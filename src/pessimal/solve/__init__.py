"""Solving path conditions: the order solver, repair, Z3, and the portfolio that picks."""

from pessimal.solve.base import Answer, Literal, Solver, Statistics, Status
from pessimal.solve.path import PathSolver, satisfies

__all__ = ["Answer", "Literal", "PathSolver", "Solver", "Statistics", "Status", "satisfies"]
