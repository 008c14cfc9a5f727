"""Observing scenarios in a worker: the modules are imported in a sandbox, and each run has its limits."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pessimal.importing import ImportGuard, import_file, import_name
from pessimal.inputs.codec import Opaque
from pessimal.pool import Channel, audit, descriptors, sandbox
from pessimal.pool.run_guard import RunGuard
from pessimal.pool.scratch import inside, scratch_under
from pessimal.scenario import Plain, Scenario, parts
from pessimal.testfile.case import Module
from pessimal.testfile.observation import PROGRAM, Observation
from pessimal.testfile.observe import DENIED, CannotObserve, observe
from pessimal.testfile.tasks import Observed, ObserveTask

_IMPORT_SECONDS = 60.0


def observe_all(payload: bytes, channel: Channel) -> None:
    """Observe the scenarios of a task one after the other, and report each."""
    task = ObserveTask.unpack(payload)
    descriptors.discard(2)
    scratch = scratch_under(task.scratch, task.allow_side_effects)
    sandbox.confine(task.allow_side_effects, () if scratch is None else [scratch.path])
    sys.path[:] = [entry or str(Path.cwd()) for entry in sys.path]  # runs are in another directory
    load_modules(task.modules)
    files = [str(Path(module.file).resolve()) for module in task.modules if module.file is not None]
    for index, data in task.scenarios:
        channel.send(Observed(index))
        with inside(scratch):
            found = _observed(Scenario.from_json(data), files, task.run_seconds)
        channel.send(Observed(index, reason=found) if isinstance(found, str) else Observed(index, found.to_json()))


def load_modules(modules: Sequence[Module]) -> None:
    """Import modules by their files or names, so that scenarios find them under the names that they use."""
    with ImportGuard(_IMPORT_SECONDS, "what is to be covered"):
        for module in modules:
            if module.file is None:
                import_name(module.name)
            elif Path(module.file).is_file():
                _load(module, module.file)


def _load(module: Module, file: str) -> None:
    try:
        found = import_name(module.name)
    except Exception:
        import_file(file)
        return
    if getattr(found, "__file__", None) is None or not Path(str(found.__file__)).samefile(file):
        import_file(file)


def _observed(scenario: Scenario, files: Sequence[str], seconds: float) -> Observation | str:
    """What a scenario did, or why it is no test."""
    if any(_is_lost(part) for step in scenario.steps for item in step.arguments for part in parts(item)):
        return "one of its values cannot be written"
    arguments = sys.argv = ProgramArguments([PROGRAM])
    try:
        with RunGuard(seconds, patient=True):
            found = observe(scenario, files)
        if audit.guard.blocked:
            return DENIED
        return replace(found, in_scratch=audit.guard.touched, reads_arguments=arguments.were_read)
    except CannotObserve as error:
        return str(error)
    except sandbox.DeadlineExceeded:
        return "it did not end in time"
    except Exception as error:  # the target may have changed what this process works with
        return f"observing it raises {type(error).__name__}"


class ProgramArguments(list[str]):
    """The arguments of a program, which know whether they were looked at."""

    were_read = False

    def __getitem__(self, index: Any) -> Any:
        self.were_read = True
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[str]:
        self.were_read = True
        return super().__iter__()

    def __len__(self) -> int:
        self.were_read = True
        return super().__len__()


def _is_lost(part: object) -> bool:
    """Whether only the repr of a value is known."""
    return isinstance(part, Plain) and isinstance(part.value, Opaque)
