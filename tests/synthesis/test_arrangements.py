import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.synthesis.generators.arrangements import FUNCTIONS, before_split, rearranged
from pessimal.synthesis.generators.generator import find

SEQUENCES = st.lists(st.integers()) | st.lists(st.integers()).map(tuple) | st.text() | st.binary()


def merge_sort(xs):
    """The sorted elements, and how many comparisons it took."""
    if len(xs) < 2:
        return list(xs), 0
    (a, first), (b, second) = merge_sort(xs[: len(xs) // 2]), merge_sort(xs[len(xs) // 2 :])
    merged, count = [], first + second
    while a and b:
        count += 1
        merged.append((a if a[0] <= b[0] else b).pop(0))
    return merged + a + b, count


def most(n):
    """The most comparisons of merge sort."""
    return 0 if n < 2 else most(n // 2) + most(n - n // 2) + n - 1


@given(st.sampled_from(sorted(FUNCTIONS)), SEQUENCES)
def test_functions_are_undone(name, sequence):
    assert FUNCTIONS[name](before_split(name, sequence)) == sequence
    assert type(before_split(name, sequence)) is type(sequence)


@pytest.mark.parametrize("other", [3, None, {1: 2}])
def test_what_is_no_sequence_stays(other):
    assert before_split("split", other) == other


def test_bits_are_reversed_at_powers_of_two():
    assert FUNCTIONS["deal"](list(range(8))) == [0, 4, 2, 6, 1, 5, 3, 7]


@given(st.lists(st.integers()), st.text(), st.integers())
def test_other_orders_have_the_same_elements(xs, text, key):
    for other in rearranged({"xs": xs, "text": text, "key": key}):
        assert sorted(other["xs"]) == sorted(xs)
        assert sorted(other["text"]) == sorted(text)
        assert other["key"] == key


def test_one_argument_or_all_are_put_in_another_order():
    assert list(rearranged({"a": [1, 2], "b": [3, 4]}))[3:6] == [
        {"a": [2, 1], "b": [4, 3]},
        {"a": [2, 1], "b": [3, 4]},
        {"a": [1, 2], "b": [4, 3]},
    ]


def test_elements_that_do_not_compare_are_left_alone():
    assert not list(rearranged({"xs": [1, "a"]}))


def test_the_worst_case_of_merge_sort_is_found_among_them_at_any_size():
    bad = {
        n: [one for one in rearranged({"xs": list(range(n))}) if merge_sort(one["xs"])[1] == most(n)]
        for n in range(3, 9)
    }
    generator = next(find(bad))
    assert generator.code == (
        "def worst_case(n):\n"
        "    def split(xs):\n"
        "        return xs if len(xs) < 2 else split(xs[1::2]) + split(xs[::2])\n"
        "\n"
        '    return {"xs": split(list(range(n)))}\n'
    )
    assert all(merge_sort(generator.build(n)["xs"])[1] == most(n) for n in (*range(40), 100))
    assert generator.function()(100) == generator.build(100)
    assert '"""\n\n    def split(xs):' in generator.text("merge_sort", None, [], 4)
