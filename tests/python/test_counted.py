"""Counted values: they compute what plain ones compute, and every test of a truth counts, once."""

import copy
import math
import operator
from functools import partial
from heapq import heappush

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.inputs import Native
from pessimal.python.counted import (
    FALSE,
    TRUE,
    BranchCounter,
    Counted,
    CountedBool,
    CountedBytes,
    CountedFloat,
    CountedInt,
    CountedStr,
    counted,
)
from pessimal.trace import Site
from tests.subjects import insertion_sort

COUNTED = {bool: CountedBool, int: CountedInt, float: CountedFloat, str: CountedStr, bytes: CountedBytes}


def count_tests(action):
    counter = BranchCounter()
    counter.start()
    try:
        action()
    finally:
        counter.stop()
    return counter.count


def ints(*values):
    return [CountedInt(value) for value in values]


def same(result, expected):
    """Equal, of the same type but for being counted, and written the same; nothing counts in an empty text."""
    if isinstance(expected, tuple | list):
        return len(result) == len(expected) and all(map(same, result, expected))
    is_empty = isinstance(expected, str | bytes) and not expected
    kind = type(expected) if is_empty else COUNTED.get(type(expected), type(expected))
    return type(result) is kind and repr(result) == repr(expected)


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


# What counts


@pytest.mark.parametrize("n", [0, 1, 2, 10])
def test_insertion_sort_of_a_falling_list_makes_all_comparisons(n):
    assert count_tests(lambda: insertion_sort.insertion_sort(ints(*range(n, 0, -1)))) == n * (n - 1) // 2


def test_pushing_ever_smaller_values_on_a_heap_climbs_to_the_root():
    def push():
        heap = []
        for value in ints(*range(10, 0, -1)):
            heappush(heap, value)

    assert count_tests(push) == sum(int(math.log2(k)) for k in range(2, 11)) == 19


def test_sorting_a_sorted_list_asks_once_per_neighbours():
    assert count_tests(lambda: sorted(ints(*range(10)))) == 9


def test_unequal_tuples_ask_for_equality_and_then_for_order():
    assert count_tests(lambda: bool((CountedInt(1), "a") < (CountedInt(2), "b"))) == 2


def test_equal_tuples_ask_for_equality_alone():
    assert count_tests(lambda: bool((CountedInt(1), "a") < (CountedInt(1), "b"))) == 1


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge])
@pytest.mark.parametrize("left, right", [(1, 2), (2, 2), (3, 2)])
def test_a_comparison_counts_when_tested_on_either_side_and_not_before(compare, left, right):
    for one, other in ((CountedInt(left), right), (left, CountedInt(right)), (CountedInt(left), float(right))):
        assert count_tests(partial(compare, one, other)) == 0
        assert count_tests(lambda o=one, p=other: bool(compare(o, p))) == 1
        assert bool(compare(one, other)) is compare(left, right)


def test_a_number_tested_by_itself_counts():
    assert count_tests(lambda: [1 for x in ints(0, 1, 2) if x]) == 3
    assert count_tests(lambda: [1 for x in map(CountedFloat, (0.0, 0.5)) if not x]) == 2


def test_short_circuits_ask_no_more_than_they_need():
    small, large = ints(1, 2)
    assert count_tests(lambda: small > large and small == large) == 1
    assert count_tests(lambda: 1 if small < large < 3 else 0) == 2


def test_builtins_that_test_inside_c_count():
    assert count_tests(lambda: min(ints(3, 1, 2))) == 2
    assert count_tests(lambda: all(x < 3 for x in ints(1, 2, 3))) == 3
    assert count_tests(lambda: CountedInt(3) in [1, 2, 3, 4]) == 3


@pytest.mark.parametrize(
    "action, tests",
    [
        (lambda s: s == "abc", 0),
        (lambda s: bool(s == "abc"), 1),
        (lambda s: bool(s < "b"), 1),
        (lambda s: "b" in s, 1),
        (lambda s: bool(s.startswith("a")), 1),
        (lambda s: bool(s.isdigit()), 1),
        (lambda s: [c for c in s if c == "a"], 3),
        (lambda s: bool(s[0] == "a"), 1),
        (lambda s: bool(s.upper() == "ABC"), 1),
        (lambda s: bool(("x" + s)[1:] == "abc"), 1),
        (lambda s: bool(s[3:] == "a"), 0),  # nothing of the input is left in it
        (lambda s: bool(s.find("c") >= 0), 0),  # where something is found is decided outside of the program's tests
        (lambda s: [part for part in s.split("b") if part != "a"], 2),
        (lambda s: (len(s), s.find("b"), s.count("b"), s.split("b"), bool(s)), 0),
    ],
)
def test_text_counts_one_for_each_test(action, tests):
    assert count_tests(lambda: action(CountedStr("abc"))) == tests


