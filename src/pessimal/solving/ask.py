"""``solve``: whether a condition can hold, in this process, or in a worker if it calls functions that are not ours."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from pessimal import json_values
from pessimal.conditions import Variable, read_python
from pessimal.conditions.condition import ConditionError
from pessimal.errors import UsageError
from pessimal.inputs import Spec, parse
from pessimal.pool import Pool, TaskRunner
from pessimal.pool.task_runner import WorkerDeath
from pessimal.registry import SOLVERS
from pessimal.search.budget import seconds as duration
from pessimal.solve import Status
from pessimal.solving.question import Question, SolveResult, SolveTask
from pessimal.solving.settle import settle

MEMORY = 4 << 30
START = 5.0
"""Seconds beyond the budget that a worker has to start."""


def solve(
    condition: str | Path,
    *,
    variables: Mapping[str, Spec | str] | None = None,
    black_boxes: Sequence[str] = (),
    samples: int = 3000,
    solver: str = "portfolio",
    budget: float | str = "10s",
    seed: int = 0,
    rule: str = "even",
    confidence: str = "calibrated",
    guided: bool = False,
    experience: str | Path | None = None,
) -> SolveResult:
    """Whether a condition can hold: a Python expression over declared variables, or an SMT-LIB 2 file.

    A condition with the suffix ``.smt2`` is a file. ``black_boxes`` are functions, as ``module.function`` or patterns,
    that are called on samples in a worker process. With ``guided`` the number of samples is doubled while the
    confidence stays above 10 %. ``experience`` is a file in which the portfolio keeps which solver settled what.
    """
    started = monotonic()
    limit = duration(budget, "budget")
    options = {"samples": _count(samples), "rule": rule, "confidence": confidence, "guided": guided}
    question = Question(
        text=_text(condition),
        is_smtlib=_is_file(condition),
        variables=[Variable.of(name, _spec(spec)) for name, spec in (variables or {}).items()],
        black_boxes=tuple(black_boxes),
        solver=SOLVERS.checked(solver),
        options=options,
        experience=None if experience is None else _read_experience(Path(experience)),
        seed=seed,
    )
    result = _answer(question, limit)
    result.condition = str(condition)
    result.seconds = monotonic() - started
    if experience is not None and result.experience is not None:
        _write_experience(Path(experience), result.experience)
    return result


def _answer(question: Question, limit: float) -> SolveResult:
    if question.black_boxes and question.is_smtlib:
        raise ConditionError("an SMT-LIB file cannot call black boxes: write the condition as a Python expression")
    if question.variables and question.is_smtlib:
        raise ConditionError(f"an SMT-LIB file declares its own variables: drop --var {question.variables[0].name}")
    if question.black_boxes:
        return _in_worker(question, limit)
    if question.is_smtlib:
        from pessimal.solving.smt_files import settle_file

        return settle_file(question, limit)
    return settle(question, read_python(question.text, question.variables), limit)


def _in_worker(question: Question, limit: float) -> SolveResult:
    with Pool(workers=1) as pool:
        runner = TaskRunner(pool, memory=MEMORY, run_seconds=limit + START)
        runner.warm_up(SolveTask)
        task = SolveTask(question, limit, ends_at=monotonic() + limit + START / 5)
        found = runner.run(task, lambda message: None)
    if not isinstance(found, WorkerDeath):
        return found
    result = SolveResult(question.text, Status.UNKNOWN, solver=question.solver)
    result.notes.append(f"a black box {found.text}: {', '.join(question.black_boxes)}")
    return result


def _is_file(condition: str | Path) -> bool:
    return isinstance(condition, Path) or condition.strip().endswith(".smt2")


def _text(condition: str | Path) -> str:
    if not _is_file(condition):
        return str(condition)
    try:
        text = json_values.not_a_device(Path(condition)).read_text()
        if "\0" in text:
            raise UnicodeDecodeError("utf-8", b"", 0, 0, "a null byte")
        return text
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise ConditionError(f"{condition} cannot be read: {reason}") from None


def _spec(spec: Spec | str) -> Spec:
    return parse(spec) if isinstance(spec, str) else spec


def _count(samples: Any) -> int:
    if not isinstance(samples, int) or isinstance(samples, bool) or samples < 1:
        raise UsageError(f"the number of samples must be a whole number from 1 on, but is {samples!r}")
    return samples


def _write_experience(file: Path, counts: Mapping[str, Any]) -> None:
    try:
        file.write_text(json.dumps(counts, indent=1) + "\n")
    except OSError as error:
        raise UsageError(f"experience cannot be written to {file}: {error.strerror}", slug="experience") from None


def _read_experience(file: Path) -> Mapping[str, Any]:
    """What a file has counted; one that does not exist yet has counted nothing."""
    if not file.exists():
        return {}
    try:
        counts: Mapping[str, Any] = json.loads(json_values.not_a_device(file).read_text())
        return counts
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read as experience: {error}", slug="experience") from None
