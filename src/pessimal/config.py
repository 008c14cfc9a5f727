"""Defaults from ``[tool.pessimal]`` of the nearest pyproject.toml, under the same names as the options.

A table ``[tool.pessimal.stress]`` or ``[tool.pessimal.explore]`` holds what is meant for one command only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError

SEVERAL = frozenset(("input", "require", "set"))


def defaults(commands: Mapping[str, Mapping[str, str]], start: Path) -> dict[str, dict[str, Any]]:
    """The defaults of each command's parameters, given the parameter behind each of its options."""
    found = _nearest(start)
    if found is None:
        return {}
    path, table = found
    shared = {key: value for key, value in table.items() if key not in commands}
    known = {name for names in commands.values() for name in names}
    _refuse_unknown(shared, known, path, "tool.pessimal")
    result = {}
    for command, names in commands.items():
        own = table.get(command, {})
        _refuse_unknown(own, names, path, f"tool.pessimal.{command}")
        merged = {key.replace("-", "_"): value for key, value in {**shared, **own}.items()}
        result[command] = {names[key]: _value(key, value) for key, value in merged.items() if key in names}
    return result


def _value(key: str, value: Any) -> Any:
    """A list of one where a single text is given for an option that can be given several times."""
    return [value] if key in SEVERAL and isinstance(value, str) else value


def _nearest(start: Path) -> tuple[Path, dict[str, Any]] | None:
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            try:
                table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("pessimal")
            except (OSError, ValueError) as error:
                raise UsageError(f"{path} cannot be read: {error}: correct the file", slug="config") from None
            return (path, table) if isinstance(table, dict) else None
    return None


def _refuse_unknown(table: object, names: Collection[str], path: Path, where: str) -> None:
    if not isinstance(table, dict):
        raise UsageError(
            f"[{where}] in {path} is not a table: write options under the heading [{where}]", slug="config"
        )
    for key in table:
        if key.replace("-", "_") not in names:
            known = ", ".join(sorted(name.replace("_", "-") for name in names))
            raise UsageError(
                f"[{where}] in {path} has the unknown option {key!r}: the options are {known}", slug="config"
            )
