"""The targets of environments. Environments of one C function share the process that runs it; the last one ends it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pessimal.c.frontend import CFrontEnd
from pessimal.covering.c_goals import CGoals
from pessimal.gym.errors import UnusableTarget, unusable_target
from pessimal.gym.symbolic_runs import SymbolicRuns
from pessimal.inputs import Spec
from pessimal.target import Reference
from pessimal.target_spec import TargetSpec

SIZE = 8
_users: Counter[int] = Counter()


class SharedGoals:
    """The goals of a C function, for one of the environments that use it."""

    def __init__(self, target: str, size: int, inputs: Mapping[str, Spec | str] | None, cc_flags: str) -> None:
        with unusable_target():
            spec = _spec(target, size, inputs, cc_flags)
            if not str(getattr(spec.target, "file", "")).endswith(".c"):
                raise UnusableTarget(f"{target} is no function of a C file: give file.c:function")
            front_end = CFrontEnd(spec)
            self.goals = CGoals(front_end)
        self.process = front_end.executor.pid
        self._is_open = True
        _users[self.process] += 1

    def close(self) -> None:
        """Give up the use of the function; may be called again."""
        if not self._is_open:
            return
        _users[self.process] -= 1
        if not _users[self.process]:
            self.goals.close()
        self._is_open = False


def symbolic(target: str, size: int, inputs: Mapping[str, str] | None) -> SymbolicRuns:
    """The symbolic runs of a target."""
    with unusable_target():
        _check_exists(target)
        return SymbolicRuns(target, size, inputs or {})


def _spec(target: str, size: int, inputs: Mapping[str, Spec | str] | None, cc_flags: str) -> TargetSpec:
    _check_exists(target)
    return TargetSpec(Reference.parse(target), size, given=inputs or {}, cc_flags=cc_flags)


def _check_exists(target: str) -> None:
    file = target.partition(":")[0]
    if file.endswith((".c", ".py")) and not Path(file).exists():
        raise UnusableTarget(f"{file} does not exist: give file.c:function or file.py:function")
