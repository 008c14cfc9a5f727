"""Counters of executed statements, inserted into a module's syntax tree.

A block, which is a run of statements that are executed one after the other, has one counter, a *site*, and the site's
*weight* is the number of its statements. The weight of what precedes an ``if`` is moved into both of its arms, which
saves a counter on every path. Inside loops a site counts in a local variable, which is added to the list of counts when
the function ends. Iterations of comprehensions and calls of lambdas are counted by a compiled function, which takes the
place of a test that is always true.

Where an exception ends a block early, or a generator is not resumed, the statements that were not reached are counted,
or those before a test that raises are not: the same each time, so that equal paths have equal counts.
"""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import TypeGuard

COUNTS = "__pessimal_counts__"
"""The global name of a module's list of counts, one for each site."""

_LOCAL = "__pessimal_count_{}__"
_TICK = "__pessimal_tick_{}__"

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Loop = ast.For | ast.AsyncFor | ast.While
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_SUSPENDING = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_DECLARATIONS = (ast.Global, ast.Nonlocal)
_READS_LOCALS = frozenset(("locals", "vars", "dir", "eval", "exec"))


class _Exit(Flag):
    """How control may leave a statement other than at its end."""

    NONE = 0
    LOOP = auto()
    FUNCTION = auto()


_EXITS: dict[type[ast.stmt], _Exit] = {
    ast.Break: _Exit.LOOP,
    ast.Continue: _Exit.LOOP,
    ast.Return: _Exit.FUNCTION,
    ast.Raise: _Exit.FUNCTION,
}


@dataclass(slots=True)
class Sites:
    """The sites of one module, numbered from ``first``: the weight and line of each, and which count by ticks."""

    first: int = 0
    weights: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    ticks: list[int] = field(default_factory=list)

    def add(self, weight: int, line: int) -> int:
        """A new site."""
        self.weights.append(weight)
        self.lines.append(line)
        return self.first + len(self.weights) - 1


@dataclass(slots=True)
class _Block:
    """Counted statements: one of the ``heads`` is counted on entry; ``exit`` is how control may leave."""

    statements: list[ast.stmt]
    heads: list[int]
    exit: _Exit


@dataclass(slots=True)
class _Segment:
    """Statements of which all are executed, and for the first ``if`` among them the sites in its arms.

    If the last one is an ``if`` that always leaves, the ``rest`` of the block, counted already, is its other arm.
    """

    statements: list[ast.stmt] = field(default_factory=list)
    rest: list[ast.stmt] = field(default_factory=list)
    arms: list[int] = field(default_factory=list)
    exit: _Exit = _Exit.NONE


@dataclass(slots=True)
class _Scope:
    """The function that is being counted: whether it may count in local variables, and which it does."""

    has_locals: bool
    locals: list[int] = field(default_factory=list)


def tick_name(site: int) -> str:
    """The global name of the function that counts the ticks of a site."""
    return _TICK.format(site)


def insert_counters(tree: ast.Module, first: int = 0) -> Sites:
    """Insert counters into all functions of a module, in place; what runs on import is not counted."""
    inserter = _Inserter(first)
    for statement in tree.body:
        inserter.outside(statement)
    return inserter.sites


