"""The run directory: what a search needs to resume, and what it found, as readable JSON.

A file is replaced in one step, so that a crash at any moment leaves the old one or the new one. A full disk costs the
directory, never the result: every write is tried, and only the first failure is reported. A state has a checksum: one
that was damaged could mislead a search instead of ending it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pessimal import json_values
from pessimal.errors import UsageError


class Store:
    """One directory for one search; without a directory nothing is kept, and all methods still work."""

    def __init__(self, directory: str | Path | None, warn: Callable[[str], None]) -> None:
        self._directory = None if directory is None else Path(directory)
        self._warn = warn
        self._warned = False
        if self._directory is not None:
            try:
                self._directory.mkdir(parents=True, exist_ok=True)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise UsageError(
                    f"--out {directory} cannot be created: {reason}: choose another directory", slug="out"
                ) from None

    def part(self, name: str) -> Store:
        """The store of one part of a run, such as one size of several; it keeps nothing if it cannot be created."""
        if self._directory is None:
            return self
        try:
            return Store(self._directory / name, self._warn)
        except UsageError as error:
            self._warn(f"{error}: the search continues without it")
            return Store(None, self._warn)

    def resume(self, identity: dict[str, Any]) -> dict[str, Any] | None:
        """The state of an unfinished search that is the same as this one; a different one is an error."""
        return self._sealed("state.json", identity)

    def resume_best(self, identity: dict[str, Any]) -> dict[str, Any] | None:
        """The best finding of an unfinished search, if it was kept after the state."""
        data = self._sealed("best.json", identity)
        return None if data is None else data["best"]

    def damaged(self, name: str = "state.json") -> UsageError:
        """The error for a state that cannot be resumed."""
        path = (self._directory or Path()) / name
        return UsageError(f"{path} is not the state of a search, or is damaged: remove it to start over", slug="out")

    def save_state(self, identity: dict[str, Any], state: dict[str, Any]) -> None:
        """Keep what is needed to resume."""
        self._write("state.json", json_values.sealed({"job": identity, **state}))

    def save_best(self, identity: dict[str, Any], best: dict[str, Any]) -> None:
        """Keep the best finding at once: the next state may take a while, and what was shown must not be lost."""
        self._write("best.json", json_values.sealed({"job": identity, "best": best}))

    def save_result(self, result: dict[str, Any], finished: bool) -> None:
        """Keep the result; a finished search has nothing to resume, unless its result could not be written."""
        is_written = self._write("result.json", json.dumps(result, indent=1) + "\n")
        if not finished or self._directory is None:
            return
        state, best = self._directory / "state.json", self._directory / "best.json"
        with suppress(OSError):
            if is_written:
                state.unlink(missing_ok=True)
            if not state.exists():
                best.unlink(missing_ok=True)

    def _sealed(self, name: str, identity: dict[str, Any]) -> dict[str, Any] | None:
        """What a file of this search holds."""
        data = self._read(name)
        if data is None:
            return None
        job = data.get("job")
        if not isinstance(job, dict):
            raise self.damaged(name)
        changed = sorted(key for key in identity if job.get(key) != identity[key])
        if changed:
            raise UsageError(
                f"--out {self._directory} holds an unfinished search with another {', '.join(changed)}: "
                "choose another directory or remove this one",
                slug="out",
            )
        try:
            return json_values.unsealed(data)
        except ValueError:
            raise self.damaged(name) from None

    def _read(self, name: str) -> dict[str, Any] | None:
        if self._directory is None:
            return None
        path = self._directory / name
        try:
            data = json_values.read(path, finite=False)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: {error}: remove it to start over", slug="out") from None
        if not isinstance(data, dict):
            raise self.damaged(name)
        return data

    def _write(self, name: str, text: str) -> bool:
        """Replace a file in one step; whether that worked."""
        if self._directory is None:
            return False
        path = self._directory / name
        temporary = path.with_suffix(".new")
        try:
            with temporary.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            _synchronise(self._directory)
            return True
        except OSError as error:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            if not self._warned:
                self._warned = True
                self._warn(f"{path} cannot be written ({error.strerror or error}): the search continues without it")
            return False


def _synchronise(directory: Path) -> None:
    """Let a replaced file survive that the machine fails."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
