"""What gcov says of the C tests that ``cover`` wrote: branches taken of those in the lines that have tests."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

_LINE = re.compile(r"\s*\S+:\s*(\d+):")
_BRANCH = re.compile(r"branch\s+\d+ (?:taken (\d+)|never)")
_LOOSE = "-Wl,--unresolved-symbols=ignore-all"  # what others define is not there, and not needed to be measured
LIMIT = 120.0


def gcov(source: Path, tests: Path, lines: set[int], flags: str) -> str:
    """Taken and all branches in the given lines of a source, as ``5/6``; or why there is no answer."""
    folder = tests.parent
    command = ["gcc", "-w", "--coverage", "-O0", *shlex.split(flags), str(tests), "-o", "tests", "-lm", _LOOSE]
    if subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode:
        return "does not link"
    try:
        ran = subprocess.run(["./tests"], cwd=folder, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "did not end"
    notes = next(folder.glob("*.gcda"), None)
    if notes is None:
        return "no data"
    subprocess.run(["gcov", "-b", "-c", "-p", notes.name], cwd=folder, capture_output=True, check=False)
    report = next(folder.glob(f"*{source.name}.gcov"), None)
    taken = [] if report is None else _taken(report.read_text(errors="replace"), lines)
    return f"{sum(taken)}/{len(taken)}" + (" tests fail" if ran.returncode else "")


def _taken(report: str, lines: set[int]) -> list[bool]:
    found, line = [], 0
    for row in report.splitlines():
        place, branch = _LINE.match(row), _BRANCH.match(row)
        line = int(place[1]) if place else line
        if branch and line in lines:
            found.append(bool(branch[1]) and int(branch[1]) > 0)
    return found
