"""Expressions over the leaves of an input: built by symbolic values, read by solvers, strategies and reports."""

from pessimal.expr.blackbox import BlackBox
from pessimal.expr.distance import distances
from pessimal.expr.evaluate import Evaluator, holds
from pessimal.expr.node import (
    COMPARISONS,
    NEGATED,
    App,
    Compare,
    Expr,
    Junction,
    Leaf,
    Not,
    Offset,
    Term,
    Var,
    conjunction,
    disjunction,
    negation,
    variables,
)
from pessimal.expr.text import show

__all__ = [
    "COMPARISONS",
    "NEGATED",
    "App",
    "BlackBox",
    "Compare",
    "Evaluator",
    "Expr",
    "Junction",
    "Leaf",
    "Not",
    "Offset",
    "Term",
    "Var",
    "conjunction",
    "disjunction",
    "distances",
    "holds",
    "negation",
    "show",
    "variables",
]
