"""The branches and lines of a file as coverage.py counts them: a branch is a way from a line that has several."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from os.path import realpath
from typing import Any, NamedTuple

import coverage
from coverage.exceptions import CoverageException

from pessimal.arcs import Arc

_NOTHING = [(-1, -1)]
"""An arc that no file has: what is reported as missing then is all that there is."""


class Parts(NamedTuple):
    """What there is to cover in a file."""

    branches: frozenset[Arc]
    lines: tuple[int, ...]


def parts_of(file: str) -> Parts | None:
    """The branches and lines of a file; None if it has no source that can be read."""
    real = realpath(file)
    measured = coverage.Coverage(data_file=None, branch=True, config_file=False, include=[real], messages=False)
    measured.get_data().add_arcs({real: _NOTHING})
    report = StringIO()
    try:
        with redirect_stdout(report):
            measured.json_report(outfile="-")
    except CoverageException:
        return None
    files: Mapping[str, Any] = json.loads(report.getvalue())["files"]
    found = next(iter(files.values()))
    branches = frozenset(Arc(file, line, to) for line, to in found["missing_branches"])
    return Parts(branches, tuple(found["missing_lines"]))
