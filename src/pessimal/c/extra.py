"""The packages that only C targets need, imported when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from pessimal.errors import UsageError


def load(module: str) -> Any:
    """A module of the extra ``c``, or one line that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0].replace("_", "-").replace("elftools", "pyelftools")
        raise UsageError(
            f"C targets need the package {package}", slug="missing", hint="pip install 'pessimal[c]'"
        ) from None
