"""Branches that no input takes, proved from the source of one function: the conditions before them exclude them.

``if a > b: raise`` and ``if a == b: ...`` leave nothing but ``a < b``. Conditions count as long as no name in them is
bound anew; they are on ints alone, of which the solver knows all that is true, and which nothing else can change.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from time import monotonic
from typing import Any, NamedTuple

from pessimal.python.cover.int_names import Function, Ints, assigned

MOST_MILLISECONDS = 500
"""How long the solver may take for one condition."""
MOST_SECONDS = 3.0
"""After so many seconds the rest of a file is left."""
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Excluded(NamedTuple):
    """An outcome of the condition on a line that cannot be; ``body`` is where the line leads if it holds."""

    line: int
    outcome: bool
    body: int


class _Fact(NamedTuple):
    """A condition that came out so, or an assignment as an equality."""

    condition: ast.expr
    outcome: bool
    names: frozenset[str]


Facts = tuple[_Fact, ...]


def excluded_outcomes(source: str, lines: Collection[int]) -> list[Excluded]:
    """The outcomes of ``if`` and ``while`` on some lines of a source that the conditions before them exclude."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    ints = Ints(tree)
    functions = [node for node in ast.walk(tree) if isinstance(node, Function) and _has_line(node, lines)]
    ends_at = monotonic() + MOST_SECONDS
    return [found for node in functions if monotonic() < ends_at for found in _Walk(ints, node, lines).excluded()]


def _has_line(node: Function, lines: Collection[int]) -> bool:
    return any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in lines)


