"""Crashes and endless loops cost only the run that they happen in, and say what they are."""

import numpy as np
import pytest

from pessimal.c.executor import Mode, Status
from pessimal.trace import Outcome

SECONDS = 20.0


@pytest.mark.parametrize(
    ("function", "size", "leaves", "outcome", "exception"),
    [
        ("divide", 1, [1000, 0], Outcome.CRASHED, "SIGFPE"),
        ("past_the_end", 2, [1, 1, 2], Outcome.CRASHED, "SIGSEGV"),
        ("overrun", 40, [ord("x")] * 40, Outcome.CRASHED, "SIGABRT"),
        ("leaves_early", 1, [3], Outcome.RAISED, "exit(4)"),
        ("leaves_early", 1, [4], Outcome.CRASHED, "SIGABRT"),
    ],
)
def test_a_run_that_fails_says_how(front_end, function, size, leaves, outcome, exception):
    target = front_end(function, size=size)
    for run in (target.evaluate, target.native):
        trace = run(leaves, SECONDS)
        assert (trace.outcome, trace.exception) == (outcome, exception)
    harmless = target.evaluate(target.initial, SECONDS)
    assert harmless.outcome in (Outcome.RETURNED, Outcome.CRASHED)


@pytest.mark.parametrize("number", [5, 6])
def test_a_run_that_does_not_end_is_ended(front_end, number):
    target = front_end("endless")
    assert target.evaluate([number], 0.1).outcome is Outcome.TIMED_OUT
    assert target.native([number], 0.1).outcome is Outcome.TIMED_OUT
    assert target.evaluate([7], SECONDS).outcome is Outcome.RETURNED


def test_a_batch_goes_on_after_each_failure(front_end):
    target = front_end("divide")
    inputs = [[1000 if i % 5 == 0 else i, 2] for i in range(40)]
    rows, statuses, codes = target.distances(inputs, 1000)
    assert [int(status) for status in statuses] == [
        Status.SIGNALLED if i % 5 == 0 else Status.RETURNED for i in range(40)
    ]
    assert set(codes[::5].tolist()) == {8}
    assert (rows[::5] == 0).any(axis=1).all()  # the distances of a run that failed are kept


def test_steps_are_counted_so_that_the_same_input_is_always_too_slow(front_end):
    target = front_end("count_down")
    _, statuses, _ = target.distances([[50], [5000]], 100)
    assert [int(status) for status in statuses] == [Status.RETURNED, Status.OUT_OF_STEPS]


def test_batches_and_single_runs_agree(front_end):
    target = front_end("nested")
    inputs = [[i % 7, i % 5] for i in range(50)]
    costs = target.survey(inputs, SECONDS)
    assert costs == [target.evaluate(leaves, SECONDS).costs["branches"] for leaves in inputs]


def test_the_target_cannot_write_files(front_end, tmp_path):
    source = tmp_path / "writer.c"
    opening = f'fopen("{tmp_path}/made", "w")'
    source.write_text(f"#include <stdio.h>\nint f(int a) {{ return a > 0 && {opening} != NULL; }}\n")
    target = front_end("f", file=source)
    assert target.native([1], SECONDS).returned == "0"
    assert not (tmp_path / "made").exists()


def test_modes_can_be_combined(front_end):
    target = front_end("nested")
    target.evaluate([2, 2], SECONDS)
    executor = target._executor
    results = executor.run_all(np.array([[1, 1], [3, 3]]), SECONDS, Mode.ROWS | Mode.EVENTS)
    assert results["branches"].tolist() == [int(target.evaluate([n, n], SECONDS).costs["branches"]) for n in (1, 3)]
