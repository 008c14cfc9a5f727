"""``crosshair cover`` as a rival of bench-cover.

The command for the whole module writes nothing if one function makes it crash. It gets half of the time; if it has
written nothing then, every function and every class gets a process and a share of what is left. Tests that do not parse
are taken out of a file, so that the others can run.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from time import monotonic
from typing import Any

from bench.cover_process import Ended, python_with_subjects, run

WHOLE, SHARE = 0.5, 0.7
"""Of the whole time, and of a process's time for its conditions: the rest is for start and end."""


def write_tests(asked: dict[str, Any], folder: Path) -> tuple[list[Path], Ended]:
    """Let CrossHair write tests into a folder; the files, and how it ended."""
    end = monotonic() + asked["seconds"]
    names = definitions(Path(asked["file"]).read_text())
    conditions = sum(names.values())
    ended = _cover(asked["module"], WHOLE * asked["seconds"], conditions, folder)
    files = _written(ended, folder / "test_crosshair.py")
    for number, (name, inside) in enumerate(() if files else names.items()):
        share = (end - monotonic()) / (len(names) - number)
        part = _cover(f"{asked['module']}.{name}", share, inside, folder)
        files += _written(part, folder / f"test_crosshair_{number}.py")
    return files, ended


def definitions(source: str) -> dict[str, int]:
    """The functions and classes of a module, with how many functions are in each."""
    kinds = ast.FunctionDef | ast.ClassDef
    tops = [node for node in ast.parse(source).body if isinstance(node, kinds)]
    return {node.name: sum(isinstance(item, ast.FunctionDef) for item in ast.walk(node)) or 1 for node in tops}


def _cover(target: str, seconds: float, conditions: int, folder: Path) -> Ended:
    python = python_with_subjects("crosshair")
    each = SHARE * seconds / max(1, conditions)
    command = [python, "-m", "crosshair", "cover", target, "--example_output_format=pytest"]
    return run([*command, f"--per_condition_timeout={each:.2f}"], seconds, folder, {"PYTHONHASHSEED": "0"})


def _written(ended: Ended, file: Path) -> list[Path]:
    """The file with the tests that were printed, if there are any."""
    text = parsing(ended.out)
    if "def test_" not in text:
        return []
    file.write_text(text)
    return [file]


def parsing(text: str) -> str:
    """The parts of a file of tests that parse."""
    parts = re.split(r"^(?=def test_)", text, flags=re.MULTILINE)
    return "".join(part for part in parts if _parses(part))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
