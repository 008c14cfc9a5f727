"""The task of searching."""

from __future__ import annotations

from time import monotonic
from typing import Any

from pessimal.errors import InputError
from pessimal.messages import SearchEnded
from pessimal.objective import Objective
from pessimal.pool import Channel, sandbox, stop_signal
from pessimal.proof import CertifyingStrategy
from pessimal.registry import OBJECTIVES, STRATEGIES
from pessimal.search.opening_runs import Opening
from pessimal.search.session import SearchSession
from pessimal.search_spec import SearchSpec
from pessimal.strategy import Strategy, report_of, writable_by
from pessimal.target_spec import name_of
from pessimal.worker.opening import open_front_end
from pessimal.worker.tasks import SearchTask


def search(payload: bytes, channel: Channel) -> SearchEnded:
    """Let the strategy search until it or the budget ends."""
    task = SearchTask.unpack(payload)
    spec, start = task.spec, monotonic()
    strategy = _strategy(spec)
    front_end = open_front_end(spec, channel, task.fatal, ends_at=task.ends_at, writable=writable_by(strategy))
    front_end.prepare()
    opening = Opening(
        front_end, seed=spec.seed, run_seconds=spec.limits.run_seconds, opened=task.opened, send=channel.send
    )
    session = SearchSession(
        front_end,
        spec.budget.for_strategy(strategy),
        seed=spec.seed,
        run_seconds=spec.limits.run_seconds,
        send=channel.send,
        snapshot=task.snapshot,
        objective=_objective(spec),
        explain=task.explain,
        # The replay has to import the target again, as it is and rewritten.
        ends_at=None if task.ends_at is None else task.ends_at - 2 * (monotonic() - start),
        opening=opening.run,
    )
    stop_signal.call(session.stop)
    stopped = session.conduct(strategy)
    stop_signal.ignore()
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
    )


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


def _strategy(spec: SearchSpec) -> Strategy:
    strategy: Strategy = (
        STRATEGIES.make(spec.strategy, dict(spec.options)) if isinstance(spec.strategy, str) else spec.strategy
    )
    if spec.certificate is None:
        return strategy
    return CertifyingStrategy(strategy, spec.certificate, name_of(spec.target), name_of(spec.cost))
