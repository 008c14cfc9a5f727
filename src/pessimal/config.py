"""Defaults from ``[tool.pessimal]`` of the nearest pyproject.toml, under the same names as the options.

A table ``[tool.pessimal.stress]`` or ``[tool.pessimal.explore]`` holds what is meant for one command only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pessimal.errors import UsageError

SEVERAL = frozenset(
    ("black_box", "existing_tests", "input", "property", "require", "reward", "set", "set_solver", "var")
)
"""Options that can be given several times."""

FLAGS = frozenset(
    (
        *("allow_side_effects", "explain", "guided", "json", "no_existing_tests", "paper", "pyse_compatible"),
        *("quiet", "save_model"),
    )
)
"""Options that have no value on the command line."""


def defaults(commands: Mapping[str, Mapping[str, str]], start: Path) -> dict[str, dict[str, Any]]:
    """The defaults of each command's parameters, given the parameter behind each of its options."""
    found = _nearest(start)
    if found is None:
        return {}
    path, table = found
    _check_table(table, path, "tool.pessimal")
    shared = {key: value for key, value in table.items() if key not in commands}
    known = {name for names in commands.values() for name in names}
    _refuse_unknown(shared, known, path, "tool.pessimal")
    result = {}
    for command, names in commands.items():
        own = table.get(command, {})
        _check_table(own, path, f"tool.pessimal.{command}")
        _refuse_unknown(own, names, path, f"tool.pessimal.{command}")
        merged = {key.replace("-", "_"): value for key, value in {**shared, **own}.items()}
        result[command] = {names[key]: _value(key, value, path) for key, value in merged.items() if key in names}
    return result


def _value(key: str, value: Any, path: Path) -> Any:
    """The value as the command line takes it; a list of one for one text where there may be several."""
    if key in FLAGS:
        is_right, wanted = isinstance(value, bool), "true or false"
    elif key in SEVERAL:
        value = [value] if isinstance(value, str) else value
        is_right, wanted = isinstance(value, list) and all(isinstance(item, str) for item in value), "a list of texts"
    else:
        is_right, wanted = isinstance(value, str | int | float) and not isinstance(value, bool), "a text or a number"
    if not is_right:
        option = key.replace("_", "-")
        raise UsageError(f"{option} in {path} must be {wanted}, but is {value!r}", slug="config")
    return str(value) if isinstance(value, float) else value


def _nearest(start: Path) -> tuple[Path, Any] | None:
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            try:
                tools = tomllib.loads(path.read_text(encoding="utf-8")).get("tool")
            except (OSError, ValueError, RecursionError) as error:
                raise UsageError(f"{path} cannot be read: {error}: correct the file", slug="config") from None
            table = tools.get("pessimal") if isinstance(tools, dict) else None
            return None if table is None else (path, table)
    return None


def _check_table(table: object, path: Path, where: str) -> None:
    if not isinstance(table, dict):
        raise UsageError(
            f"[{where}] in {path} is not a table: write options under the heading [{where}]", slug="config"
        )


def _refuse_unknown(table: dict[str, Any], names: Collection[str], path: Path, where: str) -> None:
    for key in table:
        if key.replace("-", "_") not in names:
            known = ", ".join(sorted(name.replace("_", "-") for name in names))
            raise UsageError(
                f"[{where}] in {path} has the unknown option {key!r}: the options are {known}", slug="config"
            )
