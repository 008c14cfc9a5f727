"""Other tools at the same work, each in an environment of its own, so that their pins do not bind ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GRACE_SECONDS = 60.0


def crosshair(subject: str, n: int, limit_seconds: float) -> dict[str, Any]:
    """One path of CrossHair through ``insertion_sort`` or ``bst`` on n symbolic integers.

    The answer has ``subject``, ``n``, ``branches``, ``seconds`` (of CPU), ``us_per_branch`` and ``finished``,
    which is false when the limit was reached; the figures then tell how far it came.
    """
    python = environment("crosshair")
    command = [python, "-m", "bench.crosshair_peer", subject, str(n), "--limit", str(limit_seconds)]
    wall = 10 * limit_seconds + GRACE_SECONDS
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, timeout=wall)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def environment(name: str) -> str:
    """The Python of the environment ``.venv-NAME``, made from ``requirements-NAME.txt`` when stale."""
    folder = ROOT / f".venv-{name}"
    requirements = ROOT / "bench" / f"requirements-{name}.txt"
    ready, wanted = folder / ".ready", requirements.read_text()
    if not ready.exists() or ready.read_text() != wanted:
        _install(folder, requirements)
        ready.write_text(wanted)
    return str(folder / "bin" / "python")


def _install(folder: Path, requirements: Path) -> None:
    print(f"making {folder.name} from {requirements.name}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "-r", str(requirements)], check=True, stdout=sys.stderr)
