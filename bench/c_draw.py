"""Draws C functions of strangers by a seed: from the source packages that requirements-c.txt names."""

from __future__ import annotations

import random
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from bench.peers import ROOT
from pessimal.c.build import flags_for, sources_of
from pessimal.errors import UsageError

FOLDER = ROOT / "bench" / "results" / "c-sources"
LEAST_TESTS = 2


def drawn(seed: int, count: int) -> Iterator[tuple[Path, str, str]]:
    """Files, functions in them that have at least two tests, and the flags that they compile with."""
    packages = sorted(item for item in _unpacked().iterdir() if item.is_dir())
    files = [file for package in packages for file in sorted(package.rglob("*.c"))]
    rng = random.Random(seed)
    rng.shuffle(files)
    for file in files:
        if count <= 0:
            return
        package = next(item for item in packages if item in file.parents)
        flags = _flags(file, package)
        function = None if flags is None else _function(file, flags, rng)
        if flags is not None and function is not None:
            count -= 1
            yield file, function, flags


def _flags(file: Path, package: Path) -> str | None:
    """The include paths that a file compiles with, as few as possible, since headers share names; None if none do."""
    folders = sorted({header.parent for header in package.rglob("*.h")})
    roots = [package, *(folder for folder in folders if folder.name in ("include", "src", "lib"))]
    for paths in ([], roots, folders):
        flags = " ".join(f"-I{folder}" for folder in paths)
        words = ["gcc", "-w", "-fsyntax-only", *flags.split(), str(file)]
        if subprocess.run(words, capture_output=True, check=False).returncode == 0:
            return flags
    return None


def _function(file: Path, flags: str, rng: random.Random) -> str | None:
    """A function of a file; None if the file tests nothing."""
    try:
        source = sources_of(file, flags_for(file, flags))[0].instrumented
    except UsageError:
        return None
    own_tests = [test for test in source.tests if Path(test.site.file).name == file.name]  # headers have functions, too
    counts = {name: sum(test.site.function == name for test in own_tests) for name in source.functions}
    own = sorted(name for name, tests in counts.items() if tests >= LEAST_TESTS)
    return rng.choice(own) if own else None


def _unpacked() -> Path:
    """The directory with the packages, downloaded the first time."""
    if not FOLDER.is_dir():
        FOLDER.mkdir(parents=True)
        for name in (ROOT / "bench" / "requirements-c.txt").read_text().splitlines():
            if not name.startswith("#"):
                command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
                subprocess.run([*command, "--no-build-isolation", "--dest", FOLDER, name], check=False)
        for archive in sorted(FOLDER.glob("*.tar.gz")):
            with tarfile.open(archive) as tar:
                tar.extractall(FOLDER, filter="data")
    return FOLDER
