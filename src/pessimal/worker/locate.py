"""The task of finding the line at which importing or preparing the target kills its process."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

from pessimal.fatal_runs import IMPORT
from pessimal.pool import Channel, Recorder
from pessimal.python.scope import is_standard
from pessimal.worker.opening import open_front_end
from pessimal.worker.tasks import LocateTask

_PACKAGE = str(Path(__file__).parents[1])


def locate(payload: bytes, channel: Channel) -> None:
    """Import and prepare the target, with every line of it in the flight recorder, which survives the process."""
    task = LocateTask.unpack(payload)
    if channel.recorder is not None:
        sys.settrace(_LineRecorder(channel.recorder).on_call)
    open_front_end(task.spec, channel, ends_at=task.ends_at).prepare()


class _LineRecorder:
    """Records the innermost line of the user's code that is being executed."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._is_users: dict[str, bool] = {}

    def on_call(self, frame: FrameType, event: str, argument: Any) -> Any:
        """The trace function of a new frame: only that of the user's code has one."""
        return self._on_event if self._belongs_to_user(frame) else None

    def _on_event(self, frame: FrameType, event: str, argument: Any) -> Any:
        place = frame.f_back if event == "return" else frame
        if place is not None and self._belongs_to_user(place):
            self._recorder.begin(IMPORT, f"{place.f_code.co_filename}, line {place.f_lineno}".encode(errors="replace"))
        return self._on_event

    def _belongs_to_user(self, frame: FrameType) -> bool:
        file = frame.f_code.co_filename
        if file not in self._is_users:
            self._is_users[file] = not (file.startswith((_PACKAGE, "<")) or is_standard(file))
        return self._is_users[file]
