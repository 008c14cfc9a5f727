"""The bench of ``cover``: which modules may be drawn, what is made of rivals' files, and how the summary counts."""

import ast
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import cover, cover_crosshair, cover_draw, cover_process, cover_tools
from pessimal.pool import landlock


@pytest.mark.parametrize(
    ("source", "is_harmless"),
    [
        ("import math", True),
        ("import os.path", False),
        ("from urllib import request", False),
        ("from urllib import parse", True),
        ("from . import os", True),
        ("def f(name): return open(name)", False),
        ("import builtins\ndef f(name): return builtins.open(name)", False),
    ],
)
def test_modules_with_effects_are_not_drawn(source: str, is_harmless: bool) -> None:
    assert cover_draw.is_harmless(ast.parse(source)) is is_harmless


def test_hints_are_counted_without_self() -> None:
    source = "class A:\n def f(self, x: int, y): ...\ndef g(a: int, *, b: str): ...\n"
    assert cover_draw.hinted(ast.parse(source)) == 0.75


def test_private_modules_and_tests_are_not_drawn() -> None:
    names = [cover_draw.module_name(Path(text)) for text in ("a/b.py", "a/__init__.py", "a/_b.py", "a/tests/b.py")]
    assert names == ["a.b", "a", None, None]


def test_tests_that_do_not_parse_are_taken_out() -> None:
    good, bad = "def test_a():\n    assert f(1) == 2\n", "def test_b():\n    assert f(<object at 0x1>)\n"
    assert cover_crosshair.parsing(f"import m\n\n{good}\n{bad}\n{good}") == f"import m\n\n{good}\n{good}"


def test_definitions_are_counted_by_their_functions() -> None:
    source = "def f(): ...\nclass A:\n def g(self): ...\n def h(self): ...\nclass B: ...\n"
    assert cover_crosshair.definitions(source) == {"f": 1, "A": 2, "B": 1}


def test_a_curve_is_read_at_moments() -> None:
    lines = [{"seconds": 1.0, "covered": 3}, {"seconds": 5.2, "covered": 7}, {"seconds": 20.0, "covered": 9}]
    assert [cover_tools.at(lines, moment) for moment in (0, 5, 15, 30)] == [0, 7, 7, 9]


def told(covered: int, **more: Any) -> dict[str, Any]:
    tests = {"tests": 4, "passed twice": 4, "seconds": 60.0, "unreached": 1, "without reason": 0, "out of time": 1}
    return {"covered": covered, "total": 100, **tests, **more}


def test_the_summary_counts_losses_and_the_lead() -> None:
    agreeing = {"own count": {"covered": 90, "total": 100}}
    answers = [
        {"random": told(70), "pynguin": told(50, **{"passed twice": 1}), "pessimal": told(90, **agreeing)},
        {"random": told(80), "pynguin": told(85), "pessimal": told(82)},
    ]
    rows = [cover._row({"module": "m", "branches": 100}, answer) for answer in answers]
    lines = cover.summary(rows, answers, ["random", "pynguin", "pessimal"])
    assert [row["ahead"] for row in rows] == [20.0, -3.0]
    assert "met: 11.0 points ahead of the best on average, random; wanted 10" in lines
    assert "met: behind a rival on 1 of 2 modules; wanted at most 3" in lines
    assert "NOT MET: our count is that of coverage.py on 1 of 2 modules" in lines
    assert "tests of pynguin that pass twice: 5 of 8, 62.5%; 0 expected failures" in lines
    assert "met: tests of pessimal that pass twice: 8 of 8, 100.0%; 0 expected failures" in lines


@pytest.mark.skipif(not landlock.version(), reason="needs Landlock")
def test_tools_can_write_to_their_own_folder_only(tmp_path: Path) -> None:
    folder, victim = tmp_path / "folder", tmp_path / "victim"
    folder.mkdir()
    victim.touch()
    script = "import pathlib, sys; pathlib.Path('own').touch(); pathlib.Path(sys.argv[1]).unlink()"
    ended = cover_process.run([sys.executable, "-c", script, str(victim)], 60.0, folder, {})
    assert ended.code == 1 and "PermissionError" in ended.errors
    assert victim.exists() and (folder / "own").exists()
