"""The task of measuring what the inputs of a search cover."""

from __future__ import annotations

from math import inf
from time import monotonic

from pessimal.messages import CoverageMeasured, CoverageStarted
from pessimal.pool import Channel
from pessimal.worker.opening import open_front_end
from pessimal.worker.tasks import CoverageTask

MAX_SECONDS = 10.0
"""How long coverage is measured for an explanation; the inputs that are left then are not run."""


def measure(payload: bytes, channel: Channel) -> None:
    """Run inputs natively and send which ways through its lines the target went."""
    task = CoverageTask.unpack(payload)
    front_end = open_front_end(task.spec, channel, ends_at=task.ends_at)
    meter = front_end.coverage(task.places)
    end = min(monotonic() + MAX_SECONDS, task.ends_at or inf)
    for index, leaves in task.inputs:
        if monotonic() > end:
            return
        channel.send(CoverageStarted(index))
        seconds = min(task.spec.limits.run_seconds, max(0.05, end - monotonic()))
        channel.send(CoverageMeasured(index, meter.run(leaves, seconds)))