def test_bytes_count_like_text_and_yield_counted_ints():
    data = CountedBytes(b"abc")
    assert count_tests(lambda: [b for b in data if b > 97]) == 3
    assert count_tests(lambda: bool(data == b"abc")) == 1
    assert same(data[1], 98)
    assert same(data[1:], b"bc")
    assert same(b"x" + data, b"xabc")
    assert same(data.decode(), "abc")


# What is computed

NUMBERS = st.one_of(st.booleans(), st.integers(-50, 50), st.integers(), st.floats())
BINARY = (
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, divmod),
    *(operator.and_, operator.or_, operator.xor),
    *(operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge),
)
UNARY = (operator.neg, operator.pos, abs, round, math.floor, math.ceil, math.trunc)


@given(st.sampled_from(BINARY), NUMBERS, NUMBERS)
def test_an_operator_gives_the_native_result_counted(operation, left, right):
    expected = outcome(operation, left, right)
    if not (isinstance(left, int) and isinstance(right, float) and not math.isfinite(right)):
        assert_same_outcome(outcome(operation, counted(left), right), expected)
    assert_same_outcome(outcome(operation, counted(left), counted(right)), expected)


@given(st.sampled_from(BINARY[-6:]), st.integers(), st.sampled_from([math.inf, -math.inf, math.nan]))
def test_a_comparison_with_what_lies_beyond_all_integers_does_not_count(operation, number, beyond):
    assert operation(CountedInt(number), beyond) is operation(number, beyond)
    assert operation(beyond, CountedInt(number)) is operation(beyond, number)


@given(st.sampled_from(BINARY), st.integers(), st.integers())
def test_a_plain_int_on_the_left_gives_way_to_a_counted_one(operation, left, right):
    assert_same_outcome(outcome(operation, left, CountedInt(right)), outcome(operation, left, right))


def assert_same_outcome(result, expected):
    if isinstance(expected, tuple) and isinstance(expected[0], type):
        assert result == expected
    else:
        assert same(result, expected)


@given(st.sampled_from(UNARY), st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_a_unary_operator_gives_the_native_result_counted(operation, value):
    assert same(operation(counted(value)), operation(value))


@given(st.integers(-20, 20), st.one_of(st.integers(-5, 20), st.floats(-5, 5)), st.integers(1, 9))
def test_powers_and_shifts(base, exponent, modulus):
    assert_same_outcome(outcome(pow, CountedInt(base), exponent), outcome(pow, base, exponent))
    assert_same_outcome(outcome(pow, CountedInt(base), abs(base), modulus), outcome(pow, base, abs(base), modulus))
    assert_same_outcome(outcome(operator.lshift, CountedInt(base), modulus), base << modulus)
    assert_same_outcome(outcome(operator.rshift, 999, CountedInt(modulus)), 999 >> modulus)


@given(st.recursive(st.integers(-9, 9), lambda e: st.tuples(st.sampled_from(BINARY[:6]), e, e), max_leaves=12))
def test_a_whole_expression_gives_the_native_result(expression):
    def value(node, leaf):
        return node[0](value(node[1], leaf), value(node[2], leaf)) if isinstance(node, tuple) else leaf(node)

    expected = outcome(value, expression, int)
    assert_same_outcome(outcome(value, expression, CountedInt), expected)


@given(st.one_of(NUMBERS, st.text(), st.binary()))
def test_hash_format_and_conversions_are_native(value):
    twin = counted(value)
    assert hash(twin) == hash(value) or value != value
    assert (f"{twin}", repr(twin), str(twin)) == (f"{value}", repr(value), str(value))
    assert isinstance(twin, type(value))
    assert value != value or {value: "found"}[twin] == "found"


@given(st.integers(0, 9), st.lists(st.integers(), min_size=10, max_size=10))
def test_counted_ints_index_natively(index, values):
    assert values[CountedInt(index)] == values[index]
    assert list(range(CountedInt(index))) == list(range(index))
    assert f"{CountedInt(index):03d}" == f"{index:03d}"


@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=2), st.integers(-9, 9))
def test_text_methods_give_the_native_result_counted(text, part, index):
    for method in (
        lambda s: s.upper(),
        lambda s: s.split(part),
        lambda s: s.partition(part),
        lambda s: s.replace(part, "x", 1),
        lambda s: s.encode("utf-8", "surrogatepass"),
        lambda s: s[index:],
        lambda s: s + part,
        lambda s: part + s,
        lambda s: s * 2,
        lambda s: 2 * s,
        lambda s: list(s),
        lambda s: s.isalpha(),
        lambda s: s.splitlines(keepends=True),
        lambda s: operator.mod("%s!", s),
        lambda s: s <= part,
    ):
        assert same(method(CountedStr(text)), method(text))
    assert type(CountedStr(text).find(part)) is int
    assert CountedStr(text).find(part) == text.find(part)
    assert_same_outcome(outcome(lambda: CountedStr(text)[index]), outcome(lambda: text[index]))


