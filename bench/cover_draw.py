"""Drawing the modules of bench-cover from the standard library and from packages that others wrote, by a seed.

    .venv-cover/bin/python -m bench.cover_draw --modules 28 --seed 1

A module is a candidate if it is pure Python with 30 to 400 branches by coverage.py's count, has public functions or
classes, does not itself import what reaches files, processes, threads, the network or a screen, calls none of ``open``,
``input``, ``exec``, ``eval``, is not one that the judge itself runs on, and can be imported alone: without output,
without writing files, without starting threads and without the network. Half of the modules are hinted (at least 80 %
of the parameters), half are not (at most 20 %); of the latter half come from the standard library. At most two are of
one package. What was drawn is written to
``bench/subjects/cover.json``; it is drawn again only if the packages change.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import pytest  # noqa: F401 - what it imports is left out

from bench.cover_measure import total_branches

FILE = Path(__file__).parent / "subjects" / "cover.json"
REQUIREMENTS = Path(__file__).parent / "requirements-cover.in"
TOOLS = ("atheris", "black", "coverage", "hypothesis", "pytest", "pytest-timeout", "typeshed-client")
FEWEST, MOST = 30, 400
HINTED, UNHINTED = 0.8, 0.2
MOST_OF_PACKAGE = 2
SECONDS = 20.0
SKIPPED = ("test", "tests", "conftest", "setup", "site-packages", "idlelib", "lib2to3", "tkinter", "turtledemo")
EFFECTS = (
    *("asyncio", "atexit", "concurrent", "ctypes", "curses", "dbm", "fcntl", "fileinput", "ftplib", "getpass", "glob"),
    *(
        "http",
        "imaplib",
        "logging",
        "mmap",
        "multiprocessing",
        "os",
        "pathlib",
        "poplib",
        "pty",
        "readline",
        "requests",
    ),
    *("resource", "select", "selectors", "shelve", "shutil", "signal", "smtplib", "socket", "socketserver", "sqlite3"),
    *(
        "ssl",
        "subprocess",
        "tempfile",
        "termios",
        "threading",
        "_thread",
        "tkinter",
        "turtle",
        "urllib.request",
        "venv",
    ),
    *("webbrowser", "winreg", "zipfile", "tarfile", "builtins.open"),
)
CALLS = ("open", "input", "exec", "eval", "__import__")
JUDGES = frozenset(sys.modules)
"""What coverage.py and pytest import."""
IMPORTING = """
import sys
seen = []
def watch(event, arguments):
    is_write = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if is_write or event.split(".")[0] in ("socket", "subprocess", "shutil") or event in ("os.remove", "os.mkdir"):
        seen.append(event)
import threading
sys.addaudithook(watch)
__import__(sys.argv[1])
sys.exit(bool(seen) or threading.active_count() > 1)
"""

Subject = dict[str, Any]


def main() -> None:
    """Draw modules and write them down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", type=int, default=28)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    standard, others = candidates(standard_files()), candidates(package_files())
    half, quarter = options.modules - options.modules // 2, options.modules // 4
    drawn = draw(rng, [item for item in others if item["hinted"] >= HINTED], half)
    drawn += draw(rng, [item for item in standard if item["hinted"] <= UNHINTED], quarter)
    drawn += draw(rng, [item for item in others if item["hinted"] <= UNHINTED], options.modules - half - quarter)
    FILE.write_text(json.dumps(sorted(drawn, key=lambda item: str(item["module"])), indent=1) + "\n")


def standard_files() -> Iterator[tuple[str, str, Path]]:
    """The package, the name and the file of every public module of the standard library."""
    root = Path(sysconfig.get_path("stdlib"))
    for path in sorted([*root.glob("*.py"), *root.glob("*/*.py"), *root.glob("*/*/*.py")]):
        name = module_name(path.relative_to(root))
        if name is not None:
            yield name.partition(".")[0], name, path


def package_files() -> Iterator[tuple[str, str, Path]]:
    """The same of every package that is named in the requirements."""
    names = [line.strip() for line in REQUIREMENTS.read_text().splitlines() if line and not line.startswith("#")]
    for package in sorted(set(names) - set(TOOLS)):
        try:
            inside = files(package) or []
        except PackageNotFoundError:
            continue
        for item in sorted(inside):
            name = module_name(Path(item)) if item.suffix == ".py" else None
            if name is not None:
                yield package, name, Path(str(item.locate()))


def module_name(path: Path) -> str | None:
    """The dotted name of a module by its file; None if it is private or of no interest."""
    parts = [*path.parent.parts, *([] if path.stem == "__init__" else [path.stem])]
    is_public = parts and all(part.isidentifier() and not part.startswith("_") for part in parts)
    return ".".join(parts) if is_public and not set(parts) & set(SKIPPED) else None


def candidates(found: Iterator[tuple[str, str, Path]]) -> list[Subject]:
    """The modules whose source meets the rules, with their branches and the share of parameters with hints."""
    kept = []
    for package, name, path in found:
        try:
            tree = ast.parse(path.read_text())
        except (SyntaxError, UnicodeDecodeError):
            continue
        if name not in JUDGES and is_harmless(tree) and has_public(tree) and not is_effect(name):
            branches = total_branches(path)
            if FEWEST <= branches <= MOST:
                kept.append({"package": package, "module": name, "branches": branches, "hinted": hinted(tree)})
    return kept


def is_harmless(tree: ast.Module) -> bool:
    """Whether a module itself neither imports what has effects nor calls it."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and called(node.func) in CALLS:
            return False
        if any(map(is_effect, names)):
            return False
    return True


def called(function: ast.expr) -> str | None:
    """The last part of the name of what is called."""
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", None)


def is_effect(name: str) -> bool:
    """Whether a module has effects, or is part of one that has."""
    return any(name == effect or name.startswith(f"{effect}.") for effect in EFFECTS)


def has_public(tree: ast.Module) -> bool:
    """Whether a module defines something for others to call."""
    definitions = (ast.FunctionDef, ast.ClassDef)
    return any(isinstance(node, definitions) and not node.name.startswith("_") for node in tree.body)


def hinted(tree: ast.Module) -> float:
    """The share of parameters that have hints."""
    functions = [node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    parameters = [item for args in functions for item in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    named = [item for item in parameters if item.arg not in ("self", "cls")]
    return round(sum(item.annotation is not None for item in named) / max(1, len(named)), 3)


def draw(rng: random.Random, subjects: list[Subject], number: int) -> list[Subject]:
    """So many of the subjects, a package first and then one of its modules, if it can be imported."""
    left, taken = list(subjects), Counter[str]()
    drawn: list[Subject] = []
    while left and len(drawn) < number:
        package = rng.choice(sorted({item["package"] for item in left}))
        subject = rng.choice([item for item in left if item["package"] == package])
        left.remove(subject)
        if not can_be_imported(subject["module"]):
            continue
        drawn.append(subject)
        taken[package] += 1
        print(f"{len(drawn):3} {subject['module']} {subject['branches']} branches", flush=True)
        if taken[package] == MOST_OF_PACKAGE:
            left = [item for item in left if item["package"] != package]
    return drawn


def can_be_imported(module: str) -> bool:
    """Whether a module can be imported alone, quietly and without effects."""
    command = [sys.executable, "-W", "ignore", "-c", IMPORTING, module]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and not done.stdout and not done.stderr


if __name__ == "__main__":
    main()
