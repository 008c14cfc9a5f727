import random
import re
from collections import namedtuple
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.errors import InputError
from pessimal.inputs import (
    Allocator,
    Bool,
    Bytes,
    Choice,
    Const,
    Dict,
    Float,
    Int,
    List,
    Native,
    Record,
    Repeated,
    Set,
    Str,
    Tuple,
    Union,
)
from pessimal.inputs.extent import mentions_size, resolve
from pessimal.inputs.spec import MOST_ELEMENTS

SPECS = {
    "int": (Int(-3, 3), lambda v, n: type(v) is int and -3 <= v <= 3),
    "int of size": (Int(0, "N"), lambda v, n: type(v) is int and 0 <= v <= n),
    "bool": (Bool(), lambda v, n: type(v) is bool),
    "float": (Float(0, 1), lambda v, n: type(v) is float and 0 <= v <= 1),
    "str": (Str("N", "a", "c"), lambda v, n: type(v) is str and len(v) == n and set(v) <= set("abc")),
    "alphabet": (Str(4, alphabet="xaz"), lambda v, n: len(v) == 4 and set(v) <= set("axz")),
    "bytes": (Bytes("2*N"), lambda v, n: type(v) is bytes and len(v) == 2 * n),
    "list": (List(Int(0, 1), "N+1"), lambda v, n: type(v) is list and len(v) == n + 1 and set(v) <= {0, 1}),
    "matrix": (List(List(Bool(), 2)), lambda v, n: len(v) == n and all(len(row) == 2 for row in v)),
    "tuple": (Tuple((Int(1, 1), Bool())), lambda v, n: type(v) is tuple and v[0] == 1 and type(v[1]) is bool),
    "repeated": (Repeated(Bool(), 3), lambda v, n: type(v) is tuple and [type(x) for x in v] == [bool] * 3),
    "dict": (Dict(Str(2), Bool(), "N//2"), lambda v, n: len(v) <= n // 2 and all(len(k) == 2 for k in v)),
    "set": (Set(Int(0, 5)), lambda v, n: type(v) is set and v <= set(range(6))),
    "frozenset": (Set(Int(), 1, frozen=True), lambda v, n: type(v) is frozenset and len(v) == 1),
    "const": (Const([1]), lambda v, n: v == [1]),
    "choice": (Choice((1, "x")), lambda v, n: v in (1, "x")),
    "union": (Union((Int(), Const(None))), lambda v, n: v is None or type(v) is int),
}


def layout(spec, size):
    allocator = Allocator(size)
    return allocator, spec.allocate(allocator, "x")


def start(spec, size=3):
    allocator, decode = layout(spec, size)
    return decode(Native([domain.initial for domain in allocator.domains]))


@pytest.mark.parametrize("name", SPECS)
@given(size=st.integers(0, 6), seed=st.integers(0, 2**32))
def test_what_is_decoded_is_what_was_declared(name, size, seed):
    spec, declared = SPECS[name]
    allocator, decode = layout(spec, size)
    rng = random.Random(seed)
    assert declared(decode(Native([domain.sample(rng) for domain in allocator.domains])), size)


@pytest.mark.parametrize("name", SPECS)
def test_whoever_mentions_n_uses_the_size(name):
    spec, _ = SPECS[name]
    assert layout(spec, 3)[0].uses_size is bool(re.search(r"\bN\b", str(spec)))


def test_leaves_are_named_after_what_they_are_in():
    spec = Tuple((List(Int(), 2), Dict(Str(1), Bool(), 1), Union((Int(), Float())), Set(Int(), 1)))
    names = [domain.name for domain in layout(spec, 0)[0].domains]
    assert names == [
        *("x[0][0]", "x[0][1]", "x[1].keys[0][0]", "x[1].values[0]"),
        *("x[2]", "x[2]?", "x[2]", "x[3].members[0]"),
    ]


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (Dict(Int(), Bool(), 3), {0: False, 1: False, 2: False}),
        (Dict(Str(1), Int(), 3), {"a": 0, "b": 0, "c": 0}),
        (Dict(Str(2, "a", "b"), Int(), 3), {"aa": 0, "ba": 0, "ab": 0}),
        (Set(Int(-1, 1)), {-1, 0, 1}),
        (Set(Tuple((Bool(), Bool())), 4), {(False, False), (True, False), (False, True), (True, True)}),
        (Set(Union((Bool(), Int(7, 7))), 3), {False, True, 7}),
        (Set(Set(Int(), 2, frozen=True), 2), {frozenset({0, 1}), frozenset({2, 3})}),
        (Set(Choice(("x", "y")), 2), {"x", "y"}),
        (Set(Bytes(1), 2), {b"\0", b"\1"}),
    ],
)
def test_keys_and_members_start_distinct(spec, value):
    assert start(spec) == value


def test_values_after_keys_start_as_usual():
    assert start(Tuple((Dict(Int(), Int(), 2), Int()))) == ({0: 0, 1: 0}, 0)


