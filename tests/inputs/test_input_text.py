import datetime
import decimal

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
    Int,
    List,
    Repeated,
    Set,
    Str,
    Tuple,
    Union,
    from_hint,
    parse,
    parse_inputs,
)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("int", Int()),
        ("int:0..10", Int(0, 10)),
        ("int:-5..", Int(-5, None)),
        ("int:..-5", Int(None, -5)),
        ("int:0..N-1", Int(0, "N-1")),
        ("int[0..1000]", Int(0, 1000)),
        ("int[ 0 , 1000 ]", Int(0, 1000)),
        ("int[-N..N]", Int("-N", "N")),
        ("int[0..]", Int(0, None)),
        ("list[int[0,9]]:N", List(Int(0, 9), "N")),
        ("dict[int[0,9],float[0,1]]:N", Dict(Int(0, 9), Float(0, 1), "N")),
        ("float[0..1]", Float(0, 1)),
        ("float:-N..2*N", Float("-N", "2*N")),
        ("float", Float()),
        ("float:0..1", Float(0, 1)),
        ("float:-1.5..1e3", Float(-1.5, 1000)),
        ("bool", Bool()),
        ("str", Str("N")),
        ("str:N", Str("N")),
        ("str:N:a..z", Str("N", "a", "z")),
        ("str:a..z", Str("N", "a", "z")),
        ("str:3:0..9", Str(3, "0", "9")),
        ("str:3:'ab|]'", Str(3, alphabet="ab|]")),
        (r"str:3:'\x00'..'\x7f'", Str(3, 0, 127)),
        ("str:2*N:a..]", None),
        ("str:2*N:!..]", Str("2*N", "!", "]")),
        ("bytes:4", Bytes(4)),
        ("list", List(Int())),
        ("list[int]", List(Int(), "N")),
        ("list[int]:N", List(Int(), "N")),
        ("list[int:0..9]:2*N", List(Int(0, 9), "2*N")),
        ("list[list[int]]:NxN", List(List(Int(), "N"), "N")),
        ("list[list[int]]:N", List(List(Int(), "N"), "N")),
        ("list[list[int:0..9]]:3xN", List(List(Int(0, 9), "N"), 3)),
        ("list[list[int]:2]:N", List(List(Int(), 2), "N")),
        ("list[list[list[bool]]]:2x3", List(List(List(Bool(), 3), 3), 2)),
        ("list[str]:Nx5", List(Str(5), "N")),
        ("list[tuple[str,bytes]]:Nx5", List(Tuple((Str(5), Bytes(5))), "N")),
        ("dict[str,int]:N", Dict(Str("N"), Int(), "N")),
        ("dict[str:3,list[int]:2]:N", Dict(Str(3), List(Int(), 2), "N")),
        ("dict[choice[1,2],int]:2", Dict(Choice((1, 2)), Int(), 2)),
        ("set[int]:3", Set(Int(), 3)),
        ("frozenset[int]:3", Set(Int(), 3, frozen=True)),
        ("tuple[int,bool]", Tuple((Int(), Bool()))),
        ("tuple[]", Tuple(())),
        ("tuple[int,...]:3", Repeated(Int(), 3)),
        ("tuple[list[int],...]:3x2", Repeated(List(Int(), 2), 3)),
        ("int|None", Union((Int(), Const(None)))),
        ("list[date]:3", List(from_hint(datetime.date), 3)),
        ("decimal|None", Union((from_hint(decimal.Decimal), Const(None)))),
        ("list[int]:3|None", Union((List(Int(), 3), Const(None)))),
        ("list[int:0..9|None]:3", List(Union((Int(0, 9), Const(None))), 3)),
        ("const:3", Const(3)),
        ("const:[1, (2, '],|')]", Const([1, (2, "],|")])),
        ("const:{'a': -1.5}", Const({"a": -1.5})),
        ("list[const:1|const:2]", List(Union((Const(1), Const(2))))),
        ("choice:1,2,'x'", Choice((1, 2, "x"))),
        ("choice:None,True", Choice((None, True))),
        (" list [ int : 0 .. 9 ] : 2 x N ", None),
        (" list [ list [ int : 0 .. 9 ] ] : 2 x N ", List(List(Int(0, 9), "N"), 2)),
    ],
)
def test_every_form_is_understood(text, spec):
    if spec is None:
        with pytest.raises(InputError):
            parse(text)
    else:
        assert parse(text) == spec


