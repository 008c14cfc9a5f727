"""What every bench ends with: a table for people and a JSON file for the next comparison."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

WIDTH = 200
RESULTS = Path(__file__).resolve().parent / "results"

Row = Mapping[str, Any]


def publish(name: str, title: str, rows: Sequence[Row]) -> None:
    """Print the rows under a title and write them to ``bench/results/NAME.json``."""
    Console(width=WIDTH).print(table(title, rows))
    save(name, title, rows)


def table(title: str, rows: Sequence[Row]) -> Table:
    """The rows with a column for each key, in the order in which the keys first occur."""
    result = Table(title=title, title_justify="left", box=SIMPLE)
    names = columns(rows)
    for name in names:
        numeric = any(isinstance(row.get(name), int | float) for row in rows)
        result.add_column(name, justify="right" if numeric else "left", no_wrap=True)
    for row in rows:
        result.add_row(*(cell(row.get(name)) for name in names))
    return result


def columns(rows: Sequence[Row]) -> list[str]:
    """Every key of any row, once."""
    return list(dict.fromkeys(key for row in rows for key in row))


def cell(value: object) -> str:
    """A value as people read it: three significant digits, thousands apart, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value)


def save(name: str, title: str, rows: Sequence[Row]) -> Path:
    """Write the rows with the date and what a reader must know of the machine; return the file."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = {"title": title, "date": date, "machine": machine(), "rows": [dict(row) for row in rows]}
    path.write_text(json.dumps(record, indent=2) + "\n")
    return path


def machine() -> dict[str, Any]:
    """What the figures depend on, without anything that identifies the machine."""
    return {
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
    }
