"""The one execution that symbolic values report to while the target runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from pessimal.python.execution import PythonExecution


class NoExecution:
    """Stands where no target runs, so that a symbolic value that escaped from its run says so."""

    identity_hash = False
    position = 0

    def __getattr__(self, name: str) -> NoReturn:
        raise RuntimeError("a symbolic value is used outside of the run that it belongs to")


execution: PythonExecution = NoExecution()  # type: ignore[assignment]
