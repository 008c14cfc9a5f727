"""Branch coverage of one module as coverage.py sees it, the same for every tool of bench-cover.

Only what is executed between ``start`` and ``stop`` counts, so that a module of the standard library is not credited
with what pytest or a fuzzer itself does with it. What the module does when it is imported always counts, also if it was
imported long before: a copy of it, which nobody uses, is executed once.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coverage import Coverage
from coverage.exceptions import CoverageException

QUOTED = re.compile(r"""["'`]([^"'`\n]{1,40})["'`]""")


class Measure:
    """Counts the branches of a file that are taken."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._coverage = Coverage(data_file=None, branch=True, include=[file], config_file=False, messages=False)
        self._coverage._warn_no_data = False

    @contextmanager
    def counting(self) -> Iterator[None]:
        """What is executed inside counts."""
        self._coverage.start()
        try:
            yield
        finally:
            self._coverage.stop()

    def imports(self, module: str) -> None:
        """Count what the module does when it is imported."""
        importlib.import_module(module)
        spec = importlib.util.find_spec(module)
        if spec is not None and spec.loader is not None:
            copy = importlib.util.module_from_spec(spec)
            with suppress(Exception), self.counting():
                spec.loader.exec_module(copy)

    def branches(self) -> tuple[int, int]:
        """How many branches were taken, and how many there are."""
        exits = self._coverage.branch_stats(self._file).values()
        return sum(taken for _, taken in exits), sum(total for total, _ in exits)


def total_branches(file: Path) -> int:
    """How many branches a file has."""
    measure = Measure(str(file))
    with suppress(CoverageException), measure.counting():
        pass
    return measure.branches()[1]


def constants(source: str) -> list[object]:
    """The literals of a source; of its docstrings only what stands in quotes there, as examples do."""
    nodes = list(ast.walk(ast.parse(source)))
    documentation = [
        node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    skipped = set(map(id, documentation))
    literals = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in skipped]
    values = [value for value in literals if isinstance(value, int | float | str | bytes)]
    quoted = [text for node in documentation for text in QUOTED.findall(str(node.value))]
    return list(dict.fromkeys(value for value in (*values, *quoted) if not isinstance(value, bool)))


def quiet() -> None:
    """Let nothing that a subject prints be seen."""
    sys.stdout = sys.stderr = open("/dev/null", "w")  # noqa: PTH123, SIM115
