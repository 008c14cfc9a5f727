"""The task of searching."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from math import inf
from random import Random
from time import monotonic
from typing import Any

from pessimal.errors import InputError
from pessimal.frontend import FrontEnd
from pessimal.messages import FailureFound, Finding, SearchEnded, SearchMessage
from pessimal.objective import Objective
from pessimal.pool import Channel, sandbox, stop_signal
from pessimal.proof import CertifyingStrategy
from pessimal.registry import OBJECTIVES, STRATEGIES
from pessimal.search.budget import Budget
from pessimal.search.opening_runs import Opening
from pessimal.search.session import SearchSession
from pessimal.search_spec import SearchSpec
from pessimal.strategy import Divisible, Portfolio, Strategy, report_of, writable_by
from pessimal.target_spec import name_of
from pessimal.worker.describing import describe_found
from pessimal.worker.opening import open_front_end, preload_front_end
from pessimal.worker.tasks import Part, SearchTask

REWRITING_SHARE = 0.7
"""How long the import of the copy for symbolic runs may take in a portfolio, by how long it may be silent."""


def preload() -> None:
    """Import what most searches need before workers are forked."""
    preload_front_end()
    STRATEGIES.make("auto")


def search(payload: bytes, channel: Channel) -> SearchEnded:
    """Let the strategy search until it or the budget ends."""
    task = SearchTask.unpack(payload)
    spec, start = task.spec, monotonic()
    strategy = _strategy(spec, task.part)
    front_end = open_front_end(
        spec,
        channel,
        task.fatal,
        ends_at=task.ends_at,
        writable=writable_by(strategy),
        rewriting_seconds=inf if task.silent_seconds is None else REWRITING_SHARE * task.silent_seconds,
    )
    front_end.prepare()
    opening = Opening(
        front_end,
        seed=spec.seed,
        run_seconds=spec.limits.run_seconds,
        opened=task.part.opened,
        send=channel.send,
        is_reproducible=spec.budget.paths is not None,
    )
    session = SearchSession(
        front_end,
        _budget(spec, task.part).for_strategy(strategy),
        seed=_seed(spec.seed, task.part),
        run_seconds=spec.limits.run_seconds,
        send=partial(_send, channel, front_end),
        snapshot=task.snapshot,
        objective=_objective(spec),
        explain=task.explain,
        # The replay has to import the target again.
        ends_at=None if task.ends_at is None else task.ends_at - (monotonic() - start),
        opening=opening.run,
        receive=partial(_receive, channel),
    )
    with stop_signal.calling(session.stop):
        stopped = session.conduct(strategy)
    if session.counters.rejected and not session.counters.accepted and not opening.has_ended:
        raise InputError(f"no input of size {spec.size} was accepted: {session.refusal}")
    return SearchEnded(
        stopped=stopped,
        proof=session.proof,
        counters=session.counters,
        best=session.best,
        ledger=session.ledger,
        report=_report(strategy, session.was_stopped),
        leftover_threads=sandbox.leftover_threads(),
        attack=session.attack,
        ran_out_of_time=session.ran_out_of_time,
        is_settled=session.is_settled,
        described=describe_found(front_end, session.best),
    )


def _budget(spec: SearchSpec, part: Part) -> Budget:
    """The lane's part of the budget: all of the time, and its share of the paths."""
    paths = spec.budget.paths
    if paths is None:
        return spec.budget
    share = paths // part.lanes + (part.lane < paths % part.lanes)
    return replace(spec.budget, paths=max(1, share))


def _seed(seed: int, part: Part) -> int:
    """A source of randomness for each lane; that of the first is the user's own."""
    return seed if part.is_first else Random(f"{seed}:{part.lane}").getrandbits(32)


def _receive(channel: Channel) -> list[Finding]:
    """The inputs of other lanes that the parent has left a note of."""
    note = None if channel.recorder is None else channel.recorder.take_note()
    return [] if note is None else [Finding.from_json(item) for item in json.loads(note)]


def _send(channel: Channel, front_end: FrontEnd, message: SearchMessage) -> None:
    """Tell the parent, and describe inputs that it may have no time to replay."""
    if isinstance(message, FailureFound):
        message = replace(message, described=describe_found(front_end, message.finding))
    channel.send(message)


def _report(strategy: Strategy, was_stopped: bool) -> dict[str, Any] | None:
    """What the strategy reports; one that was stopped halfway may not be able to."""
    try:
        return report_of(strategy)
    except Exception:
        if not was_stopped:
            raise
        return None


def _objective(spec: SearchSpec) -> Objective:
    if not isinstance(spec.objective, str):
        return spec.objective
    objective: Objective = OBJECTIVES.make(spec.objective, {"stop_at": spec.budget.stop_at})
    return objective


def _strategy(spec: SearchSpec, part: Part) -> Strategy:
    strategy: Strategy = (
        STRATEGIES.make(spec.strategy, dict(spec.options)) if isinstance(spec.strategy, str) else spec.strategy
    )
    if isinstance(strategy, Portfolio):
        strategy.exclude(part.excluded)
        strategy.take_lane(part.lane, part.lanes)
    elif isinstance(strategy, Divisible):
        strategy.take_part(part.lane, part.lanes)
    if spec.certificate is None:
        return strategy
    return CertifyingStrategy(strategy, spec.certificate, name_of(spec.target), name_of(spec.cost))
