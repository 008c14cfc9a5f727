"""Laws are exact, the simplest that there are, and believed only with a point to spare."""

import json
from collections.abc import Callable
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.synthesis.laws import ONE, Law, N, Part, constant, fit, fits

PARTS = (
    N,
    Part("power", 2),
    *(Part("floor", divisor, offset) for divisor in (2, 3) for offset in (0, 1)),
    *(Part(kind, 4) for kind in ("square", "remainder")),
    *(Part(kind, 0, offset) for kind in ("log", "two to log", "root") for offset in (-1, 0, 1)),
    Part("two to n"),
    Part("n log"),
)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda n: 7, "7"),
        (lambda n: 0, "0"),
        (lambda n: n - 1, "n - 1"),
        (lambda n: 2 * n, "2 * n"),
        (lambda n: 3 - n, "3 - n"),
        (lambda n: -n - 2, "-n - 2"),
        (lambda n: n // 2, "n // 2"),
        (lambda n: (n + 1) // 2, "(n + 1) // 2"),
        (lambda n: -(n // 2), "-(n // 2)"),
        (lambda n: 4 - 3 * (n // 3), "4 - 3 * (n // 3)"),
        (lambda n: n + 2 * (n % 2), "2 * (n % 2) + n"),
        (lambda n: n * (n - 1) // 2, "n * (n - 1) // 2"),
        (lambda n: n * n, "n * n"),
        (lambda n: n * n + 1, "n ** 2 + 1"),
        (lambda n: (n * n + n + 2) // 2, "(n ** 2 + n + 2) // 2"),
        (lambda n: n * n // 4, "n ** 2 // 4"),
        (lambda n: n**3 - n, "n * (n - 1) * (n + 1)"),
        (lambda n: -n * (n - 1) // 2, "-n * (n - 1) // 2"),
        (lambda n: n.bit_length() - 1, "n.bit_length() - 1"),
        (lambda n: 2 * ((n - 1).bit_length() - 1) + 3, "2 * ((n - 1).bit_length() - 1) + 3"),
        (lambda n: 2 ** (n.bit_length() - 1) - 1, "2 ** (n.bit_length() - 1) - 1"),
        (lambda n: n * (n.bit_length() - 1), "n * (n.bit_length() - 1)"),
        (lambda n: 2**n - 1, "2 ** n - 1"),
        (isqrt, "int(n ** 0.5)"),
    ],
)
def test_known_laws_are_found_and_written_as_a_person_would(function: Callable[[int], int], text: str) -> None:
    law = fit({n: function(n) for n in (4, 5, 6, 7, 9, 10, 12, 17, 26, 40)})
    assert law is not None
    assert law.text() == text
    for n in range(2, 200):
        assert law(n) == function(n) == eval(text, {"n": n})
    assert Law.from_json(json.loads(json.dumps(law.to_json()))) == law


@pytest.mark.parametrize(
    ("function", "points"), [(lambda n: 3, 2), (lambda n: n + 1, 3), (lambda n: n * n, 4), (lambda n: n**3, 5)]
)
def test_a_law_needs_a_point_more_than_it_has_numbers(function: Callable[[int], int], points: int) -> None:
    sizes = range(3, 3 + points)
    assert fit({n: function(n) for n in sizes}) is not None
    assert fit({n: function(n) for n in sizes[:-1]}) is None
    assert fit({n: function(n) for n in sizes[:-1]}, spare=0) is not None


def test_no_law_passes_through_noise() -> None:
    assert fit({4: 3, 5: 5, 6: 9, 7: 14}) is None
    assert fit({}) is None


def test_few_points_follow_several_laws() -> None:
    texts = [law.text() for law in fits({6: 3, 7: 3, 8: 4}, spare=0)]
    assert "n // 2" in texts
    assert "n.bit_length()" in texts
    assert len(set(texts)) == len(texts)


def test_laws_are_exact_at_huge_sizes() -> None:
    law = fit({n: n * (n - 1) // 2 for n in range(4, 9)})
    assert law is not None
    assert law(10**30) == 10**30 * (10**30 - 1) // 2


def test_simpler_laws_compare_as_less() -> None:
    laws = [fit({n: f(n) for n in range(4, 12)}) for f in (lambda n: 3, lambda n: n, lambda n: n * n, lambda n: n**3)]
    complexities = [law.complexity for law in laws if law]
    assert len(complexities) == 4
    assert complexities == sorted(complexities)


def test_other_names_can_be_written() -> None:
    law = fit({n: 2 * n - 1 for n in range(3, 8)})
    assert law is not None
    assert law.text("size") == "2 * size - 1"


def test_what_is_no_law_is_not_read() -> None:
    with pytest.raises(ValueError, match="not a law"):
        Law.from_json({"terms": [[1, "import os", 0, 0]], "divisor": 1})


@given(st.integers(-50, 50))
def test_constants_are_laws(value: int) -> None:
    assert fit({3: value, 8: value}) == constant(value)
    assert constant(value).is_constant


@given(
    st.lists(st.integers(-9, 9), min_size=1, max_size=4),
    st.sets(st.integers(2, 40), min_size=6, max_size=9),
)
def test_polynomials_are_found_and_their_text_means_the_same(multiples: list[int], sizes: set[int]) -> None:
    def polynomial(n: int) -> int:
        return sum(multiple * n**power for power, multiple in enumerate(multiples))

    law = fit({n: polynomial(n) for n in sizes})
    assert law is not None
    assert all(law(n) == polynomial(n) == eval(law.text(), {"n": n}) for n in range(60))


@given(st.sampled_from((2, 3, 4, 8)), st.integers(-3, 3), st.integers(-5, 5))
def test_rounded_laws_and_their_text_mean_the_same(divisor: int, times: int, more: int) -> None:
    law = fit({n: times * (n // divisor) + more for n in range(3, 20)})
    assert law is not None
    assert all(law(n) == times * (n // divisor) + more == eval(law.text(), {"n": n}) for n in range(60))


@given(st.dictionaries(st.integers(1, 20), st.integers(-20, 20), min_size=1, max_size=4))
def test_laws_pass_through_any_few_points_and_their_text_means_the_same(points: dict[int, int]) -> None:
    laws = fits(points, spare=0)
    assert any(law.uses_only([Part("power", power) for power in range(len(points))]) for law in laws)
    for law in laws:
        assert all(law(n) == value for n, value in points.items())
        assert all(law(n) == eval(law.text(), {"n": n}) for n in range(2, 40))
        assert Law.from_json(law.to_json()) == law


@given(
    st.sampled_from(PARTS), st.integers(-4, 4).filter(bool), st.integers(-9, 9), st.sets(st.integers(3, 40), min_size=6)
)
def test_a_law_of_one_part_is_found_and_so_is_every_other_through_its_points(
    part: Part, times: int, more: int, sizes: set[int]
) -> None:
    points = {n: times * part(n) + more for n in sizes}
    laws = fits(points)
    assert laws
    assert all(law(n) == value for law in laws for n, value in points.items())


@given(
    st.dictionaries(st.sampled_from(PARTS), st.integers(-4, 4).filter(bool), max_size=2),
    st.integers(-4, 4),
    st.sampled_from((1, 1, 2, 6)),
    st.integers(3, 60),
)
def test_any_law_and_its_text_mean_the_same(multiples: dict[Part, int], more: int, over: int, n: int) -> None:
    terms = [(more, ONE)] if more else []
    law = Law((*terms, *((times, part) for part, times in multiples.items())), over)
    assert eval(law.text(), {"n": n}) == law(n)
