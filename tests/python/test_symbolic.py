"""The symbolic front-end: it reaches both outcomes of every construct, and never lies about an input."""

import hashlib
import inspect
import os
from typing import Annotated, Literal

import pytest

from pessimal.runs import Request, RunView
from pessimal.trace import Outcome, Side
from tests.python import constructs
from tests.python.exploring import Collector, native

CONSTRUCTS = [
    function
    for name, function in inspect.getmembers(constructs, inspect.isfunction)
    if function.__module__ == constructs.__name__
]


def branches(trace):
    return [(branch.site, branch.taken) for branch in trace.branches]


@pytest.mark.parametrize("function", CONSTRUCTS, ids=lambda f: f.__name__)
def test_both_outcomes_are_reached_and_every_input_takes_its_path(function):
    found = Collector(function).explore()
    outcomes = set()
    for trace in found.traces:
        outcome, result = native(function, found.inputs, trace.leaves)
        assert outcome is trace.outcome is Outcome.RETURNED
        outcomes.add(result)
        again = found.symbolic.run(Request(start=trace.leaves))
        assert branches(again) == branches(trace)
    assert outcomes == {0, 1}


def test_an_exhausted_tree_has_no_path_twice():
    def sort(xs: list[int]):
        for i in range(1, len(xs)):
            j = i
            while j > 0 and xs[j - 1] > xs[j]:
                xs[j - 1], xs[j] = xs[j], xs[j - 1]
                j -= 1

    found = Collector(sort, size=5).explore()
    assert found.proof == "tree exhausted"
    assert len(found.traces) == len({bytes(trace.decisions) for trace in found.traces}) == 120


def test_a_concretisation_is_recorded_and_revisited():
    def described(x: Annotated[int, range(1 << 31)]):
        return os.strerror(x)

    found = Collector(described, paths=12).explore()
    assert found.proof is None
    values = [trace.leaves[0] for trace in found.traces]
    assert len(set(values)) == len(values)
    for trace in found.traces:
        (event,) = trace.concretisations
        assert event.values == (trace.leaves[0],)
        assert trace.length == 0  # what compiled code asks for is no branch of the program


def test_a_bounded_concretisation_is_exhausted():
    def index(flag: bool):
        return ["a", "b"][flag]

    found = Collector(index).explore()
    assert found.proof == "tree exhausted"
    assert sorted(trace.leaves[0] for trace in found.traces) == [0, 1]


class Always:
    def __init__(self, direction):
        self.direction = direction

    def choose(self, run: RunView):
        return self.direction

    def pick(self, run):
        return None


def test_an_infeasible_wish_is_replaced_and_said():
    def contradiction(x: int):
        if x > 5 and x < 3:
            return 1
        return 0

    trace = Collector(contradiction).symbolic.run(Request(Always(True)))
    assert list(trace.decisions) == [1, 0]
    assert Side(trace.others[1]) is Side.INFEASIBLE
    stopped = Collector(contradiction).symbolic.run(Request(Always(True), stop_when_infeasible=True))
    assert stopped.outcome is Outcome.INFEASIBLE


def test_exceptions_and_exits_are_outcomes():
    def fail(x: int):
        if x == 1:
            raise ValueError(x)
        if x == 2:
            raise SystemExit
        if x == 3:
            return fail(x)
        return None

    found = Collector(fail).explore()
    outcomes = {trace.leaves[0]: (trace.outcome, trace.exception) for trace in found.traces}
    assert outcomes[1] == (Outcome.RAISED, "ValueError")
    assert outcomes[2] == (Outcome.RAISED, "SystemExit")
    assert outcomes[3] == (Outcome.RAISED, "RecursionError")
    assert found.proof == "tree exhausted"


def test_a_path_longer_than_the_limit_is_cut_and_says_so():
    def forever(x: int):
        while x > 0:
            pass

    trace = Collector(forever, limit=50).symbolic.run(Request(Always(True)))
    assert trace.truncated
    assert trace.outcome is Outcome.TIMED_OUT
    assert len(trace) == 50


def test_a_target_that_swallows_everything_cannot_swallow_the_end():
    def swallow(x: int):
        while True:
            try:
                if x > 5 and x < 3:
                    return 1
                return 0
            except BaseException:
                return 2

    trace = Collector(swallow).symbolic.run(Request(Always(True), stop_when_infeasible=True))
    assert trace.outcome is Outcome.INFEASIBLE


def test_a_value_that_outlives_its_run_says_so():
    kept = []

    def keep(x: int):
        kept.append(x)

    Collector(keep).symbolic.run(Request())
    with pytest.raises(RuntimeError, match="outside of the run"):
        bool(kept[0] > 1)


def test_a_path_behind_a_value_made_concrete_is_not_lost():
    """The decisions behind a concretisation mean the same from every input that the search starts from."""

    def deep(c: Literal[0, 1], x: int):
        if c == 0:
            return x > 3
        if x > 3:
            n = 0
            while n < 5 and x > n + 10:
                n += 1
            return n
        return 2

    found = Collector(deep).explore()
    assert found.proof == "tree exhausted"
    assert max(trace.length for trace in found.traces) == 6
    assert len({(t.leaves[0], bytes(t.decisions)) for t in found.traces}) == len(found.traces)


def test_text_that_compiled_code_refuses_becomes_concrete_and_is_revisited():
    def digest(s: bytes):
        return 1 if hashlib.pbkdf2_hmac("md5", s, b"", 1)[0] % 2 else 0

    found = Collector(digest, size=1, paths=50).explore()
    assert found.proof is None
    assert all(trace.concretisations[0].reason == "pbkdf2_hmac" for trace in found.traces)
    assert len({trace.leaves[0] for trace in found.traces}) == 50


def test_what_refuses_a_symbolic_value_unseen_is_given_a_concrete_one():
    def unseen(s: str):
        return memoryview(b"ab").cast(s)

    found = Collector(unseen).explore()
    assert found.proof is None
    assert found.traces[0].refused is None
    assert found.traces[0].exception == "ValueError"  # and not the TypeError of a value that is not a str
    assert [event.reason for event in found.traces[0].concretisations] == ["memoryview.cast"]