def test_messages_of_exceptions_name_the_native_types():
    assert outcome(lambda: CountedInt(1) + "a") == outcome(lambda: 1 + "a")
    assert outcome(lambda: CountedStr("a") + 1)[0] is TypeError
    assert outcome(lambda: CountedInt(1) < "a") == outcome(lambda: 1 < "a")


# The truth


def test_a_counted_bool_is_a_bool_in_all_but_its_type():
    assert isinstance(TRUE, bool)
    assert CountedBool(1) is TRUE
    assert CountedBool(0) is FALSE
    assert copy.deepcopy([TRUE, FALSE]) == [True, False]
    assert (str(TRUE), f"{FALSE}", f"{TRUE:d}") == ("True", "False", "1")


@given(st.sampled_from((operator.and_, operator.or_, operator.xor)), st.booleans(), st.booleans())
def test_bools_combine_without_being_tested(operation, left, right):
    for other in (right, CountedBool(right)):
        assert count_tests(partial(operation, CountedBool(left), other)) == 0
        assert operation(CountedBool(left), other) is CountedBool(operation(left, right))


def test_the_sum_of_truths_is_a_counted_int():
    assert same(sum(x > 1 for x in ints(1, 2, 3)), 2)


# The counter


def test_a_tally_counts_between_start_and_stop_only():
    truth = CountedInt(1) < 2
    counter = BranchCounter()
    bool(truth)
    counter.start()
    assert truth
    counter.stop()
    bool(truth)
    assert counter.count == 1
    counter.start()
    counter.stop()
    assert counter.count == 0


def test_a_recording_tells_site_direction_and_depth_of_every_test():
    def inner(x):
        return 1 if x > 1 else 0

    def outer(x):
        if x:
            return inner(x)
        return sorted([x, CountedInt(5)])

    def locate(frame):
        return Site("f.py", frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno, 0, "")

    counter = BranchCounter()
    counter.start(locate)
    outer(CountedInt(1))
    outer(CountedInt(0))
    counter.stop()
    places = [(site.function, site.line) for site in counter.sites]
    assert places == [("outer", 1), ("inner", 1), ("outer", 1), ("outer", 3)]
    assert list(counter.directions) == [True, False, False, False]
    assert counter.count == 4
    base = counter.depths[0]
    assert [depth - base for depth in counter.depths] == [0, 1, 0, 0]


def test_counting_goes_on_as_before_after_a_recording():
    counter = BranchCounter()
    counter.start(lambda frame: Site("f.py", "f", 1, 0, ""))
    bool(CountedInt(1))
    counter.stop()
    assert count_tests(lambda: bool(CountedInt(1))) == 1
    assert len(counter.sites) == 1


# The maker


def test_the_maker_makes_what_the_native_one_makes_counted():
    leaves = [7, 1, 2.5, ord("h"), ord("i"), 3]
    for make in (
        lambda maker: maker.integer(0),
        lambda maker: maker.boolean(1),
        lambda maker: maker.floating(2),
        lambda maker: maker.text([3, 4]),
        lambda maker: maker.data([3, 4]),
    ):
        assert same(make(Counted(leaves)), make(Native(leaves)))
    assert type(Counted(leaves).choose(5)) is int
