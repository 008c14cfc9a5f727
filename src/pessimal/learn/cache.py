"""Where compiled functions are kept, so that each is compiled once per machine and not once per run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import jax


def cache_directory() -> Path:
    """The user's cache directory for us; ``PESSIMAL_CACHE`` says otherwise."""
    given = os.environ.get("PESSIMAL_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pessimal"


def use_compile_cache() -> None:
    """Let JAX keep what it compiles, however quickly that was."""
    update: Any = jax.config.update
    update("jax_compilation_cache_dir", str(cache_directory() / "jax"))
    update("jax_persistent_cache_min_compile_time_secs", 0.0)
    update("jax_persistent_cache_min_entry_size_bytes", -1)
