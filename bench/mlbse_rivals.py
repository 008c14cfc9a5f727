"""The rivals on one predicate: what optimisers minimise, and what SMT solvers are told; run in an environment of its own.

Optimisers get the published dissatisfaction as a function of the variables, compiled to plain Python. They are stopped
by an exception at the first sample that makes the predicate true, or when their evaluations are used up.
"""

from __future__ import annotations

import ast
import contextlib
import io
import math
import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.coral import Predicate

FAR = 1e30
_OPS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class Found(Exception):
    """A sample makes the predicate true."""


class Over(Exception):
    """The evaluations are used up."""


class Objective:
    """The published dissatisfaction of a predicate, counted."""

    def __init__(self, predicate: Predicate, evaluations: int) -> None:
        self.variables = predicate.condition.variables
        self.low = [float(variable.low or 0) for variable in self.variables]
        self.high = [float(variable.high or 0) for variable in self.variables]
        self._judge = predicate.condition.judge
        self._atoms = eval(compile(_atoms(predicate), "<atoms>", "eval"), {**vars(math)})
        self._names = [variable.name for variable in self.variables]
        self.left = evaluations

    def values(self, point: Any) -> list[Any]:
        """A point in the ranges, integers as integers."""
        return [
            int(round(min(max(x, low), high))) if variable.kind == "int" else float(min(max(x, low), high))
            for x, low, high, variable in zip(point, self.low, self.high, self.variables, strict=True)
        ]

    def __call__(self, point: Any) -> float:
        if self.left <= 0:
            raise Over
        self.left -= 1
        values = self.values(point)
        try:
            total = sum(_penalty(op, left, right) for op, left, right in self._atoms(*values))
        except (ArithmeticError, ValueError, TypeError):
            return FAR
        if total == 0 and self._judge(dict(zip(self._names, values, strict=True))):
            raise Found
        return float(min(total, FAR)) if total == total else FAR


def _penalty(op: str, left: float, right: float) -> float:
    gap = left - right
    holds = {"<": gap < 0, "<=": gap <= 0, ">": gap > 0, ">=": gap >= 0, "==": gap == 0, "!=": gap != 0}[op]
    if holds:
        return 0.0
    return 1.0 if op == "!=" else abs(gap) or 0.01


def _atoms(predicate: Predicate) -> ast.Expression:
    """A function from the variables to the comparisons of a conjunction: operator, left side and right side."""
    tree = ast.parse(predicate.text, mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) else [tree]
    found: list[ast.expr] = []
    for part in parts:
        assert isinstance(part, ast.Compare)
        sides = [part.left, *part.comparators]
        for op, left, right in zip(part.ops, sides, sides[1:], strict=False):
            found.append(ast.Tuple([ast.Constant(_OPS[type(op)]), left, right], ast.Load()))
    names = [variable.name for variable in predicate.condition.variables]
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    return ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, ast.List(found, ast.Load()))))


def starts(objective: Objective, seed: int) -> Any:
    """Random points, without end."""
    rng = np.random.default_rng(seed)
    while True:
        yield rng.uniform(objective.low, objective.high)


def uniform(objective: Objective, seed: int) -> None:
    for point in starts(objective, seed):
        objective(point)


def scipy_minimise(method: str) -> Callable[[Objective, int], None]:
    def run(objective: Objective, seed: int) -> None:
        from scipy.optimize import minimize

        bounds = list(zip(objective.low, objective.high, strict=True))
        for point in starts(objective, seed):
            minimize(objective, point, method=method, bounds=bounds)

    return run


def evolution(objective: Objective, seed: int) -> None:
    from scipy.optimize import differential_evolution

    bounds = list(zip(objective.low, objective.high, strict=True))
    while True:
        differential_evolution(objective, bounds, seed=seed, maxiter=10_000, polish=False)
        seed += 1


def annealing(objective: Objective, seed: int) -> None:
    from scipy.optimize import dual_annealing

    bounds = list(zip(objective.low, objective.high, strict=True))
    while True:
        dual_annealing(objective, bounds, seed=seed, maxiter=10_000)
        seed += 1


def cma_es(objective: Objective, seed: int) -> None:
    import cma

    if len(objective.low) == 1:
        scipy_minimise("Powell")(objective, seed)  # CMA-ES needs two variables
    for number, point in enumerate(starts(objective, seed)):
        options = {"bounds": [objective.low, objective.high], "seed": seed + number + 1, "verbose": -9}
        cma.fmin(objective, point, 25.0, options)


def zoopt(sequential: bool) -> Callable[[Objective, int], None]:
    def run(objective: Objective, seed: int) -> None:
        from zoopt import Dimension, Opt, Parameter
        from zoopt import Objective as Goal

        regions = [list(pair) for pair in zip(objective.low, objective.high, strict=True)]
        regions = [
            [int(low), int(high)] if variable.kind == "int" else [low, high]
            for (low, high), variable in zip(regions, objective.variables, strict=True)
        ]
        types = [variable.kind == "float" for variable in objective.variables]
        goal = Goal(lambda solution: objective(solution.get_x()), Dimension(len(regions), regions, types))
        while True:
            Opt.min(goal, Parameter(budget=max(objective.left, 50), sequential=sequential, seed=seed))
            seed += 1

    return run


