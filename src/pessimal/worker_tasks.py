"""What worker processes do: search, recover the input of a run that killed its process, and replay witnesses.

Each task gets its payload from our own parent process and sends plain messages back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from time import monotonic
from typing import Any

import cloudpickle

from pessimal.cost import BRANCHES
from pessimal.errors import InputError
from pessimal.explain import Measure, Place
from pessimal.expr import Leaf
from pessimal.inputs import to_json
from pessimal.pool import sandbox
from pessimal.pool.worker import Channel
from pessimal.proof import Recorded
from pessimal.python.frontend import PythonFrontEnd
from pessimal.registry import STRATEGIES
from pessimal.runs import Follow, Request
from pessimal.search.base import Strategy, report_of
from pessimal.search.session import SearchSession, Snapshot
from pessimal.search_spec import Fatal, SearchSpec, name_of
from pessimal.solve import Literal, satisfies
from pessimal.tidy import tidy
from pessimal.trace import Outcome, Trace

ENDED = frozenset((Outcome.RETURNED.value, Outcome.RAISED.value))
THOROUGH = 200_000
"""Up to this many conditions times leaves a witness is simplified leaf by leaf."""

COVER_SECONDS = 10.0
"""How long coverage is measured for an explanation."""

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class TaskPayload:
    """The payload of every task: the job, and what earlier processes left of it."""

    spec: SearchSpec
    snapshot: dict[str, Any] | None = None
    fatal: Sequence[Fatal] = ()
    findings: Sequence[tuple[int, dict[str, Any]]] = field(default_factory=list)
    explain: bool = False
    places: Sequence[Place] = ()

    def pack(self) -> bytes:
        """The order as bytes for another process, functions without a name of their own included."""
        packed: bytes = cloudpickle.dumps(self)
        return packed


def _open(payload: bytes, channel: Channel) -> tuple[TaskPayload, PythonFrontEnd]:
    task: TaskPayload = cloudpickle.loads(payload)
    sandbox.enter(task.spec.allow_side_effects)
    return task, PythonFrontEnd(task.spec, channel.recorder, task.fatal)


def search(payload: bytes, channel: Channel) -> dict[str, Any]:
    """Conduct a search to its end."""
    task, front_end = _open(payload, channel)
    spec = task.spec
    strategy: Strategy = (
        STRATEGIES.make(spec.strategy, dict(spec.options)) if isinstance(spec.strategy, str) else spec.strategy
    )
    if spec.certificate is not None:
        strategy = Recorded(strategy, spec.certificate, name_of(spec.target), name_of(spec.cost))
    front_end.prepare()
    session = SearchSession(
        front_end,
        spec.budget if spec.collect else spec.budget.for_strategy(strategy),
        seed=spec.seed,
        run_seconds=spec.limits.run_seconds,
        send=channel.send,
        snapshot=None if task.snapshot is None else Snapshot.from_json(task.snapshot),
        collect=spec.collect,
        explain=task.explain,
    )
    stopped = session.conduct(strategy)
    if session.counters.rejected and not session.counters.accepted:
        raise InputError(f"no input of size {spec.size} was accepted: {session.refusal}")
    return {
        "stopped": stopped,
        "proof": session.proof,
        "counters": asdict(session.counters),
        "best": session.best,
        "ledger": session.ledger,
        "report": report_of(strategy),
        "target": front_end.name,
        "threads": sandbox.leftover_threads(),
    }


def recover(payload: bytes, channel: Channel) -> list[Leaf]:
    """The input of a symbolic run that killed its process: follow its decisions and stop before the end."""
    task, front_end = _open(payload, channel)
    (fatal,) = task.fatal
    request = Request(Follow(fatal.decisions or b""), fatal.run.leaves, avoid=fatal.run.avoid)
    return front_end.run(request, task.spec.limits.run_seconds).leaves


def replay(payload: bytes, channel: Channel) -> None:
    """Run inputs natively on the unmodified target and compare with what the search predicted."""
    task, front_end = _open(payload, channel)
    seconds = task.spec.limits.run_seconds
    for index, finding in task.findings:
        prediction = _predict(front_end, finding, seconds)
        leaves = prediction.leaves
        shown = {name: to_json(value) for name, value in front_end.inputs.arguments(leaves).items()}
        call = front_end.target.describe_call(front_end.inputs, leaves)
        channel.send({"index": index, "input": shown, "call": call})
        channel.send({"index": index, **_replay(front_end, finding, prediction, seconds)})


def cover(payload: bytes, channel: Channel) -> None:
    """Run inputs natively and tell which ways through its lines the target went; some may be left out for time."""
    task, front_end = _open(payload, channel)
    measure = Measure(task.places, front_end.in_scope)
    end = monotonic() + COVER_SECONDS
    for index, finding in task.findings:
        if monotonic() > end:
            return
        channel.send({"index": index})
        leaves = finding["leaves"]
        news = measure.run(partial(front_end.native, leaves, task.spec.limits.run_seconds))
        channel.send({"index": index, **news})


def _predict(front_end: PythonFrontEnd, finding: dict[str, Any], seconds: float) -> Trace:
    """The trace that is expected, on the simplest input that has it."""
    leaves = finding["leaves"]
    if finding["outcome"] not in ENDED:
        return Trace(leaves=leaves, outcome=Outcome(finding["outcome"]))
    if finding["origin"] == "concrete":
        cost, ending = finding["cost"], finding["outcome"]

        def accept(candidate: list[Leaf]) -> bool:
            trace = front_end.evaluate(candidate, seconds)
            return bool(trace.outcome.value == ending and front_end.cost(trace, seconds) >= cost)

        plain = tidy(leaves, front_end.domains, accept, thorough=False)
        return Trace(leaves=plain, outcome=Outcome(ending))
    trace = front_end.run(Request(start=leaves), seconds)
    path = trace.path_condition
    thorough = len(path) * len(leaves) <= THOROUGH

    def keeps(other: list[Leaf]) -> bool:
        return _satisfies(other, path) and front_end.admits(other)

    trace.leaves = tidy(leaves, front_end.domains, keeps, thorough)
    return trace


def _satisfies(leaves: list[Leaf], path: Sequence[Literal]) -> bool:
    try:
        return satisfies(leaves, path)
    except (ArithmeticError, ValueError):
        return False


def _replay(front_end: PythonFrontEnd, finding: dict[str, Any], prediction: Trace, seconds: float) -> dict[str, Any]:
    native = front_end.native(prediction.leaves, seconds)
    has_ended = finding["outcome"] in ENDED
    is_path = finding["origin"] == "symbolic" and has_ended  # else only its length is of interest
    measured = front_end.evaluate(prediction.leaves, seconds, recording=is_path or not front_end.counts_branches)
    ended = native.outcome.value in ENDED
    result = {
        "outcome": native.outcome.value,
        "returned": native.returned,
        "exception": native.exception,
        "cost": front_end.cost(measured, seconds) if ended else None,
        "branches": int(measured.costs.get(BRANCHES.name, measured.length)),
        "difference": None,
        "nondeterministic": None,
    }
    if ended:
        again = front_end.native(prediction.leaves, seconds)
        if _told(native) != _told(again):
            result["nondeterministic"] = f"two native runs of one input end with {_brief(native)} and {_brief(again)}"
    result["difference"] = _difference(finding, prediction, native, measured)
    if not ended:
        return result
    if result["difference"] is None and front_end.path_determined and result["cost"] != finding["cost"]:
        result["difference"] = f"predicted to cost {finding['cost']:g}, but replayed at {result['cost']:g}"
    if has_ended and result["difference"] is not None and result["nondeterministic"] is None:
        first, second = (front_end.evaluate(prediction.leaves, seconds, recording=True) for _ in range(2))
        if _steps(first) != _steps(second):
            result["nondeterministic"] = f"two runs of one input make {first.length} and {second.length} branches"
    return result


def _difference(finding: dict[str, Any], prediction: Trace, native: Trace, measured: Trace) -> str | None:
    """Where the replay differs from the prediction, in words."""
    if native.outcome.value != finding["outcome"]:
        return f"predicted to be {finding['outcome']}, but natively {_brief(native)}"
    if native.outcome is Outcome.RAISED and _kind(native.exception) != _kind(finding["exception"]):
        return f"predicted to raise {_kind(finding['exception'])}, but natively {_brief(native)}"
    if finding["origin"] == "symbolic" and native.outcome.value in ENDED:
        return _parting(prediction, measured)
    return None


def _parting(predicted: Trace, measured: Trace) -> str | None:
    """The first branch at which two traces part."""
    ours, theirs = _steps(predicted), _steps(measured)
    if ours == theirs:
        return None
    for position, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"branch {position} was predicted as {a[0]} {bool(a[1])}, but replayed as {b[0]} {bool(b[1])}"
    return f"{len(ours)} branches were predicted, but {len(theirs)} replayed"


def _steps(trace: Trace) -> list[tuple[str, int]]:
    names: dict[int, str] = {}  # a site's identity is made anew at each look, and a path has few sites
    for site in trace.sites:
        if id(site) not in names:
            names[id(site)] = site.id
    pairs = zip(trace.sites, trace.decisions, strict=True)
    return [(names[id(site)], taken) for i, (site, taken) in enumerate(pairs) if i not in trace.choices]


def _kind(exception: str | None) -> str:
    return (exception or "").partition(":")[0]


def _told(trace: Trace) -> tuple[str, str, str]:
    return trace.outcome.value, _ADDRESS.sub("", trace.returned or ""), _ADDRESS.sub("", trace.exception or "")


def _brief(trace: Trace) -> str:
    detail = trace.exception if trace.outcome is Outcome.RAISED else trace.returned
    return f"{trace.outcome.value} {(detail or '')[:80]}".strip()
