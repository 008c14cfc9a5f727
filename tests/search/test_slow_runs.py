"""Runs that are slow for reasons of ours are no findings about the target."""

import pytest

from pessimal.messages import FailureFound
from pessimal.search.budget import Budget
from pessimal.search.session import SearchSession
from pessimal.testing import InProcess
from pessimal.trace import Outcome


def doubled(x: int) -> int:
    return 2 * x if x > 3 else x


class SlowSymbolically(InProcess):
    """Symbolic runs take too long; concrete ones do so if ``hangs``."""

    def __init__(self, hangs):
        super().__init__(doubled, 1)
        self.hangs = hangs

    def run(self, request, seconds):
        trace = super().run(request, seconds)
        trace.outcome = Outcome.TIMED_OUT
        return trace

    def evaluate(self, leaves, seconds, recording=False):
        trace = super().evaluate(leaves, seconds, recording)
        trace.outcome = Outcome.TIMED_OUT if self.hangs else trace.outcome
        return trace


@pytest.mark.parametrize("hangs", [False, True])
def test_a_slow_symbolic_run_is_a_hang_only_if_its_input_does_not_end_either(hangs):
    sent = []
    session = SearchSession(
        SlowSymbolically(hangs), Budget(seconds=None, paths=1), seed=0, run_seconds=600.0, send=sent.append
    )
    session.run(start=[7])
    failures = [message.finding for message in sent if isinstance(message, FailureFound)]
    assert [(found.leaves, found.origin) for found in failures] == ([((7,), "concrete")] if hangs else [])
    assert (session.best is None) == hangs
    assert hangs or session.best.cost == 1
