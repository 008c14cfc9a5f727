"""Everyday constructs: both outcomes of small functions are reached, and every input ends natively as its path did."""

import struct
from collections import Counter, defaultdict
from dataclasses import dataclass

import pytest

from tests.python.exploring import both_outcomes


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0


class Residue:
    """Equal modulo ten, with a hash that makes a new number at every call."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Residue) and self.number % 10 == other.number % 10

    def __hash__(self):
        return hash(self.number % 10)


class Pair:
    __slots__ = ("parts",)

    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        return self.parts == other.parts

    def __hash__(self):
        return hash(self.parts)


def key_of_a_dataclass(x: int, y: int):
    return 1 if {Point(1, 2): "a", Point(30, 40): "b"}.get(Point(x, y)) == "b" else 0


def members_that_are_equal(x: int, y: int):
    return 1 if len({Point(x), Point(y), Point(5)}) == 1 else 0


def stored_under_an_equal_key(x: int, y: int):
    table = {}
    table[Point(x, 1)] = "first"
    table[Point(y, 1)] = "second"
    return 1 if len(table) == 1 and table[Point(77, 1)] == "second" else 0


def key_of_a_class_with_slots(x: int, y: int):
    return 1 if Pair(x, y) in {Pair(1, 2), Pair(61, 62)} else 0


def keys_of_other_kinds_are_not_compared(x: int, y: int):
    return 1 if {Pair(7, 8): 1, "text": 2, 5: 3}.get(Pair(x, y), 0) == 1 else 0


def key_that_is_a_frozenset(x: int, y: int):
    return 1 if {frozenset({3, 9}): 1, frozenset({4}): 2}.get(frozenset([x, y])) == 1 else 0


def sum_of_counters(xs: list[int]):
    return 1 if Counter(xs) + Counter([1]) == Counter({1: 2, 9: 2}) else 0


def difference_of_counters(xs: list[int]):
    return 1 if Counter(xs) - Counter([1, 1, 2]) == Counter({9: 2}) else 0


def union_and_intersection_of_counters(xs: list[int]):
    counts = Counter(xs)
    return 1 if counts | Counter([4]) == counts and counts & Counter([4, 4, 4]) == Counter({4: 2}) else 0


def counters_without_zeros_are_equal(x: int):
    return 1 if x > 11 and Counter({x: 0, 5: 2}) == Counter({5: 2, 9: 0}) else 0


def counter_within_another(xs: list[int]):
    return 1 if Counter([7, 7]) <= Counter(xs) else 0


def subtracted_counter(xs: list[int]):
    counts = Counter(xs)
    counts.subtract([3, 3])
    return 1 if counts == {3: 1} else 0


def set_that_takes_symbolic_members(x: int):
    sums = {0, 5}
    sums |= {total + x for total in sums}
    return 1 if 1001 in sums and len(sums) == 4 else 0


def set_that_loses_symbolic_members(x: int):
    members = {1, 2, 3}
    members -= {x}
    return 1 if members == {1, 3} else 0


def dict_that_takes_symbolic_keys(x: int):
    table = {1: "one", 2: "two"}
    table |= {x: "new"}
    return 1 if table[2] == "new" else 0


def defaultdict_of_sets(xs: list[int]):
    table = defaultdict(set)
    for x in xs:
        table["all"].add(x)
    return 1 if 8 in table["all"] and len(table["all"]) == 2 else 0


def step_of_a_slice(x: int):
    return 1 if x != 0 and [0, 1, 2, 3, 4, 5][::x] == [0, 4] else 0


def step_of_text(x: int):
    return 1 if x != 0 and "abcdef"[::x] == "fdb" else 0


def step_of_a_range(x: int):
    return 1 if x != 0 and list(range(10, 0, x)) == [10, 6, 2] and range(10, 0, x).step == -4 else 0


def step_of_a_symbolic_range(x: int, y: int):
    return 1 if 0 < x < 8 and y > 0 and list(range(0, x, y)) == [0, 3, 6] else 0


def packed(x: int):
    try:
        return 1 if struct.pack(">Hb", x, -1) == b"\x12\x34\xff" else 0
    except struct.error:
        return 0


def packed_natively_aligned(x: int):
    return 1 if 0 <= x < 100 and struct.pack("bi?2s", 1, x, x, b"z") == struct.pack("bi?2s", 1, 77, True, b"z") else 0


def unpacked(x: int):
    low, high = struct.unpack("<Hh", struct.pack("<I", x % 2**32))
    return 1 if low == 513 and high == -7 else 0


def unpacked_from(data: bytes):
    if len(data) < 3:
        return 0
    (number,) = struct.unpack_from(">H", data, 1)
    return 1 if number == 300 and struct.Struct("B").unpack(data[:1]) == (7,) else 0


CONSTRUCTS = [
    key_of_a_dataclass,
    members_that_are_equal,
    stored_under_an_equal_key,
    key_of_a_class_with_slots,
    keys_of_other_kinds_are_not_compared,
    key_that_is_a_frozenset,
    sum_of_counters,
    difference_of_counters,
    union_and_intersection_of_counters,
    counters_without_zeros_are_equal,
    counter_within_another,
    subtracted_counter,
    set_that_takes_symbolic_members,
    set_that_loses_symbolic_members,
    dict_that_takes_symbolic_keys,
    defaultdict_of_sets,
    step_of_a_slice,
    step_of_text,
    step_of_a_range,
    step_of_a_symbolic_range,
    packed,
    packed_natively_aligned,
    unpacked,
    unpacked_from,
]


@pytest.mark.parametrize("function", CONSTRUCTS, ids=lambda f: f.__name__)
def test_both_outcomes_are_reached(function):
    assert both_outcomes(function) >= {0, 1}


def test_a_hash_that_makes_new_numbers_still_finds_its_key():
    def found(x: int):
        return {Residue(3): "three", Residue(14): "four"}.get(Residue(x)) == "four"

    assert both_outcomes(found, paths=60) >= {0, 1}


def test_a_hash_of_bits_is_solved():
    def hashed(x: int, y: int):
        state = 2166136261
        for part in (x, y):
            state = ((state ^ (part & 255)) * 16777619) % 2**32
        return 1 if state >> 8 & 0xFF == 0x42 else 0

    assert both_outcomes(hashed) == {0, 1}
