import random
from collections import namedtuple
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.errors import InputError
from pessimal.inputs import (
    Bool,
    Bytes,
    Choice,
    Const,
    Dict,
    Float,
    Inputs,
    Int,
    List,
    Record,
    Repeated,
    Set,
    Spec,
    Str,
    Tuple,
    Union,
    encode,
    render,
)


@dataclass
class Point:
    x: int
    y: list[int]


Pair = namedtuple("Pair", "a b")


class Hidden:
    def __init__(self, width: int) -> None:
        self._width = width


LENGTHS = st.sampled_from([0, 1, 2, "N", "N//2", "2*N"])
SCALARS = st.sampled_from([Int(), Int(-3, "N"), Bool(), Float(), Float(0, 1), Const(None), Choice((1, "x", True))])
TEXTS = st.builds(Str, LENGTHS) | st.builds(lambda n: Str(n, alphabet="axz"), LENGTHS) | st.builds(Bytes, LENGTHS)


def nested(inner):
    return st.one_of(
        st.builds(List, inner, LENGTHS),
        st.builds(Repeated, inner, LENGTHS),
        st.builds(lambda a, b: Tuple((a, b)), inner, inner),
        st.builds(lambda a, b: Record(Point, {"x": a, "y": b}), inner, inner),
        st.builds(lambda a, b: Record(Pair, {"a": a, "b": b}), inner, inner),
    )


PLAIN = st.recursive(SCALARS | TEXTS, nested, max_leaves=5)
HASHABLE = SCALARS | TEXTS
ALL = st.recursive(
    HASHABLE,
    lambda inner: (
        nested(inner)
        | st.builds(Dict, HASHABLE, inner, LENGTHS)
        | st.builds(Set, HASHABLE, LENGTHS)
        | st.builds(lambda a, b: Union((a, b)), inner, inner)
    ),
    max_leaves=5,
)


def target(a, b): ...


@given(PLAIN, PLAIN, st.integers(0, 4), st.integers(0, 2**32))
def test_encoding_undoes_decoding(a, b, size, seed):
    inputs = Inputs.of(target, size, {"a": a, "b": b})
    leaves = inputs.sample(random.Random(seed))
    assert encode(inputs, inputs.arguments(leaves)) == leaves
    assert encode(inputs, inputs.described(leaves)) == leaves


@given(ALL, ALL, st.integers(0, 4), st.integers(0, 2**32), st.booleans())
def test_values_with_choices_come_back_though_their_leaves_may_differ(a, b, size, seed, growing):
    inputs = Inputs.of(target, size, {"a": a, "b": b}, growing=growing)
    leaves = inputs.sample(random.Random(seed))
    again = encode(inputs, inputs.arguments(leaves))
    assert render(inputs.described(again)) == render(inputs.described(leaves))
    assert all(leaf in domain for leaf, domain in zip(again, inputs.domains, strict=True))


def test_bools_and_ints_find_their_own_alternative():
    inputs = Inputs.of(lambda a: None, 1, {"a": Union((Int(), Bool(), Const(None)))})
    assert [encode(inputs, {"a": value}) for value in (7, True, None)] == [[7, 0, 0], [0, 1, 1], [0, 2, 0]]


def test_a_growing_input_takes_shorter_values():
    inputs = Inputs.of(lambda a: None, 3, {"a": "list[int]"}, growing=True)
    assert encode(inputs, {"a": [5]}) == [1, 5, 0, 0]


class Odd(Spec):
    def allocate(self, allocator, name):
        return lambda maker: 0

    def __str__(self):
        return "odd"


FITS = "at size 3: give a value that does"


@pytest.mark.parametrize(
    ("spec", "value", "message"),
    [
        ("list[int]", [1, 2], f"a is [1, 2], which does not fit list[int]:N {FITS}"),
        ("list[int:0..9]", [1, 12, 3], f"a[1] is 12, which does not fit int:0..9 {FITS}"),
        ("list[int]", (1, 2, 3), f"a is (1, 2, 3), which does not fit list[int]:N {FITS}"),
        ("int", True, f"a is True, which does not fit int {FITS}"),
        ("float", 1, f"a is 1, which does not fit float {FITS}"),
        ("str:2:'axz'", "ab", f"a is 'ab', which does not fit str:2:'axz' {FITS}"),
        ("bytes:2", b"a", f"a is b'a', which does not fit bytes:2 {FITS}"),
        ("tuple[int,bool]", (1,), f"a is (1,), which does not fit tuple[int,bool] {FITS}"),
        ("int|None", "x", f"a is 'x', which does not fit int|None {FITS}"),
        ("choice:1,2", 3, f"a is 3, which does not fit choice[1,2] {FITS}"),
        ("dict[int,int]:2", {}, f"a is {{}}, which does not fit dict[int,int]:2 {FITS}"),
        ("set[int]:1", {1, 2}, f"a is {{1, 2}}, which does not fit set[int]:1 {FITS}"),
        (Odd(), 0, "a cannot be encoded: values of odd cannot be taken apart"),
        (
            Record(Hidden, {"width": Int()}),
            Hidden(3),
            "a cannot be encoded: Hidden does not keep 'width' as an attribute of that name",
        ),
    ],
)
def test_values_that_do_not_fit_are_told_in_one_line(spec, value, message):
    inputs = Inputs.of(lambda a: None, 3, {"a": spec})
    with pytest.raises(InputError) as caught:
        encode(inputs, {"a": value})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"a": 1}, "the parameter 'b' has no value: the parameters are a, b"),
        ({"a": 1, "b": 2, "c": 3}, "there is no parameter 'c': the parameters are a, b"),
    ],
)
def test_every_parameter_has_one_value(values, message):
    with pytest.raises(InputError) as caught:
        encode(Inputs.of(target, 1, {"a": "int", "b": "int"}), values)
    assert str(caught.value) == message
