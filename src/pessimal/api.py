"""The two questions, as functions: :func:`stress` for the worst input, :func:`explore` for all paths.

A proof that a search wrote down is checked by :func:`check`. The command line calls these same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Unpack

from pessimal.cost_limits import CostLimits
from pessimal.formula import Formula
from pessimal.growth import growth
from pessimal.inputs import Spec, to_json
from pessimal.options import Options, Target, explore_defaults, largest_size, search_spec, sizes_of, warn_on_stderr
from pessimal.pool import Pool, TaskRunner, sandbox
from pessimal.proof import Verdict
from pessimal.proof import check as check_proof
from pessimal.result import ExploreResult, StressResult, Witness
from pessimal.search.budget import Budget
from pessimal.search_spec import SearchSpec
from pessimal.store import Store
from pessimal.supervisor import Replayer, SearchFindings, Supervisor, TimePlan, explanation
from pessimal.target import BINARY, Reference
from pessimal.target_spec import Limits, name_of
from pessimal.trace import Outcome
from pessimal.worker.tasks import ReplayTask, SearchTask


def stress(
    target: Target,
    *,
    size: int | None = None,
    sizes: Sequence[int] | None = None,
    budget_line: Formula | None = None,
    bound: Formula | None = None,
    **options: Unpack[Options],
) -> StressResult:
    """Find the input of a size on which the target costs most.

    With ``sizes`` the search is done for each of them within one budget, the result is that of the last, its ``curve``
    has the cost at each, and its ``growth`` the law behind them. With a ``budget_line``, an expression such as
    ``40*n*log(n)`` or a function of the size, ``over_budget`` lists the sizes at which the cost is above it. A
    ``bound``, given likewise, is trusted: a cost that meets it is the largest, and the search stops there. If it is
    wrong, ``over_bound`` lists the sizes at which a cost is above it.
    """
    wanted = sizes_of(size, sizes)
    lines = CostLimits(wanted, budget_line, bound)
    given: Options = {"strategy": "auto", **options}
    base = search_spec(target, wanted[0], given, is_certifiable=len(wanted) == 1)
    warn = given.get("warn", warn_on_stderr)
    store = Store(given.get("out"), warn)
    _warn_of_weak_protection(base, warn)
    results: list[StressResult] = []
    began = monotonic()
    with _task_runner(base) as runner:
        whole = _plan(base, given, began)
        for number in wanted:
            if results and whole.is_over:
                _warn_of_skipped(wanted[len(results) :], given)
                break
            is_only = len(wanted) == 1
            budget = base.budget if is_only else _share(base.budget, whole, len(wanted) - len(results))
            spec = lines.stop_at_bound(replace(base, size=number, budget=budget))
            plan = whole if is_only else _plan(spec, given, monotonic())
            part = store if is_only else store.part(f"size-{number}")
            results.append(_stress_at(spec, runner, part, given, lines, plan))
            if results[-1].interrupted:
                break
    result = results[-1]
    if sizes is not None:
        _add_curve(result, results)
        lines.compare(result, results)
        store.save_result(result.to_json(), finished=False)
    return result


def explore(
    target: Target, *, size: int | None = None, up_to: int | None = None, **options: Unpack[Options]
) -> ExploreResult:
    """List the paths of the target, each with an input that takes it, its outcome and its cost.

    Without a size inputs have all lengths ``up_to`` one that is given, or 10.
    """
    given: Options = {**explore_defaults(target), "objective": "paths", **options}
    base = search_spec(target, largest_size(size, up_to), given, is_certifiable=size is not None, for_worst=False)
    spec = replace(base, growing=size is None)
    warn = given.get("warn", warn_on_stderr)
    store = Store(given.get("out"), warn)
    _warn_of_weak_protection(spec, warn)
    began = monotonic()
    with _task_runner(spec) as runner:
        plan = _plan(spec, given, began)
        found = _search(spec, runner, store, given, plan)
        replayer = _replayer(spec, runner, found, plan)
        failures = _confirmed(spec, replayer.failures(), warn)
        witnesses = replayer.witnesses(found.paths or found.opened)
        explain = explanation(spec, runner, found, plan) if given.get("explain", False) else None
        result = ExploreResult(
            target=name_of(spec.target),
            strategy=spec.strategy_name,
            objective=spec.objective_name,
            size=spec.size,
            paths=witnesses,
            exhausted=_is_exhausted(found, witnesses),
            failures=failures,
            effort=found.effort(),
            seed=spec.seed,
            explain=explain,
            attack=found.attack_report(),
            report=found.report,
            inferred=found.inferred,
            interrupted=found.interrupted,
            confined_by=sandbox.protection(spec.allow_side_effects),
        )
        store.save_result(result.to_json(), finished=not found.interrupted)
    return result


def check(
    target: Target,
    certificate: str | Path,
    *,
    size: int | None = None,
    sample: int | None = None,
    cost: str | Callable[..., float] | None = None,
    inputs: Mapping[str, Spec | str] | None = None,
    call: str | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    budget: float | str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    warn: Callable[[str], None] = warn_on_stderr,
) -> Verdict:
    """Check the certificate that a search for the worst input wrote, trusting neither the search nor our solver.

    Size, cost, inputs and limits are those of the search. With ``sample`` only so many of its paths, drawn at random,
    are run. A check that would take longer than the ``budget`` proves nothing. ``progress`` is called with how many of
    how many paths were checked.
    """
    given: Options = {
        "strategy": "exhaustive",
        "cost": cost,
        "inputs": inputs or {},
        "call": call,
        "seed": seed,
        "limits": limits or Limits(),
        "allow_side_effects": allow_side_effects,
        "budget": budget,
    }
    spec = search_spec(target, sizes_of(size)[0], given)
    _warn_of_weak_protection(spec, warn)
    return check_proof(spec, certificate, sample=sample, progress=progress)


def _warn_of_weak_protection(spec: SearchSpec, warn: Callable[[str], None]) -> None:
    if sandbox.protection(spec.allow_side_effects) == ("hook",):
        warn("this system does not confine the target: only Python's audit hook blocks side effects")


@contextmanager
def _task_runner(spec: SearchSpec) -> Iterator[TaskRunner]:
    """A task runner whose workers for the search have started; there is room for one that waits to replay."""
    with Pool(workers=spec.lanes + 1) as pool:
        runner = TaskRunner(pool, memory=_worker_memory(spec), run_seconds=spec.limits.run_seconds)
        runner.warm_up(SearchTask, spec.lanes)
        yield runner


def _is_emulated(spec: SearchSpec) -> bool:
    return isinstance(spec.target, Reference) and spec.target.kind == BINARY


def _worker_memory(spec: SearchSpec) -> int:
    """How much memory a worker may use; one that emulates needs its own, and its targets have processes of theirs."""
    return max(spec.limits.memory, Limits().memory) if _is_emulated(spec) else spec.limits.memory


def _confirmed(spec: SearchSpec, failures: list[Witness], warn: Callable[[str], None]) -> list[Witness]:
    """The failures without those that may only be slow: emulated runs that did not end, and were not run natively."""
    slow = [item for item in failures if item.outcome == Outcome.TIMED_OUT and not item.replayed]
    if not slow or not _is_emulated(spec):
        return failures
    warn(f"{len(slow)} runs did not end in time in the emulator, but natively they may: raise --run-timeout")
    return [item for item in failures if item not in slow]


def _plan(spec: SearchSpec, given: Options, began: float) -> TimePlan:
    """The time of a search, its replays and its explanation; the start of the workers is part of it."""
    spent = monotonic() - began
    return TimePlan.of(spec.budget.seconds, parts=2 if given.get("explain", False) else 1, spent=spent)


def _replayer(spec: SearchSpec, runner: TaskRunner, found: SearchFindings, plan: TimePlan) -> Replayer:
    """A replayer whose worker has started, so that the replays have the time that was kept for them."""
    runner.warm_up(ReplayTask)
    plan.start_replays()
    return Replayer(spec, runner, found, plan)


def _search(spec: SearchSpec, runner: TaskRunner, store: Store, given: Options, plan: TimePlan) -> SearchFindings:
    warn = given.get("warn", warn_on_stderr)
    progress = given.get("progress", lambda news: None)
    explain = given.get("explain", False)
    supervisor = Supervisor(spec, runner, store, progress=progress, warn=warn, explain=explain, plan=plan)
    found = supervisor.search()
    if spec.certificate is not None and found.proof is None:
        stopped = "interrupted" if found.interrupted else found.stopped
        warn(f"the certificate {spec.certificate} proves nothing: the search ended without a proof ({stopped})")
    return found


def _stress_at(
    spec: SearchSpec, runner: TaskRunner, store: Store, given: Options, lines: CostLimits, plan: TimePlan
) -> StressResult:
    """The worst input of one size, compared with the lines that the user drew, and kept in the store."""
    warn = given.get("warn", warn_on_stderr)
    result = _worst_input(spec, runner, store, given, plan)
    if result.cost["value"] == 0 and ":" in result.cost["name"]:
        warn(f"the cost {result.cost['name']} is 0 on every input that was run: check that this place exists")
    lines.prove(result, warn)
    lines.compare(result, [result])
    store.save_result(result.to_json(), finished=not result.interrupted)
    return result


def _worst_input(spec: SearchSpec, runner: TaskRunner, store: Store, given: Options, plan: TimePlan) -> StressResult:
    found = _search(spec, runner, store, given, plan)
    replayer = _replayer(spec, runner, found, plan)
    witness, failures = replayer.best_and_failures()
    failures = _confirmed(spec, failures, given.get("warn", warn_on_stderr))
    explain = explanation(spec, runner, found, plan) if given.get("explain", False) else None
    return StressResult(
        target=name_of(spec.target),
        strategy=spec.strategy_name,
        size=spec.size,
        cost={"name": name_of(spec.cost), "value": _value(witness, failures)},
        witness=witness,
        proof=_proof(found, witness),
        effort=found.effort(),
        seed=spec.seed,
        failures=failures,
        explain=explain,
        interrupted=found.interrupted,
        attack=found.attack_report(),
        confined_by=sandbox.protection(spec.allow_side_effects),
        report=found.report,
        assumed=found.assumed,
        inferred=found.inferred,
    )


def _share(budget: Budget, whole: TimePlan, left: int) -> Budget:
    """What is left of the budget, divided among the sizes that are left."""
    if whole.ends_at is None:
        return budget
    share = max(0.05, (whole.ends_at - monotonic()) / left)
    return replace(budget, seconds=share if budget.seconds is None else min(budget.seconds, share))


def _warn_of_skipped(sizes: Sequence[int], given: Options) -> None:
    names = ", ".join(map(str, sizes))
    given.get("warn", warn_on_stderr)(f"nothing was run at size {names}: the budget was used up at smaller sizes")


def _proof(found: SearchFindings, witness: Witness | None) -> str | None:
    """A proof holds only for a witness that replays as predicted."""
    sound = witness is not None and witness.replayed and witness.difference is None and not witness.is_uncompared
    return found.proof if sound and found.counters.divergence is None else None


def _is_exhausted(found: SearchFindings, witnesses: Sequence[Witness]) -> bool:
    """All paths are known only if each replays as predicted."""
    same = all(witness.difference is None and not witness.is_uncompared for witness in witnesses)
    return found.proof is not None and same and found.counters.divergence is None


def _value(witness: Witness | None, failures: Sequence[Witness]) -> float | None:
    shown = witness or next(iter(failures), None)
    if shown is None or shown.cost is None:
        return None
    return int(shown.cost) if float(shown.cost).is_integer() else shown.cost


def _add_curve(result: StressResult, results: Sequence[StressResult]) -> None:
    result.curve = [_point(item) for item in results]
    result.growth = growth((point["size"], point["cost"]) for point in result.curve)


def _point(result: StressResult) -> dict[str, Any]:
    inputs = {name: to_json(value) for name, value in (result.input or {}).items()}
    return {"size": result.size, "cost": result.cost["value"], "input": inputs, "proof": result.proof}
