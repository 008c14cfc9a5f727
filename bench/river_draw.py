"""Drawing the held-out parsers of bench-river from the package registry, by a seed and not by hand.

    python -m bench.river_draw --parsers 2 --seed 1
    python -m bench.river_draw --parsers 3 --seed 2        # three more, of those that were not looked at before

The candidates are shuffled, and the first are taken of which the newest release and one halfway back to the first can
be installed without compiled code and without other packages, have 100 branching statements or more, and read a sample.
What was drawn is added to ``bench/subjects/river.json``; what was drawn or left out before is not looked at again.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
from pathlib import Path

from bench.cells import ROOT
from bench.river_subjects import CANDIDATES, DRAWN, SIZE, Subject

FEWEST = 100


def branching(file: Path) -> int:
    """How many statements of a file decide what comes next; tests do not count."""
    if "test" in file.name:
        return 0
    try:
        return sum(isinstance(node, ast.If | ast.While | ast.For) for node in ast.walk(ast.parse(file.read_bytes())))
    except SyntaxError:
        return 0


def releases(package: str) -> list[str]:
    """The versions of a package, the newest first."""
    command = [sys.executable, "-m", "pip", "index", "versions", package]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    line = next((line for line in said.splitlines() if line.startswith("Available versions:")), ":")
    return [text.strip() for text in line.partition(":")[2].split(",") if text.strip()]


def reads(subject: Subject, version: str) -> bool:
    """Whether a version is pure Python, has branches enough, and reads a sample."""
    folder = subject.installed(version)
    if any(folder.rglob("*.so")) or sum(map(branching, folder.rglob("*.py"))) < FEWEST:
        return False
    code = f"from bench.subjects.river.{subject.module} import parse; parse({subject.samples[0]!r}[:{SIZE}])"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=False)
    return done.returncode == 0


def fitting(package: str) -> tuple[str, str] | None:
    """An older and the newest version, if both can be used."""
    found = releases(package)
    if len(found) < 2:
        return None
    versions = found[len(found) // 2], found[0]
    subject = Subject(package, versions, *CANDIDATES[package])
    try:
        return versions if all(reads(subject, version) for version in versions) else None
    except subprocess.CalledProcessError:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parsers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    before = json.loads(DRAWN.read_text()) if DRAWN.exists() else {"seeds": [], "left_out": [], "versions": {}}
    drawn, left_out = dict(before["versions"]), list(before["left_out"])
    names = sorted(CANDIDATES.keys() - drawn.keys() - set(left_out))
    random.Random(given.seed).shuffle(names)
    wanted = len(drawn) + given.parsers
    for name in names:
        if len(drawn) == wanted:
            break
        versions = fitting(name)
        print(name, versions or "left out", flush=True)
        if versions is None:
            left_out.append(name)
        else:
            drawn[name] = versions
    found = {"seeds": [*before["seeds"], given.seed], "left_out": left_out, "versions": drawn}
    DRAWN.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
