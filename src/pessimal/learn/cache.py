"""Where compiled functions are cached, so that each is compiled once per machine and not once per run."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any


def cache_directory() -> Path:
    """Pessimal's directory in the user's cache; ``PESSIMAL_CACHE`` overrides it."""
    given = os.environ.get("PESSIMAL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pessimal"


def compile_cache() -> Path:
    """The directory of JAX's compiled functions, made if it can be."""
    directory = cache_directory() / "jax"
    with suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
    return directory


def use_compile_cache() -> None:
    """Let JAX cache everything that it compiles, however little time that took."""
    import jax

    update: Any = jax.config.update
    update("jax_compilation_cache_dir", str(compile_cache()))
    update("jax_persistent_cache_min_compile_time_secs", 0.0)
    update("jax_persistent_cache_min_entry_size_bytes", -1)