def test_containers_are_fresh_each_time():
    allocator, decode = layout(Tuple((List(Int(), 1), Const([[1]]), Choice(([2],)))), 0)
    maker = Native([domain.initial for domain in allocator.domains])
    first, second = decode(maker), decode(maker)
    first[0].append(1)
    first[1][0].append(2)
    first[2].append(3)
    assert second == ([0], [[1]], [2])
    assert decode(maker) == second


def test_a_constant_that_cannot_be_copied_is_handed_over_itself():
    generator = (x for x in ())
    assert start(Const(generator)) is generator


@dataclass(frozen=True)
class Point:
    x: int
    y: int


def test_records_are_built_by_keyword():
    pair = namedtuple("pair", "left right")
    assert start(Record(Point, {"y": Int(2, 2), "x": Int(1, 1)})) == Point(1, 2)
    assert start(Record(pair, {"left": Bool(), "right": Const(3)})) == pair(False, 3)
    assert start(Set(Record(Point, {"x": Int(), "y": Int()}), 2)) == {Point(0, 0), Point(1, 0)}


def test_an_alphabet_without_gaps_is_its_range():
    assert Str(3, alphabet="cab") == Str(3, "a", "c") == Str(3, 97, 99)
    assert Str(3, alphabet="zza") == Str(3, alphabet="az")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Int("M"),
            "'M' is not an int or an expression of N: write for example 3, N, 2*N, N-1 or N//2",
        ),
        (lambda: Int(1.5), "1.5 is neither an int nor an expression of N: write for example 3 or 'N-1'"),
        (lambda: Float(float("inf")), "inf cannot bound a float: give a finite number, or None for no bound"),
        (lambda: Float("1.5*x"), "'1.5*x' is not an int or an expression of N"),
        (lambda: Float(10**400), "cannot bound a float: give a finite number, or None for no bound"),
        (lambda: Str(-1), "the length -1 is negative: write for example 3, N, 2*N, N-1 or N//2"),
        (lambda: Str(1, "z", "a"), "no character lies in z..a: put the smaller bound first"),
        (
            lambda: Str(1, "ab"),
            "'ab' is not a character: give one such as 'a', or a code point up to 1114111",
        ),
        (lambda: Str(1, alphabet=""), "an alphabet needs at least one character: give for example 'abc'"),
        (lambda: Bytes("__import__('os')"), "is not an int or an expression of N"),
        (
            lambda: List(int),
            "a part of list is <class 'int'>: give a specification such as Int(0, 9) or Const(3)",
        ),
        (lambda: List(Int(), True), "True is neither an int nor an expression of N"),
        (lambda: Tuple((Int(), 3)), "a part of tuple is 3: give a specification"),
        (lambda: Dict(List(Int()), Int()), "list[int]:N cannot be hashed, as a dict demands"),
        (
            lambda: Set(Tuple((Int(), Set(Int())))),
            "cannot be hashed, as a set demands: use int, str or a tuple",
        ),
        (lambda: Set(Const((1, []))), "const:(1, []) cannot be hashed, as a set demands"),
        (lambda: Set(Choice(([],))), "choice[[]] cannot be hashed, as a set demands"),
        (lambda: Set(Union((Int(), List(Int())))), "int|list[int]:N cannot be hashed, as a set demands"),
        (lambda: Choice(()), "a choice needs at least one value: write for example choice:1,2,'x'"),
        (lambda: Union(()), "a union needs at least one alternative: write for example int|None"),
        (lambda: Record(Point, {"x": int}), "a part of Point is <class 'int'>: give a specification"),
    ],
)
def test_wrong_specifications_are_refused(make, message):
    with pytest.raises(InputError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "size", "message"),
    [
        (List(Int(), "N-1"), 0, "the length N-1 of x is -1 at size 0: choose a larger size"),
        (List(Int(), "3//N"), 0, "'3//N' divides by zero at size 0: choose another size or length"),
        (List(Int()), MOST_ELEMENTS + 1, f"the input has more than {MOST_ELEMENTS} elements at size 2000001"),
        (List(List(Const(0), 10**6)), 3, f"the input has more than {MOST_ELEMENTS} elements at size 3"),
        (Int("N", 3), 4, "the range 4..3 of x is empty: put the smaller bound first"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(spec, size, message):
    with pytest.raises(InputError) as caught:
        layout(spec, size)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("extent", "value"),
    [
        ("N", 7),
        ("2*N", 14),
        ("N-1", 6),
        ("N//2", 3),
        ("(N+1)*N//2", 28),
        ("-N", -7),
        ("12", 12),
        (12, 12),
        (" N ", 7),
    ],
)
def test_extents_are_resolved_with_the_size(extent, value):
    assert resolve(extent, 7) == value
    assert mentions_size(extent) is ("N" in str(extent))


@pytest.mark.parametrize("text", ["", "N N", "n", "N**9", "N/2", "f(N)", "1.0", "True", "N if N else 1", "9" * 5000])
def test_other_expressions_are_refused(text):
    with pytest.raises(InputError, match="is not an int or an expression of N"):
        resolve(text, 1)