KINDS = (
    "int, float, bool, str, bytes, list, tuple, dict, set, frozenset, const, choice, None, "
    "complex, decimal, fraction, date, time, datetime, timedelta, uuid, path, any"
)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", f"the end is not a kind of input (the kinds are {KINDS}): write for example xs=list[int:0..9]:N"),
        ("lst[int]", f"'lst' is not a kind of input (the kinds are {KINDS}): write for example xs=list[int:0..9]:N"),
        ("flaot:0..1", f"'flaot' is not a kind of input (the kinds are {KINDS}): write for example x=float:0..1"),
        ("int|", f"the end is not a kind of input (the kinds are {KINDS}): write for example xs=list[int:0..9]:N"),
        ("list[int", "']' is expected at the end: write for example xs=list[int:0..9]:N"),
        ("list[int]]", "']' is unexpected: write for example xs=list[int:0..9]:N"),
        ("int:5", "'5' is not a range of ints: write for example t=int:0..10"),
        ("int:a..b", "'a' is neither an int nor an expression of N: write for example t=int:0..10"),
        ("int:1.5..2", "'1.5' is neither an int nor an expression of N: write for example t=int:0..10"),
        ("float:x..1", "'x' is not a number: write for example x=float:0..1"),
        ("float:0..1e999", "inf cannot bound a float: give a finite number, or None for no bound"),
        ("str:", "a length or a character is expected at the end: write for example s=str:N:a..z"),
        (
            "str:N:a..",
            "a length or a character is expected at the end: write for example s=str:N:a..z",
        ),
        ("str:N:z..a", "no character lies in z..a: put the smaller bound first"),
        ("str:N:abc", "':abc' is unexpected: write for example xs=list[int:0..9]:N"),
        ("bytes:NxN", "'NxN' gives 2 lengths where 1 can be used: write for example b=bytes:4"),
        ("list[int]:NxN", "'NxN' gives 2 lengths where 1 can be used: write for example xs=list[int:0..9]:N"),
        (
            "list[int]:M",
            "'M' is neither an int nor an expression of N: write for example xs=list[int:0..9]:N",
        ),
        ("list[int]:-3", "the length -3 is negative: write for example 3, N, 2*N, N-1 or N//2"),
        ("dict[int]", "',' is expected before ']': write for example d=dict[str,int]:N"),
        (
            "dict[list[int],int]",
            "list[int]:N cannot be hashed, as a dict demands: use int, str or a tuple of such",
        ),
        ("tuple", "'[' is expected at the end: write for example p=tuple[int,bool]"),
        ("tuple[int bool]", "',' is expected before 'bool]': write for example p=tuple[int,bool]"),
        ("tuple[int,bool,...]", "'...' follows more than one element: write for example p=tuple[int,bool]"),
        ("choice:", "the end is not a Python literal: write for example c=choice:1,2,'x'"),
        ("choice:a", "'a' is not a Python literal: write for example c=choice:1,2,'x'"),
        ("choice[1,2", "']' is expected at the end: write for example c=choice:1,2,'x'"),
        ("const", "':' is expected at the end: write for example k=const:3"),
        ("const:foo()", "'foo()' is not a Python literal: write for example k=const:3"),
        ("const:1,2", "',2' is unexpected: write for example xs=list[int:0..9]:N"),
    ],
)
def test_mistakes_are_named_with_an_example(text, problem):
    with pytest.raises(InputError) as caught:
        parse(text)
    assert str(caught.value) == f"in {text!r}: {problem}"


def test_brackets_without_end_are_refused():
    with pytest.raises(InputError, match="the brackets are nested too deeply: write fewer"):
        parse("list[" * 100_000)


@given(st.text(alphabet="listnrde[]:|,.xN0'\"a(\\ ", max_size=20))
def test_any_text_is_understood_or_refused_in_one_line(text):
    try:
        assert parse(str(parse(text))) == parse(text)
    except InputError as error:
        assert "\n" not in str(error)


EXTENTS = st.integers(0, 9) | st.sampled_from(["N", "2*N", "N-1", "N//2"])
BOUNDS = st.tuples(st.none() | st.integers(-9, 0), st.none() | st.integers(0, 9) | st.just("N"))
LITERALS = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
HASHABLE = st.one_of(
    st.builds(lambda bounds: Int(*bounds), BOUNDS),
    st.builds(Float, st.none() | st.floats(-9, 0), st.none() | st.floats(0, 9)),
    st.just(Bool()),
    st.builds(Bytes, EXTENTS),
    st.builds(Str, EXTENTS),
    st.builds(lambda length, a, b: Str(length, min(a, b), max(a, b)), EXTENTS, st.characters(), st.characters()),
    st.builds(lambda length, alphabet: Str(length, alphabet=alphabet), EXTENTS, st.text(min_size=1, max_size=4)),
)
SCALARS = HASHABLE | st.builds(Const, LITERALS) | st.builds(Choice, st.lists(LITERALS, min_size=1, max_size=3))


def composed(inner):
    return st.one_of(
        st.builds(List, inner, EXTENTS),
        st.builds(Repeated, inner, EXTENTS),
        st.builds(Tuple, st.lists(inner, max_size=3)),
        st.builds(Dict, HASHABLE, inner, EXTENTS),
        st.builds(Set, HASHABLE, EXTENTS, st.booleans()),
        st.builds(List, st.builds(Union, st.lists(inner, min_size=2, max_size=3)), EXTENTS),
    )


@given(st.recursive(SCALARS, composed, max_leaves=6))
def test_what_is_written_is_what_was_meant(spec):
    assert parse(str(spec)) == spec


def test_names_are_bound_to_their_specifications():
    assert parse_inputs(["xs=list[int]:N", " k = const:'a=b'"]) == {"xs": List(Int()), "k": Const("a=b")}
    assert parse_inputs([]) == {}


@pytest.mark.parametrize("text", ["list[int]:N", "=int", "1=int", "a b=int", ""])
def test_a_binding_needs_a_name(text):
    with pytest.raises(InputError) as caught:
        parse_inputs([text])
    assert f"{text!r} does not start with a parameter's name: write for example x=int or xs=list[int]:N" == str(
        caught.value
    )


def test_a_name_is_bound_once():
    with pytest.raises(InputError, match="parameter 'k' is given twice: drop 'k=bool' or the one before it"):
        parse_inputs(["k=int", "k=bool"])
