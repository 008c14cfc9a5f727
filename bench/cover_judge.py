"""The judge of written tests in bench-cover: the branches that they cover, and the outcome of each, in a fresh process.

    python -m bench.cover_judge '{"module": ..., "file": ..., "tests": [FILES], "seconds": 5}'

The files are imported and their tests run by pytest; only the tests, their fixtures and the import count.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bench.cover_measure import Measure, quiet

QUIET = ("-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--no-header", "-W", "ignore", "--tb=no")


class Judge:
    """A plug-in of pytest that counts what tests execute, and remembers how they end."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self.outcomes: dict[str, str] = {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None]:
        """Count what a test executes."""
        with self._measure.counting():
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None]:
        """Count what a fixture executes."""
        with self._measure.counting():
            yield

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember the outcome; an expected failure counts as passed, and is told apart."""
        if report.when == "call" or report.outcome != "passed":
            expected = hasattr(report, "wasxfail") and report.outcome in ("skipped", "passed")
            self.outcomes[report.nodeid] = "xfailed" if expected else report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        """A file that cannot be imported is a test that fails."""
        if report.outcome == "failed":
            self.outcomes[report.nodeid or "file"] = "failed"


def main() -> None:
    """Judge what is given as JSON."""
    asked = json.loads(sys.argv[1])
    out = sys.stdout
    quiet()
    measure = Measure(asked["file"])
    measure.imports(asked["module"])
    for file in asked["tests"]:
        with suppress(BaseException), measure.counting():
            runpy.run_path(file)
    judge = Judge(measure)
    limit = ["--timeout", str(asked["seconds"])]
    pytest.main([*QUIET, *limit, "--rootdir", str(Path.cwd()), "-c", os.devnull, *asked["tests"]], plugins=[judge])
    covered, total = measure.branches()
    print(json.dumps({"covered": covered, "total": total, "outcomes": judge.outcomes}), file=out, flush=True)
    os._exit(0)  # a test may have left a thread behind


if __name__ == "__main__":
    main()
