"""Functions that run in our own process: which they are, and that they end there as they do in one of their own."""

import ctypes
import signal
from random import Random

import numpy as np
import pytest

from pessimal.c.executor import Mode, Status
from pessimal.c.harmless import harmless
from pessimal.c.syntax import parsed
from pessimal.trace import Outcome

SECONDS = 20.0
UNLIMITED = 1 << 62
FIT = """
struct pair { int a, b; };
static int calls;
static int larger(int a, int b) { calls++; return a > b ? a : b; }
int sum(const int *xs, int n) { int s = 0; for (int i = 0; i < n; i++) s += xs[i]; return larger(s, calls); }
int swapped(struct pair p) { int t = p.a; p.a = p.b; (p).b = t; return p.a - p.b; }
unsigned long length(const char *s) { return strlen(s); }
int classed(int kind) { switch (kind) { case 1: case 5: return 1; default: goto out; } out: return 2; }
int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 ? 1 : odd(n - 1); }
"""
UNFIT = """
extern int optind; int table[4]; typedef unsigned long uintptr_t; int elsewhere(int); typedef int call(int);
void through(int *p) { *p = 1; }
void element(int i) { table[i] = 1; }
void counted(int *p) { (*p)++; }
void member(struct pair *p) { p->a = 1; }
void theirs(void) { optind = 1; }
int unknown(int a) { return elsewhere(a); }
int indirect(call *f) { return f(1); }
int unfit_too(int a) { through(&a); return a; }
int address(int *p) { return (uintptr_t)p % 16 == 0; }
int variable(int n) { int xs[n]; return xs[0]; }
int jumps(int a) { void *to = a ? &&one : &&two; goto *to; one: return 1; two: return 2; }
int many(int a, ...) { return a; }
int machine(int a) { __asm__("" : "+r"(a)); return a; }
int stops(int a) { if (a) abort(); return 0; }
"""


def test_only_functions_that_write_to_their_own_variables_are_harmless():
    assert harmless(parsed((FIT + UNFIT).encode()), ()) == {
        "larger", "sum", "swapped", "length", "classed", "even", "odd",
    }  # fmt: skip


def test_what_is_not_instrumented_is_not_harmless_nor_is_what_calls_it():
    assert harmless(parsed(FIT.encode()), {"even", "larger"}) == {"swapped", "length", "classed"}


@pytest.mark.parametrize(
    "line",
    [
        "__attribute__((constructor)) static void first(void) { }",
        "static __thread int own;",
        "void f(void) { __attribute__((cleanup(done))) int x; }",
    ],
)
def test_code_that_is_not_to_be_seen_makes_a_whole_file_unfit(line):
    assert harmless(parsed((FIT + line).encode()), ()) == frozenset()


SOURCE = """
#include <string.h>
static int state = 3;
int quotient(int a, int b) { return a / b; }
int reads(const int *p, int at) { return p[at] > 7; }
int reads_at(long at) { return *(const int *)at > 7; }
int deep(int n) { return n <= 0 ? 0 : 1 + deep(n - 1) + state; }
int wide(int n) { volatile char block[3000]; return n <= 0 ? block[0] : wide(n - 1) + block[n % 3000]; }
int loops(int n) { int i = 0; while (i != n) { i++; state++; } return state; }
int word(const char *s) { if (!strcmp(s, "go")) return 1; return state++ + (*s == 'x'); }
int kinds(unsigned char a, double b) { switch (a % 5) { case 0: return b > 1; case 3: return b == 2; } return -1; }
"""


@pytest.fixture
def made(front_end, tmp_path):
    file = tmp_path / "here.c"
    file.write_text(SOURCE)
    return lambda function, **options: front_end(function, file=file, **options)


def apart(target):
    """The same executor, told that nothing runs in this process."""
    here, target.executor._here = target.executor._here, ctypes.c_void_p(None)
    return here


def both(target, inputs, most_steps=UNLIMITED):
    """What a batch gives here and in a process of its own."""
    one = target.distances(inputs, most_steps)
    here = apart(target)
    assert here.value
    other = target.distances(inputs, most_steps)
    target.executor._here = here
    return one, other


@pytest.mark.parametrize("function", ["quotient", "reads", "loops", "word", "kinds"])
def test_runs_here_and_in_a_process_of_their_own_agree(made, function):
    target, rng = made(function, growing=True), Random(function)
    inputs = [target.inputs.sample(rng) for _ in range(60)]
    one, other = both(target, inputs, 1000)
    for mine, theirs in zip(one, other, strict=True):
        assert np.array_equal(mine, theirs)
    ended = next(leaves for leaves, status in zip(inputs, one[1], strict=True) if status == Status.RETURNED)
    single = target.evaluate(ended, SECONDS, recording=True)
    here = apart(target)
    theirs = target.evaluate(ended, SECONDS, recording=True)
    target.executor._here = here
    assert (single.outcome, single.returned, single.costs) == (theirs.outcome, theirs.returned, theirs.costs)
    assert single.decisions == theirs.decisions


def test_a_signal_is_the_result_of_its_input_and_this_process_lives(made):
    target = made("quotient")
    for _ in range(3):
        assert target.evaluate([1, 0], SECONDS).exception == "SIGFPE"
        assert target.evaluate([6, 3], SECONDS, recording=True).returned == "2"
    target = made("reads_at")
    executor = target.executor
    executor.use(target.layout)
    result = executor.run([8], SECONDS, Mode.ROWS)  # in the first page, where nothing ever is
    assert (result.status, result.code) == (Status.SIGNALLED, signal.SIGSEGV)


def test_a_stack_that_is_used_up_is_a_signal(made):
    target = made("wide")
    _, statuses, codes = target.distances([[15_000], [3]], UNLIMITED)
    assert [(int(status), int(code)) for status, code in zip(statuses, codes, strict=True)] == [
        (Status.SIGNALLED, signal.SIGSEGV),
        (Status.RETURNED, 0),
    ]


def test_runs_that_take_long_are_left_to_the_executor(made):
    target = made("loops")
    assert target.evaluate([1_000_000], SECONDS, recording=False).costs["steps"] == 1_000_002
    assert target.evaluate([-1], 0.1).outcome is Outcome.TIMED_OUT
    assert target.evaluate([5], SECONDS, recording=True).returned == "8"


def test_variables_have_their_first_values_also_for_a_second_front_end(made):
    one = made("deep")
    assert one.evaluate([1], SECONDS, recording=True).returned == "4"
    made("loops").evaluate([9], SECONDS)
    assert made("loops").evaluate([1], SECONDS, recording=True).returned == "4"
    assert one.evaluate([1], SECONDS, recording=True).returned == "4"
