"""Growing: what an input of one size becomes at the next."""

from pessimal.inputs import Inputs, encode
from pessimal.search.growing import grown


def grow(function, size, arguments, larger=None):
    """The arguments of all larger inputs."""
    small, large = Inputs.of(function, size), Inputs.of(function, size + 1 if larger is None else larger)
    return [large.arguments(leaves) for leaves in grown(small, encode(small, arguments), large)]


def numbers(xs: list[int]) -> None:
    """A list."""


def text(s: str, other: bytes) -> None:
    """Characters and bytes."""


def matrix(rows: list[list[int]], key: int) -> None:
    """Lists in a list, and something that does not grow."""


def table(d: dict[int, int]) -> None:
    """A dictionary."""


def test_each_element_is_repeated_in_turn():
    assert grow(numbers, 3, {"xs": [5, 6, 7]}) == [
        {"xs": [5, 5, 6, 7]},
        {"xs": [5, 6, 6, 7]},
        {"xs": [5, 6, 7, 7]},
        {"xs": [5, 6, 7, 7]},
    ]


def test_text_and_bytes():
    found = grow(text, 2, {"s": "ab", "other": b"xy"})
    assert found[0] == {"s": "aab", "other": b"xxy"}
    assert found[1] == {"s": "abb", "other": b"xyy"}


def test_a_matrix_grows_both_ways():
    found = grow(matrix, 2, {"rows": [[1, 2], [3, 4]], "key": 9})
    assert found[0] == {"rows": [[1, 1, 2], [1, 1, 2], [3, 3, 4]], "key": 9}
    assert found[1] == {"rows": [[1, 2, 2], [3, 4, 4], [3, 4, 4]], "key": 9}


def test_the_smallest_has_nothing_to_repeat():
    assert grow(numbers, 0, {"xs": []}) == []
    assert grow(numbers, 1, {"xs": [3]}) == [{"xs": [3, 3]}, {"xs": [3, 3]}]


def test_more_than_one_element_at_once():
    assert grow(numbers, 4, {"xs": [1, 2, 3, 4]}, 6)[:2] == [{"xs": [1, 2, 1, 2, 3, 4]}, {"xs": [1, 2, 3, 4, 3, 4]}]


def test_what_cannot_be_repeated_is_left_out():
    assert grow(numbers, 2, {"xs": [1, 2]}, 9) == []


def test_a_dictionary_may_stay_as_it_is():
    assert grow(table, 2, {"d": {1: 2, 3: 4}}) == [{"d": {1: 2, 3: 4}}] * 3  # members of a larger one may coincide


def test_what_does_not_grow_stays():
    small = Inputs.of(numbers, 3)
    assert list(grown(small, [1, 2, 3], small)) == [[1, 2, 3]] * 3
