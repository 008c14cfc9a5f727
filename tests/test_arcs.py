"""Arcs are those that coverage.py reports, whatever its tracer sees."""

import importlib
import json
import os
import subprocess
import sys

import pytest

from pessimal.arcs import Arc, ArcMeter, first_line
from pessimal.covering.unreached import source_line
from pessimal.python.cover.branches import parts_of

SOURCE = """\
from contextlib import nullcontext

def several_lines(a, b):
    if (
        a > 1
        and b > 2
    ):
        return [
            a,
            b,
        ]
    for i in range(
        a
    ):
        b += i
    return b

def blocks(a):
    with nullcontext(a) as b:
        if b:
            a += 1
    while a > 3:
        with nullcontext(a), nullcontext():
            if a > 10:
                return 1
            a -= 1
    return a

several_lines(5, 5)
several_lines(2, 0)
blocks(0)
blocks(20)
blocks(4)
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "arcs_subject.py").write_text(SOURCE)
    yield str(tmp_path / "arcs_subject.py")
    sys.modules.pop("arcs_subject", None)


def reported(file, folder):
    """The branches that coverage.py itself says are taken."""
    run = [sys.executable, "-m", "coverage", "run", "--branch", f"--data-file={folder}/data", file]
    subprocess.run(run, check=True, cwd=folder, env={**os.environ, "COVERAGE_RCFILE": os.devnull})
    report = [sys.executable, "-m", "coverage", "json", f"--data-file={folder}/data", "-o", f"{folder}/report.json"]
    subprocess.run(report, check=True, cwd=folder, capture_output=True)
    (found,) = json.loads((folder / "report.json").read_text())["files"].values()
    return {Arc(file, *pair) for pair in found["executed_branches"]}, found["missing_branches"]


def test_branches_on_several_lines_and_out_of_with_blocks_are_taken(file, tmp_path):
    meter = ArcMeter([file])
    meter.name_files([file])
    with meter:
        module = importlib.import_module("arcs_subject")
    taken, missing = reported(file, tmp_path)
    branches = parts_of(file).branches
    assert branches.intersection(meter.new()) == taken
    assert missing == []
    assert meter.new() == []
    again = meter.taken_by(lambda: module.several_lines(5, 5))
    assert branches.intersection(again) == {Arc(file, 4, 8)}


def test_a_statement_is_known_by_its_first_line(file):
    assert [first_line(file, line) for line in (4, 5, 6, 9, 15)] == [4, 4, 4, 8, 15]
    assert first_line("no such file", 5) == 5
    assert source_line(file, 4) == "if (a > 1 and b > 2):"
    assert source_line(file, 20) == "if b:"
