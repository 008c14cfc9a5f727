"""Texts drawn from regular expressions match them."""

import re

import pytest

from pessimal.python.work.matches import matches
from pessimal.python.work.patterns import Pattern, compiled_in, written_in

ROMAN = "M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})"


@pytest.mark.parametrize(
    "pattern",
    [
        ROMAN,
        r"[a-z]+@[a-z]+\.(com|org)",
        r"\d{4}-\d\d-\d\d(T\d\d:\d\d)?",
        r"(?P<quote>['\"])\w*(?P=quote)",
        r"(<)?\w+(?(1)>|!)",
        r"(?:a|b)*?c++",
        r"[^\W\d]\S.",
        b"\x00[\x80-\xff]+",
    ],
)
def test_every_text_matches(pattern):
    for length in (3, 5, 12):
        found = matches(Pattern(pattern), length)
        assert all(re.fullmatch(pattern, text) for text in found)
        assert all(len(text) <= length for text in found)
    assert found


def test_texts_have_the_length_if_they_can():
    assert len(matches(Pattern(ROMAN), 12)[0]) == 12
    assert len(matches(Pattern("a+"), 300)[0]) == 300
    assert matches(Pattern("abcd"), 3) == []


def test_flags_inside_and_outside_count():
    assert all(re.fullmatch("a b", text, re.X) for text in matches(Pattern("a b", re.X), 4))
    assert matches(Pattern("(?x) a  b # the letters"), 4) == ["ab"]
    assert {text.lower() for text in matches(Pattern("ab", re.I), 4)} == {"ab"}


@pytest.mark.parametrize("text", ["(", "*", "[z-a]", "(?P<n>a)(?P<n>b)", "a{9}{9}{9}(" * 30, "[[a]"])
def test_what_is_no_regular_expression_matches_nothing_and_warns_of_nothing(text, recwarn):
    matches(Pattern(text), 5)
    assert not recwarn


def _splits(text):
    return re.split(r"\s*,\s*", text)


def _formats(text):
    return "[%s]" % text  # noqa: UP031


def test_regular_expressions_are_found_where_they_are_written():
    assert list(written_in(_splits, _splits.__code__, _splits.__code__.co_consts)) == [Pattern(r"\s*,\s*")]
    assert list(written_in(_formats, _formats.__code__, _formats.__code__.co_consts)) == []
    space = {"a": re.compile("x"), "rules": [(re.compile("y", re.I), 1)], "by": {1: re.compile(b"z")}, "n": 3}
    assert [each.text for each in compiled_in(space)] == ["x", "y", b"z"]