class _Inserter(ast.NodeVisitor):
    """Visits expressions for comprehensions and lambdas, and takes blocks of statements apart itself."""

    def __init__(self, first: int) -> None:
        self.sites = Sites(first)
        self._scopes: list[_Scope] = []

    def outside(self, statement: ast.stmt) -> None:
        """Count the functions that a statement defines, but not the statement itself."""
        if isinstance(statement, _Function):
            self._function(statement)
            return
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                self.outside(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                for inner in child.body:
                    self.outside(inner)
        self._expressions(statement)

    def _function(self, function: _Function) -> None:
        self._expressions(function)
        scope = _Scope(has_locals=_may_have_locals(function))
        self._scopes.append(scope)
        has_docstring = ast.get_docstring(function, clean=False) is not None
        head, body = function.body[:has_docstring], function.body[has_docstring:]
        counted = self._block(body, 0, in_loop=False, at=function).statements
        self._scopes.pop()
        function.body = head + (_flushed(scope.locals, counted, function) if scope.locals else counted)

    def _block(self, body: Iterable[ast.stmt], extra: int, *, in_loop: bool, at: ast.AST) -> _Block:
        """Count a block; ``extra`` is the weight of what is executed with it, such as the header of a loop."""
        pending = deque(body)
        first = self._segment(pending, in_loop)
        counted, heads = self._counted(first, extra, in_loop, at)
        leaving = first.exit
        while pending:
            segment = self._segment(pending, in_loop)
            counted += self._counted(segment, 0, in_loop, at)[0]
            leaving |= segment.exit
        return _Block(counted, heads, leaving)

    def _segment(self, pending: deque[ast.stmt], in_loop: bool) -> _Segment:
        """Take statements up to one after which control may have left."""
        segment = _Segment()
        while pending and not segment.exit:
            statement = pending.popleft()
            segment.statements.append(statement)
            if pending and _always_leaves(statement):
                self._end_with_guard(segment, statement, pending, in_loop)
                return segment
            arms, segment.exit = self._statement(statement, in_loop)
            segment.arms = segment.arms or arms
        return segment

    def _end_with_guard(self, segment: _Segment, guard: ast.If, pending: deque[ast.stmt], in_loop: bool) -> None:
        """Count an ``if`` that always leaves together with the rest of its block, which is executed if it does not."""
        self._expressions(guard)
        body = self._block(guard.body, 0, in_loop=in_loop, at=guard)
        rest = self._block(pending, 0, in_loop=in_loop, at=guard)
        pending.clear()
        guard.body, segment.rest = body.statements, rest.statements
        segment.exit = body.exit | rest.exit
        segment.arms = segment.arms or body.heads + rest.heads

    def _counted(self, segment: _Segment, extra: int, in_loop: bool, at: ast.AST) -> tuple[list[ast.stmt], list[int]]:
        """The statements with what counts them, which is the arms of the first ``if`` or a site of its own."""
        weight = sum(map(_weight, segment.statements)) + extra
        for site in segment.arms:
            self.sites.weights[site - self.sites.first] += weight
        if segment.arms or not weight:
            return [*segment.statements, *segment.rest], segment.arms
        place = segment.statements[0] if segment.statements else at
        site = self.sites.add(weight, getattr(place, "lineno", 0))
        return [self._increment(site, in_loop, place), *segment.statements, *segment.rest], [site]

    def _increment(self, site: int, in_loop: bool, at: ast.AST) -> ast.stmt:
        scope = self._scopes[-1]
        if in_loop and scope.has_locals:
            scope.locals.append(site)
            target: ast.Name | ast.Subscript = ast.Name(_LOCAL.format(site), ast.Store())
        else:
            target = _entry(site, ast.Store())
        return _placed(ast.AugAssign(target, ast.Add(), ast.Constant(1)), at)

    def _statement(self, statement: ast.stmt, in_loop: bool) -> tuple[list[int], _Exit]:
        """Count the blocks inside a statement: the sites of which one is always counted, and how control may leave."""
        if isinstance(statement, _Function):
            self._function(statement)
            return [], _Exit.NONE
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                self.outside(inner)
            self._expressions(statement)
            return [], _Exit.NONE
        self._expressions(statement)
        if isinstance(statement, ast.If):
            return self._if(statement, in_loop)
        return [], _EXITS.get(type(statement)) or self._blocks(statement, in_loop)

    def _if(self, statement: ast.If, in_loop: bool) -> tuple[list[int], _Exit]:
        first = self._block(statement.body, 0, in_loop=in_loop, at=statement)
        second = self._block(statement.orelse, 0, in_loop=in_loop, at=statement)
        if not second.heads:
            site = self.sites.add(0, statement.lineno)
            second = _Block([self._increment(site, in_loop, statement)], [site], _Exit.NONE)
        statement.body, statement.orelse = first.statements, second.statements
        return first.heads + second.heads, first.exit | second.exit

    def _blocks(self, statement: ast.stmt, in_loop: bool) -> _Exit:
        """Count the blocks of any other statement."""
        is_loop = isinstance(statement, _Loop)
        leaving = _Exit.NONE
        for owner, name, extra in _bodies(statement):
            in_body = is_loop and name == "body"
            block = self._block(getattr(owner, name), extra, in_loop=in_loop or in_body, at=statement)
            setattr(owner, name, block.statements)
            leaving |= block.exit & _Exit.FUNCTION if in_body else block.exit
        return leaving

    def _expressions(self, statement: ast.stmt) -> None:
        """Visit the expressions of a statement, without the statements inside it."""
        for _, value in ast.iter_fields(statement):
            if isinstance(value, ast.expr | ast.arguments):
                self.visit(value)
            elif isinstance(value, list) and value and not isinstance(value[0], ast.stmt):
                self._listed(value)

    def _listed(self, nodes: list[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.expr | ast.withitem | ast.keyword):
                self.visit(node)
            elif isinstance(node, ast.match_case) and node.guard is not None:
                self.visit(node.guard)

    def visit(self, node: ast.AST) -> None:
        """``... for x in xs`` becomes ``... for x in xs if tick()``; lambdas get such a test, too."""
        self.generic_visit(node)
        if isinstance(node, _Comprehension):
            node.generators[-1].ifs.insert(0, self._tick(node))
        elif isinstance(node, ast.Lambda):
            self._lambda(node)

    def _lambda(self, node: ast.Lambda) -> None:
        node.body = ast.copy_location(ast.IfExp(self._tick(node.body), node.body, _none(node.body)), node.body)

    def _tick(self, at: ast.expr) -> ast.expr:
        site = self.sites.add(1, at.lineno)
        self.sites.ticks.append(site)
        name = ast.copy_location(ast.Name(tick_name(site), ast.Load()), at)
        return ast.copy_location(ast.Call(name, [], []), at)


def _weight(statement: ast.stmt) -> int:
    """How many statements one executes: a class those of its body, too, where blocks inside of it count as one."""
    if isinstance(statement, ast.ClassDef):
        return 1 + sum(map(_weight, statement.body))
    return 0 if isinstance(statement, _DECLARATIONS) else 1


def _always_leaves(statement: ast.stmt) -> TypeGuard[ast.If]:
    """Whether it is an ``if`` without ``else`` whose body ends by leaving the block."""
    return isinstance(statement, ast.If) and not statement.orelse and type(statement.body[-1]) in _EXITS


def _bodies(statement: ast.stmt) -> Iterator[tuple[ast.AST, str, int]]:
    """The blocks of a statement as an owner and an attribute, each with the weight that it has besides."""
    if isinstance(statement, _Loop):
        yield statement, "body", 1
    elif isinstance(statement, ast.With | ast.AsyncWith | ast.Try | ast.TryStar):
        yield statement, "body", 0
    for handler in getattr(statement, "handlers", ()):
        yield handler, "body", 1
    for case in statement.cases if isinstance(statement, ast.Match) else ():
        yield case, "body", 0
    for name in ("orelse", "finalbody"):
        if getattr(statement, name, None):
            yield statement, name, 0


def _may_have_locals(function: _Function) -> bool:
    """Whether local counters are safe: not in a generator, which may be abandoned, or where locals are listed."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, _SUSPENDING) or (isinstance(node, ast.Name) and node.id in _READS_LOCALS):
            return False
        if not isinstance(node, _SCOPES):
            pending += ast.iter_child_nodes(node)
    return isinstance(function, ast.FunctionDef)


def _flushed(sites: list[int], body: list[ast.stmt], at: ast.AST) -> list[ast.stmt]:
    """A body with its local counters: set to zero first, added to the counts at the end."""
    names = [_LOCAL.format(site) for site in sites]
    start = _placed(ast.Assign([ast.Name(name, ast.Store()) for name in names], ast.Constant(0)), body[0])
    end = [
        _placed(ast.AugAssign(_entry(site, ast.Store()), ast.Add(), ast.Name(name, ast.Load())), body[-1])
        for site, name in zip(sites, names, strict=True)
    ]
    return [start, _placed(ast.Try(body, [], [], end), body[0], deep=False)]


def _entry(site: int, context: ast.expr_context) -> ast.Subscript:
    return ast.Subscript(ast.Name(COUNTS, ast.Load()), ast.Constant(site), context)


def _none(at: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Constant(None), at)


def _placed(statement: ast.stmt, at: ast.AST, *, deep: bool = True) -> ast.stmt:
    """Give a new statement the place of another in the source."""
    for node in ast.walk(statement) if deep else (statement,):
        if isinstance(node, ast.stmt | ast.expr):
            ast.copy_location(node, at)
    return statement
