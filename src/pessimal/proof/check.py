"""Checking a certificate in a process of its own, where the target may run; this is the side of the parent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from pessimal.errors import UsageError
from pessimal.messages import PathsChecked
from pessimal.pool import Pool, Task, TaskRunner, WorkerDeath
from pessimal.search_spec import SearchSpec

Report = Callable[[PathsChecked], None]
"""Called with the progress of a check."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a certificate proves its claim and, if not, why; if ``sampled`` is set, only so many paths were run."""

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
        return f"no error found: if {self.maximum:.12g} is the maximum, {whole}; {self.sampled} of the paths checked"

    def to_json(self) -> dict[str, Any]:
        """The verdict as JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CheckTask(Task[PathsChecked, Verdict]):
    """The task of a worker process: check a certificate, or with ``sample`` only so many of its paths."""

    entry_point: ClassVar[str] = "pessimal.proof.checker:work"

    spec: SearchSpec
    certificate: Path
    sample: int | None
    ends_at: float | None = None


def check(
    spec: SearchSpec,
    certificate: str | Path,
    *,
    sample: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verdict:
    """Check a certificate for a target at a size; an interrupt or the end of the budget ends the check without a proof.

    With ``sample`` the tree is checked to be complete, but only so many random paths are run and checked by Z3.
    """
    if sample is not None and sample < 1:
        raise UsageError(f"--sample must be 1 or more, but is {sample}")
    seconds = spec.budget.seconds
    ends_at = None if seconds is None else monotonic() + seconds
    task = CheckTask(spec, Path(certificate).absolute(), sample, ends_at)
    reached = "before its first path"

    def on_message(message: PathsChecked) -> None:
        nonlocal reached
        reached = f"after {message.done} of {message.total} paths"
        progress(message.done, message.total)

    limits = spec.limits
    try:
        with Pool(workers=1) as pool:
            end = TaskRunner(pool, memory=limits.memory, run_seconds=limits.run_seconds).run(task, on_message)
    except KeyboardInterrupt:
        return Verdict(False, f"interrupted {reached}", 0, interrupted=True)
    if isinstance(end, WorkerDeath) and end.reason == "budget":
        return Verdict(False, f"the budget of {seconds:.3g}s was used up {reached}", 0)
    if isinstance(end, WorkerDeath):
        return Verdict(False, f"the process ended {reached} ({end.detail})", 0)
    return end
