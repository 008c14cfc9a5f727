"""The two questions, as functions: :func:`stress` for the worst input, :func:`explore` for all paths.

A proof that a search wrote down is checked by :func:`check`. The command line calls these same functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from pessimal.errors import UsageError
from pessimal.formula import Formula, shown, values_at
from pessimal.growth import growth
from pessimal.inputs import Spec, to_json
from pessimal.pool import Pool, in_worker
from pessimal.proof import Verdict, met, refuted, stopping_at, writable
from pessimal.proof import check as check_proof
from pessimal.registry import STRATEGIES
from pessimal.result import ExploreResult, StressResult, Witness
from pessimal.search.base import Strategy
from pessimal.search.budget import Budget, seconds
from pessimal.search_spec import Limits, SearchSpec, name_of
from pessimal.store import Store
from pessimal.supervisor import Found, Progress, Supervisor
from pessimal.target import Reference

Target = str | Callable[..., Any]
DEFAULT_SIZE = 10


class Options(TypedDict, total=False):
    """What both questions can be asked with; the command line has the same names."""

    strategy: str | Strategy
    """A name, or an object of one's own."""
    options: Mapping[str, Any]
    """Options of a strategy that is given by name."""
    cost: str | Callable[..., float]
    """What to count: a name such as ``lines``, or a function of a trace."""
    budget: float | str | None
    """Wall seconds for the whole search, or text such as ``5m``."""
    paths: int | None
    """Stop after so many paths."""
    stop_after: float | str | None
    """Stop after so long without improvement; ``none`` for never. By default the strategy knows."""
    stop_at: float | None
    """Stop when an input costs so much."""
    seed: int
    """The one source of randomness."""
    inputs: Mapping[str, Spec | str]
    """Parameters given explicitly: ``{"xs": "list[int]:N"}`` or ``{"xs": List(Int(), "N")}``."""
    require: str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
    """Preconditions: expressions over the parameters, or predicates."""
    certificate: str | Path | None
    """A file for the proof, which :func:`check` can check."""
    out: str | Path | None
    """A directory for result and state; the same search resumes from it."""
    limits: Limits
    """What one run of the target may use."""
    allow_side_effects: bool
    """Let the target write files, connect and start processes."""
    pyse_compatible: bool
    """Read symbolic hashes as PySE does; unsound, for comparison only."""
    explain: bool
    """Tell what was made concrete where, and what that may have hidden."""
    progress: Callable[[Progress], None]
    """Is told how the search goes, a few times a second."""
    warn: Callable[[str], None]
    """Is told what the user should know; by default that goes to stderr."""


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
    tells the cost at each, and its ``growth`` the law behind them. With a ``budget_line``, an expression such as
    ``40*n*log(n)`` or a function of the size, ``over_budget`` tells at which sizes the cost is above it. A ``bound``,
    given likewise, is believed: a cost that meets it is the largest, and the search stops there. If it is wrong,
    ``over_bound`` tells at which sizes a cost is above it.
    """
    wanted = _sizes(size, sizes)
    allowed = None if budget_line is None else values_at(budget_line, wanted, "budget-line")
    bounds = None if bound is None else values_at(bound, wanted, "bound")
    asked: Options = {"strategy": "auto", **options}
    base = _spec(target, wanted[0], asked, is_certifiable=len(wanted) == 1)
    store = Store(asked.get("out"), asked.get("warn", _say))
    results: list[StressResult] = []
    with Pool(workers=1) as pool:
        for i, number in enumerate(wanted):
            spec = replace(base, size=number, budget=_share(base.budget, results, len(wanted) - i))
            part = store if len(wanted) == 1 else store.part(f"size-{number}")
            if bounds is not None:
                spec = replace(spec, budget=stopping_at(spec.budget, bounds[number]))
            with _supervised(spec, pool, part, asked) as supervisor:
                results.append(_stress(spec, supervisor))
                if bound is not None and bounds is not None:
                    _judge(results[-1], bounds[number], shown(bound), supervisor.warn)
                _compare(results[-1], results[-1:], allowed, bounds)
                part.save_result(results[-1].to_json(), finished=not results[-1].interrupted)
            if results[-1].interrupted:
                break
    result = results[-1]
    if sizes is not None:
        result.curve = [_point(item) for item in results]
        result.growth = growth((point["size"], point["cost"]) for point in result.curve)
        _compare(result, results, allowed, bounds)
        store.save_result(result.to_json(), finished=False)
    return result


def explore(target: Target, *, size: int | None = None, **options: Unpack[Options]) -> ExploreResult:
    """List the paths of the target, each with an input that takes it, its outcome and its cost."""
    asked: Options = {"strategy": "sweep", "paths": 1000, **options}
    base = _spec(target, _sizes(size, None)[0], asked, is_certifiable=size is not None)
    spec = replace(base, collect=True, growing=size is None)
    store = Store(asked.get("out"), asked.get("warn", _say))
    with Pool(workers=1) as pool, _supervised(spec, pool, store, asked) as supervisor:
        found = supervisor.search()
        _warn_of_certificate(spec, supervisor, found)
        witnesses, failures = supervisor.replay(found.paths), supervisor.failures()
        result = ExploreResult(
            target=_name(spec),
            strategy=spec.strategy_name,
            size=spec.size,
            paths=witnesses,
            exhausted=_exhausted(found, witnesses),
            failures=failures,
            effort=found.effort(),
            seed=spec.seed,
            explain=supervisor.explanation(),
            interrupted=found.interrupted,
        )
        store.save_result(result.to_json(), finished=not found.interrupted)
    return result


def check(
    target: Target,
    certificate: str | Path,
    *,
    size: int | None = None,
    sample: int | None = None,
    cost: str | Callable[..., float] = "branches",
    inputs: Mapping[str, Spec | str] | None = None,
    seed: int = 0,
    limits: Limits | None = None,
    allow_side_effects: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verdict:
    """Check the certificate that a search for the worst input wrote, believing neither the search nor our solver.

    Size, cost, inputs and limits are those of the search. With ``sample`` only so many of its paths, drawn at random,
    are run; ``progress`` is told how many of how many paths were looked at.
    """
    asked: Options = {
        "strategy": "exhaustive",
        "cost": cost,
        "inputs": inputs or {},
        "seed": seed,
        "limits": limits or Limits(),
        "allow_side_effects": allow_side_effects,
    }
    return check_proof(_spec(target, _sizes(size, None)[0], asked), certificate, sample=sample, progress=progress)


def _spec(target: Target, size: int, asked: Options, is_certifiable: bool = True) -> SearchSpec:
    if in_worker():
        raise UsageError("a search was asked for inside a worker: put the call under if __name__ == '__main__':")
    unknown = sorted(set(asked) - set(Options.__annotations__))
    if unknown:
        raise UsageError(f"unknown option {unknown[0]!r}; there are: {', '.join(sorted(Options.__annotations__))}")
    return SearchSpec(
        target=_reference(target),
        size=size,
        strategy=asked["strategy"],
        options=dict(asked.get("options") or {}),
        cost=asked.get("cost", "branches"),
        given=dict(asked.get("inputs") or {}),
        requirements=_requirements(asked.get("require") or ()),
        budget=_budget(asked.get("budget", 60.0), asked.get("paths"), asked.get("stop_after"), asked.get("stop_at")),
        seed=asked.get("seed", 0),
        limits=asked.get("limits", Limits()),
        allow_side_effects=asked.get("allow_side_effects", False),
        pyse_compatible=asked.get("pyse_compatible", False),
        certificate=_certificate(asked, is_certifiable),
    )


def _stress(spec: SearchSpec, supervisor: Supervisor) -> StressResult:
    found = supervisor.search()
    _warn_of_certificate(spec, supervisor, found)
    witness = supervisor.replay([found.best])[0] if found.best is not None else None
    failures = supervisor.failures()
    value = _value(witness, failures)
    if value == 0 and ":" in _cost_name(spec):
        supervisor.warn(f"the cost {_cost_name(spec)} is 0 on every input that was run: is there such a place?")
    return StressResult(
        target=_name(spec),
        strategy=spec.strategy_name,
        size=spec.size,
        cost={"name": _cost_name(spec), "value": value},
        witness=witness,
        proof=_proof(found, witness),
        effort=found.effort(),
        seed=spec.seed,
        failures=failures,
        explain=supervisor.explanation(),
        interrupted=found.interrupted,
        report=found.report,
    )


@contextmanager
def _supervised(spec: SearchSpec, pool: Pool, store: Store, asked: Options) -> Iterator[Supervisor]:
    supervisor = Supervisor(
        spec,
        pool,
        store,
        progress=asked.get("progress", lambda news: None),
        warn=asked.get("warn", _say),
        explain=asked.get("explain", False),
    )
    try:
        yield supervisor
    finally:
        supervisor.close()


def _certificate(asked: Options, is_certifiable: bool) -> Path | None:
    """The file for a certificate; one that could never prove anything is refused before the search."""
    file, strategy = asked.get("certificate"), asked["strategy"]
    if not file:
        return None
    if not is_certifiable:
        raise _uncertifiable("it is about one size: give --size")
    if asked.get("require") or asked.get("pyse_compatible"):
        raise _uncertifiable("it cannot be about preconditions or PySE's reading: leave them out")
    if getattr(STRATEGIES.get(strategy) if isinstance(strategy, str) else strategy, "stop_after", None) is not None:
        name = strategy if isinstance(strategy, str) else strategy.name
        raise _uncertifiable(f"{name} writes no certificate: use --strategy exhaustive or sweep")
    return writable(file)


def _uncertifiable(reason: str) -> UsageError:
    return UsageError(f"--certificate would prove nothing: {reason}", slug="certificate")


def _warn_of_certificate(spec: SearchSpec, supervisor: Supervisor, found: Found) -> None:
    """Tell the user who waits for a certificate that there is none."""
    if spec.certificate is None or found.proof is not None:
        return
    stopped = "interrupted" if found.interrupted else found.stopped
    supervisor.warn(f"the certificate {spec.certificate} proves nothing: the search ended without a proof ({stopped})")


def _reference(target: Target) -> Reference | Callable[..., Any]:
    if isinstance(target, str):
        return Reference.parse(target)
    if not callable(target):
        raise UsageError(f"the target must be a name or a callable, but is {target!r}")
    if getattr(target, "__module__", None) == "__main__":
        return target  # by value: a script would run again if a worker imported it
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


def _requirements(
    require: str | Callable[..., Any] | Sequence[str | Callable[..., Any]],
) -> tuple[str | Callable[..., Any], ...]:
    return (require,) if isinstance(require, str) or callable(require) else tuple(require)


def _budget(
    budget: float | str | None, paths: int | None, stop_after: float | str | None, stop_at: float | None
) -> Budget:
    return Budget(
        None if budget is None else seconds(budget, "budget"),
        paths,
        stop_after if stop_after is None or stop_after == "none" else seconds(stop_after, "stop-after"),
        stop_at,
    )


def _share(budget: Budget, done: Sequence[StressResult], left: int) -> Budget:
    """What is left of the budget, divided among the sizes that are left."""
    if budget.seconds is None:
        return budget
    spent = sum(result.effort.seconds for result in done)
    return replace(budget, seconds=max(0.05, (budget.seconds - spent) / left))


def _proof(found: Found, witness: Witness | None) -> str | None:
    """A proof holds only for a witness that replays as predicted."""
    sound = witness is not None and witness.replayed and witness.difference is None
    return found.proof if sound and found.counters.divergence is None else None


def _judge(result: StressResult, bound: float, formula: str, warn: Callable[[str], None]) -> None:
    """A bound that is met by a replayed cost is a proof; one that is exceeded is a mistake that the user must know."""
    if result.witness is None or not result.witness.replayed:
        return
    cost = result.cost["value"]
    wrong = refuted(cost, bound, formula)
    if wrong is not None:
        warn(wrong)
    result.proof = result.proof or met(cost, bound, formula)


def _exhausted(found: Found, witnesses: Sequence[Witness]) -> bool:
    """All paths are known only if each replays as predicted."""
    same = all(witness.difference is None for witness in witnesses)
    return found.proof is not None and same and found.counters.divergence is None


def _value(witness: Witness | None, failures: Sequence[Witness]) -> float | None:
    shown = witness or next(iter(failures), None)
    if shown is None or shown.cost is None:
        return None
    return int(shown.cost) if float(shown.cost).is_integer() else shown.cost


def _point(result: StressResult) -> dict[str, Any]:
    inputs = {name: to_json(value) for name, value in (result.input or {}).items()}
    return {"size": result.size, "cost": result.cost["value"], "input": inputs, "proof": result.proof}


def _compare(
    result: StressResult,
    results: Sequence[StressResult],
    allowed: Mapping[int, float] | None,
    bounds: Mapping[int, float] | None,
) -> None:
    """Tell where costs are above the budget line, and where replayed ones are above the bound."""
    replayed = [item for item in results if item.witness is not None and item.witness.replayed]
    result.over_budget = None if allowed is None else _over(results, allowed)
    result.over_bound = None if bounds is None else _over(replayed, bounds)


def _over(results: Sequence[StressResult], allowed: Mapping[int, float]) -> list[dict[str, Any]]:
    """The sizes at which the cost is above what is allowed; an unknown cost is not."""
    costs = [(result.size, result.cost["value"], allowed[result.size]) for result in results]
    return [
        {"size": size, "cost": cost, "limit": limit} for size, cost, limit in costs if cost is not None and cost > limit
    ]


def _name(spec: SearchSpec) -> str:
    return name_of(spec.target)


def _cost_name(spec: SearchSpec) -> str:
    return name_of(spec.cost)


def _say(text: str) -> None:
    print(f"pessimal: {text}", file=sys.stderr)
