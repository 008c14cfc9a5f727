"""From refined cases to a test file: each case says what it is the first to reach, and the file is written and run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pessimal.covering.messages import ArcRow, BranchesKnown
from pessimal.covering.refine import Refined
from pessimal.covering.result import Unreached
from pessimal.covering.unreached import source_line
from pessimal.testfile import Case, Module, OpenBranch, Outcome, Plan, Reach, files, observed, verified

_KEYWORD = re.compile(r"\A(?:(?:el)?if|while|for|async for|match|case|with|return|elif)\s+|:\s*(?:#.*)?\Z")


@dataclass(frozen=True, slots=True)
class TestFileRequest:
    """What the user asked for: the file, and the command that the file names."""

    path: Path
    command: str
    allow_side_effects: bool = False


def write_tests(
    request: TestFileRequest,
    cases: Sequence[Refined],
    known: BranchesKnown,
    left: Sequence[Unreached],
    *,
    ends_at: float,
    warn: Callable[[str], None],
) -> dict[str, Any]:
    """Write the tests, without those that do not pass twice; what was written, for the result."""
    before = files.read(request.path)
    modules = [Module(name, file) for name, file in zip(known.modules, known.files, strict=True)]
    found = as_cases(cases, known)
    seen = observed(found, modules, ends_at=ends_at, allow_side_effects=request.allow_side_effects)
    both = [(case, item) for case, item in zip(found, seen, strict=True) if item is not None]
    plan = Plan(
        request.path,
        modules,
        ", ".join(known.modules),
        request.command,
        files.line_length(request.path),
        [_open_branch(item) for item in left],
    )
    result = verified(both, plan, before, ends_at=ends_at, allow_side_effects=request.allow_side_effects)
    files.write(request.path, result.written.text, before)
    for note in result.notes:
        warn(note)
    for item in result.dropped:
        warn(f"dropped {item}")
    return {
        "file": str(request.path),
        "tests": len(result.written.nodes),
        "known": result.written.known,
        "dropped": [{"test": item.name, "reason": item.reason} for item in result.dropped],
        "unstable": len(found) - len(both),
    }


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
