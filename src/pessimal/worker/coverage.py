"""The task of measuring what the inputs of a search cover."""

from __future__ import annotations

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
    front_end = open_front_end(task.spec, channel)
    meter = front_end.coverage(task.places)
    end = monotonic() + MAX_SECONDS
    for index, leaves in task.inputs:
        if monotonic() > end:
            return
        channel.send(CoverageStarted(index))
        channel.send(CoverageMeasured(index, meter.run(leaves, task.spec.limits.run_seconds)))
