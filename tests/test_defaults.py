"""What a search does if it is told nothing: the cost, the ranges of numbers, and what it says of them."""

import pytest

import pessimal as package
from pessimal.report import text
from pessimal.target_spec import Limits
from tests.subjects import insertion_sort, quicksort
from tests.subjects.misc import loops_without_asking, segfaults

CACHES = """
import functools

_known = {}


@functools.lru_cache
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.cache
def table() -> list[int]:
    squares = []
    for i in range(1000):
        squares.append(i * i)
    return squares


def looks_up(n: int) -> int:
    return table()[n] if n > 0 else 0


def imports(n: int) -> int:
    import wave

    return 1 if n > 3 else 0


def remembers(n: int) -> int:
    if n not in _known:
        total = 0
        for i in range(abs(n)):
            total += i
        _known[n] = total
    return _known[n]
"""


@pytest.fixture
def caches(write):
    return write(CACHES)


@pytest.mark.parametrize("target", [insertion_sort.insertion_sort, quicksort.quicksort], ids=lambda f: f.__name__)
@pytest.mark.parametrize("strategy", ["exhaustive", "climb"])
def test_stress_counts_work_alike_in_the_search_and_in_replay(target, strategy):
    result = package.stress(target, size=4, strategy=strategy, paths=300)
    assert result.cost["name"] == "work"
    assert result.cost["value"] > result.witness.branches
    assert (result.witness.replayed, result.witness.difference) == (True, None)


def test_the_worst_by_work_is_proved_and_checked(tmp_path):
    file = tmp_path / "certificate"
    result = package.stress(insertion_sort.insertion_sort, size=4, strategy="exhaustive", certificate=file)
    assert (result.proof, result.witness.branches) == ("tree exhausted", 6)
    verdict = package.check(insertion_sort.insertion_sort, file, size=4)
    assert (verdict.holds, verdict.maximum) == (True, result.cost["value"])


def test_a_certificate_of_another_cost_is_refused_by_default(tmp_path):
    file = tmp_path / "certificate"
    package.stress(insertion_sort.insertion_sort, size=3, strategy="exhaustive", cost="branches", certificate=file)
    with pytest.raises(package.UsageError, match="the cost branches, but the cost work was requested"):
        package.check(insertion_sort.insertion_sort, file, size=3)


def test_explore_shows_the_length_of_paths():
    result = package.explore(insertion_sort.insertion_sort, size=3)
    assert [path.cost for path in result.paths] == [path.branches for path in result.paths]


def large(n: int) -> int:
    return 1 if n > 1000 else 0


def test_stress_says_which_range_it_assumed_and_explore_assumes_none():
    result = package.stress(large, size=20, strategy="exhaustive")
    assert (result.assumed, result.witness.returned) == ({"n": "int:-20..20"}, "0")
    assert result.to_json()["assumed"] == result.assumed
    assert "  assumed   n in -20..20; --input n=int:0..1000 changes it" in text.stress(result).splitlines()
    given = package.stress(large, strategy="exhaustive", inputs={"n": "int:.."})
    assert (given.assumed, given.effort.paths) == ({}, 2)
    assert {path.returned for path in package.explore(large).paths} == {"0", "1"}


def test_a_crash_is_the_headline():
    result = package.stress(segfaults, size=10, strategy="exhaustive", cost="branches", paths=3)
    assert result.headline.startswith("crashes the interpreter: segfaults(7) ")
    assert result.to_json()["headline"] == result.headline
    assert result.cost["value"] == 1
    assert text.stress(result).splitlines()[1].startswith("  CRASHES   the interpreter: segfaults(7) ")


def test_a_hang_is_the_headline():
    limits = Limits(run_seconds=1.0)
    result = package.stress(loops_without_asking, size=10, strategy="exhaustive", limits=limits, paths=3)
    assert result.headline.startswith("hangs: loops_without_asking(7) did not end")
    assert text.stress(result).splitlines()[1].startswith("  HANGS     loops_without_asking(7) did not end")


def test_what_ends_has_no_headline():
    result = package.stress(large, strategy="fixed")
    assert (result.headline, result.failures) == (None, [])


@pytest.mark.parametrize(
    ("function", "work"),
    [
        ("imports", 2),  # not the statements of the module that is imported
        ("looks_up", 1),  # nor those of a table that is made once
        ("fibonacci", 11),  # but all calls that an empty cache leaves, one for each number
    ],
)
def test_only_what_every_call_does_is_work(caches, function, work):
    result = package.stress(f"{caches}:{function}", strategy="climb", paths=100)
    assert (result.cost["value"], result.witness.difference) == (work, None)


def test_what_depends_on_earlier_calls_is_not_proved(caches):
    result = package.stress(f"{caches}:remembers", strategy="exhaustive", inputs={"n": "int:0..3"})
    assert result.proof is None
