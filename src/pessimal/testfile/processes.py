"""The processes that observe cases and run tests, in two pools with different hash seeds, started while others work."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from types import TracebackType

from pessimal.pool import Pool, TaskRunner
from pessimal.testfile.tasks import CheckTask

HASH_SEEDS = (1, 2)
MEMORY = 2 << 30
RUN_SECONDS = 5.0
AHEAD = 2
"""How many processes each pool starts ahead: one observes, one runs tests."""


class Processes:
    """Runs tasks under each hash seed."""

    def __init__(self) -> None:
        self._pools = {seed: Pool(workers=AHEAD, hash_seed=seed) for seed in HASH_SEEDS}

    def start_ahead(self) -> None:
        """Start the processes without waiting for them: on a busy machine that takes many seconds."""
        for pool in self._pools.values():
            pool.start_ahead(CheckTask.entry_point, AHEAD)

    def runner(self, seed: int) -> TaskRunner:
        """What runs tasks in fresh processes with a hash seed."""
        return TaskRunner(self._pools[seed], memory=MEMORY, run_seconds=RUN_SECONDS)

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pool in self._pools.values():
            pool.close()


def lent(processes: Processes | None) -> AbstractContextManager[Processes]:
    """Those of the caller, who ends them; new ones for the block if there are none."""
    return Processes() if processes is None else nullcontext(processes)
