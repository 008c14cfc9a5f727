"""Calls of black boxes on samples, noted in the flight recorder: if one ends the process, the next process knows it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from pessimal.pool.recorder import Recorder

LONGEST = 200
"""Arguments with more characters than this are told apart by a digest."""


class SampleWatch:
    """Notes the call that is being made; those that are ``fatal``, by name and arguments or by name, are not made."""

    def __init__(self, recorder: Recorder | None = None, fatal: Iterable[str] = ()) -> None:
        self._recorder = recorder
        self._fatal = frozenset(fatal)

    def is_fatal(self, name: str) -> bool:
        """Whether a function must not be called on samples at all."""
        return name in self._fatal

    def begin(self, name: str, arguments: str) -> bool:
        """Note a call, and tell whether it may be made."""
        text = f"{name}{arguments}"
        if len(text) > LONGEST:
            text = f"{name}({sha256(arguments.encode(errors='replace')).hexdigest()})"
        if text in self._fatal:
            return False
        if self._recorder is not None:
            self._recorder.begin_sample(text.encode(errors="replace"))
        return True

    def end(self) -> None:
        """The call has ended."""
        if self._recorder is not None:
            self._recorder.end_sample()
