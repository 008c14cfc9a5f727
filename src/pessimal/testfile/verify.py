"""Verifying a test file: its new tests run twice in new processes, and what does not pass both times is dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from time import monotonic

from pessimal.pool import Pool, TaskRunner, WorkerDeath
from pessimal.testfile.case import Case
from pessimal.testfile.document import Plan, Written, written
from pessimal.testfile.loading import fresh_path, pytest_root
from pessimal.testfile.observation import Observation
from pessimal.testfile.observing import HASH_SEEDS, MEMORY, RUN_SECONDS, SILENT_SECONDS
from pessimal.testfile.tasks import CheckTask, TestReport

NO_PYTEST = "pytest is not installed, so the written tests were not run: pip install pytest"
NO_TIME = "there was no time left to run it twice"


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


def verified(
    found: Sequence[tuple[Case, Observation]],
    plan: Plan,
    before: str | None = None,
    *,
    ends_at: float,
    allow_side_effects: bool = False,
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
        outcomes = _failures(result.written, plan, ends_at, allow_side_effects)
        failures = {name: why for name, why in outcomes.items() if why != NO_TIME or nodes[name] not in passed}
        if not failures:
            break
        passed |= {number for name, number in nodes.items() if name not in outcomes}
        result.dropped += [Dropped(nodes[name], name, reason) for name, reason in failures.items()]
        gone = {nodes[name] for name in failures}
        numbers = [number for number in numbers if number not in gone]
        result.written = written([found[number] for number in numbers], plan, before)
    return result


def _failures(file: Written, plan: Plan, ends_at: float, allow_side_effects: bool) -> dict[str, str]:
    """The tests that do not pass under one of the hash seeds, with the reasons."""
    failures: dict[str, str] = {}
    for left, seed in zip(range(len(HASH_SEEDS), 0, -1), HASH_SEEDS, strict=True):
        names = [name for name in file.nodes if name not in failures]
        part_ends_at = monotonic() + (ends_at - monotonic()) / left  # what is run once only is not written
        failures |= _run(file.text, plan, names, seed, part_ends_at, allow_side_effects)
    return failures


def _run(
    text: str, plan: Plan, names: Sequence[str], seed: int, ends_at: float, allow_side_effects: bool
) -> Mapping[str, str]:
    """The tests among these that do not pass; the one that kills the process is found, and the rest runs again."""
    passed: set[str] = set()
    failed: dict[str, str] = {}
    current = ""

    def hear(report: TestReport) -> None:
        nonlocal current
        current = report.name if report.passed is None else ""
        if report.passed:
            passed.add(report.name)
        elif report.passed is False:
            failed[report.name] = report.reason

    path = (str(pytest_root(plan.path)), *fresh_path())
    with Pool(hash_seed=seed) as pool:
        runner = TaskRunner(pool, memory=MEMORY, run_seconds=RUN_SECONDS)
        while waiting := [name for name in names if name not in passed and name not in failed]:
            task = CheckTask(
                text, str(plan.path.absolute()), waiting, path, RUN_SECONDS, allow_side_effects, ends_at, SILENT_SECONDS
            )
            end: str | WorkerDeath = NO_TIME
            if monotonic() < ends_at:
                end = runner.run(task, hear)
            reason = end.text if isinstance(end, WorkerDeath) else end
            if isinstance(end, WorkerDeath) and current and end.reason != "budget":
                failed[current] = f"it {reason}"
                continue
            missing = NO_TIME if monotonic() >= ends_at else reason or "pytest did not run it"
            return failed | {name: missing for name in waiting if name not in passed and name not in failed}
    return failed
