"""The user's C compiler: found, called, and its complaints turned into one line."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from time import monotonic

from pessimal.errors import TargetError, UsageError

_ERROR = re.compile(r"^(?P<place>[^\n:]+:\d+(?::\d+)?): (?:fatal )?error: (?P<text>.+)$", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`']?(?P<name>\w+)")
_NOT_FOUND = re.compile(r"No such file|file not found")
_NO_HEADER = "configure or build the project first if that makes the header, or name its directory by --cc-flags -IDIR"
LONGEST_COMPILATION = 300.0


@dataclass(slots=True)
class _Limit:
    """Until when the compiler may run."""

    ends_at: float = inf


_limit = _Limit()


@cache
def compiler() -> str:
    """The command of the compiler: ``$CC``, or the first of the usual names."""
    named = os.environ.get("CC")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if found is None:
        wanted = f"$CC is {named!r}, which is no command" if named else "there is no cc, gcc or clang"
        raise UsageError(
            f"C targets need a C compiler, but {wanted}", slug="compiler", hint="apt-get install gcc libc6-dev"
        )
    return found


@cache
def version() -> str:
    """The version of the compiler, which is part of what a build depends on."""
    return subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False).stdout


def is_gcc() -> bool:
    """Whether the compiler is gcc, which can write down its control-flow graph."""
    return "Free Software Foundation" in version()


def call(arguments: Sequence[str | Path], directory: Path) -> bytes:
    """Run the compiler and return what it prints; its first error is raised as one line."""
    done = attempt(arguments, directory)
    if done.returncode:
        raise complaint(done.stderr.decode(errors="replace"))
    return done.stdout


def attempt(arguments: Sequence[str | Path], directory: Path) -> subprocess.CompletedProcess[bytes]:
    """Run the compiler, whatever it says."""
    command = [compiler(), *map(str, arguments)]
    environment = dict(os.environ, LC_ALL="C")
    longest = max(0.001, min(LONGEST_COMPILATION, _limit.ends_at - monotonic()))
    try:
        return subprocess.run(
            command, cwd=directory, capture_output=True, check=False, env=environment, timeout=longest,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        within = "300 s" if longest == LONGEST_COMPILATION else "the budget"
        raise TargetError(f"compiling did not end within {within}", hint="give it more time by --budget") from None


@contextmanager
def until(ends_at: float) -> Iterator[None]:
    """What is compiled inside ends by then, since a command keeps to its budget from start to exit."""
    before, _limit.ends_at = _limit.ends_at, ends_at
    try:
        yield
    finally:
        _limit.ends_at = before


def complaint(text: str) -> TargetError:
    """The first error of the compiler as one line."""
    first = _ERROR.search(text)
    if first is not None:
        hint = _NO_HEADER if _NOT_FOUND.search(first["text"]) else None
        return TargetError(f"it does not compile: {first['place']}: {first['text']}", slug="compile", hint=hint)
    missing = _UNDEFINED.search(text)
    if missing is not None:
        name = missing["name"]
        return TargetError(
            f"{name} is not defined: name the file or library that defines it in --cc-flags", slug="compile"
        )
    last = next((line for line in reversed(text.splitlines()) if line.strip()), "the compiler failed")
    return TargetError(f"it does not compile: {last}", slug="compile")


def cache_directory() -> Path:
    """Where builds are kept, by what they depend on."""
    base = os.environ.get("PESSIMAL_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "pessimal" / "c"


def digest(*parts: bytes | str) -> str:
    """The name of a build that depends on these."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "little") + data)
    return whole.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Flags:
    """What the user gives the compiler: flags for compiling, further source files, and what is linked."""

    compiling: tuple[str, ...]
    sources: tuple[str, ...]
    linking: tuple[str, ...]

    @classmethod
    def parse(cls, words: Sequence[str]) -> Flags:
        """Sort words such as ``-Iinclude other.c -lm``."""
        compiling: list[str] = []
        sources: list[str] = []
        linking: list[str] = []
        for word in words:
            if word.endswith((".c", ".C")) and not word.startswith("-"):
                sources.append(word)
            elif word.startswith(("-l", "-L", "-Wl,")) or word.endswith((".o", ".a", ".so")):
                linking.append(word)
            else:
                compiling.append(word)
            if word.startswith(("-fsanitize", "-pthread", "-fopenmp")):
                linking.append(word)
        return cls(tuple(compiling), tuple(sources), tuple(linking))
