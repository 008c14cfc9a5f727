"""What worker processes do: search, recover the input of a run that killed its process, and replay witnesses.

Each task gets its payload from our own parent process and sends plain messages back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import cloudpickle

from pessimal.expr import Leaf
from pessimal.inputs import to_json
from pessimal.job import Fatal, Job
from pessimal.pool import sandbox
from pessimal.pool.worker import Channel
from pessimal.python.frontend import PythonFrontEnd
from pessimal.registry import STRATEGIES
from pessimal.search.base import Strategy
from pessimal.search.policies import Follow
from pessimal.search.session import LiveSession, Snapshot
from pessimal.trace import Outcome, Trace

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Order:
    """The payload of every task: the job, and what earlier processes left of it."""

    job: Job
    snapshot: dict[str, Any] | None = None
    fatal: Sequence[Fatal] = ()
    findings: Sequence[tuple[int, dict[str, Any]]] = field(default_factory=list)

    def pack(self) -> bytes:
        """The order as bytes for another process, functions without a name of their own included."""
        packed: bytes = cloudpickle.dumps(self)
        return packed


def _open(payload: bytes, channel: Channel) -> tuple[Order, PythonFrontEnd]:
    order: Order = cloudpickle.loads(payload)
    sandbox.enter(order.job.allow_side_effects)
    return order, PythonFrontEnd(order.job, channel.recorder, order.fatal)


def search(payload: bytes, channel: Channel) -> dict[str, Any]:
    """Conduct a search to its end."""
    order, front_end = _open(payload, channel)
    job = order.job
    strategy: Strategy = (
        STRATEGIES.make(job.strategy, dict(job.options)) if isinstance(job.strategy, str) else job.strategy
    )
    front_end.prepare()
    session = LiveSession(
        front_end,
        job.budget,
        seed=job.seed,
        run_seconds=job.limits.run_seconds,
        send=channel.send,
        snapshot=None if order.snapshot is None else Snapshot.from_json(order.snapshot),
        collect=job.collect,
    )
    stopped = session.conduct(strategy)
    return {
        "stopped": stopped,
        "proof": session.proof,
        "books": asdict(session.books),
        "best": session.best,
        "target": front_end.name,
        "threads": sandbox.leftover_threads(),
    }


def recover(payload: bytes, channel: Channel) -> list[Leaf]:
    """The input of a symbolic run that killed its process: follow its decisions and stop before the end."""
    order, front_end = _open(payload, channel)
    (fatal,) = order.fatal
    trace = front_end.run(
        Follow(fatal.decisions or b""),
        fatal.start,
        both=False,
        stop_when_infeasible=False,
        seconds=order.job.limits.run_seconds,
    )
    return trace.leaves


def replay(payload: bytes, channel: Channel) -> None:
    """Run inputs natively on the unmodified target and compare with what the search predicted."""
    order, front_end = _open(payload, channel)
    for index, finding in order.findings:
        leaves = finding["leaves"]
        shown = {name: to_json(value) for name, value in front_end.inputs.arguments(leaves).items()}
        call = front_end.target.describe_call(front_end.inputs, leaves)
        channel.send({"index": index, "input": shown, "call": call, "target": front_end.name})
        channel.send({"index": index, **_replay(front_end, finding, order.job.limits.run_seconds)})


def _replay(front_end: PythonFrontEnd, finding: dict[str, Any], seconds: float) -> dict[str, Any]:
    leaves = finding["leaves"]
    native = front_end.native(leaves, seconds)
    measured = front_end.evaluate(leaves, seconds, recording=True)
    ended = native.outcome in (Outcome.RETURNED, Outcome.RAISED)
    cost = front_end.cost(measured, seconds) if ended else None
    result = {
        "outcome": native.outcome.value,
        "returned": native.returned,
        "exception": native.exception,
        "cost": cost,
        "branches": measured.length,
        "difference": None,
        "nondeterministic": None,
    }
    if not ended:
        return result
    again = front_end.native(leaves, seconds)
    if _told(native) != _told(again):
        result["nondeterministic"] = f"two native runs of one input end with {_brief(native)} and {_brief(again)}"
    result["difference"] = _difference(front_end, finding, native, measured, cost, seconds)
    return result


def _difference(
    front_end: PythonFrontEnd,
    finding: dict[str, Any],
    native: Trace,
    measured: Trace,
    cost: float | None,
    seconds: float,
) -> str | None:
    """Where the replay differs from the prediction, in words."""
    if native.outcome.value != finding["outcome"]:
        return f"predicted to be {finding['outcome']}, but {_brief(native)} natively"
    if finding["origin"] == "symbolic":
        predicted = front_end.run(None, finding["leaves"], both=False, stop_when_infeasible=False, seconds=seconds)
        parting = _parting(predicted, measured)
        if parting is not None:
            return parting
    if front_end.path_determined and cost != finding["cost"]:
        return f"predicted to cost {finding['cost']:g}, but replayed at {cost:g}"
    return None




def _parting(predicted: Trace, measured: Trace) -> str | None:
    """The first branch at which two traces part."""
    ours = [(site.id, taken) for site, taken in _steps(predicted)]
    theirs = [(site.id, taken) for site, taken in _steps(measured)]
    if ours == theirs:
        return None
    for position, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"branch {position} was predicted as {a[0]} {bool(a[1])}, but replayed as {b[0]} {bool(b[1])}"
    return f"{len(ours)} branches were predicted, but {len(theirs)} replayed"


def _steps(trace: Trace) -> list[tuple[Any, int]]:
    pairs = zip(trace.sites, trace.decisions, strict=True)
    return [pair for position, pair in enumerate(pairs) if position not in trace.choices]


def _told(trace: Trace) -> tuple[str, str, str]:
    return trace.outcome.value, _ADDRESS.sub("", trace.returned or ""), _ADDRESS.sub("", trace.exception or "")


def _brief(trace: Trace) -> str:
    detail = trace.exception if trace.outcome is Outcome.RAISED else trace.returned
    return f"{trace.outcome.value} {(detail or '')[:80]}".strip()
