"""What learning costs: one update of the network over its whole memory, and nothing for runs that do not learn."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

EXPERIENCES = 5000
HIDDEN = 2
BATCH = 64
REPEATS = 20

ROOT = Path(__file__).resolve().parent.parent

WITHOUT = {
    "import pessimal": "import pessimal",
    "stress --strategy climb": (
        "from pessimal.search_spec import SearchSpec\n"
        "from pessimal.python.frontend import PythonFrontEnd\n"
        "from pessimal.registry import STRATEGIES\n"
        "from pessimal.search.budget import Budget\n"
        "from pessimal.search.session import SearchSession\n"
        "from pessimal.target import Reference\n"
        "target = Reference.parse('tests/subjects/insertion_sort.py:insertion_sort')\n"
        "front_end = PythonFrontEnd(SearchSpec(target, 6, 'climb'))\n"
        "front_end.prepare()\n"
        "session = SearchSession(front_end, Budget(paths=200), seed=0, run_seconds=10.0, send=lambda message: None)\n"
        "session.conduct(STRATEGIES.make('climb'))\n"
    ),
}
"""Programs that learn nothing; the second searches in this process as a worker does in its own."""

Row = dict[str, Any]


def rows() -> list[Row]:
    """What was measured; without the learning library, only that it is not needed."""
    found = [{"what": f"{name} imports jax", "value": imports_jax(code)} for name, code in WITHOUT.items()]
    if find_spec("jax") is not None:
        first, later = update()
        what = f"update over {EXPERIENCES:,} experiences, hidden size {HIDDEN}, batches of {BATCH}"
        found.append({"what": f"{what}, ms", "value": 1000 * later})
        found.append({"what": "the first of them, compiled or read from the cache, ms", "value": 1000 * first})
    return found


def update() -> tuple[float, float]:
    """The seconds of the first update, and the median of those after it."""
    import numpy as np

    from pessimal.learn.network import QNetwork

    steps, features = 3, 3
    rng = np.random.default_rng(0)
    network = QNetwork(steps, features, HIDDEN, rng, is_blank=False)
    memory = (
        rng.standard_normal((EXPERIENCES, steps, features)).astype(np.float32),
        rng.integers(0, 2, EXPERIENCES).astype(np.int32),
        np.ones(EXPERIENCES, np.float32),
        rng.standard_normal((EXPERIENCES, steps, features)).astype(np.float32),
        rng.integers(0, 2, EXPERIENCES).astype(np.float32),
    )
    times = []
    for _ in range(REPEATS + 1):
        started = perf_counter()
        network.learn(memory, EXPERIENCES, rng=rng, size=BATCH, rate=0.01)
        times.append(perf_counter() - started)
    return times[0], median(times[1:])


def imports_jax(code: str) -> bool:
    """Whether the learning library is there after a program has run in a fresh process."""
    program = f"{code}\nimport sys\nprint('jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()[-1] == "True"


if __name__ == "__main__":
    for row in rows():
        print(row["what"], row["value"])
