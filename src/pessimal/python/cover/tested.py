"""Scenarios from existing tests: the calls that they make, read off their source and never run as tests.

They show what types arguments have and how objects are made, better than anything else does. A test is followed as far
as its statements are calls of what can be imported, with the rows of ``parametrize`` and what ``setUp`` assigns.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from itertools import islice, product
from pathlib import Path
from types import ModuleType

from pessimal.python.cover.sessions import CannotBeWrittenError, Session
from pessimal.scenario import Scenario

MOST_SCENARIOS, MOST_ROWS, MOST_TURNS = 600, 30, 10
"""How many scenarios are read in all, rows of one test, and turns of one loop."""
_UPWARDS = 4
"""How many directories above a module are looked at for its tests."""
_RAISING = ("raises", "assertRaises", "assertRaisesRegex")
_TRANSPARENT = (*_RAISING, "warns", "assertWarns", "subTest", "catch_warnings")
_SET_UP = ("setUp", "setup_method", "setUpClass", "setup_class")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def files_beside(modules: Sequence[ModuleType]) -> list[Path]:
    """The test files that belong to modules by their names: beside them, or in a directory of tests above them."""
    return [path for module in modules for path in _beside(Path(str(module.__file__)))]


def _beside(file: Path) -> Iterator[Path]:
    stem = file.parent.name if file.stem == "__init__" else file.stem
    names = (f"test_{stem}.py", f"{stem}_test.py")
    for above in [file.parent, *file.parents[1:_UPWARDS]]:
        inside = file.parent.relative_to(above)
        folders = (above, above / "tests", above / "test", above / "tests" / inside)
        found = [folder / name for folder in dict.fromkeys(folders) for name in names if (folder / name).is_file()]
        if found:
            yield from found
            return


def scenarios_in(files: Sequence[Path], modules: Sequence[ModuleType]) -> list[Scenario]:
    """The scenarios in test files that call something of modules, or of packages that these are in."""
    packages = {module.__name__.partition(".")[0] for module in modules}
    found = (scenario for file in files for scenario in _in_file(file, packages))
    return list(islice(found, MOST_SCENARIOS))


def _in_file(file: Path, packages: Collection[str]) -> Iterator[Scenario]:
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    session = _TestSession(packages)
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom | ast.Assign):
            session.add(statement)
    yield from _in_body(tree.body, session)


def _in_body(body: Sequence[ast.stmt], session: _TestSession) -> Iterator[Scenario]:
    """The scenarios of the tests in a module or in a class."""
    prepared = session.copy()
    for function in (item for item in body if isinstance(item, Function) and item.name in _SET_UP):
        prepared.follow_all(function.body)
    for item in body:
        if isinstance(item, ast.ClassDef):
            yield from _in_body(item.body, prepared)
        elif isinstance(item, Function) and item.name.startswith("test"):
            for row in islice(_rows(item), MOST_ROWS):
                yield from prepared.copy().follow_all([*row, *item.body])


def _rows(function: Function) -> Iterator[list[ast.stmt]]:
    """The parameters of a test as assignments, once for each of its rows."""
    tables = [table for item in function.decorator_list if (table := _table(item)) is not None]
    for rows in product(*tables):
        yield [statement for row in rows for statement in row]


def _table(decorator: ast.expr) -> list[list[ast.stmt]] | None:
    match decorator:
        case ast.Call(
            func=ast.Attribute(attr="parametrize"), args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows), *_]
        ):
            return [list(_assigned(names, row)) for row in rows]
    return None


def _assigned(names: ast.expr, row: ast.expr) -> Iterator[ast.stmt]:
    """A row of a table as assignments."""
    match names:
        case ast.Constant(value=str(text)):
            wanted = [name.strip() for name in text.split(",")]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            wanted = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        case _:
            return
    match row:
        case ast.Call(func=ast.Attribute(attr="param") | ast.Name(id="param"), args=values):
            pass
        case ast.Tuple(elts=values) | ast.List(elts=values) if len(wanted) > 1:
            pass
        case _:
            values = [row]
    yield from (_assignment(ast.Name(name, ast.Store()), value) for name, value in zip(wanted, values, strict=False))


def _assignment(target: ast.expr, value: ast.expr) -> ast.stmt:
    return ast.Assign(targets=[target], value=value)


class _TestSession(Session):
    """The statements of a test: what assertions look at is followed, too."""

    def copy(self) -> _TestSession:
        """A session that goes on by itself."""
        other = copy(self)
        other._names, other._modules, other._steps = dict(self._names), dict(self._modules), list(self._steps)
        return other

    def follow_all(self, body: Sequence[ast.stmt]) -> list[Scenario]:
        """Follow statements; a scenario for each of them that does something. What raises is no step of later ones."""
        found: list[Scenario] = []
        for item, is_raising in _flat(body):
            before = len(self._steps)
            scenario = self.add(item)
            found += [] if scenario is None else [scenario]
            if is_raising:
                del self._steps[before:]
        return found

    def _follow(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assert(test=test):
                self._look(test)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=args)) if (
                name.startswith("assert")
            ):
                is_call = name.startswith("assertRaises") and len(args) > 1
                self._look(*([ast.Call(args[1], args[2:], statement.value.keywords)] if is_call else reversed(args)))  # type: ignore[attr-defined]
            case _:
                super()._follow(statement)

    def _look(self, *nodes: ast.expr) -> None:
        """Make the calls in expressions, as far as they can be written; the first of them last."""
        for node in nodes:
            match node:
                case ast.Compare():
                    self._look(*reversed([node.left, *node.comparators]))
                case ast.BoolOp():
                    self._look(*reversed(node.values))
                case ast.UnaryOp(op=ast.Not()):
                    self._look(node.operand)
                case ast.Call() | ast.Attribute() | ast.Subscript() | ast.BinOp():
                    self._try(node)

    def _try(self, node: ast.expr) -> None:
        before = len(self._steps)
        try:
            self._argument(node)
        except CannotBeWrittenError:
            del self._steps[before:]
            self._look(*(node.args if isinstance(node, ast.Call) else ()))


def _flat(body: Sequence[ast.stmt], is_raising: bool = False) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements, each with whether it is to raise; also those in blocks that watch them, and in turns of loops."""
    for statement in body:
        match statement:
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=function))]) if (
                _name(function) in _TRANSPARENT
            ):
                yield from _flat(statement.body, is_raising or _name(function) in _RAISING)
            case ast.For(target=target, iter=ast.List(elts=items) | ast.Tuple(elts=items), body=inner):
                for item in items[:MOST_TURNS]:
                    yield from ((assignment, False) for assignment in _unpacked(target, item))
                    yield from _flat(inner, is_raising)
            case ast.Expr(value=ast.Call(func=function)) if _name(function) in _RAISING:
                yield statement, True
            case _:
                yield statement, is_raising


def _name(function: ast.expr) -> str:
    return ast.unparse(function).rpartition(".")[2]


def _unpacked(target: ast.expr, value: ast.expr) -> Iterator[ast.stmt]:
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values):
            yield from (_assignment(*pair) for pair in zip(targets, values, strict=False))
        case _:
            yield _assignment(target, value)
