"""Which optional solvers are there: looked up once, and without importing them."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec


@cache
def has_bitwuzla() -> bool:
    """Whether the extra ``bitwuzla`` is installed."""
    return find_spec("bitwuzla") is not None
