"""The branches of a file as coverage.py counts them: every arc from a line that has several ways on."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import redirect_stdout
from io import StringIO
from os.path import realpath
from typing import Any, NamedTuple

import coverage
from coverage.exceptions import CoverageException

from pessimal.python.cover.arcs import Arc


class FileCoverage(NamedTuple):
    """What was executed of a file, and what there is."""

    covered: frozenset[Arc]
    missing: frozenset[Arc]
    missing_lines: tuple[int, ...] = ()


def coverage_of(arcs: Collection[Arc], files: Collection[str]) -> dict[str, FileCoverage]:
    """The coverage that arcs amount to, as a report of coverage.py says it; files without any source are left out."""
    return {file: found for file in files if (found := _coverage_of(arcs, file)) is not None}


def _coverage_of(arcs: Collection[Arc], file: str) -> FileCoverage | None:
    real = realpath(file)
    measured = coverage.Coverage(data_file=None, branch=True, config_file=False, include=[real], messages=False)
    measured.get_data().add_arcs({real: [(arc.line, arc.to) for arc in arcs if arc.file == file] or [(-1, -1)]})
    report = StringIO()
    try:
        with redirect_stdout(report):
            measured.json_report(outfile="-")
    except CoverageException:
        return None
    files: Mapping[str, Any] = json.loads(report.getvalue())["files"]
    found = next(iter(files.values()))
    return FileCoverage(
        frozenset(Arc(file, line, to) for line, to in found["executed_branches"]),
        frozenset(Arc(file, line, to) for line, to in found["missing_branches"]),
        tuple(found["missing_lines"]),
    )
