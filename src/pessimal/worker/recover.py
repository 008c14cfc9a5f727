"""The task of finding the input of a run that killed its process."""

from __future__ import annotations

from pessimal.expr import Leaf
from pessimal.pool import Channel
from pessimal.runs import Follow, Request
from pessimal.worker.opening import open_front_end
from pessimal.worker.tasks import RecoverTask


def recover(payload: bytes, channel: Channel) -> list[Leaf]:
    """Follow the decisions of the run and stop before its end: the input that leads there."""
    task = RecoverTask.unpack(payload)
    fatal = task.fatal
    front_end = open_front_end(task.spec, channel, [fatal], ends_at=task.ends_at)
    request = Request(Follow(fatal.decisions or b""), fatal.run.leaves, avoid=fatal.run.avoid)
    return front_end.run(request, task.spec.limits.run_seconds).leaves
