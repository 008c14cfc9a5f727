"""A search inside the test's own process of which every path can be looked at."""

import json

from pessimal.messages import Snapshot
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.strategy import SearchOver
from pessimal.testing import InProcess


class Watched(SearchSession):
    """A session that remembers the traces of its symbolic runs."""

    def __init__(self, target, size, paths, *, seed=0, snapshot=None, stop_at=None, front=InProcess):
        super().__init__(
            front(target, size),
            Budget(seconds=None, paths=paths, stop_at=stop_at),
            seed=seed,
            run_seconds=10.0,
            send=lambda message: None,
            snapshot=snapshot,
        )
        self.traces = []

    def run(self, *args, **kwargs):
        trace = super().run(*args, **kwargs)
        self.traces.append(trace)
        return trace

    @property
    def paths(self):
        return [bytes(trace.decisions) for trace in self.traces]


def watched(target, size, strategy, paths, **options):
    """The session after a strategy has searched, and why it stopped."""
    session = Watched(target, size, paths, **options)
    session.strategy, session.stopped = strategy, session.conduct(strategy)
    return session


def halves(target, size, make, after, paths):
    """The same search in one piece, and in two that are joined by JSON: both sessions."""
    whole = watched(target, size, make(), paths)
    strategy = make()
    first = watched(target, size, strategy, after)
    snapshot = Snapshot.from_json(json.loads(json.dumps(first.snapshot().to_json())))
    second = watched(target, size, make(), paths, snapshot=snapshot)
    second.traces = first.traces + second.traces
    return whole, second


def stepped(learner, session, count):
    """Let rules make so many runs, or all that there are; the learner."""
    try:
        for number, _ in enumerate(learner.steps(session), 1):
            if number == count:
                break
    except SearchOver:
        pass
    return learner
