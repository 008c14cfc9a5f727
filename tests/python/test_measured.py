"""Distances of concrete runs: code with a log does what the code does, and says how near each other outcome was."""

from operator import eq, ge, gt, le, lt, ne

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.python.measured.functions import MeasuredFunctions
from pessimal.trace import Trace
from tests.profiles import examples
from tests.python import measured_programs as programs

FUNCTIONS = MeasuredFunctions()
NUMBERS = st.one_of(st.integers(-40, 40), st.integers(), st.floats(), st.booleans())
TEXTS = st.text("ab19 ", max_size=5)
SCALARS = st.one_of(st.none(), NUMBERS, TEXTS, st.binary(max_size=3))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(TEXTS, inner, max_size=2),
        st.frozensets(TEXTS, max_size=3),
    ),
    max_leaves=4,
)  # fmt: skip
OF_TWO = ["less", "at_most", "greater", "at_least", "equal", "unequal", "inside", "outside", "same"]
OF_ONE = ["plain", "negated", "typed"]


def ended(function, *args):
    """What a call returns or raises."""
    try:
        return "returned", repr(function(*args))
    except Exception as error:
        return "raised", repr(error)


def measured(function, *args):
    """How a measured call ends, and its trace."""
    FUNCTIONS.take([programs.__name__])
    with FUNCTIONS.measuring() as log:
        end = ended(function, *args)
    trace = Trace()
    log.fill(trace)
    return end, trace


def last_test(name, *args):
    """The outcome and the distance of the last test of a function, after it was compared with a native call."""
    function = getattr(programs, name)
    native = ended(function, *args)
    end, trace = measured(function, *args)
    assert end == native
    if end[0] == "raised":
        return None
    taken, (to_false, to_true) = trace.decisions[-1], trace.measured[-1]
    assert (to_false == 0) is (taken == 0)
    assert (to_true == 0) is (taken == 1)
    assert 0 < max(to_false, to_true) < float("inf")
    assert taken == (end[1] == "'yes'")
    return bool(taken), max(to_false, to_true)


@given(st.sampled_from(OF_TWO), VALUES, VALUES)
@examples(300)
def test_the_distance_is_zero_exactly_for_the_outcome_that_a_comparison_takes(name, left, right):
    last_test(name, left, right)
    last_test(name, left, left)


@given(st.sampled_from(OF_ONE), VALUES)
@examples(200)
def test_the_distance_is_zero_exactly_for_the_outcome_that_a_value_takes(name, value):
    last_test(name, value)


@given(TEXTS, TEXTS)
@examples(200)
def test_the_distance_is_zero_exactly_for_what_a_method_of_text_says(text, part):
    for name in ("starts", "ends"):
        last_test(name, text, part)
    last_test("digits", text)


@given(st.integers(-30, 30), st.integers(-30, 30))
@examples(200)
def test_a_distance_is_what_an_operand_must_change_by(left, right):
    operators = dict(zip(OF_TWO, (lt, le, gt, ge, eq, ne), strict=False))
    for name, compare in operators.items():
        truth, distance = last_test(name, left, right)
        least = min(abs(step) for step in range(-70, 71) if compare(left + step, right) is not truth)
        assert least <= distance <= least + 1


@pytest.mark.parametrize(
    ("name", "args", "wanted"),
    [
        ("equal", (3, 10), 8.0),
        ("equal", ("magis", "magic"), 17.0),
        ("equal", ("ab", "abc"), 257.0),
        ("equal", ([1, 2], [1, 5]), 4.0),
        ("equal", ({"a": 1}, {"a": 4}), 4.0),
        ("equal", (None, 3), 1e9 + 1),
        ("inside", (4, [10, 7, 30]), 4.0),
        ("inside", ("bd", "aabc"), 2.0),
        ("inside", (25, range(3, 20)), 7.0),
        ("same", (None, 3), 1.0),
        ("plain", (7,), 8.0),
        ("plain", ([1, 2],), 3.0),
        ("starts", ("xbcde", "abc"), 24.0),
        ("ends", ("axyz", "xyy"), 2.0),
        ("digits", ("1a2b",), 3.0),
        ("less", ("abz", "abc"), 24.0),
    ],
)
def test_known_distances(name, args, wanted):
    assert last_test(name, *args)[1] == wanted


