"""A certificate is checked in a process of its own, where the target may run; here is the side that waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from pessimal.errors import UsageError
from pessimal.messages import PathsChecked
from pessimal.pool import Pool, Task, TaskRunner, WorkerDeath
from pessimal.search_spec import SearchSpec

Report = Callable[[PathsChecked], None]
"""Is called with how far a check has come."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a certificate proves its claim; if not, why. ``sampled`` paths alone were run if it is not None."""

    holds: bool
    reason: str
    maximum: float
    paths: int = 0
    infeasible: int = 0
    sampled: int | None = None
    interrupted: bool = False

    def __str__(self) -> str:
        if not self.holds:
            return f"not proved: {self.reason}"
        whole = f"{self.paths} paths and {self.infeasible} infeasible directions are the whole tree"
        if self.sampled is None:
            return f"proved: {self.maximum:.12g} is the maximum; {whole}, each of them checked"
        return f"no fault found: if {self.maximum:.12g} is the maximum, {whole}; {self.sampled} of the paths checked"

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CheckTask(Task[PathsChecked, Verdict]):
    """Check a certificate, or with ``sample`` so many of its paths, where the target may run."""

    entry_point: ClassVar[str] = "pessimal.proof.checker:work"

    spec: SearchSpec
    certificate: Path
    sample: int | None


def check(
    spec: SearchSpec,
    certificate: str | Path,
    *,
    sample: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verdict:
    """Check a certificate for a target at a size; an interrupt ends it without a proof.

    With ``sample`` all leaves are counted, but only so many paths drawn at random are run and asked Z3 about.
    """
    if sample is not None and sample < 1:
        raise UsageError(f"--sample must be 1 or more, but is {sample}")
    task = CheckTask(spec, Path(certificate).absolute(), sample)
    reached = "before its first path"

    def on_message(message: PathsChecked) -> None:
        nonlocal reached
        reached = f"after {message.done} of {message.total} paths"
        progress(message.done, message.total)

    limits = spec.limits
    try:
        with (
            Pool(workers=1) as pool,
            TaskRunner(pool, memory=limits.memory, run_seconds=limits.run_seconds) as runner,
        ):
            end = runner.run(task, on_message)
    except KeyboardInterrupt:
        return Verdict(False, f"interrupted {reached}", 0, interrupted=True)
    if isinstance(end, WorkerDeath):
        return Verdict(False, f"the process ended {reached} ({end.detail})", 0)
    return end
