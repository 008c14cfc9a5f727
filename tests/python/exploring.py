"""Exploring a function in this process: the strategy's view of the engine, without workers."""

import types
from contextlib import suppress

from pessimal.inputs import Inputs, Native
from pessimal.python.byvalue import rewrite_function
from pessimal.python.plain_calls import repeated
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.search.exhaustive import Exhaustive
from pessimal.trace import Outcome

SIZE = 3
PATHS = 200


class Enough(BaseException):
    pass


class Collector:
    """A session that keeps traces: the strategy's view of the engine, without processes."""

    def __init__(self, function, size=SIZE, paths=PATHS, **options):
        rewritten = rewrite_function(function) if isinstance(function, types.FunctionType) else function
        self.inputs = Inputs.of(function, size)
        self.symbolic = Symbolic(rewritten, self.inputs, **options)
        self.traces = []
        self.proof = None
        self.paths = paths

    def run(
        self, policy=None, start=None, *, probe_other=False, stop_when_infeasible=False, known_prefix=0, avoid=None
    ):
        if len(self.traces) >= self.paths:
            raise Enough
        self.traces.append(repeated(lambda: self.symbolic.run(Request(policy, start, probe_other, avoid=avoid))))
        return self.traces[-1]

    def count_infeasible(self, leaves):
        pass

    def diverged(self, trace):
        raise AssertionError("a deterministic target diverged")

    def claim(self, proof):
        self.proof = proof

    def explore(self):
        with suppress(Enough):
            Exhaustive().search(self)
        return self


def native(function, inputs, leaves):
    args, kwargs = inputs.decode(Native(leaves))
    try:
        return Outcome.RETURNED, function(*args, **kwargs)
    except Exception as error:
        return Outcome.RAISED, type(error).__name__


def both_outcomes(function, size=SIZE, paths=PATHS, **options):
    """The results over all paths found; every input is replayed natively and must end as its path did."""
    found = Collector(function, size, paths, **options).explore()
    results = set()
    for trace in found.traces:
        if trace.outcome in (Outcome.RETURNED, Outcome.RAISED) and not trace.refused:
            outcome, result = native(function, found.inputs, trace.leaves)
            assert outcome == trace.outcome, (function.__name__, trace.leaves, result)
            results.add(result)
    return results
