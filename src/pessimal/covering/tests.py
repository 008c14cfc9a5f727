"""From refined cases to a test file: each case says what it is the first to reach, and the file is written and run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal.covering.messages import ArcRow, BranchesKnown
from pessimal.covering.refine import Refined
from pessimal.covering.result import Unreached
from pessimal.covering.unreached import source_line
from pessimal.testfile import (
    NO_TIME,
    Case,
    Module,
    OpenBranch,
    Outcome,
    Plan,
    Processes,
    Reach,
    Verified,
    files,
    observed,
    verified,
    written,
)

OBSERVING_SHARE = 0.45
"""How much of the time for writing observing may take; the rest is for running the tests."""

_KEYWORD = re.compile(r"\A(?:(?:el)?if|while|for|async for|match|case|with|return|elif)\s+|:\s*(?:#.*)?\Z")


@dataclass(frozen=True, slots=True)
class TestFileRequest:
    """What the user asked for: the file, and the command that the file names."""

    path: Path
    command: str
    allow_side_effects: bool = False
    scratch: str | None = None
    """A directory for what the target writes."""


@dataclass(slots=True)
class TestFile:
    """What is in the file: the report for the result, and why cases are not in it, by their numbers.

    ``arcs`` are what all tests of the file take, as far as that is known.
    """

    __test__ = False

    report: dict[str, Any]
    lost: dict[int, str]
    arcs: frozenset[ArcRow] | None = None


def write_tests(
    request: TestFileRequest,
    cases: Sequence[Refined],
    known: BranchesKnown,
    left: Callable[[Mapping[int, str]], Sequence[Unreached]],
    *,
    ends_at: float,
    warn: Callable[[str], None],
    processes: Processes | None = None,
) -> TestFile:
    """Write the tests, without those that do not pass twice; ``left`` says what is open without some cases."""
    before = files.read(request.path)
    modules = [Module(name, file) for name, file in zip(known.modules, known.files, strict=True)]
    found, allowed = as_cases(cases, known), request.allow_side_effects
    observing_ends_at = monotonic() + OBSERVING_SHARE * (ends_at - monotonic())
    how: Any = {"allow_side_effects": allowed, "scratch": request.scratch, "processes": processes}
    seen = observed(found, modules, ends_at=observing_ends_at, **how)
    lost = {number: item for number, item in enumerate(seen) if isinstance(item, str)}
    both = [(number, (found[number], item)) for number, item in enumerate(seen) if not isinstance(item, str)]
    names, width = ", ".join(known.modules), files.line_length(request.path)
    plan = Plan(request.path, modules, names, request.command, width)
    result = verified([pair for _, pair in both], plan, before, ends_at=ends_at, **how)
    lost |= {both[item.number][0]: item.reason for item in result.dropped}
    plan = replace(plan, open_branches=[_open_branch(item) for item in left(lost)])
    text = written([pair for number, pair in both if number not in lost], plan, before).text
    if before is not None or result.written.nodes:
        files.write(request.path, text, before)
    _say(result, warn)
    arcs = result.arcs if before is None else None
    return TestFile(_report(request.path, result, len(found) - len(both)), lost, arcs)


def _report(path: Path, result: Verified, unstable: int) -> dict[str, Any]:
    return {
        "file": str(path),
        "tests": len(result.written.nodes),
        "known": result.written.known,
        "dropped": [{"test": item.name, "reason": item.reason} for item in result.dropped],
        "unstable": unstable,
    }


def _say(result: Verified, warn: Callable[[str], None]) -> None:
    for note in result.notes:
        warn(note)
    late = [item for item in result.dropped if item.reason == NO_TIME]
    if late:
        warn(f"{len(late)} tests were not written, since there was no time to run them twice: give a larger --budget")
    for item in result.dropped:
        if item.reason != NO_TIME:
            warn(f"dropped {item}")


def as_cases(cases: Sequence[Refined], known: BranchesKnown) -> list[Case]:
    """The cases, each with the branches that it is the first to take."""
    branches, taken = frozenset(known.branches), set[ArcRow]()
    found: list[Case] = []
    for item in cases:
        new = sorted(branches.intersection(item.arcs) - taken)
        taken |= set(item.arcs)
        found.append(Case(item.steps, tuple(_reach(arc, branches) for arc in new), _outcome(item)))
    return found


def _reach(arc: ArcRow, branches: frozenset[ArcRow]) -> Reach:
    """A branch with its condition; the way to the nearest line below is the one that is taken if it holds."""
    file, line, to = arc
    below = [other[2] for other in branches if other[:2] == (file, line) and other[2] > line]
    text = source_line(file, line)
    holds = to == min(below) if below and text.startswith(("if ", "elif ", "while ", "for ")) else None
    return Reach(file, line, to, _KEYWORD.sub("", text) or None, holds)


def _outcome(item: Refined) -> Outcome:
    if item.error is None:
        return Outcome()
    return Outcome("raised", *item.error, item.exception or "")


def _open_branch(item: Unreached) -> OpenBranch:
    file, _, line = item.site.rpartition(":")
    return OpenBranch(Path(file).name, int(line), f"{item.condition} to {item.to}", item.reason)
