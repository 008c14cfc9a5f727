"""A search inside the test's own process, for strategies that learn at small sizes."""

import json

from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.testing import InProcess


def session_of(target, size):
    return SearchSession(
        InProcess(target, size), Budget(seconds=None), seed=0, run_seconds=10.0, send=lambda message: None
    )


def searched(target, size, strategy):
    """The paths and the largest cost of a search to its end, and the session."""
    session = session_of(target, size)
    assert session.conduct(strategy) == "nothing left to try"
    return session.counters.paths, session.best.cost, session


def broken_off(target, size, make, after):
    """The same in two halves: the second goes on from the state of the first, which took so many steps."""
    session, first = session_of(target, size), make()
    steps = first.steps(session)
    for _ in range(after):
        next(steps)
    second = make()
    second.restore(json.loads(json.dumps(first.state())))
    second.search(session)
    return session, second
