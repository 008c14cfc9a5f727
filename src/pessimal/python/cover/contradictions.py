"""Branches that no input takes, proved from the source of one function: the conditions before them exclude them.

``if a > b: raise`` and ``if a == b: ...`` leave nothing but ``a < b``. Conditions count as long as no name in them is
bound anew; they are on ints and on texts that are compared with constants, of which the solver knows all that is true,
and which nothing else can change. What a method gives that only looks has a name, too (:mod:`text_names`): when
something is done that it may notice, that name stands for what it gave before, and gets a number.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from time import process_time
from typing import Any, NamedTuple

from pessimal.python.cover.int_names import Function, Ints, assigned, constant_names
from pessimal.python.cover.text_names import LOOKED, Texts, is_quiet

MOST_WORK = 3_000_000
"""How much the solver may do for one condition, in its own units: some tenths of a second, on a busy machine too."""
MOST_SECONDS = 3.0
"""After so many seconds of work the rest of a file is left."""
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
    ends_at = process_time() + MOST_SECONDS
    return [
        found for node in functions if process_time() < ends_at for found in _Walk(tree, ints, node, lines).excluded()
    ]


def _has_line(node: Function, lines: Collection[int]) -> bool:
    return any(node.lineno <= line <= (node.end_lineno or node.lineno) for line in lines)


class _Walk:
    """Follows the statements of one function, with the facts that hold before each."""

    def __init__(self, tree: ast.Module, ints: Ints, function: Function, lines: Collection[int]) -> None:
        self._ints = ints
        self._texts = Texts(tree, function)
        self._body = [_Looked(self._texts).visit(deepcopy(statement)) for statement in function.body]
        self._lines = lines
        self._names = ints.of(function)
        self._options = constant_names(function)
        self._found: list[Excluded] = []
        self._count = 0

    def excluded(self) -> list[Excluded]:
        """The outcomes that facts exclude."""
        if self._names or self._texts.names:
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
        if isinstance(statement, ast.Assign | ast.Expr) and not is_quiet(statement):
            frozen = _Frozen(self._new())
            left = _without(_frozen(facts, frozen), assigned(statement))
            return (*left, *self._definition(frozen.visit(deepcopy(statement))))
        left = _left(facts, statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return left
        for block in _blocks(statement):
            self._block(block, left)
        return (*left, *self._definition(statement))

    def _if(self, statement: ast.If, facts: Facts) -> Facts:
        test, facts = self._evaluated(statement.test, _without(facts, assigned(statement.test)))
        self._check(statement, test, facts)
        true, false = self._fact(test, True), self._fact(test, False)
        self._block(statement.body, (*facts, *true))
        self._block(statement.orelse, (*facts, *false))
        left = _left(facts, *statement.body, *statement.orelse)
        if _leaves(statement.body):
            left = (*left, *_left(false, *statement.orelse))
        if statement.orelse and _leaves(statement.orelse):
            left = (*left, *_left(true, *statement.body))
        return left

    def _while(self, statement: ast.While, facts: Facts) -> Facts:
        facts = _left(facts, statement)  # they hold before every turn
        test, facts = self._evaluated(statement.test, facts)
        self._check(statement, test, facts)
        self._block(statement.body, (*facts, *self._fact(test, True)))
        false = self._fact(test, False)
        self._block(statement.orelse, (*facts, *false))
        is_left_early = any(isinstance(node, ast.Break) for node in ast.walk(statement))
        return facts if is_left_early or statement.orelse else (*facts, *false)

    def _evaluated(self, test: ast.expr, facts: Facts) -> tuple[ast.expr, Facts]:
        """A condition and the facts after it was evaluated: if it does something, both are about what was before."""
        if is_quiet(test):
            return test, facts
        frozen = _Frozen(self._new())
        return frozen.visit(deepcopy(test)), _frozen(facts, frozen)

    def _new(self) -> int:
        self._count += 1
        return self._count

    def _fact(self, condition: ast.expr, outcome: bool) -> Facts:
        names = _names_in(condition)
        return (_Fact(condition, outcome, names),) if names and not assigned(condition) else ()

    def _definition(self, statement: ast.stmt) -> Facts:
        """An assignment to a name that holds ints, as an equality."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return ()
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or target.id not in self._names | self._texts.names:
            return ()
        before = f"{target.id}@{self._new()}"
        if target.id in self._texts.names:
            self._texts.names |= {before}
        else:
            self._names |= {before}
        value = _Renamed(target.id, before).visit(deepcopy(statement.value))
        return self._fact(ast.Compare(target, [ast.Eq()], [value]), True)

    def _check(self, statement: ast.If | ast.While, test: ast.expr, facts: Facts) -> None:
        names = _names_in(test)
        known = {name for name in names if name in self._names or self._texts.is_text(ast.Name(name))}
        if not known or statement.lineno not in self._lines:
            return
        related = _related(facts, known)
        for outcome in (True, False):
            conditions = [*related, _Fact(test, outcome, names)]
            if _Solving(self._ints, self._names, self._texts, self._options).is_impossible(conditions):
                self._found.append(Excluded(statement.lineno, outcome, statement.body[0].lineno))


