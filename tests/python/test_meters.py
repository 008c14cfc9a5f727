"""Meters: known figures, the same each time, and nothing left behind."""

import gc
import sys
import tracemalloc

import pytest

from pessimal.python.meters import Allocated, Block, Calls, Depth, Lines, PeakMemory, WallTime, is_users


def loop(n):
    total = 0
    for i in range(n):
        total += i
    return total


def fall(n):
    return 0 if n == 0 else fall(n - 1)


def fall_and_fail(n):
    if n == 0:
        raise ValueError(n)
    fall_and_fail(n - 1)


def produce(n):
    yield from range(n)


def keep(count, size):
    kept = []
    for _ in range(count):
        kept.append(bytes(size))
    return kept


def drop(count, size):
    for _ in range(count):
        bytes(size)


class Stack:
    def push(self):
        return self


class Cyclic:
    def __init__(self):
        self.itself = self

    def __del__(self):
        fall(5)


def measured(meter, function, *args):
    with meter:
        function(*args)
    return meter.value


def this_file(file):
    return file == __file__


@pytest.mark.parametrize("n", [0, 1, 7])
def test_lines_of_a_loop(n):
    # total = 0; the head n + 1 times; the body n times; return
    assert measured(Lines(), loop, n) == 2 * n + 3


def test_lines_outside_the_measured_files_do_not_count():
    assert measured(Lines(lambda file: False), loop, 7) == 0


def test_the_standard_library_and_pessimal_are_not_measured():
    assert is_users(__file__)
    assert is_users("<stdin>")
    assert not is_users("<frozen importlib._bootstrap>")
    assert not is_users(tracemalloc.__file__)
    assert not is_users(sys.modules["pessimal.trace"].__file__)
    assert is_users(pytest.__file__)


def test_executions_of_one_line():
    body = loop.__code__.co_firstlineno + 3
    assert measured(Block(body, this_file), loop, 7) == 7
    assert measured(Block(body, lambda file: False), loop, 7) == 0


def test_calls_by_qualified_name():
    assert measured(Calls("fall"), fall, 5) == 6
    assert measured(Calls("Stack.push"), lambda: Stack().push().push()) == 2
    assert measured(Calls("push"), lambda: Stack().push().push()) == 0


def test_each_resumption_of_a_generator_is_a_call():
    assert measured(Calls("produce"), lambda: list(produce(3))) == 4


def test_depth_counts_the_target_as_the_first_frame():
    assert measured(Depth(), fall, 0) == 1
    assert measured(Depth(), fall, 5) == 6


def test_depth_comes_back_after_exceptions_and_between_calls():
    def twice():
        for _ in range(2):
            try:
                fall_and_fail(3)
            except ValueError:
                fall(2)

    assert measured(Depth(), twice) == 1 + 4


def test_finalizers_do_not_deepen_the_target():
    def disturbed():
        for _ in range(3000):  # enough garbage for the collector to run, were it on
            Cyclic()
        fall(2)

    assert measured(Depth(), disturbed) == 1 + 3


def test_nothing_at_all_measures_zero():
    for meter in (Lines(), Calls("fall"), Depth(), Block(1, this_file)):
        with meter:
            pass
        assert meter.value == 0


def test_peak_memory_is_what_is_held_at_once():
    held = measured(PeakMemory(), keep, 10, 100_000)
    dropped = measured(PeakMemory(), drop, 10, 100_000)
    assert 1_000_000 <= held < 1_010_000
    assert 100_000 <= dropped < 210_000


def test_allocated_memory_sums_what_lines_add():
    assert 1_000_000 <= measured(Allocated(), keep, 10, 100_000) < 1_010_000


def test_what_a_line_frees_again_is_not_allocated():
    assert measured(Allocated(), drop, 10, 100_000) < 10_000


def test_time_goes_forward():
    assert measured(WallTime(), loop, 10) > 0


@pytest.mark.parametrize("make", [Lines, Depth, lambda: Calls("loop"), PeakMemory, Allocated])
def test_a_second_measurement_gives_the_same_figure(make):
    measured(make(), keep, 10, 1000)
    first = measured(make(), keep, 10, 1000)
    unrelated = [[str(i)] for i in range(1000)]
    del unrelated
    gc.collect()
    assert measured(make(), keep, 10, 1000) == first


@pytest.mark.parametrize(
    "make", [Lines, Depth, lambda: Calls("loop"), lambda: Block(1, this_file), PeakMemory, Allocated, WallTime]
)
def test_everything_is_put_back_even_after_an_exception(make):
    def other(frame, event, argument):
        return None

    previous = sys.gettrace()
    sys.settrace(other)
    try:
        with pytest.raises(ValueError, match="0"), make():
            fall_and_fail(2)
        assert sys.gettrace() is other
    finally:
        sys.settrace(previous)
    assert gc.isenabled()
    assert not tracemalloc.is_tracing()


def test_tracing_of_memory_that_was_on_stays_on():
    tracemalloc.start()
    try:
        measured(PeakMemory(), keep, 2, 1000)
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()
