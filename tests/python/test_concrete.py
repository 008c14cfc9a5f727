"""Concrete runs: outcomes, costs and branches of one execution, whatever the target does."""

import sys
from dataclasses import replace

import pytest

from pessimal.cost import metered
from pessimal.python.concrete import Concrete
from pessimal.python.costs import find
from pessimal.python.sites import Sites
from pessimal.trace import Outcome
from tests.subjects import insertion_sort


class Deadline(BaseException):
    """What a sandbox would raise inside the target."""


def as_list(maker):
    return ([maker.integer(i) for i in range(len(maker.leaves))],), {}


def concrete(call, cost="branches", **options):
    return Concrete(call, as_list, find(cost), timeout=Deadline, **options)


def raising(error):
    def target(xs):
        if xs[0] > 0:
            raise error

    return target


def recurse(xs):
    return recurse(xs)


def first_is_larger(xs):
    if xs[0] > xs[1]:
        return "yes"
    return "no"


def test_a_run_tells_its_input_its_result_and_its_cost():
    trace = concrete(insertion_sort.insertion_sort).run(list(range(10, 0, -1)))
    assert trace.outcome is Outcome.RETURNED
    assert trace.returned == str(list(range(1, 11)))
    assert trace.leaves == list(range(10, 0, -1))
    assert trace.costs == {"branches": 45}
    assert (len(trace), trace.exception) == (0, None)


def test_the_arguments_may_be_given_by_keyword():
    run = Concrete(first_is_larger, lambda maker: ((), {"xs": as_list(maker)[0][0]}), timeout=Deadline).run
    assert run([2, 1]).returned == "'yes'"


def test_a_long_result_is_cut():
    assert len(concrete(lambda xs: "x" * 10**6).run([1]).returned) < 10_000


def test_a_result_that_nobody_wants_is_not_described():
    assert concrete(first_is_larger).run([2, 1], show_returned=False).returned is None


def test_describing_the_result_costs_nothing():
    class Shy:
        def __init__(self, value):
            self.value = value

        def __repr__(self):
            return "large" if self.value > 5 else "small"

    trace = concrete(lambda xs: Shy(xs[0])).run([9], recording=Sites().locate)
    assert (trace.returned, trace.costs, len(trace)) == ("large", {"branches": 0}, 0)


@pytest.mark.parametrize(
    "error, description",
    [
        (ValueError("too large"), "ValueError: too large"),
        (KeyError(), "KeyError"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (StopIteration(), "StopIteration"),
        (GeneratorExit(), "GeneratorExit"),
    ],
)
@pytest.mark.parametrize("cost", ["branches", "lines"])
def test_whatever_the_target_raises_is_an_outcome(error, description, cost):
    trace = concrete(raising(error), cost).run([1])
    assert (trace.outcome, trace.exception, trace.returned) == (Outcome.RAISED, description, None)
    assert trace.costs == {"branches": {"branches": 1}, "lines": {"lines": 2}}[cost]


def test_a_long_message_is_cut():
    assert len(concrete(raising(ValueError("x" * 10**6))).run([1]).exception) < 1000


def test_endless_recursion_is_an_outcome():
    limit = sys.getrecursionlimit()
    trace = concrete(recurse, "depth").run([1])
    assert trace.outcome is Outcome.RAISED
    assert trace.exception.startswith("RecursionError: ")
    assert limit / 2 < trace.costs["depth"] <= limit


def test_a_deadline_is_a_timeout_with_the_cost_so_far():
    target = concrete(raising(Deadline()))
    trace = target.run([1])
    assert (trace.outcome, trace.exception) == (Outcome.TIMED_OUT, None)
    assert trace.costs == {"branches": 1}


def test_what_cannot_be_decoded_is_rejected_and_no_outcome_of_the_target():
    def decode(maker):
        raise LookupError("no such thing")

    trace = Concrete(first_is_larger, decode, timeout=Deadline).run([1])
    assert (trace.outcome, trace.exception) == (Outcome.REJECTED, "LookupError: no such thing")


def test_a_recording_fills_the_trace_with_branches():
    trace = concrete(first_is_larger).run([2, 1], recording=Sites().locate)
    (branch,) = trace.branches
    assert branch.site.line == first_is_larger.__code__.co_firstlineno + 1
    assert (branch.taken, branch.depth, branch.condition) == (1, 1, None)
    assert trace.costs == {"branches": 1}


def test_recordings_do_not_share_their_lists():
    target = concrete(first_is_larger)
    locate = Sites().locate
    first, second = target.run([2, 1], locate), target.run([1, 2], locate)
    assert (list(first.decisions), list(second.decisions)) == ([1], [0])


def test_without_counting_the_target_gets_plain_values():
    trace = concrete(lambda xs: type(xs[0]) is int, counted=False).run([1])
    assert (trace.returned, trace.costs) == ("True", {})
    assert concrete(lambda xs: type(xs[0]) is int).run([1]).returned == "False"


def test_a_metered_cost_is_measured_on_plain_values():
    trace = concrete(lambda xs: type(xs[0]) is int, "lines").run([1])
    assert (trace.returned, trace.costs) == ("True", {"lines": 1})


class Scripted:
    """A meter that measures what a script says."""

    settled, counts = True, ()

    def __init__(self, values):
        self.value = self.own_value = values.pop(0)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass


def scripted(values, confirmations):
    """A run that measures the values, and those that are left."""
    cost = replace(metered("scripted", True, lambda: Scripted(values)), confirmations=confirmations)
    return Concrete(lambda xs: None, lambda maker: (([],), {}), cost, timeout=TimeoutError)


def test_a_spike_is_not_taken_for_a_cost():
    values = [9.0, 2.0, 3.0, 1.0, 2.0, 5.0, 1.0, 7.0]
    run = scripted(values, 4)
    assert run.run([]).costs["scripted"] == 1.0  # the least of five
    assert run.run([]).costs["scripted"] == 1.0  # 5 seems larger, but 1 does not
    assert values == [7.0]
    assert run.keeps_state


def test_what_does_not_seem_larger_is_measured_once():
    values = [4.0, 4.0, 3.0, 4.0, 5.0, 5.0]
    run = scripted(values, 1)
    assert [run.run([]).costs["scripted"] for _ in range(4)] == [4.0, 3.0, 4.0, 5.0]
    assert values == []
    assert not run.keeps_state


def test_the_cost_of_a_site_needs_no_recording_to_be_asked_for():
    code = insertion_sort.insertion_sort.__code__
    loop = next(number for number, line in enumerate(open(code.co_filename), 1) if "while" in line)  # noqa: PTH123, SIM115
    falling = list(range(10, 0, -1))
    assert concrete(insertion_sort.insertion_sort, f"site:insertion_sort.py:{loop}").run(falling).costs == {
        "branches": 45,
        f"site:insertion_sort.py:{loop}": 45,
    }
    elsewhere = f"site:insertion_sort.py:{loop + 1}"
    assert concrete(insertion_sort.insertion_sort, elsewhere).run(falling).costs[elsewhere] == 0


def test_a_users_cost_sees_the_branches():
    def falses(trace):
        return trace.decisions.count(0)

    target = Concrete(insertion_sort.insertion_sort, as_list, find(falses), timeout=Deadline)
    assert target.run([1, 2, 3]).costs["falses"] == 2
    assert target.run([3, 2, 1]).costs["falses"] == 0


def test_a_deadline_that_passes_while_the_input_is_made_is_a_timeout():
    """Large inputs take their time to be made."""

    def late(maker):
        raise Deadline

    assert Concrete(len, late, timeout=Deadline).run([1, 2]).outcome is Outcome.TIMED_OUT
