"""The two questions, as functions: :func:`stress` for the worst input, :func:`explore` for all paths.

The command line calls these same functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pessimal.drive import Drive, Found, Progress
from pessimal.errors import UsageError
from pessimal.inputs import Spec, to_json
from pessimal.job import Job, Limits
from pessimal.pool import Pool
from pessimal.result import ExploreResult, StressResult, Witness
from pessimal.search.base import Strategy
from pessimal.search.budget import Budget, seconds
from pessimal.store import Store
from pessimal.target import Reference

Target = str | Callable[..., Any]
DEFAULT_SIZE = 10
SHOWN_FAILURES = 10


def stress(
    target: Target,
    *,
    size: int | None = None,
    sizes: Sequence[int] | None = None,
    strategy: str | Strategy = "climb",
    options: Mapping[str, Any] | None = None,
    cost: str | Callable[..., float] = "branches",
    budget: float | str | None = 60.0,
    paths: int | None = None,
    stop_after: float | str | None = 10.0,
    seed: int = 0,
    inputs: Mapping[str, Spec | str] | None = None,
    require: Sequence[str | Callable[..., Any]] = (),
    out: str | Path | None = None,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    pyse_compatible: bool = False,
    progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> StressResult:
    """Find the input of a size on which the target costs most.

    With ``sizes`` the search is done for each of them within one budget, the result is that of the largest, and its
    ``curve`` tells the cost at each.
    """
    wanted = _sizes(size, sizes)
    base = Job(
        target=_reference(target),
        size=wanted[0],
        strategy=strategy,
        options=dict(options or {}),
        cost=cost,
        given=dict(inputs or {}),
        requirements=_requirements(require),
        budget=_budget(budget, paths, stop_after),
        seed=seed,
        limits=limits or Limits(),
        allow_side_effects=allow_side_effects,
        pyse_compatible=pyse_compatible,
    )
    store = Store(out, warn or _say)
    with _pool() as pool:
        results: list[StressResult] = []
        for i, number in enumerate(wanted):
            job = replace(base, size=number, budget=_share(base.budget, results, len(wanted) - i))
            part = store if len(wanted) == 1 else store.part(f"size-{number}")
            results.append(_stress(job, pool, part, progress, warn))
            if results[-1].interrupted:
                break
    result = results[-1]
    if sizes is not None:
        result.curve = [_point(item) for item in results]
        store.save_result(result.to_json(), finished=False)
    return result


def explore(
    target: Target,
    *,
    size: int | None = None,
    strategy: str | Strategy = "exhaustive",
    options: Mapping[str, Any] | None = None,
    cost: str | Callable[..., float] = "branches",
    budget: float | str | None = 60.0,
    paths: int | None = 1000,
    stop_after: float | str | None = None,
    seed: int = 0,
    inputs: Mapping[str, Spec | str] | None = None,
    require: Sequence[str | Callable[..., Any]] = (),
    out: str | Path | None = None,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    pyse_compatible: bool = False,
    progress: Callable[[Progress], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> ExploreResult:
    """List the paths of the target, each with an input that takes it, its outcome and its cost."""
    job = Job(
        target=_reference(target),
        size=_sizes(size, None)[0],
        strategy=strategy,
        options=dict(options or {}),
        cost=cost,
        given=dict(inputs or {}),
        requirements=_requirements(require),
        budget=_budget(budget, paths, stop_after),
        seed=seed,
        limits=limits or Limits(),
        allow_side_effects=allow_side_effects,
        pyse_compatible=pyse_compatible,
        collect=True,
    )
    store = Store(out, warn or _say)
    with _pool() as pool, _driving(job, pool, store, progress, warn) as drive:
        found = drive.search()
        witnesses = drive.replay(found.paths)
        failures = drive.replay(_distinct(found.failures))
        result = ExploreResult(
            target=_name(job),
            strategy=job.strategy_name,
            size=job.size,
            paths=witnesses,
            exhausted=found.proof is not None,
            effort=found.effort(),
            seed=seed,
            failures=failures,
            interrupted=found.interrupted,
        )
        store.save_result(result.to_json(), finished=not found.interrupted)
        return result


def _stress(
    job: Job,
    pool: Pool,
    store: Store,
    progress: Callable[[Progress], None] | None,
    warn: Callable[[str], None] | None,
) -> StressResult:
    with _driving(job, pool, store, progress, warn) as drive:
        found = drive.search()
        witness = drive.replay([found.best])[0] if found.best is not None else None
        failures = drive.replay(_distinct(found.failures))
        result = StressResult(
            target=_name(job),
            strategy=job.strategy_name,
            size=job.size,
            cost={"name": _cost_name(job), "value": _value(witness, failures)},
            witness=witness,
            proof=_proof(found, witness),
            effort=found.effort(),
            seed=job.seed,
            failures=failures,
            interrupted=found.interrupted,
        )
        store.save_result(result.to_json(), finished=not found.interrupted)
        return result


@contextmanager
def _driving(
    job: Job,
    pool: Pool,
    store: Store,
    progress: Callable[[Progress], None] | None,
    warn: Callable[[str], None] | None,
) -> Iterator[Drive]:
    drive = Drive(job, pool, store, progress=progress or (lambda news: None), warn=warn or _say)
    try:
        yield drive
    finally:
        drive.close()


@contextmanager
def _pool() -> Iterator[Pool]:
    with Pool(workers=1) as pool:
        yield pool


def _reference(target: Target) -> Reference | Callable[..., Any]:
    if isinstance(target, str):
        return Reference.parse(target)
    if not callable(target):
        raise UsageError(f"the target must be a name or a callable, but is {target!r}")
    return Reference.of(target) or target


def _sizes(size: int | None, sizes: Sequence[int] | None) -> list[int]:
    if size is not None and sizes is not None:
        raise UsageError("give a size or several sizes, not both")
    wanted = [DEFAULT_SIZE if size is None else size] if sizes is None else list(sizes)
    if not wanted:
        raise UsageError("no size is given: write them as 4,8,16")
    for item in wanted:
        if not isinstance(item, int) or isinstance(item, bool) or item < 0:
            raise UsageError(f"a size must be a whole number of elements, but is {item!r}", slug="size")
    return wanted


def _requirements(require: Sequence[str | Callable[..., Any]] | str) -> tuple[str | Callable[..., Any], ...]:
    return (require,) if isinstance(require, str) or callable(require) else tuple(require)


def _budget(budget: float | str | None, paths: int | None, stop_after: float | str | None) -> Budget:
    return Budget(
        None if budget is None else seconds(budget, "budget"),
        paths,
        None if stop_after is None else seconds(stop_after, "stop-after"),
    )


def _share(budget: Budget, done: Sequence[StressResult], left: int) -> Budget:
    """What is left of the budget, divided among the sizes that are left."""
    if budget.seconds is None:
        return budget
    spent = sum(result.effort.seconds for result in done)
    return replace(budget, seconds=max(0.05, (budget.seconds - spent) / left))


def _distinct(failures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few failures, one for each way to fail and input."""
    kept = {(item["outcome"], tuple(item["leaves"])): item for item in reversed(failures)}
    return list(reversed(kept.values()))[:SHOWN_FAILURES]


def _proof(found: Found, witness: Witness | None) -> str | None:
    """A proof holds only for a witness that replays as predicted."""
    sound = witness is not None and witness.replayed and witness.difference is None
    return found.proof if sound and found.books.divergence is None else None


def _value(witness: Witness | None, failures: Sequence[Witness]) -> float | None:
    shown = witness or next(iter(failures), None)
    if shown is None or shown.cost is None:
        return None
    return int(shown.cost) if float(shown.cost).is_integer() else shown.cost


def _point(result: StressResult) -> dict[str, Any]:
    inputs = {name: to_json(value) for name, value in (result.input or {}).items()}
    return {"size": result.size, "cost": result.cost["value"], "input": inputs, "proof": result.proof}


def _name(job: Job) -> str:
    return str(job.target) if isinstance(job.target, Reference) else job.target.__qualname__


def _cost_name(job: Job) -> str:
    return job.cost if isinstance(job.cost, str) else job.cost.__name__


def _say(text: str) -> None:
    print(f"pessimal: {text}", file=sys.stderr)