METHODS: dict[str, Callable[[Objective, int], None]] = {
    "random": uniform,
    "zoopt RACOS": zoopt(False),
    "zoopt SRACOS": zoopt(True),
    "CMA-ES": cma_es,
    "SciPy Powell": scipy_minimise("Powell"),
    "SciPy Nelder-Mead": scipy_minimise("Nelder-Mead"),
    "SciPy evolution": evolution,
    "SciPy annealing": annealing,
}


def optimise(name: str, predicate: Predicate, evaluations: int, seed: int) -> bool:
    """Whether an optimiser finds a solution within so many evaluations."""
    random.seed(seed)
    np.random.seed(seed)
    objective = Objective(predicate, evaluations)
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        try:
            METHODS[name](objective, seed)
        except Found:
            return True
        except Over:
            return False
    return False


_SMT = {"sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "exp": "exp"}


def cvc5(predicate: Predicate) -> bool:
    """Whether cvc5 finds a model over the reals that is one of doubles too."""
    import cvc5 as api

    text = smtlib(predicate)
    if text is None:
        return False
    solver = api.Solver()
    parser = api.InputParser(solver)
    parser.setStringInput(api.InputLanguage.SMT_LIB_2_6, text, "predicate")
    symbols = parser.getSymbolManager()
    output = []
    while not (command := parser.nextCommand()).isNull():
        output.append(command.invoke(solver, symbols))
    if not any("sat" in part and "unsat" not in part for part in output):
        return False
    values = {name: _number(text) for name, text in _pairs(output[-1])}
    kinds = {variable.name: variable.kind for variable in predicate.condition.variables}
    model = {name: int(value) if kinds[name] == "int" else float(value) for name, value in values.items()}
    return len(model) == len(kinds) and predicate.condition.judge(model)


def smtlib(predicate: Predicate) -> str | None:
    """The predicate over the reals; None where cvc5 has no such function."""
    variables = predicate.condition.variables
    lines = ["(set-option :produce-models true)", "(set-logic QF_NIRAT)"]
    for variable in variables:
        lines.append(f"(declare-const {variable.name} {'Int' if variable.kind == 'int' else 'Real'})")
        lines += [f"(assert (<= {_value(variable.low)} {variable.name} {_value(variable.high)}))"]
    try:
        lines.append(f"(assert {_smt(ast.parse(predicate.text, mode='eval').body)})")
    except KeyError:
        return None
    names = " ".join(variable.name for variable in variables)
    return "\n".join([*lines, "(check-sat)", f"(get-value ({names}))"])


def _smt(node: ast.expr) -> str:
    if isinstance(node, ast.BoolOp):
        return f"(and {' '.join(map(_smt, node.values))})"
    if isinstance(node, ast.Compare):
        sides = list(map(_smt, [node.left, *node.comparators]))
        parts = []
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            sign = _OPS[type(op)]
            parts.append(f"(not (= {left} {right}))" if sign == "!=" else f"({sign.replace('==', '=')} {left} {right})")
        return f"(and {' '.join(parts)} true)"
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            assert isinstance(node.right, ast.Constant) or _raise(node)
            return f"(* {' '.join([_smt(node.left)] * int(node.right.value))})"  # type: ignore[attr-defined]
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
        return f"({sign} {_smt(node.left)} {_smt(node.right)})"
    if isinstance(node, ast.UnaryOp):
        return f"(- {_smt(node.operand)})"
    if isinstance(node, ast.Call):
        return _smt_call(node)
    if isinstance(node, ast.Name):
        return "real.pi" if node.id == "pi" else node.id
    assert isinstance(node, ast.Constant)
    return _value(node.value)


def _smt_call(node: ast.Call) -> str:
    name = ast.unparse(node.func)
    argument = _smt(node.args[0])
    if name == "fabs":
        return f"(ite (< {argument} 0.0) (- {argument}) {argument})"
    return f"(sqrt {argument})" if name == "sqrt" else f"({_SMT[name]} {argument})"


def _raise(node: ast.AST) -> bool:
    raise KeyError(ast.unparse(node))


def _value(value: Any) -> str:
    text = f"{abs(value):.17f}".rstrip("0") if isinstance(value, float) else str(abs(value))
    text = text + "0" if text.endswith(".") else text
    return f"(- {text})" if value < 0 else text


def _pairs(text: str) -> list[tuple[str, str]]:
    import re

    return re.findall(r"\((\w+) (\(.*?\)+|[-\d./]+)\)", text)


def _number(text: str) -> float:
    parts = text.replace("(", " ").replace(")", " ").split()
    sign = -1.0 if "-" in parts else 1.0
    numbers = [float(part) for part in parts if part not in ("-", "/")]
    return sign * (numbers[0] / numbers[1] if "/" in parts else numbers[0])
