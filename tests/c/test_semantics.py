"""Instrumented code does what the compiler makes of the original, on every construct, and reports what it decides."""

from random import Random

import pytest

from pessimal.trace import Outcome

SECONDS = 20.0
FUNCTIONS = [
    "guarded", "fall_through", "nested", "password", "list_length", "describe", "sum_points", "in_range", "jumps",
    "hidden", "classify", "compare_signs", "apply", "name_of", "plain_value", "wide",
]  # fmt: skip
"""Functions that end on every input, tried on random ones."""


def native_and_instrumented(target, leaves):
    return target.native(leaves, SECONDS), target.evaluate(leaves, SECONDS, recording=True)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_instrumented_code_returns_what_the_original_returns(front_end, function):
    target = front_end(function, growing=True)
    rng = Random(function)
    for _ in range(40):
        native, instrumented = native_and_instrumented(target, [item.sample(rng, 50) for item in target.domains])
        assert (native.outcome, native.returned) == (instrumented.outcome, instrumented.returned)
        assert instrumented.costs["branches"] == len(instrumented)


def test_a_guard_protects_what_follows_it(front_end):
    target = front_end("guarded")
    null, large = [0, 0, 0], [1, 4, 0]
    assert target.describe_call(null) == "guarded(NULL)"
    assert target.describe_call(large) == "guarded(&(struct point){.x = 4, .y = 0})"
    first = target.evaluate(null, SECONDS, recording=True)
    assert [site.text for site in first.sites] == ["p"]
    second = target.evaluate(large, SECONDS, recording=True)
    assert [(site.text, taken) for site, taken in zip(second.sites, second.decisions, strict=True)] == [
        ("p", 1),
        ("p->x > 3", 1),
    ]


def test_a_switch_is_one_branch_with_the_distance_to_each_outcome(front_end):
    target = front_end("fall_through")
    trace = target.evaluate([90], SECONDS, recording=True)
    assert trace.returned == "1000"
    assert trace.arity(0) == 4  # case 1 and 2 together, case 7, the range, default
    assert trace.distances(0) == (88.0, 83.0, 10.0, 0.0)
    assert [target.native([code], SECONDS).returned for code in (2, 7, 110, 3)] == ["11", "10", "1100", "1000"]


@pytest.mark.parametrize(
    ("function", "leaves", "distances"),
    [
        ("guarded", [1, 1, 0], (0.0, 3.0)),  # 1 > 3 lacks 2, and one more
        ("count_down", [5], (4.0, 0.0)),
        ("compare_signs", [-1, 5], (0.0, 4294967291.0)),  # as unsigned numbers
        ("hidden", [90], (0.0, 7.0)),
    ],
)
def test_distances_are_those_of_the_compared_values(front_end, function, leaves, distances):
    trace = front_end(function).evaluate(leaves, SECONDS, recording=True)
    position = {"guarded": 1}.get(function, 0)
    assert trace.distances(position) == distances


def test_texts_have_a_graded_distance(front_end):
    target = front_end("password", size=6)
    distances = [
        target.evaluate([ord(char) for char in text], SECONDS, recording=True).distances(0)[1]
        for text in ("sesama", "sesaaa", "zzzzzz")
    ]
    assert distances == sorted(distances)
    assert distances[0] == ord("e") - ord("a")


def test_output_parameters_and_callbacks(front_end):
    halves = front_end("halves", size=1)
    assert halves.native([65537, 0, 1, 0], SECONDS).outcome is Outcome.RETURNED
    apply = front_end("apply")
    assert [apply.native([answer, 0], SECONDS).returned for answer in (-1, 1)] == ["2", "1"]


def test_variables_start_anew_in_every_run(front_end):
    target = front_end("remembers")
    assert {target.native([1], SECONDS).returned for _ in range(3)} == {"0"}
    assert {target.evaluate([1], SECONDS, recording=True).returned for _ in range(3)} == {"0"}


def test_text_and_null_are_returned_as_such(front_end):
    target = front_end("name_of")
    assert [target.native([number], SECONDS).returned for number in (1, 2, 3)] == ['"one"', '"two"', "NULL"]
