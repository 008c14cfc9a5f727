"""The whole test file: header, imports, tests and the branches that stay open; new, or as an addition to one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten, wrap

from pessimal.scenario import Argument, Build, Name, Plain, Scenario, Subclass, parts
from pessimal.testfile.case import Case, Module
from pessimal.testfile.existing import Calls, ExistingFile, calls_in
from pessimal.testfile.files import LINE_LENGTH
from pessimal.testfile.functions import TestFunction, Writer
from pessimal.testfile.grouping import Item, grouped, variants
from pessimal.testfile.imports import Imports
from pessimal.testfile.loading import loadings
from pessimal.testfile.observation import Observation

_OPEN = "# Branches that no test here reaches:"
_OPEN_BLOCK = re.compile(rf"\n*{re.escape(_OPEN)}\n(?:#   .*\n?)*\Z")
_MODULE = Name("importlib", "import_module")
_NOT_IMPORTED = {("builtins", "getattr"), ("operator", "getitem"), ("operator", "methodcaller"), ("builtins", "slice")}


@dataclass(frozen=True, slots=True)
class OpenBranch:
    """A branch that no test reaches, and why."""

    file: str
    line: int
    text: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.text}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a test file is about: its path, the modules under test, and what its comments say."""

    path: Path
    modules: Sequence[Module]
    target: str
    command: str
    width: int = LINE_LENGTH
    open_branches: Sequence[OpenBranch] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a test file, the tests that are new in it, and how many cases were in it before."""

    text: str
    functions: tuple[TestFunction, ...] = ()
    known: int = 0
    nodes: Mapping[str, int] = field(default_factory=dict)
    """The number of the case for each new test, by its name as pytest gives it: ``test_f`` or ``test_f[id]``."""


def written(found: Sequence[tuple[Case, Observation]], plan: Plan, before: str | None = None) -> Written:
    """The test file for some cases, each with its observation; an existing one is only added to."""
    existing = ExistingFile((before or "").replace("\r\n", "\n"))
    imports = Imports(loadings(plan.modules, plan.path), existing.imported, existing.defined)
    items = _distinct(found)
    _ask_for_names(items, imports)
    writer = Writer(imports, plan.width, existing.defined)
    fresh = [item for item in items if not _is_known(item, writer, imports, existing)]
    if len(fresh) < len(items):  # names that only the others need must not be imported
        imports = Imports(loadings(plan.modules, plan.path), existing.imported, existing.defined)
        _ask_for_names(fresh, imports)
        writer = Writer(imports, plan.width, existing.defined)
    functions = tuple(writer.function(group) for group in grouped(fresh))
    text = _added(existing, functions, imports, plan) if before else _new(functions, imports, plan)
    nodes = {
        function.name if id_ is None else f"{function.name}[{id_}]": number
        for function in functions
        for number, id_ in function.cases
    }
    text = text.replace("\n", "\r\n") if before and "\r\n" in before else text
    return Written(text, functions, len(items) - len(fresh), nodes)


def _distinct(found: Sequence[tuple[Case, Observation]]) -> list[Item]:
    """Cases without those that do the same as an earlier one."""
    items: dict[str, Item] = {}
    for number, (case, seen) in enumerate(found):
        items.setdefault(repr(case.scenario), Item(number, case, case.scenario, seen))
    return list(items.values())


def _is_known(item: Item, writer: Writer, imports: Imports, existing: ExistingFile) -> bool:
    """Whether a test of the existing file makes the calls of a case, in whatever form."""
    if not existing.text:
        return False
    return any(existing.makes(_calls(variant, writer, imports)) for variant in variants(item))


def _calls(item: Item, writer: Writer, imports: Imports) -> Calls:
    return calls_in(writer.body(item), imports.meanings)


def _ask_for_names(items: Iterable[Item], imports: Imports) -> None:
    """Let all names be known before any variable gets one."""
    modules: list[str] = []
    for part in (part for item in items for part in _parts(item.scenario, item.seen)):
        match part:
            case Build(function, (Plain(str(module)),)) if function == _MODULE:
                modules.append(module)
            case Build(Name(module, qualname)) | Name(module, qualname) | Subclass(base=Name(module, qualname)):
                if (module, qualname) not in _NOT_IMPORTED:
                    imports.reference(module, qualname)
    for module in modules:  # last, since what a module imports whole has is not imported from it
        imports.module(module)


def _parts(scenario: Scenario, seen: Observation) -> Iterator[Argument]:
    arguments: list[Argument] = [item for step in scenario.steps for item in step.arguments]
    arguments += [item for check in seen.checks for item in (check.subject, check.expected)]
    arguments += [item for item in (seen.consumed, seen.raised) if item is not None]
    return (part for argument in arguments for part in parts(argument))


def _new(functions: Sequence[TestFunction], imports: Imports, plan: Plan) -> str:
    header = [
        f"# Tests of {plan.target}, written by pessimal cover.",
        "# They are yours to edit: the command below adds tests and changes none.",
        f"#     {plan.command}",
    ]
    imported = imports.lines(plan.width)
    lines = [*header, *(["", *imported] if imported else []), *_tests(functions), *_open(plan)]
    return "\n".join(lines) + "\n"


def _added(existing: ExistingFile, functions: Sequence[TestFunction], imports: Imports, plan: Plan) -> str:
    """The existing text with imports after its own and tests at its end; only our own list of open branches goes."""
    kept = _OPEN_BLOCK.sub("\n", existing.text)
    lines = kept.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    place = existing.after_imports
    imported = [f"{line}\n" for line in imports.lines(plan.width)]
    if imported and place == 0:
        imported.append("\n")
    tests = [f"{line}\n" for line in [*_tests(functions), *_open(plan)]]
    return "".join([*lines[:place], *imported, *lines[place:], *tests])


def _tests(functions: Sequence[TestFunction]) -> list[str]:
    return [line for function in functions for line in ("", "", *function.lines)]


def _open(plan: Plan) -> list[str]:
    """The branches that stay open, in comments: by reason, so that each is told once."""
    if not plan.open_branches:
        return []
    reasons: dict[str, list[OpenBranch]] = {}
    for branch in plan.open_branches:
        reasons.setdefault(branch.reason, []).append(branch)
    lines = ["", "", _OPEN]
    for reason, branches in reasons.items():
        lines += wrap(f"{reason}:", plan.width, initial_indent="#   ", subsequent_indent="#   ")
        lines += [f"#     {shorten(str(branch), plan.width - 6, placeholder=' ...')}" for branch in branches]
    return lines
