"""Numbers in texts are replaced as they are written there."""

import pytest

from pessimal.inputs import Domain
from pessimal.search.goals.sequences import runs
from pessimal.search.goals.texts import with_number

MOST = 12
DOMAINS = [
    Domain.of("choice", "len(s)", 0, MOST),
    *(Domain.of("char", f"s[{at}]", 1, 255) for at in range(MOST)),
    Domain.of("int", "n"),
]


def leaves_of(text):
    return [len(text), *map(ord, text.ljust(MOST, "~")), 0]


def changed(text, old, new):
    found = with_number(leaves_of(text), runs(DOMAINS), DOMAINS, old, new)
    return {"".join(map(chr, item[1 : 1 + item[0]])) for item in found}


@pytest.mark.parametrize(
    ("text", "old", "new", "wanted"),
    [
        ("(12,3)", 12, -4, {"(-4,3)"}),
        ("0.12.7", 0, 127, {"127.12.7"}),
        ("12 12", 12, 5, {"5 12", "12 5"}),
        ("x=2.5;", 2.5, 7.25, {"x=7.25;"}),
        ("#1f", 31, 255, {"#ff"}),
        ("007", 7, 8, {"8"}),
        ("abc", 12, 5, set()),
        ("1234567890", 1234567890, 10**17, {"100000000000"}),  # as far as there is room
    ],
)
def test_the_number_that_was_read_is_replaced(text, old, new, wanted):
    assert wanted <= changed(text, old, new)
    assert all(item != text for item in changed(text, old, new))


def test_nothing_is_written_into_numbers():
    assert list(with_number([5], [], [Domain.of("int", "n")], 5, 6)) == []
