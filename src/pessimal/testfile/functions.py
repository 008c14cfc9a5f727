"""Test functions: a plain one for a case on its own, a parametrised one for several that differ in values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pessimal.scenario import Build, Name, Plain, parts
from pessimal.testfile.body import ERROR, EXPECTED, MATCH, Body, Hole
from pessimal.testfile.expressions import Expressions
from pessimal.testfile.grouping import Item
from pessimal.testfile.imports import Imports
from pessimal.testfile.layout import Code, bracket, call, container_of_names, lines_of
from pessimal.testfile.naming import Names, numbered
from pessimal.testfile.observation import PROGRAM, Observation
from pessimal.testfile.phrases import phrase, slug


@dataclass(frozen=True, slots=True)
class TestFunction:
    """The lines of a test, and for each of its parameter sets the number of its case and its id."""

    __test__ = False

    name: str
    lines: tuple[str, ...]
    cases: tuple[tuple[int, str | None], ...]


class Writer:
    """Writes test functions into one file, where no two have the same name."""

    def __init__(self, imports: Imports, width: int, taken: set[str]) -> None:
        self._imports = imports
        self._width = width
        self._taken = set(taken)

    def function(self, group: Sequence[Item]) -> TestFunction:
        """The test of some cases of one shape."""
        return self._plain(group[0]) if len(group) == 1 else self._parametrised(group)

    def body(self, item: Item) -> list[str]:
        """The lines of a case as a plain test, by which it is recognised in an existing file."""
        return Body(item.scenario, item.seen, self._imports, self._names(), self._width).lines()

    def _names(self) -> Names:
        return Names(self._imports.names)

    def _name(self, item: Item) -> str:
        name = item.base_name
        words = phrase(item.case.reaches)
        if name in self._taken and words is not None:
            name = f"{name}_{words.replace('-', '_')}"
        name = numbered(name, self._taken, "_")
        self._taken.add(name)
        return name

    def _plain(self, item: Item) -> TestFunction:
        name = self._name(item)
        fixtures = [*(["capsys"] if item.seen.printed is not None else []), *_fixtures(item.seen)]
        lines = [f"def {name}({', '.join(fixtures)}):", *_entering(item.seen), *self.body(item)]
        return TestFunction(name, tuple(lines), ((item.number, None),))

    def _parametrised(self, group: Sequence[Item]) -> TestFunction:
        name, names = self._name(group[0]), self._names()
        columns = _columns(group)
        parameters = {hole: self._parameter(hole, group[0], names) for hole in columns}
        seen = _merged(group)
        body = Body(group[0].scenario, seen, self._imports, names, self._width, parameters)
        ids: list[str] = []
        for item in group:
            ids.append(numbered(_id(item, columns), ids, "-"))
        rows = [self._row(item, columns, id_, body) for item, id_ in zip(group, ids, strict=True)]
        parametrize = call(
            f"@{self._imports.reference('pytest', 'mark')}.parametrize",
            [container_of_names(list(parameters.values())), Code("[", tuple(rows), "]")],
        )
        given = [*parameters.values(), *_fixtures(seen)]
        signature = bracket(f"def {name}(", [Code(parameter) for parameter in given], "):")
        lines = [
            *_decorator(parametrize, self._width),
            *lines_of(signature, self._width),
            *_entering(seen),
            *body.lines(),
        ]
        cases = tuple((item.number, id_) for item, id_ in zip(group, ids, strict=True))
        return TestFunction(name, tuple(lines), cases)

    def _parameter(self, hole: Hole, item: Item, names: Names) -> str:
        if hole == ERROR:
            return "error"
        if hole == MATCH:
            return "match"
        if hole.step == EXPECTED:
            return _expected_name(item.seen, hole.place, names)
        step = item.scenario.steps[hole.step]
        if 0 < hole.place <= len(step.args):
            known = item.seen.parameters[hole.step] if hole.step < len(item.seen.parameters) else ()
            return names.unique((known[hole.place - 1] if hole.place <= len(known) else "value").lstrip("*"))
        if hole.place == 0:
            return names.unique("value")
        key = step.kwargs[hole.place - 1 - len(step.args)][0]
        return "options" if key == "**" else names.unique(key)

    def _row(self, item: Item, columns: Sequence[Hole], id_: str, body: Body) -> Code:
        expressions = Expressions(self._imports)
        holes = item.holes
        values = []
        for hole in columns:
            if hole == MATCH:
                values.append(body.match(holes[hole]) or Code("None"))
            else:
                values.append(expressions.code(holes[hole]))
        return call(self._imports.reference("pytest", "param"), [*values, Code(f'id="{id_}"')])


def _decorator(parametrize: Code, width: int) -> list[str]:
    """The decorator with one row on each line, however short the rows are."""
    names, rows = parametrize.items or ()
    lines = lines_of(names, width, 1, ",")
    return [parametrize.head, *lines, *lines_of(rows, width, 1, ",", broken=True), parametrize.tail]


def _columns(group: Sequence[Item]) -> list[Hole]:
    """The values that differ between the cases."""
    tables = [item.holes for item in group]
    return [hole for hole in tables[0] if len({repr(table[hole]) for table in tables}) > 1]


def _merged(group: Sequence[Item]) -> Observation:
    """An observation for all cases: compared by identity only if all of them are."""
    first = group[0].seen
    checks = []
    for place, check in enumerate(first.checks):
        relations = {item.seen.checks[place].relation for item in group}
        checks.append(check if len(relations) == 1 else replace(check, relation="=="))
    return replace(
        first,
        checks=tuple(checks),
        in_scratch=any(item.seen.in_scratch for item in group),
        reads_arguments=any(item.seen.reads_arguments for item in group),
    )


def _fixtures(seen: Observation) -> list[str]:
    """The fixtures by which a test has a directory or arguments of its own, if it needs them."""
    is_patched = seen.in_scratch or seen.reads_arguments
    return [*(["monkeypatch"] if is_patched else []), *(["tmp_path"] if seen.in_scratch else [])]


def _entering(seen: Observation) -> list[str]:
    lines = ["    monkeypatch.chdir(tmp_path)"] if seen.in_scratch else []
    return [*lines, *([f'    monkeypatch.setattr("sys.argv", ["{PROGRAM}"])'] if seen.reads_arguments else [])]


def _expected_name(seen: Observation, place: int, names: Names) -> str:
    """What a column of expected values is called: after what is looked at, if that is not the result."""
    if len(seen.checks) == 1:
        return "expected"
    for part in parts(seen.checks[place].subject):
        if isinstance(part, Build) and part.function.qualname == "getattr":
            return names.unique(str(part.args[1].value) if isinstance(part.args[1], Plain) else "value")
        if isinstance(part, Build) and part.function == Name("builtins", "len"):
            return names.unique("length")
        if isinstance(part, Build) and part.function.qualname == "getitem":
            return names.unique("beginning")
    return "expected" if place == 0 else names.unique("changed")


def _id(item: Item, columns: Sequence[Hole]) -> str:
    """What a case is called: after what it reaches, or else after its values."""
    words = phrase(item.case.reaches)
    if words is not None:
        return words
    holes = item.holes
    values = [holes[hole] for hole in columns if hole.step >= 0]
    texts = [str(value.value) or "empty" for value in values if isinstance(value, Plain)]
    return slug("-".join(texts)) or "other"
