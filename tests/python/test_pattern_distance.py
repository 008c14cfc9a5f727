"""How far a text is from a match: compared with the nearest of all short texts that match."""

import re
from functools import cache
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pessimal.python.measured.patterns import MISSING, to_match

WORDS = ["".join(letters) for size in range(6) for letters in product("abc", repeat=size)]
ATOMS = st.sampled_from(["a", "b", "c", "[ab]", "[^b]"]).map(lambda atom: atom.replace("[^b]", "[ac]"))
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{1,2}", "{2}", "*?"])).map(
            lambda pair: f"(?:{pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=4,
)


@cache
def edits(one, other):
    """The cost of turning one text into another."""
    if not one or not other:
        return MISSING * (len(one) + len(other))
    return min(
        edits(one[:-1], other[:-1]) + abs(ord(one[-1]) - ord(other[-1])),
        edits(one[:-1], other) + MISSING,
        edits(one, other[:-1]) + MISSING,
    )


@given(PATTERNS, st.text("abc", max_size=3))
def test_it_is_the_least_cost_of_a_text_that_matches(pattern, text):
    fitting = [word for word in WORDS if re.fullmatch(pattern, word)]
    assume(fitting)
    nearest = min(edits(text, word) for word in fitting)
    assume(nearest < MISSING * (6 - len(text)))  # no longer text can be nearer
    assert to_match("fullmatch", pattern, 0, text) == nearest
    assert (to_match("match", pattern, 0, text) == 0) is bool(re.match(pattern, text))
    assert (to_match("search", pattern, 0, text) == 0) is bool(re.search(pattern, text))


@pytest.mark.parametrize(
    ("name", "pattern", "text", "cost"),
    [
        ("match", r"\d{3}-", "12", 2 * MISSING),
        ("match", r"\d+x", "12z", 2.0),
        ("search", r"^ab$", "zab", MISSING),
        ("fullmatch", r"(?i)ABC", "abd", 1.0),
        ("fullmatch", rb"[0-9]+", b"1/", 1.0),
        ("match", r"(a)\1", "ab", 0.0),  # what a group has matched is left out
    ],
)
def test_known_costs(name, pattern, text, cost):
    assert to_match(name, pattern, 0, text) == cost