class _Walk:
    """Follows the statements of one function, with the facts that hold before each."""

    def __init__(self, ints: Ints, function: Function, lines: Collection[int]) -> None:
        self._ints = ints
        self._body = function.body
        self._lines = lines
        self._names = ints.of(function)
        self._found: list[Excluded] = []

    def excluded(self) -> list[Excluded]:
        """The outcomes that facts exclude."""
        if self._names:
            self._block(self._body, ())
        return self._found

    def _block(self, statements: Sequence[ast.stmt], facts: Facts) -> None:
        for statement in statements:
            facts = self._after(statement, facts)

    def _after(self, statement: ast.stmt, facts: Facts) -> Facts:
        """Look at a statement; what holds after it."""
        if isinstance(statement, ast.If):
            return self._if(statement, facts)
        if isinstance(statement, ast.While):
            return self._while(statement, facts)
        left = _without(facts, assigned(statement))
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return left
        for block in _blocks(statement):
            self._block(block, left)
        return (*left, *self._definition(statement))

    def _if(self, statement: ast.If, facts: Facts) -> Facts:
        facts = _without(facts, assigned(statement.test))
        self._check(statement, facts)
        true, false = self._fact(statement.test, True), self._fact(statement.test, False)
        self._block(statement.body, (*facts, *true))
        self._block(statement.orelse, (*facts, *false))
        left = _without(facts, assigned(statement))
        if _leaves(statement.body):
            left = (*left, *_without(false, _assigned(statement.orelse)))
        if statement.orelse and _leaves(statement.orelse):
            left = (*left, *_without(true, _assigned(statement.body)))
        return left

    def _while(self, statement: ast.While, facts: Facts) -> Facts:
        facts = _without(facts, assigned(statement))  # they hold before every turn
        self._check(statement, facts)
        self._block(statement.body, (*facts, *self._fact(statement.test, True)))
        false = self._fact(statement.test, False)
        self._block(statement.orelse, (*facts, *false))
        is_left_early = any(isinstance(node, ast.Break) for node in ast.walk(statement))
        return facts if is_left_early or statement.orelse else (*facts, *false)

    def _fact(self, condition: ast.expr, outcome: bool) -> Facts:
        names = frozenset(node.id for node in ast.walk(condition) if isinstance(node, ast.Name))
        return (_Fact(condition, outcome, names),) if names and not assigned(condition) else ()

    def _definition(self, statement: ast.stmt) -> Facts:
        """An assignment to a name that holds ints, as an equality."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return ()
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or target.id not in self._names:
            return ()
        before = f"{target.id}@{statement.lineno}"
        self._names |= {before}
        value = _Renamed(target.id, before).visit(deepcopy(statement.value))
        return self._fact(ast.Compare(target, [ast.Eq()], [value]), True)

    def _check(self, statement: ast.If | ast.While, facts: Facts) -> None:
        names = {node.id for node in ast.walk(statement.test) if isinstance(node, ast.Name)}
        related = _related(facts, names & self._names) if statement.lineno in self._lines else []
        if not related:
            return
        for outcome in (True, False):
            conditions = [*related, _Fact(statement.test, outcome, frozenset(names))]
            if _Solving(self._ints, self._names).is_impossible(conditions):
                self._found.append(Excluded(statement.lineno, outcome, statement.body[0].lineno))


class _Renamed(ast.NodeTransformer):
    """Gives the value that a name had before an assignment another name."""

    def __init__(self, name: str, before: str) -> None:
        self._name = name
        self._before = before

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._before, node.ctx) if node.id == self._name else node


def _related(facts: Facts, names: set[str]) -> list[_Fact]:
    """The facts that say something about names, directly or through others."""
    found: list[_Fact] = []
    waiting = list(facts)
    while more := [fact for fact in waiting if fact.names & names]:
        found += more
        names = names.union(*(fact.names for fact in more))
        waiting = [fact for fact in waiting if fact not in more]
    return found


class _Solving:
    """One question for Z3; what is not about ints is a variable of its own each time that it is met."""

    def __init__(self, ints: Ints, names: frozenset[str]) -> None:
        import z3  # it takes a while to load, and most functions have no facts

        self._z3: Any = z3
        self._ints = ints
        self._names = set(names)
        self._fresh = 0

    def is_impossible(self, facts: Sequence[_Fact]) -> bool:
        """Whether no ints satisfy all facts."""
        solver = self._z3.Solver()
        solver.set("timeout", MOST_MILLISECONDS)
        for fact in facts:
            condition = self._condition(fact.condition)
            solver.add(condition if fact.outcome else self._z3.Not(condition))
        return bool(solver.check() == self._z3.unsat)

    def _condition(self, node: ast.expr) -> Any:
        z3 = self._z3
        match node:
            case ast.BoolOp():
                parts = [self._condition(item) for item in node.values]
                return z3.And(*parts) if isinstance(node.op, ast.And) else z3.Or(*parts)
            case ast.UnaryOp(op=ast.Not()):
                return z3.Not(self._condition(node.operand))
            case ast.Compare():
                return self._comparison(node)
            case ast.Name() if node.id in self._names:
                return z3.Int(node.id) != 0
        return z3.Bool(self._new())

    def _comparison(self, node: ast.Compare) -> Any:
        operands = [node.left, *node.comparators]
        if not all(self._ints.is_int(item, self._names) for item in operands):
            return self._z3.Bool(self._new())
        terms = [self._term(item) for item in operands]
        parts = [self._compared(op, *terms[index : index + 2]) for index, op in enumerate(node.ops)]
        return self._z3.And(*parts)

    def _compared(self, operator: ast.cmpop, left: Any, right: Any) -> Any:
        match operator:
            case ast.Lt():
                return left < right
            case ast.LtE():
                return left <= right
            case ast.Gt():
                return left > right
            case ast.GtE():
                return left >= right
            case ast.Eq():
                return left == right
            case ast.NotEq():
                return left != right
        return self._z3.Bool(self._new())

    def _term(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return self._z3.IntVal(node.value)
            case ast.Name():
                return self._z3.Int(node.id)
            case ast.UnaryOp(op=ast.USub()):
                return -self._term(node.operand)
            case ast.BinOp(op=ast.Add()):
                return self._term(node.left) + self._term(node.right)
            case ast.BinOp(op=ast.Sub()):
                return self._term(node.left) - self._term(node.right)
            case ast.BinOp(op=ast.Mult()):
                return self._term(node.left) * self._term(node.right)
            case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=int(divisor))) if divisor > 0:
                return self._term(node.left) % divisor
            case ast.BinOp(op=ast.FloorDiv(), right=ast.Constant(value=int(divisor))) if divisor > 0:
                return self._term(node.left) / divisor
        return self._z3.Int(self._new())

    def _new(self) -> str:
        self._fresh += 1
        return f"?{self._fresh}"


def _without(facts: Facts, names: Collection[str]) -> Facts:
    return tuple(fact for fact in facts if fact.names.isdisjoint(names))


def _assigned(statements: Sequence[ast.stmt]) -> set[str]:
    return set[str]().union(*map(assigned, statements))


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    """Whether the end of a block is never reached."""
    last = statements[-1]
    if isinstance(last, ast.If):
        return _leaves(last.body) and bool(last.orelse) and _leaves(last.orelse)
    return isinstance(last, _LEAVING)


def _blocks(statement: ast.stmt) -> Iterator[Sequence[ast.stmt]]:
    """The blocks inside a statement other than ``if`` and ``while``."""
    for name in ("body", "orelse", "finalbody"):
        yield getattr(statement, name, ())
    for item in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield item.body
