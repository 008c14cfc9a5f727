"""One lane of ``cover`` after errors of ours: it goes on without flips, and ends with what it has found."""

from __future__ import annotations

from typing import Any

import pytest

from pessimal.covering.lane import CoverLane
from pessimal.covering.messages import BranchesKnown, CoverEnded, CoverProgress
from pessimal.covering.spec import CoverSpec, Place
from pessimal.errors import InternalError

DEFECT = InternalError('Traceback:\n  File "/a/flipping.py", line 3, in flip\nKeyError: 1\n')
KNOWN = BranchesKnown((), (), (), ())


def lane() -> CoverLane:
    return CoverLane(CoverSpec([Place.parse("textwrap")]), 0, None, lambda lane, message: None)


def test_after_an_internal_error_a_lane_goes_on_without_flips() -> None:
    covering = lane()
    tasks = covering.tasks()
    assert next(tasks).is_flipping
    covering.on_message(KNOWN)
    assert not tasks.throw(DEFECT).is_flipping
    end = CoverEnded("time is up", CoverProgress())
    with pytest.raises(StopIteration):
        tasks.send(end)
    assert (covering.end, covering.error) == (end, None)
    assert covering.defect == "internal error, please report it: KeyError: 1 (flipping.py:3)"


def test_a_second_internal_error_ends_a_lane_with_what_it_has() -> None:
    covering = lane()
    tasks = covering.tasks()
    next(tasks)
    covering.on_message(KNOWN)
    tasks.throw(DEFECT)
    with pytest.raises(StopIteration):
        tasks.throw(DEFECT)
    assert covering.end is not None
    assert (covering.end.stopped, covering.error) == ("an internal error", DEFECT)


def test_an_internal_error_before_anything_is_known_is_the_end() -> None:
    covering: Any = lane()
    tasks = covering.tasks()
    next(tasks)
    with pytest.raises(StopIteration):
        tasks.throw(DEFECT)
    assert covering.error is DEFECT
