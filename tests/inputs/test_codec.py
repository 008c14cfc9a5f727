import json
import math
import sys
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.inputs import Inputs, Opaque, codec, encode, from_json, safe_repr, to_json
from pessimal.inputs.codec import LONGEST_REPR

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None))
    | st.binary()
)
HASHABLE = SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(SCALARS, max_size=3)
VALUES = st.recursive(
    HASHABLE,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.sets(HASHABLE, max_size=3)
        | st.builds(bytearray, st.binary())
    ),
)


def same(one, other):
    """Equal in value, in type and in the types of all parts."""
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, list | tuple):
        return all(map(same, one, other))
    return not isinstance(one, dict) or all(map(same, one.values(), other.values()))


@given(VALUES)
def test_values_survive_the_way_through_json(value):
    text = json.dumps(to_json(value), ensure_ascii=False, allow_nan=False)
    text.encode()
    assert same(from_json(json.loads(text)), value)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (3, 3),
        (True, True),
        (0.5, 0.5),
        ("é", "é"),
        ([1, [2]], [1, [2]]),
        ({"a": None}, {"a": None}),
        ((1, (2,)), {"$tuple": [1, {"$tuple": [2]}]}),
        (b"\x00\xff", {"$bytes": "00ff"}),
        (bytearray(b"a"), {"$bytearray": "61"}),
        ({10, 9}, {"$set": [9, 10]}),
        (frozenset({"b", "a"}), {"$frozenset": ["a", "b"]}),
        ({1: 2}, {"$dict": [[1, 2]]}),
        ({"$set": [1]}, {"$dict": [["$set", [1]]]}),
        (math.inf, {"$float": "inf"}),
        (-math.inf, {"$float": "-inf"}),
        ("\ud800", {"$str": "eda080"}),
        (-(1 << 4000), {"$int": hex(-(1 << 4000))}),
    ],
)
def test_values_are_written_as_documented(value, data):
    assert to_json(value) == data
    assert same(from_json(data), value)


def test_nan_comes_back():
    assert to_json(math.nan) == {"$float": "nan"}
    assert math.isnan(from_json({"$float": "nan"}))


class Colour(Enum):
    RED = 1


class Level(IntEnum):
    LOW = 1


@dataclass
class Point:
    x: int


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Colour.RED, "<Colour.RED: 1>"),
        (Level.LOW, "<Level.LOW: 1>"),
        (Point(3), "Point(x=3)"),
        (namedtuple("P", "a")(1), "P(a=1)"),
        (object, "<class 'object'>"),
        (iter, "<built-in function iter>"),
    ],
)
def test_other_objects_are_kept_as_their_repr(value, text):
    assert to_json(value) == {"$repr": text}
    back = from_json({"$repr": text})
    assert (back, repr(back)) == (Opaque(text), text)
    assert to_json(back) == {"$repr": text}


def test_a_function_that_is_an_input_is_kept_by_what_it_answers():
    def calls(answer: Callable[[int], bool]) -> bool:
        return answer(1)

    inputs = Inputs.of(calls, 3)
    leaves = [True, False, True]
    kept = json.loads(json.dumps(to_json(inputs.arguments(leaves))))
    assert kept == {"answer": {"$answers": [True, False, True]}}
    assert encode(inputs, from_json(kept)) == leaves
    assert to_json(from_json(kept)) == kept


class Broken:
    def __init__(self, error):
        self.error = error

    def __repr__(self):
        raise self.error


class Endless:
    def __repr__(self):
        while True:
            try:
                self.count = getattr(self, "count", 0) + 1
            except Exception:
                continue


class Recursive:
    def __repr__(self):
        return f"<{self!r}>"


class Pretender(type):
    @property
    def __name__(cls):
        raise ValueError


class Masked(metaclass=Pretender):
    def __repr__(self):
        return 3


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Broken(ValueError("no")), "<Broken whose repr raised ValueError>"),
        (Broken(SystemExit(3)), "<Broken whose repr raised SystemExit>"),
        (Recursive(), "<Recursive whose repr raised RecursionError>"),
        (Masked(), "<Masked whose repr raised TypeError>"),
    ],
)
def test_a_repr_that_raises_is_reported(value, text):
    assert to_json([value]) == [{"$repr": text}]


def test_a_repr_that_does_not_end_is_stopped():
    before = sys.gettrace()
    assert to_json(Endless()) == {"$repr": "<Endless whose repr raised _EndlessError>"}
    assert sys.gettrace() is before


def test_the_user_can_still_interrupt():
    with pytest.raises(KeyboardInterrupt):
        to_json(Broken(KeyboardInterrupt()))


def test_a_long_repr_is_cut():
    text = safe_repr(range(10**LONGEST_REPR))
    assert len(text) == LONGEST_REPR
    assert text.startswith("range(0, 1000") and text.endswith("…")
    assert safe_repr("x" * 2000, limit=None) == repr("x" * 2000)


def test_a_repr_with_surrogates_is_made_printable():
    class Odd:
        def __repr__(self):
            return "\ud800"

    assert safe_repr(Odd()) == r"\ud800"


def test_cycles_end():
    cycle = [1]
    cycle.append(cycle)
    assert to_json(cycle) == [1, {"$repr": "<list of 2 left out>"}]


def test_deep_values_end():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    data = to_json(deep)
    for _ in range(100):
        (data,) = data
    assert data == {"$repr": "<list of 1 left out>"}


def test_towers_of_shared_lists_end(monkeypatch):
    monkeypatch.setattr(codec, "_MOST_VALUES", 1000)
    tower = [0] * 10
    for _ in range(50):
        tower = [tower] * 10
    text = json.dumps(to_json(tower))
    assert "<list of 10 left out>" in text
    assert text.count("0") < 20_000
