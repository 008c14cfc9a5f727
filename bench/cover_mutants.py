"""Mutation scores of written tests in bench-cover: how many mutants of a module mutmut's run of the tests notices.

The package of a module is copied beside its tests, and only the module is mutated. Modules of the standard library are
left out: pytest would run on their mutants itself. Of the others a seeded sample is taken, and of their mutants
another, the same for both tools. Tests that do not pass twice are left out, since mutmut asks for tests that pass.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.cover_process import log, python_with_subjects, run, sites
from bench.cover_tools import OURS, TESTS, Answer, Tools

COMPARED = (OURS, "pynguin")
MODULES = 8
NAMING_SECONDS, SECONDS = 120.0, 600.0
SHARED = [path for path in (Path("/dev/shm"),) if path.exists()]
"""Where the locks of mutmut's processes are."""
NOTICED = (1, 3, -24, 24, 152, 255, 36, -11, -9)
"""Exit codes of mutmut for mutants that fail a test, hang or crash."""
NAMING = """
from pathlib import Path
from mutmut import __main__ as mutmut
Path("mutants").mkdir()
mutmut.set_mutant_under_test("mutant_generation")
mutmut.copy_src_dir()
mutmut.copy_also_copy_files()
mutmut.setup_source_paths()
mutmut.create_mutants(1)
"""

Row = dict[str, Any]


def scores(tools: Tools, subjects: list[Row], answers: dict[str, Row], options: argparse.Namespace) -> list[str]:
    """The mutation scores of our tests and of Pynguin's on some modules, a line each."""
    chosen = sample(subjects, answers, options.seed)
    compared = [tool for tool in COMPARED if chosen and tool in answers[chosen[0]["module"]]]
    lines, sums = [], dict.fromkeys(compared, (0, 0))
    for subject in chosen:
        found = {tool: _score(tools, tool, subject, answers, options) for tool in compared}
        for tool, score in found.items():
            sums[tool] = (sums[tool][0] + score["noticed"], sums[tool][1] + score["tested"])
        texts = [f"{tool} {score['noticed']} of {score['tested']}" for tool, score in found.items()]
        lines.append(f"mutants of {subject['module']}: {', '.join(texts)}")
    lines += [f"mutation score of {tool}: {100 * one / max(1, other):.1f} %" for tool, (one, other) in sums.items()]
    if len(sums) == len(COMPARED):
        shares = [noticed / max(1, tested) for noticed, tested in sums.values()]
        lines.append(f"{'met' if shares[0] > shares[1] else 'NOT MET'}: mutation score ahead of Pynguin's")
    return lines


def sample(subjects: list[Row], answers: dict[str, Row], seed: int) -> list[Row]:
    """Some of the modules outside the standard library for which both tools wrote a test that passes."""

    def has_tests(module: str) -> bool:
        found = [answer for tool, answer in answers[module].items() if tool in COMPARED]
        return bool(found) and all(answer.get("passed twice") for answer in found)

    site = sites("cover")
    others = [item for item in subjects if Path(item["file"]).is_relative_to(site) and has_tests(item["module"])]
    return random.Random(seed).sample(others, min(MODULES, len(others)))


def _score(tools: Tools, tool: str, subject: Row, answers: dict[str, Row], options: argparse.Namespace) -> Answer:
    failing = answers[subject["module"]][tool]["failing"]
    asked = {"module": subject["module"], "seconds": options.seconds, "seed": options.seed, "mutants": options.mutants}

    def ask() -> Answer:
        with TemporaryDirectory() as folder:
            answer = mutated(Path(folder), tool, subject, failing, options)
        log(f"mutants of {subject['module']} {tool}: {answer}")
        return answer

    return tools.remembered([tool, "mutants", asked], ask)


def mutated(folder: Path, tool: str, subject: Row, failing: list[str], options: argparse.Namespace) -> Answer:
    """How many of a sample of mutants are noticed by the tests of a tool."""
    python = python_with_subjects("mutmut")
    file = _project(folder, tool, subject, failing)
    named = run([python, "-c", NAMING], NAMING_SECONDS, folder, {}, writable=SHARED)
    meta = folder / "mutants" / f"{file}.meta"
    if not meta.exists():
        return {"noticed": 0, "tested": 0, "error": named.complaint}
    names = sorted(json.loads(meta.read_text())["exit_code_by_key"])
    names = random.Random(options.seed).sample(names, min(options.mutants, len(names)))
    ended = run([python, "-m", "mutmut", "run", "--max-children", "2", *names], SECONDS, folder, {}, writable=SHARED)
    codes = json.loads(meta.read_text())["exit_code_by_key"]
    tested = [codes[name] for name in names if codes[name] is not None]
    answer = {"noticed": sum(code in NOTICED for code in tested), "tested": len(tested)}
    return answer if tested else {**answer, "error": ended.complaint}


def _project(folder: Path, tool: str, subject: Row, failing: list[str]) -> Path:
    """Lay out a project for mutmut; the file that is mutated, relative to it."""
    site = sites("cover")
    file = Path(subject["file"]).relative_to(site)
    top = site / file.parts[0]
    target = folder / "src" / file.parts[0]
    target.parent.mkdir()
    shutil.copytree(top, target) if top.is_dir() else shutil.copy(top, target)
    shutil.copytree(TESTS / tool / subject["module"], folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    deselected = [word for name in failing for word in ("--deselect", f"tests/{name.rpartition(os.sep)[2]}")]
    lines = ["[tool.mutmut]", 'source_paths = ["src"]', f"only_mutate = {json.dumps([f'src/{file}'])}"]
    lines += [f"pytest_add_cli_args = {json.dumps(['--timeout=10', *deselected])}"]
    lines += ['pytest_add_cli_args_test_selection = ["tests"]']
    (folder / "pyproject.toml").write_text("\n".join(lines) + "\n")
    return Path("src") / file
