"""The task of answering a question in a worker, where black boxes can do no harm."""

from __future__ import annotations

from pessimal.conditions import read_python
from pessimal.pool import Channel, descriptors, sandbox
from pessimal.solving.boxes import Boxes
from pessimal.solving.question import SolveResult, SolveTask
from pessimal.solving.settle import settle


def answer(payload: bytes, channel: Channel) -> SolveResult:
    """Load the boxes behind a sandbox, and settle the question there."""
    task = SolveTask.unpack(payload)
    question = task.question
    descriptors.discard(2)
    sandbox.confine(question.allow_side_effects, ())
    boxes = Boxes(question.text, question.black_boxes)
    condition = read_python(question.text, question.variables, boxes.boxes)
    result = settle(question, condition, task.seconds)
    result.notes += boxes.notes
    return result
