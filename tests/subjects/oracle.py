"""An exhaustive explorer on bare Z3: the symbolic judge of trees, independent of Pessimal's engine.

It re-executes a program once for each leaf of its execution tree. A decision is checked at once;
an infeasible one ends the run, which is a leaf but no path.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import z3

from tests.subjects.counting import Program


@dataclass
class Tree:
    """What was seen: leaves, the longest completed path, and how many paths are as long."""

    leaves: int
    longest: int
    worst_paths: int


class Infeasible(BaseException):
    """The decision just taken contradicts the earlier ones."""


class Explorer:
    """The decisions of the current run, mirrored in the solver's stack."""

    def __init__(self) -> None:
        self.solver = z3.SolverFor("QF_LIA")
        self.trail: list[bool] = []
        self.position = 0

    def decide(self, condition: z3.BoolRef) -> bool:
        """Follow the trail; beyond its end go True first."""
        position, self.position = self.position, self.position + 1
        if position == len(self.trail):
            self.trail.append(True)
        if position == self.solver.num_scopes():
            self.solver.push()
            self.solver.add(condition if self.trail[position] else z3.Not(condition))
            if self.solver.check() == z3.unsat:
                raise Infeasible
        return self.trail[position]

    def backtrack(self) -> bool:
        """Turn the last decision that was True; False when there is none left."""
        while self.trail:
            self.solver.pop()
            if self.trail.pop():
                self.trail.append(False)
                break
        self.position = 0
        return bool(self.trail)


class Symbol:
    """An unknown integer, character or truth value; it hashes by identity and is decided when asked."""

    __hash__ = object.__hash__

    def __init__(self, explorer: Explorer, term: Any) -> None:
        self.explorer, self.term = explorer, term

    def __bool__(self) -> bool:
        return self.explorer.decide(self.term)


def _term(value: Any) -> Any:
    if isinstance(value, Symbol):
        return value.term
    return z3.IntVal(ord(value) if isinstance(value, str) else int(value))


def _lifted(name: str) -> Callable[[Symbol, object], Symbol]:
    return lambda a, b: Symbol(a.explorer, getattr(operator, name)(a.term, _term(b)))


for _name in ("lt", "le", "gt", "ge", "eq", "ne", "add", "sub"):
    setattr(Symbol, f"__{_name}__", _lifted(_name))
setattr(Symbol, "__radd__", _lifted("add"))  # noqa: B010


def explore(program: Program, n: int) -> Tree:
    """Exhaust the execution tree of a program on n symbols."""
    explorer, lengths, leaves = Explorer(), [-1], 0
    symbols = [Symbol(explorer, z3.Int(f"x{i}")) for i in range(n)]
    while not leaves or explorer.backtrack():
        leaves += 1
        try:
            program(list(symbols))
            lengths.append(len(explorer.trail))
        except Infeasible:
            pass
    return Tree(leaves, max(lengths), lengths.count(max(lengths)))
