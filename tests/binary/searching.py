"""Searches of binaries in the test's own process."""

from __future__ import annotations

from pessimal.frontend import make_front_end
from pessimal.objective import EveryPath
from pessimal.registry import STRATEGIES
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.search_spec import SearchSpec
from pessimal.target import Reference

SECONDS = 120.0


def front_end(target, size=4, strategy="exhaustive", **options):
    """The front-end of a target."""
    made = make_front_end(SearchSpec(Reference.parse(str(target)), size, strategy, **options))
    made.prepare()
    return made


def searched(front, strategy, *, paths=2000, options=None, objective=None):
    """The session after a search, and the findings that it kept."""
    messages = []
    session = SearchSession(
        front,
        Budget(seconds=None, paths=paths),
        seed=0,
        run_seconds=SECONDS,
        send=messages.append,
        objective=objective or EveryPath(),
    )
    session.conduct(STRATEGIES.make(strategy, options))
    return session, [message for message in messages if hasattr(message, "finding")]


def endings(messages):
    """How the runs ended that were kept: signals by their name."""
    findings = [message.finding for message in messages if type(message).__name__ == "PathFound"]
    return [(finding.exception or "").partition(":")[0] or None for finding in findings]