@pytest.mark.parametrize(
    ("name", "args", "text", "outcome", "wanted"),
    [
        ("leap", (1999,), "_is_leap(year)", 0, 4.0),
        ("between", (25,), "number < 20", 0, 6.0),
        ("looked_up", ("twp",), "{'one': 1, 'two': 2}[key]", 0, 2.0),
        ("indexed", ([1, 2], 6), "items[at]", 0, 6.0),
        ("indexed", ([1, 2], 0), "items[at]", 1, 3.0),
        ("ratio", (1, -4), "a / b", 1, 5.0),
        ("parsed", ("1x",), "int(text)", 0, 2.0),
        ("total", ([],), "for item in items", 0, 1.0),
        ("named", (9,), "case 2 | 3", 0, 7.0),
        ("named", (9,), "other > 1000", 0, 992.0),
    ],
)
def test_tests_of_all_kinds_are_noted_where_they_are(name, args, text, outcome, wanted):
    _, trace = measured(getattr(programs, name), *args)
    found = [i for i, site in enumerate(trace.sites) if site.text == text and trace.decisions[i] == outcome]
    assert max(trace.measured[found[-1]]) == wanted


@given(
    st.one_of(st.integers(-10, 30), st.just(400), st.just(2000)),
    st.lists(st.one_of(st.integers(-9, 60)), max_size=6),
    TEXTS,
)
@examples(100)
def test_measured_code_does_what_the_code_does(number, items, text):
    calls = [
        ("leap", number), ("between", number), ("looked_up", text), ("indexed", items, number), ("ratio", 7, number),
        ("parsed", text), ("total", items), ("named", number), ("chosen", items, text), ("checked", number),
        ("shaped", number), ("down", number),
    ]  # fmt: skip
    for name, *args in calls:
        function = getattr(programs, name)
        assert measured(function, *args)[0] == ended(function, *args)


def test_functions_have_their_own_code_again():
    before = programs.leap.__code__
    _, trace = measured(programs.leap, 4)
    assert programs.leap.__code__ is before
    assert len(trace) > 0


def test_a_long_loop_is_noted_as_far_as_it_comes_nearer():
    _, trace = measured(programs.total, list(range(-5000, 4)))
    texts = [site.text for site in trace.sites]
    assert len(texts) < 200
    nearest = min(max(trace.measured[i]) for i, text in enumerate(texts) if text == "item > 3")
    assert nearest == 1.0


def test_what_a_run_leaves_behind_notes_nothing():
    FUNCTIONS.take([programs.__name__])
    with FUNCTIONS.measuring():
        left = programs.counted_down(5)
        next(left)
    _, trace = measured(programs.plain, 1)
    assert list(left) == [3, 2, 1]
    again = Trace()
    FUNCTIONS.log.fill(again)
    assert again.decisions == trace.decisions


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("dated", ["", "2024", "2024-0a-11", "2024-0:-11", "2024-01-11"]),
        ("worded", ["", "zzzz", "xbxd", "xbbd", "xbad"]),
        ("known", ["", "zz", "abz", "abd", "abc"]),
    ],
)
def test_what_is_not_found_has_a_distance_that_shrinks(name, texts):
    function = getattr(programs, name)
    distances = []
    for text in texts:
        native = ended(function, text)
        end, trace = measured(function, text)
        assert end == native
        distances.append(trace.measured[-1][trace.decisions[-1] ^ 1] if "no" in end[1] else 0.0)
    assert distances == sorted(distances, reverse=True)
    assert len(set(distances)) == len(distances)
    assert distances[-1] == 0.0
