"""C functions that others wrote: what the agent, other algorithms, and ``auto`` with and without the agent cover.

Every method has the same number of evaluations. What was measured of a function is kept, so that an interrupted bench
goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

from bench.c_draw import drawn
from bench.cells import commit
from bench.table import RESULTS
from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_command import DEFAULT_SIZE
from pessimal.covering.c_search import CSearch
from pessimal.errors import UsageError
from pessimal.learn.agent_file import Agent
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec

METHODS = ("agent", "avm", "random", "auto", "auto without")
"""The last two are ``auto`` as it is, and without the agent among its members."""
KEPT = RESULTS / "qtip-wild-cells.jsonl"

Row = dict[str, Any]


def wild(options: argparse.Namespace, agent: Agent) -> list[Row]:
    """Branches covered of drawn functions by each method, with the same number of evaluations; means of some seeds."""
    known = _known()
    rows: list[Row] = []
    for file, function, flags in drawn(options.seed, options.functions):
        asked = [commit(), options.model, options.seed, options.evaluations, options.seeds, file.name, function]
        key = json.dumps(asked)
        if key not in known:
            known[key] = _row(file, function, flags, agent, options)
            with KEPT.open("a") as cells:
                cells.write(json.dumps({"key": key, "row": known[key]}) + "\n")
        rows.append(known[key])
        print(rows[-1], flush=True)
    return [*rows, _sums(rows)]


def _known() -> dict[str, Row]:
    lines = KEPT.read_text().splitlines() if KEPT.exists() else []
    return {item["key"]: item["row"] for item in map(json.loads, lines)}


def _row(file: Path, function: str, flags: str, agent: Agent, options: argparse.Namespace) -> Row:
    row: Row = {"file": file.name, "function": function}
    spec = TargetSpec(Reference(str(file), None, function), DEFAULT_SIZE, cc_flags=flags, growing=True)
    try:
        front_end = CFrontEnd(spec)
    except UsageError as error:
        return row | {"refused": str(error).replace(f"{file.parent}/", "")[:80]}
    for method in METHODS:
        began, found = time.process_time(), []
        for seed in range(options.seeds):
            search = CSearch(front_end, seed, agent=agent if method in ("agent", "auto") else None)
            search.search(method.partition(" ")[0], ends_at=inf, runs=options.evaluations)
            found.append(len(search.goals) - len(search.missing))
        row |= {"branches": len(search.goals), method: round(sum(found) / len(found), 2)}
        row[f"{method} s"] = round(time.process_time() - began, 2)
    front_end.close()
    return row


def _sums(rows: Sequence[Row]) -> Row:
    made = [row for row in rows if "refused" not in row]
    sums: Row = {name: round(sum(row[name] for row in made), 2) for name in ("branches", *METHODS)} if made else {}
    for rival in METHODS[1:3]:
        sums[f"less than {rival}"] = sum(row["agent"] < row[rival] for row in made)
        sums[f"more than {rival}"] = sum(row["agent"] > row[rival] for row in made)
    return {"file": "all", "function": f"{len(made)} of {len(rows)}", **sums}
