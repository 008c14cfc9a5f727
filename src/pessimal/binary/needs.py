"""The packages that this front-end needs beyond those that every installation has."""

from __future__ import annotations

from importlib.util import find_spec

from pessimal.errors import UsageError

PACKAGES = ("unicorn", "capstone", "elftools")


def check() -> None:
    """Say in one line what to install, if something is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"binaries need {', '.join(missing)}, which is not installed",
            slug="missing",
            hint="pip install 'pessimal[binary]'",
        )