class _Renamed(ast.NodeTransformer):
    """Gives the value that a name had before an assignment another name."""

    def __init__(self, name: str, before: str) -> None:
        self._name = name
        self._before = before

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._before, node.ctx) if node.id == self._name else node


class _Looked(ast.NodeTransformer):
    """Puts the names of what methods give that look in the place of their calls."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def visit_Call(self, node: ast.Call) -> ast.expr:
        found = self._texts.looked(node)
        if found is None:
            self.generic_visit(node)
            return node
        name = ast.Name(found[0], ast.Load())
        name.acts = found[1]  # type: ignore[attr-defined]
        return name


class _Frozen(ast.NodeTransformer):
    """Gives what was looked at before something was done a name of its own."""

    def __init__(self, number: int) -> None:
        self._number = number

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}@{self._number}", node.ctx) if _is_current(node.id) else node


def _is_current(name: str) -> bool:
    """Whether a name stands for what a method gives now."""
    return name.startswith(LOOKED) and "@" not in name


def _frozen(facts: Facts, frozen: _Frozen) -> Facts:
    """Facts about what was looked at before something was done."""
    conditions = [(frozen.visit(deepcopy(fact.condition)), fact.outcome) for fact in facts]
    return tuple(_Fact(condition, outcome, _names_in(condition)) for condition, outcome in conditions)


def _names_in(condition: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(condition) if isinstance(node, ast.Name))


def _left(facts: Facts, *statements: ast.stmt) -> Facts:
    """The facts that hold after statements, whatever these do."""
    if not all(map(is_quiet, statements)):
        facts = tuple(fact for fact in facts if not any(map(_is_current, fact.names)))
    return _without(facts, frozenset[str]().union(*map(assigned, statements)))


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

    def __init__(
        self, ints: Ints, names: frozenset[str], texts: Texts, options: Mapping[str, Sequence[str | int]]
    ) -> None:
        import z3  # it takes a while to load, and most functions have no facts

        self._z3: Any = z3
        self._ints = ints
        self._names = set(names)
        self._texts = texts
        self._options = options
        self._numbers: dict[str, int] = {}
        self._fresh = 0

    def is_impossible(self, facts: Sequence[_Fact]) -> bool:
        """Whether no ints satisfy all facts."""
        solver = self._z3.Solver()
        solver.set("rlimit", MOST_WORK)
        for fact in facts:
            condition = self._condition(fact.condition)
            solver.add(condition if fact.outcome else self._z3.Not(condition))
        for name in sorted({name for fact in facts for name in fact.names}):
            solver.add(*self._one_of(name))
        return bool(solver.check() == self._z3.unsat)

    def _one_of(self, name: str) -> list[Any]:
        """That a name, or what it was before, has one of the values that the function spells out for it."""
        options = self._options.get(name.partition("@")[0])
        if not options or not (name in self._names or self._texts.is_text(ast.Name(name))):
            return []
        is_int = name in self._names
        terms = [(self._term if is_int else self._text)(node) for node in map(ast.Constant, options)]
        own = (self._term if is_int else self._text)(ast.Name(name))
        return [self._z3.Or(*(own == term for term in terms))]

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
            case ast.Name() if self._texts.is_text(node):
                return self._text(node) != self._text(ast.Constant(""))
        return z3.Bool(self._new())

    def _comparison(self, node: ast.Compare) -> Any:
        operands = [node.left, *node.comparators]
        if len(operands) == 2 and self._texts.is_text(node.left):
            return self._compared_text(node.ops[0], node.left, node.comparators[0])
        if not all(self._ints.is_int(item, self._names) for item in operands):
            return self._z3.Bool(self._new())
        terms = [self._term(item) for item in operands]
        parts = [self._compared(op, *terms[index : index + 2]) for index, op in enumerate(node.ops)]
        return self._z3.And(*parts)

    def _compared_text(self, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> Any:
        """A text compared with another one, or looked for among some."""
        match operator, right:
            case ast.In() | ast.NotIn(), ast.Tuple(elts=options) | ast.List(elts=options) | ast.Set(elts=options):
                pass
            case ast.Eq() | ast.NotEq(), _:
                options = [right]
            case _:
                return self._z3.Bool(self._new())
        if not all(map(self._texts.is_text, options)):
            return self._z3.Bool(self._new())
        found = self._z3.Or(*(self._text(left) == self._text(option) for option in options))
        return found if isinstance(operator, ast.Eq | ast.In) else self._z3.Not(found)

    def _text(self, node: ast.expr) -> Any:
        """A text as a number: all that counts is which texts are equal."""
        if isinstance(node, ast.Constant):
            return self._z3.IntVal(self._numbers.setdefault(str(node.value), len(self._numbers)))
        return self._z3.Int(f"text {ast.unparse(node)}")

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
