"""Pynguin as a rival of bench-cover.

Its option for time is that of the search alone: what comes before and after it, assertions above all, is on top. So the
search gets two thirds of the time and assertions a tenth. It writes its file only at the very end, after it has made
its tests smaller, which takes as long again on some modules; so it is killed only after twice the time, in its favour.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.cover_process import Ended, python_with_subjects, run

SEARCH, ASSERTIONS, LATEST = 0.65, 0.1, 2.0


def write_tests(asked: dict[str, Any], folder: Path) -> tuple[list[Path], Ended]:
    """Let Pynguin write tests into a folder; the file, if there is one, and how it ended."""
    root = Path(asked["file"]).parents[asked["module"].count(".") + asked["file"].endswith("__init__.py")]
    command = [python_with_subjects("pynguin"), "-m", "pynguin", "--no-rich", f"--seed={asked['seed'] + 1}"]
    command += [f"--project-path={root}", f"--module-name={asked['module']}", f"--output-path={folder}"]
    command += [f"--maximum-search-time={max(1, round(SEARCH * asked['seconds']))}"]
    command += [f"--maximum-mutation-time={max(1, round(ASSERTIONS * asked['seconds']))}"]
    command += [f"--report-dir={folder / 'report'}", "--statistics-backend=NONE"]
    variables = {"PYNGUIN_DANGER_AWARE": "1", "PYTHONHASHSEED": "0"}
    ended = run(command, LATEST * asked["seconds"], folder, variables)
    return sorted(folder.glob("test_*.py")), ended
