"""Verifying a test file: its new tests run twice in new processes, and what does not pass both times is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from time import monotonic

from pessimal.errors import InternalError, TargetError
from pessimal.pool import TaskRunner, WorkerDeath
from pessimal.testfile.case import Case
from pessimal.testfile.document import Plan, Written, written
from pessimal.testfile.loading import fresh_path, pytest_root
from pessimal.testfile.observation import Observation
from pessimal.testfile.observing import NO_TIME, SILENT_SECONDS
from pessimal.testfile.processes import HASH_SEEDS, RUN_SECONDS, Processes, lent
from pessimal.testfile.tasks import BROKE_PYTEST, CheckTask, TestReport

NO_PYTEST = "pytest is not installed, so the written tests were not run: pip install pytest"


ArcRow = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A test that was not written: the number of its case, its name, and why."""

    number: int
    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(slots=True)
class Verified:
    """A test file, the tests that are not in it because they did not pass twice, and notes, such as of lack of time."""

    written: Written
    dropped: list[Dropped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    arcs: frozenset[ArcRow] | None = None
    """What the new tests take in the modules under test; None if not all of them were run as they are written."""


def verified(
    found: Sequence[tuple[Case, Observation]],
    plan: Plan,
    before: str | None = None,
    *,
    ends_at: float,
    allow_side_effects: bool = False,
    scratch: str | None = None,
    processes: Processes | None = None,
) -> Verified:
    """The test file for some cases, without the tests that fail or flap; numbers are those of the cases given.

    A test that there was no time to run is dropped, too. When others are dropped, the rest is run again, since it is
    written differently then; what passed before stays if there is no time for that.
    """
    numbers = list(range(len(found)))
    passed: set[int] = set()
    result = Verified(written(found, plan, before))
    if find_spec("pytest") is None:
        result.notes.append(NO_PYTEST)
        return result
    while nodes := {name: numbers[index] for name, index in result.written.nodes.items()}:
        check = _Check(result.written, plan, allow_side_effects, scratch)
        with lent(processes) as pools:
            check.run_twice(pools, ends_at)
        failures = {name: why for name, why in check.failures.items() if why != NO_TIME or nodes[name] not in passed}
        if not failures:
            result.arcs = frozenset(check.arcs) if not check.failures else None
            break
        passed |= {number for name, number in nodes.items() if name not in check.failures}
        result.dropped += [Dropped(nodes[name], name, reason) for name, reason in failures.items()]
        gone = {nodes[name] for name in failures}
        numbers = [number for number in numbers if number not in gone]
        result.written = written([found[number] for number in numbers], plan, before)
    return result


class _Check:
    """Two runs of the new tests of a file: those that do not pass both times, and what the first run takes."""

    def __init__(self, file: Written, plan: Plan, allow_side_effects: bool, scratch: str | None) -> None:
        self._scratch = scratch
        self._file = file
        self._plan = plan
        self._allow_side_effects = allow_side_effects
        self._current = ""
        self._passed: set[str] = set()
        self.failures: dict[str, str] = {}
        self.arcs: set[ArcRow] = set()

    def run_twice(self, processes: Processes, ends_at: float) -> None:
        """Run the tests under each of the hash seeds; what is run once only counts as not run."""
        for left, seed in zip(range(len(HASH_SEEDS), 0, -1), HASH_SEEDS, strict=True):
            arcs, self.arcs = self.arcs, set()
            self._passed = set()
            self._run(processes.runner(seed), monotonic() + (ends_at - monotonic()) / left)
            self.arcs = arcs or self.arcs

    def _on_report(self, report: TestReport) -> None:
        self._current = report.name if report.passed is None else ""
        self.arcs |= {(file, line, to) for file, line, to in report.arcs}
        if report.passed:
            self._passed.add(report.name)
        elif report.passed is False:
            self.failures[report.name] = report.reason

    def _run(self, runner: TaskRunner, ends_at: float) -> None:
        """Run the tests that did not fail yet; the one that kills the process is found, and the rest runs again."""
        while waiting := [name for name in self._file.nodes if name not in self._passed | self.failures.keys()]:
            end: str | WorkerDeath = NO_TIME
            if monotonic() < ends_at:
                end = self._checked(runner, waiting, ends_at)
            reason = end.text if isinstance(end, WorkerDeath) else end
            if isinstance(end, WorkerDeath) and self._current and end.reason != "budget":
                self.failures[self._current] = f"it {reason}"
                continue
            if end == BROKE_PYTEST:  # the test that did so is among the failures
                continue
            missing = NO_TIME if monotonic() >= ends_at else reason or "pytest did not run it"
            left = [name for name in waiting if name not in self._passed | self.failures.keys()]
            self.failures |= dict.fromkeys(left, missing)
            return

    def _checked(self, runner: TaskRunner, waiting: Sequence[str], ends_at: float) -> str | WorkerDeath:
        try:
            return runner.run(self._task(waiting, ends_at), self._on_report)
        except TargetError as error:
            return str(error)
        except InternalError as error:
            return error.summary

    def _task(self, waiting: Sequence[str], ends_at: float) -> CheckTask:
        path = (str(pytest_root(self._plan.path)), *fresh_path())
        return CheckTask(
            self._file.text,
            str(self._plan.path.absolute()),
            waiting,
            [module.file for module in self._plan.modules if module.file is not None],
            path,
            RUN_SECONDS,
            self._allow_side_effects,
            ends_at,
            SILENT_SECONDS,
            self._scratch,
        )
