"""What is around every run of a target: no side effects, a deadline, and the process put back as it was before.

It is one class with two methods that no alarm interrupts, and not a pile of generators: an alarm between two of those
would leave the guard on and the deadline armed.
"""

from __future__ import annotations

from types import TracebackType

from pessimal.pool import audit, process_state
from pessimal.pool.alarm import Deadline, protect
from pessimal.pool.process_state import ProcessState


class RunGuard:
    """Blocks side effects and interrupts the block after some seconds; ``keeps_changes`` is for imports.

    With ``patient`` these are seconds in which the process has a core: what is short is not taken for slow.
    """

    def __init__(self, seconds: float, keeps_changes: bool = False, patient: bool = False) -> None:
        self._deadline = Deadline(seconds, patient)
        self._keeps_changes = keeps_changes

    @property
    def used(self) -> float:
        """How many seconds the target itself took, once the block has ended."""
        return self._deadline.used

    def __enter__(self) -> None:
        guard = audit.guard
        guard.blocked = []
        if self._keeps_changes:
            process_state.restore_modules()
        self._before = ProcessState()
        guard.active = guard.enabled
        self._deadline.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._deadline.__exit__(None, None, None)
        audit.guard.active = False
        if self._keeps_changes:
            process_state.accept()
        else:
            self._before.restore()


protect(RunGuard.__enter__.__code__)
protect(RunGuard.__exit__.__code__)
