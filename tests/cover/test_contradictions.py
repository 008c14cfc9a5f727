"""Branches that the conditions before them exclude are found in the source, and no others."""

import textwrap

import pytest

from pessimal.python.cover.contradictions import excluded_outcomes


def excluded(source):
    text = textwrap.dedent(source)
    return {(line, outcome) for line, outcome, _ in excluded_outcomes(text, range(1, 100))}


def test_what_is_neither_larger_nor_equal_is_smaller():
    source = """\
        LARGEST = 10
        TABLE = {"a": 1, "b": 2}
        def f(text):
            previous = LARGEST + 1
            for letter in text:
                value = TABLE[letter] if letter else len(text)
                if value > previous:
                    raise ValueError
                if value == previous:
                    continue
                elif value < previous:
                    previous = value
        """
    assert excluded(source) == {(11, False)}


def test_a_remainder_has_few_values():
    source = """\
        def f(x):
            i = int(x * 3)
            i = i % 3
            if i == 0:
                return "a"
            if i == 1:
                return "b"
            if i == 2:
                return "c"
            return "never"
        """
    assert excluded(source) == {(8, False)}


def test_an_enclosing_condition_counts():
    source = """\
        def f(x: int):
            if x > 10:
                if x > 5:
                    return 1
            while x < 3:
                if x == 7:
                    return 2
                x += 1
        """
    assert excluded(source) == {(3, False), (6, True)}


TWICE = """
    if x > 10:
        return 1
    {between}
    if x <= 10:
        return 2
"""


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):" + TWICE.format(between="pass"),  # it may be nan
        "def f(x: int):" + TWICE.format(between="x = g(x)"),
        "def f(x: int):" + TWICE.format(between="for x in g(): pass"),
        "def f(x: int):" + TWICE.format(between="with g() as x: pass"),
        "x = 3\ndef f(x):" + TWICE.format(between="pass"),
        "x = 3\ndef g():\n    global x\n    x = None\ndef f():" + TWICE.format(between="pass"),
        "T = {1: 1}\nT[2] = 'a'\ndef f(k):\n    x = T[k]" + TWICE.format(between="pass"),
        "T = {1: 1, 2: 'a'}\ndef f(k):\n    x = T[k]" + TWICE.format(between="pass"),
        "def f(x: int):\n    def g():\n        nonlocal x\n        x = None" + TWICE.format(between="g()"),
        "def f(x: int):\n    while x < 5:\n        x += 1\n        if x < 5:\n            return 1\n",
        "def f(x: int):\n    while x < 5:\n        break\n    if x < 5:\n        return 1\n",
        "def f(x: int):\n    if x > 1:\n        pass\n    if x > 1:\n        return 1\n",
        "def f(x: int):\n    if x > 1 and g():\n        return 1\n    if x > 1:\n        return 2\n",
    ],
)
def test_nothing_else_is_excluded(source):
    assert excluded(source) == set()


def test_other_lines_are_not_looked_at():
    source = "def f(x: int):\n    if x > 10:\n        if x > 5:\n            return 1\n"
    assert excluded_outcomes(source, [2]) == []
    assert [tuple(item) for item in excluded_outcomes(source, [3])] == [(3, False, 4)]


def test_a_source_that_is_not_python():
    assert excluded_outcomes("def f(:", [1]) == []


def test_constants_may_be_members_of_tables():
    source = """\
        TABLE = {"a": 1}
        FIRST = TABLE["a"]
        OTHER = UNKNOWN[0]
        def f(x):
            i = len(x) + TABLE["a"]
            if i > 3:
                return 1
            if i > 3:
                return 2
            return 0
        """
    assert excluded(source) == {(8, True)}
