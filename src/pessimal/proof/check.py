"""A certificate is checked in a process of its own, where the target may run; here is the side that waits for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cloudpickle

from pessimal.errors import InternalError, UsageError
from pessimal.pool import Died, Failed, Message, Pool
from pessimal.search_spec import SearchSpec

Tell = Callable[[int, int], None]
"""Is told how many of how many paths were looked at."""


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


def check(
    spec: SearchSpec,
    certificate: str | Path,
    *,
    sample: int | None = None,
    progress: Tell = lambda done, total: None,
) -> Verdict:
    """Check a certificate for a target at a size; an interrupt ends it without a proof.

    With ``sample`` all leaves are counted, but only so many paths drawn at random are run and asked Z3 about.
    """
    if sample is not None and sample < 1:
        raise UsageError(f"--sample must be 1 or more, but is {sample}")
    payload = cloudpickle.dumps((spec, Path(certificate).absolute(), sample))
    reached = "before its first path"
    try:
        with Pool(workers=1) as pool:
            handle = pool.submit("pessimal.proof.checker:work", payload, memory=spec.limits.memory, fresh=True)
            while True:
                for event in pool.wait([handle]):
                    if isinstance(event, Message):
                        reached = "after {} of {} paths".format(*event.value)
                        progress(*event.value)
                    elif isinstance(event, Died):
                        return Verdict(False, f"the process ended {reached} ({event.detail})", 0)
                    elif isinstance(event, Failed):
                        raise event.error if isinstance(event.error, BaseException) else InternalError(event.error)
                    else:
                        verdict: Verdict = event.value
                        return verdict
    except KeyboardInterrupt:
        return Verdict(False, f"interrupted {reached}", 0, interrupted=True)
