"""``cover`` as a function: which inputs reach every branch, and a test file that is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from pessimal.arcs import Arc
from pessimal.covering import c_command
from pessimal.covering.description import described
from pessimal.covering.flip_strategies import FlipStrategies
from pessimal.covering.messages import ArcRow
from pessimal.covering.refine import Refined
from pessimal.covering.refining import refined
from pessimal.covering.result import CoveringTest, CoverResult, Failure, Share, Unreached
from pessimal.covering.spec import CoverSpec, Place, Seeds, files_of_tests
from pessimal.covering.supervise import CoverFindings, CoverSupervisor, Show
from pessimal.covering.tasks import CoverTask
from pessimal.covering.tests import TestFileRequest, write_tests
from pessimal.covering.time_plan import WITHOUT_BUDGET, TimePlan
from pessimal.covering.unreached import source_line, unreached
from pessimal.errors import UsageError
from pessimal.inputs import Spec
from pessimal.pool import Pool, TaskRunner, available_cores, sandbox
from pessimal.python.cover.goals import Goals
from pessimal.search.budget import seconds
from pessimal.search.model_options import model_options
from pessimal.target_spec import Limits
from pessimal.testfile import Processes, files
from pessimal.trace import Trace

AFTER_INTERRUPT = 3.0
NOT_AGAIN = "its test does not reach it again"

Arcs = frozenset[ArcRow]


def cover(
    targets: str | Sequence[str],
    *,
    budget: float | str | None = "60s",
    strategy: str = "auto",
    model: str | Path | None = None,
    save_model: bool = False,
    reward: str | Sequence[str] = (),
    solver: str = "portfolio",
    seed: int = 0,
    workers: int | None = None,
    runs: int | None = None,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    tests: str | Path | None = None,
    seeds: str | Path | None = None,
    existing_tests: Sequence[str | Path] | bool = True,
    properties: str | Sequence[str] = (),
    cc_flags: str = "",
    inputs: Mapping[str, Spec | str] | None = None,
    size: int | None = None,
    normalise: str | None = None,
    fitness: str | Callable[[Trace], float] | None = None,
    progress: Show = lambda executions, covered, total: None,
    warn: Callable[[str], None] = lambda text: None,
) -> CoverResult:
    """Find inputs that take every branch of functions, classes, modules or packages.

    With ``tests`` a pytest file is written of them; an existing one is added to. ``seeds`` is a directory with inputs
    to start from, and so are the calls in ``existing_tests``, files or directories: True stands for the test files that
    belong to the modules by their names, False for none. ``model`` is a file that training wrote: with it ``auto``
    flips branches in the order of its scores, ``reward`` says what it learns on, such as ``new=1,value=1``, and with
    ``save_model`` what it has learned is written back. ``properties`` are functions, as ``module:function``, of a call
    that must not be false. ``cc_flags``, ``inputs``, ``size``, ``normalise``, which says how distances are mapped below
    1, and ``fitness``, a function of the trace that is minimised instead of distances, are for functions of C files.
    """
    began = monotonic()
    if workers is not None and workers < 1:
        raise UsageError(f"--workers must be at least 1, but is {workers}")
    if runs is not None and runs < 1:
        raise UsageError(f"--runs must be at least 1, but is {runs}")
    named = [targets] if isinstance(targets, str) else list(targets)
    if any(map(c_command.is_c, named)):
        others = {
            "workers": workers,
            "seeds": seeds,
            "existing-tests": existing_tests if not isinstance(existing_tests, bool) else None,
            "property": properties,
            "reward": reward,
            "save-model": save_model,
        }
        others |= {} if strategy == "agent" else {"model": model}
        _check_unused(others, f"{named[0]}, which is a C file")
        options = c_command.COptions(strategy, cc_flags, inputs or {}, size, seed, runs, normalise or "ratio")
        options.model, options.fitness = model, fitness
        options.limits, options.allow_side_effects = limits or Limits(), allow_side_effects
        return c_command.cover(named, options, budget=budget, tests=tests, show=progress)
    of_c = {"cc-flags": cc_flags, "input": inputs, "size": size, "normalise": normalise, "fitness": fitness}
    _check_unused(of_c, f"{named[0]}, which is no C file and no binary")
    if tests is not None:
        files.read(Path(tests))  # what cannot be added to is reported before the search
    spec = CoverSpec(
        [Place.parse(text) for text in named],
        strategy=strategy,
        options=model_options(model, save_model, reward),
        solver=solver,
        seed=seed,
        limits=limits or Limits(),
        allow_side_effects=allow_side_effects,
        workers=available_cores() if workers is None else workers,
        runs=runs,
        properties=[properties] if isinstance(properties, str) else list(properties),
        seeds=Seeds() if seeds is None else Seeds.read(Path(seeds)),
        existing_tests=files_of_tests(existing_tests),
    )
    if sandbox.protection(allow_side_effects) == ("hook",):
        warn("this system does not confine the target: only Python's audit hook blocks side effects")
    note = FlipStrategies.of(spec).note
    whole = None if budget is None else seconds(budget, "budget")
    with TemporaryDirectory(prefix="pessimal-", ignore_cleanup_errors=True) as scratch, Processes() as processes:
        spec = replace(spec, scratch=scratch)
        found, cases, failures, ends_at = _searched(spec, began, whole, None if tests is None else processes, progress)
        result = _result(spec, found, cases, {})
        if tests is not None and found.known is not None:
            command = f"pessimal cover {' '.join(named)} --tests {tests}"
            request = TestFileRequest(Path(tests), command, allow_side_effects, scratch)

            def left(lost: Mapping[int, str]) -> Sequence[Unreached]:
                return _result(spec, found, cases, lost).unreached

            file = write_tests(request, cases, found.known, left, ends_at=ends_at, warn=warn, processes=processes)
            result = _result(spec, found, cases, file.lost, file.arcs)
            result.test_file = file.report
    result.failures = failures
    result.targets, result.seconds = named, round(monotonic() - began, 3)
    if found.known is None:
        warn("what is to be covered was not imported in time: give a larger --budget")
    if found.note or note:
        warn(str(found.note or note))
    for name, reason in found.known.skipped if found.known is not None else ():
        warn(f"{name} is not covered: {reason}")
    return result


def _searched(
    spec: CoverSpec, began: float, whole: float | None, processes: Processes | None, progress: Show
) -> tuple[CoverFindings, list[Refined], list[Failure], float]:
    """What was found, the cases and failures made of it, and when the tests must be written.

    The budget counts from when the command began, so that the start of the workers is part of it. The processes are
    those that will write the tests, if they are to be written.
    """
    with Pool(workers=spec.workers + 1) as pool:  # one waits, to make tests of what the others find
        runner = TaskRunner(pool, memory=spec.limits.memory, run_seconds=spec.limits.run_seconds)
        starts_at = monotonic()
        runner.warm_up(CoverTask, spec.workers + 1)
        start_seconds = monotonic() - starts_at
        if processes is not None:
            processes.start_ahead()
        plan = None if whole is None else TimePlan(whole, began + whole, start_seconds, processes is not None)
        found = CoverSupervisor(spec, runner, plan, progress).search()
        writing = WITHOUT_BUDGET if plan is None else plan.writing(found.observed)
        ends_at = inf if plan is None else plan.ends_at
        if found.interrupted:
            ends_at = monotonic() + AFTER_INTERRUPT + writing
        cases, failures = refined(spec, runner, found, ends_at - writing if ends_at < inf else None)
    return found, cases, failures, ends_at if ends_at < inf else monotonic() + writing


def _check_unused(options: Mapping[str, object], target: str) -> None:
    """Options that mean nothing for a target are a mistake."""
    for name, value in options.items():
        if value:
            raise UsageError(f"--{name} does not apply to {target}: leave it out")


def _result(
    spec: CoverSpec,
    found: CoverFindings,
    cases: Sequence[Refined],
    lost: Mapping[int, str],
    measured: Arcs | None = None,
) -> CoverResult:
    """What the cases cover; those that are lost, with their reasons, because no test of them was written, do not.

    What their tests take as they are written is ``measured``: assertions run code, too.
    """
    known = found.known
    gone = {arc: lost.get(number, NOT_AGAIN) for number, case in enumerate(cases) for arc in case.arcs}
    cases = [case for number, case in enumerate(cases) if number not in lost]
    branches = frozenset(() if known is None else known.branches)
    files = [] if known is None else list(known.files)
    imported = [arc for case in found.cases if not case.scenario for arc in case.arcs]
    reached: Arcs = frozenset(arc for item in cases for arc in item.arcs)
    if measured is not None and known is not None:
        reached = Goals(known.branches, known.lines).reached_by(map(Arc._make, measured))
    taken = reached | frozenset(imported)
    lines = frozenset(() if known is None else known.lines)
    covered = branches & taken
    return CoverResult(
        targets=[],
        branches=Share(len(covered), len(branches)),
        lines=Share(len(lines & taken), len(lines)),
        tests=_tests(cases, branches, frozenset(imported)),
        unreached=unreached(branches - covered, found.reasons, taken, gone),
        failures=[],
        solver={
            "queries": found.progress.flips,
            "calls": found.progress.solver_calls,
            "seconds": round(found.progress.solver_seconds, 3),
        },
        executions=found.progress.executions,
        symbolic_runs=found.progress.symbolic_runs,
        seconds=0.0,
        seed=spec.seed,
        strategy=spec.strategy,
        stopped=found.stopped,
        interrupted=found.interrupted,
        curve=found.curve,
        files=[_file(file, branches, lines, taken) for file in files],
        skipped=[] if known is None else [{"module": name, "reason": why} for name, why in known.skipped],
        confined_by=sandbox.protection(spec.allow_side_effects),
        model=_model(spec, found),
    )


def _model(spec: CoverSpec, found: CoverFindings) -> dict[str, Any] | None:
    """What the model that was given was worth."""
    if "load" not in spec.options or found.progress.worth is None:
        return None
    worth = found.progress.worth
    return {"file": spec.options["load"], **worth.to_json(), "text": str(worth)}


def _file(file: str, branches: Arcs, lines: Arcs, taken: Arcs) -> dict[str, Any]:
    shares = {name: asdict(_share(goals, taken, file)) for name, goals in (("branches", branches), ("lines", lines))}
    return {"file": file, **shares}


def _share(goals: Arcs, taken: Arcs, file: str) -> Share:
    own = frozenset(goal for goal in goals if goal[0] == file)
    return Share(len(own & taken), len(own))


def _tests(cases: Sequence[Refined], branches: Arcs, imported: Arcs) -> list[CoveringTest]:
    """The tests, each with the branches that it is the first of them to take."""
    taken = set(imported)
    tests: list[CoveringTest] = []
    for item in cases:
        new = sorted(branches.intersection(item.arcs) - taken)
        taken |= set(item.arcs)
        reached = [shown(arc) for arc in new]
        tests.append(CoveringTest(described(item.steps), item.outcome, reached, item.exception, item.scenario))
    return tests


def shown(arc: ArcRow) -> str:
    """A branch as text: file, line, condition, and where it leads."""
    file, line, to = arc
    return f"{Path(file).name}:{line} -> {to}  {source_line(file, line)}"
