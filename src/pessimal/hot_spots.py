"""Hot spots: lines that fixes have changed, mined from the history of a repository, for the reward ``hot``."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError

FIX = r"\b(fix(es|ed)?|bug(fix)?|regression|crash(es|ed)?|CVE-[0-9]+)\b"
"""What the message of a commit says if it fixes something."""


@dataclass(slots=True)
class HotSpots:
    """How often each line of today's files was last changed by a fix: the table that the reward ``hot`` reads."""

    lines: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The table as JSON values."""
        return dict(self.lines)


def mined(directory: str | Path = ".", pattern: str = FIX) -> HotSpots:
    """The lines of Python files that were last changed by a commit whose message has the pattern, by ``path:line``."""
    root = Path(directory)
    log = _git(
        root, "log", "--no-merges", "-i", "-P", f"--grep={pattern}", "--format=%x00%H", "--name-only", "--", "*.py"
    )
    fixes = {part.partition("\n")[0] for part in log.split("\0")[1:]}
    changed = {line for part in log.split("\0") for line in part.splitlines()[1:] if line.endswith(".py")}
    top = Path(_git(root, "rev-parse", "--show-toplevel").strip())
    found = HotSpots()
    for path in sorted(path for path in changed if (top / path).is_file()):
        for number, line in enumerate(_git(top, "blame", "-s", "-l", "--", path).splitlines(), 1):
            if line.split(" ", 1)[0].lstrip("^") in fixes:
                found.lines[f"{path}:{number}"] = 1
    return found


def _git(directory: Path, *arguments: str) -> str:
    command: Sequence[str] = ("git", "-C", str(directory), "-c", "core.quotepath=off", *arguments)
    try:
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}", slug="hot-spots") from None
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["git failed"])[-1]
        raise UsageError(f"{directory} has no history to mine: {reason}", slug="hot-spots")
    return done.stdout
