"""The task of answering a question in a worker, which calls black boxes in a process of their own."""

from __future__ import annotations

from contextlib import closing
from time import monotonic

from pessimal.conditions import read_python
from pessimal.pool import Channel
from pessimal.solving.boxes import Boxes
from pessimal.solving.question import SolveResult, SolveTask
from pessimal.solving.settle import settle


def answer(payload: bytes, channel: Channel) -> SolveResult:
    """Load the boxes behind a fence, and settle the question on this side of it."""
    task = SolveTask.unpack(payload)
    question, deadline = task.question, monotonic() + task.seconds
    with closing(Boxes(question.text, question.black_boxes, question.allow_side_effects, deadline)) as boxes:
        condition = read_python(question.text, question.variables, boxes.boxes)
        result = settle(question, condition, deadline - monotonic())
        boxes.check_again()
        result.notes += boxes.notes
    return result
