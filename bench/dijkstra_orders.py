"""The longest path of Dijkstra's algorithm, exactly, by counting orders: compiles and runs ``dijkstra_orders.cpp``.

    make bench-dijkstra-orders   3 to 6 nodes, about two minutes and 3 GB for the last

The figures are a second opinion on what exhaustive search proves; for six nodes they are the only proof.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from bench.table import publish

SOURCE = Path(__file__).with_suffix(".cpp")
NODES = (3, 4, 5, 6)
MEMORY = 6 << 30
"""Bytes that one count may use; more would take the machine from everybody else."""


def build(directory: Path) -> Path:
    """Compile the program; a machine without a compiler is told what it lacks."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        sys.exit("bench-dijkstra-orders needs a C++ compiler: install g++, or name another with CXX=...")
    program = directory / "orders"
    if subprocess.run([compiler, "-std=c++17", "-O2", "-o", program, SOURCE], check=False).returncode:
        sys.exit(f"{SOURCE.name} cannot be compiled by {compiler}")
    return program


def count(program: Path, nodes: int) -> dict[str, Any]:
    """One count in a process of its own, with its time and its largest memory."""
    start = monotonic()
    running = subprocess.Popen([program, str(nodes)], stdout=subprocess.PIPE, text=True, preexec_fn=_limit_memory)
    assert running.stdout is not None
    with running.stdout as lines:
        line = lines.read()
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        sys.exit(f"the count for {nodes} nodes ended with {running.returncode}: it may use {MEMORY >> 20} MiB")
    return {**json.loads(line), "seconds": monotonic() - start, "MiB": usage.ru_maxrss >> 10}


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main(nodes: Sequence[int] = NODES) -> None:
    """Count for each number of nodes, and publish."""
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        program = build(Path(directory))
        for number in nodes:
            rows.append(count(program, number))
            print(rows[-1], file=sys.stderr)
    publish("dijkstra-orders", "Dijkstra's algorithm, all orders of its heap", rows)


if __name__ == "__main__":
    main([int(number) for number in sys.argv[1:]] or NODES)
