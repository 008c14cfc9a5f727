"""The rewrite that lets tests tell their distances: every test becomes a call of the log with the same value.

``if``, ``while``, ``for``, conditional expressions, assertions, guards, ``and`` and ``or``, cases with literals, and
what is returned: all that decides where the code goes on, or what its caller decides. In the body of a ``try`` also
what may raise because of a value: look-ups, divisions, and numbers made of texts.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection
from typing import Any, TypeVar

from pessimal.python.sites import MAX_TEXT
from pessimal.trace import Site

LOG = "__pessimal_log__"
"""The global name of the log."""
METHODS = frozenset(
    ("startswith", "endswith", "isalnum", "isalpha", "isdecimal", "isdigit", "isnumeric", "isspace", "isupper")
) | {"islower", "isascii"}
FINDERS = frozenset(("match", "fullmatch", "search", "get"))
"""Methods that give None where they find nothing."""
SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
DIVISIONS: dict[type[ast.operator], str] = {ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_NUMBERS = ("int", "float")
_Function = TypeVar("_Function", ast.FunctionDef, ast.AsyncFunctionDef)


class TestRewriter(ast.NodeTransformer):
    """Rewrites the tests of a file, and names their sites, which are numbered from ``first`` on."""

    __test__ = False  # its name begins as those of pytest's classes do

    def __init__(self, file: str, first: int) -> None:
        self._file = file
        self._first = first
        self._scope: list[str] = []
        self._counters: Counter[tuple[str, str]] = Counter()
        self._line: int | None = None
        self._is_trying = False
        self.sites: list[Site] = []

    # Statements

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function is a scope, whose own tests are not those of a ``try`` around it."""
        return self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """As other functions."""
        return self._visit_function(node)

    def _visit_function(self, node: _Function) -> _Function:
        was_trying, self._is_trying = self._is_trying, False
        self._scope += [node.name, "<locals>"]
        node.body = [self.visit(statement) for statement in node.body]
        del self._scope[-2:]
        self._is_trying = was_trying
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class is a scope."""
        self._scope.append(node.name)
        node.body = [self.visit(statement) for statement in node.body]
        self._scope.pop()
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """``if test``."""
        return self._with_test(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        """``while test``."""
        return self._with_test(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """``assert test``."""
        return self._with_test(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """``a if test else b``."""
        return self._with_test(node)

    def _with_test(self, node: Any) -> ast.AST:
        test, node.test = node.test, ast.Constant(None)
        self.generic_visit(node)
        node.test = self._tested(test, self._line_of(node))
        return node  # type: ignore[no-any-return]

    def _line_of(self, node: ast.AST) -> int:
        """The line of the statement around a test, as coverage has it: that of the test itself in an expression."""
        return int(getattr(node, "lineno", 0))

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for item in items``: whether there is another item."""
        text = f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"
        self.generic_visit(node)
        node.iter = self._logged("each", node, [node.iter], node.lineno, text)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The conditions of a comprehension."""
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        node.ifs = [self._tested(test, self._line_of(test)) for test in node.ifs]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """What is returned may be what the caller tests."""
        if isinstance(node.value, ast.Compare | ast.UnaryOp) or (node.value is not None and _is_method(node.value)):
            node.value = self._tested(node.value, node.lineno, is_value=True)
            return node
        return self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """What may raise in the body is tested by the handlers."""
        was_trying, self._is_trying = self._is_trying, True
        node.body = [self.visit(statement) for statement in node.body]
        self._is_trying = was_trying
        node.handlers = [self.visit(handler) for handler in node.handlers]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        node.finalbody = [self.visit(statement) for statement in node.finalbody]
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """The first cases, as far as they are literals: each is compared with the subject."""
        cases: list[ast.expr] = []
        for case in node.cases:
            values = _literals(case.pattern)
            if values is None:
                break
            number = self._number(case.pattern.lineno, case.pattern.col_offset, f"case {ast.unparse(case.pattern)}")
            cases.append(ast.Tuple([ast.Constant(number), ast.Tuple(values, ast.Load())], ast.Load()))
        self.generic_visit(node)
        if cases:
            node.subject = _call("match", [node.subject, ast.Tuple(cases, ast.Load())], node.subject)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """The guard of a case."""
        if node.guard is not None:
            node.guard = self._tested(node.guard, node.pattern.lineno)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations are not computed."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    # Expressions

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """All operands but the last are tested, wherever the value goes."""
        *tested, last = node.values
        line = self._line_of(node)
        is_test = isinstance(last, ast.Compare | ast.BoolOp)
        node.values = [self._tested(value, line) for value in tested]
        node.values.append(self._tested(last, line, is_value=True) if is_test else self.visit(last))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``owner[key]`` in the body of a ``try``."""
        text = ast.unparse(node)
        self.generic_visit(node)
        if not self._is_trying or not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice | ast.Tuple):
            return node
        return self._logged("look_up", node, [node.value, node.slice], node.lineno, text)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Divisions in the body of a ``try``."""
        text = ast.unparse(node)
        self.generic_visit(node)
        symbol = DIVISIONS.get(type(node.op))
        if not self._is_trying or symbol is None or isinstance(node.left, ast.Constant | ast.JoinedStr):
            return node
        return self._logged("divide", node, [ast.Constant(symbol), node.left, node.right], node.lineno, text)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``int(text)`` in the body of a ``try``, and look-ups and matches that may give None."""
        text = ast.unparse(node)
        self.generic_visit(node)
        if _is_call_of(node, FINDERS) and isinstance(node.func, ast.Attribute):
            return _call("found", [ast.Constant(node.func.attr), node.func.value, *node.args], node)
        is_number = isinstance(node.func, ast.Name) and node.func.id in _NUMBERS
        if not self._is_trying or not is_number or len(node.args) != 1 or node.keywords:
            return node
        if isinstance(node.args[0], ast.Starred):
            return node
        return self._logged("number", node, [node.func, node.args[0]], node.lineno, text)

    # Tests

    def _tested(self, test: ast.expr, line: int, *, is_value: bool = False) -> ast.expr:
        """A test as code with the same value that tells its distance; ``is_value`` if nothing but a bool is tested."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._tested(value, line, is_value=is_value) for value in test.values]
            return test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self._tested(test.operand, line)
            return test
        if isinstance(test, ast.Compare):
            return self._compared(test, line)
        if isinstance(test, ast.Constant):
            return test
        text = ast.unparse(test)
        if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and _is_method(test):
            parts = [self.visit(part) for part in (test.func.value, *test.args)]
            return self._logged("method", test, [ast.Constant(test.func.attr), *parts], line, text)
        if isinstance(test, ast.Call | ast.Await) and not is_value:
            mark = _call("mark", [], test)
            return self._logged("called", test, [mark, self.visit(test)], line, text)
        made: ast.expr = self.visit(test)
        return made if is_value else self._logged("truth", test, [made], line, text)

    def _compared(self, test: ast.Compare, line: int) -> ast.expr:
        """A comparison; of a chain each link, where what stands between two links may be read twice."""
        middle = test.comparators[:-1]
        if not all(isinstance(part, ast.Name | ast.Constant) for part in middle):
            text = ast.unparse(test)
            self.generic_visit(test)
            return self._logged("truth", test, [test], line, text)
        lefts = [test.left, *middle]
        links = [
            self._link(left, op, right, test, line)
            for left, op, right in zip(lefts, test.ops, test.comparators, strict=True)
        ]
        return links[0] if len(links) == 1 else ast.copy_location(ast.BoolOp(ast.And(), links), test)

    def _link(self, left: ast.expr, op: ast.cmpop, right: ast.expr, at: ast.expr, line: int) -> ast.expr:
        symbol = SYMBOLS[type(op)]
        text = f"{ast.unparse(left)} {symbol} {ast.unparse(right)}"
        parts = [ast.Constant(symbol), self.visit(left), self.visit(right)]
        return self._logged("compare", at, parts, line, text)

    def _logged(self, method: str, at: Any, parts: list[ast.expr], line: int, text: str) -> ast.expr:
        number = self._number(line, at.col_offset, text)
        return _call(method, [ast.Constant(number), *parts], at)

    def _number(self, line: int, column: int, text: str) -> int:
        function = ".".join(self._scope).removesuffix(".<locals>") or "<module>"
        counter = self._counters[function, text]
        self._counters[function, text] += 1
        self.sites.append(Site(self._file, function, line, column, text[:MAX_TEXT], counter))
        return self._first + len(self.sites) - 1


def _is_method(node: ast.expr) -> bool:
    """Whether an expression is a method of text that says yes or no."""
    return _is_call_of(node, METHODS)


def _is_call_of(node: ast.expr, methods: Collection[str]) -> bool:
    """Whether an expression calls one of some methods, with nothing but plain arguments."""
    if not isinstance(node, ast.Call) or node.keywords or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in methods and not any(isinstance(part, ast.Starred) for part in node.args)


def _literals(pattern: ast.pattern) -> list[ast.expr] | None:
    """The values that a pattern compares the subject with; None if it does something else."""
    if isinstance(pattern, ast.MatchValue) and isinstance(pattern.value, ast.Constant | ast.UnaryOp):
        return [pattern.value]
    if isinstance(pattern, ast.MatchOr):
        parts = [_literals(part) for part in pattern.patterns]
        return None if None in parts else [value for part in parts if part is not None for value in part]
    return None


def _call(method: str, arguments: list[ast.expr], at: ast.AST) -> ast.expr:
    function = ast.Attribute(ast.Name(LOG, ast.Load()), method, ast.Load())
    return ast.fix_missing_locations(ast.copy_location(ast.Call(function, arguments, []), at))
