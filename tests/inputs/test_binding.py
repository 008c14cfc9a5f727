import functools
import inspect
import pickle
import random
import typing
from dataclasses import dataclass
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.errors import InputError
from pessimal.inputs import Const, Dict, Float, Inputs, Int, List, Native, Str

if typing.TYPE_CHECKING:
    from elsewhere import Secret


class Colour(Enum):
    RED = 1


@dataclass
class Point:
    x: int
    y: int


class Box:
    def __init__(self, width: int) -> None:
        self.width = width


def sort(xs: list[int], k: int = 0, *, reverse: bool = False, key=None) -> None: ...


def test_hints_give_domains_arguments_and_the_call():
    inputs = Inputs.of(sort, 3)
    assert [domain.name for domain in inputs.domains] == ["xs[0]", "xs[1]", "xs[2]", "k", "reverse"]
    assert inputs.initial() == [0, 0, 0, 0, 0]
    leaves = [3, 2, 1, 7, 1]
    assert inputs.decode(Native(leaves)) == (([3, 2, 1], 7), {"reverse": True})
    assert inputs.arguments(leaves) == {"xs": [3, 2, 1], "k": 7, "reverse": True}
    assert inputs.describe_call("sort", leaves) == "sort([3, 2, 1], 7, reverse=True)"
    assert (inputs.size, inputs.uses_size) == (3, True)


def test_what_is_given_goes_before_what_is_hinted():
    inputs = Inputs.of(sort, 2, {"xs": "list[int:5..9]:N+1", "key": Const(None), "k": Int(1, 1)})
    assert inputs.decode(Native(inputs.initial())) == (([5, 5, 5], 1), {"reverse": False, "key": None})


def test_a_target_may_ignore_the_size():
    inputs = Inputs.of(lambda x: x, 9, {"x": "int"})
    assert not inputs.uses_size
    assert len(inputs.domains) == 1


@given(size=st.integers(0, 5), seed=st.integers(0, 2**32))
def test_samples_lie_in_their_domains_and_have_the_declared_types(size, seed):
    inputs = Inputs.of(
        lambda m, d, x: None, size, {"m": "list[list[int:0..9]]:3xN", "d": "dict[str,bool]", "x": "float"}
    )
    leaves = inputs.sample(random.Random(seed))
    assert all(leaf in domain for leaf, domain in zip(leaves, inputs.domains, strict=True))
    values = inputs.arguments(leaves)
    assert [len(row) for row in values["m"]] == [size] * 3
    assert all(type(cell) is int and 0 <= cell <= 9 for row in values["m"] for cell in row)
    assert all(type(key) is str and len(key) == size for key in values["d"])
    assert all(type(value) is bool for value in values["d"].values())
    assert type(values["x"]) is float
    assert inputs.sample(random.Random(seed)) == leaves


def test_positional_only_keyword_only_and_skipped_parameters():
    def target(a=1, b=2, /, c=3, *, d=4): ...

    inputs = Inputs.of(target, 0, {"b": "const:20", "c": "const:30"})
    assert inputs.decode(Native([])) == ((1, 20, 30), {})
    inputs = Inputs.of(target, 0, {"c": "const:30", "d": "const:40"})
    assert inputs.decode(Native([])) == ((), {"c": 30, "d": 40})


def test_variadic_parameters_are_empty_unless_given():
    def target(a: int, b=5, *args: int, c: int, **kwargs: int): ...

    assert Inputs.of(target, 0).decode(Native([7, 8])) == ((7,), {"c": 8})
    inputs = Inputs.of(target, 2, {"args": "list[int]:N", "kwargs": Dict(Str(1), Int(), 2)})
    assert inputs.decode(Native(inputs.initial())) == ((0, 5, 0, 0), {"c": 0, "a": 0, "b": 0})
    assert inputs.arguments(inputs.initial())["args"] == [0, 0]


def test_hints_written_as_text_are_resolved_one_by_one():
    def target(xs: "list[int]", secret: "Secret | None" = None) -> "Secret": ...

    assert list(Inputs.of(target, 1).specs) == ["xs"]

    def needs(secret: "Secret"): ...

    with pytest.raises(InputError) as caught:
        Inputs.of(needs, 1)
    assert str(caught.value) == (
        "parameter 'secret' of needs: its hint 'Secret' names something that cannot be found: "
        "add --input 'secret=list[int]:N' or the like"
    )


def test_a_default_stands_where_its_hint_says_too_little():
    def target(x: int, done: typing.AsyncIterator[int] | None = None): ...

    assert list(Inputs.of(target, 1).specs) == ["x"]


def test_callables_of_all_kinds():
    class Callable:
        def __call__(self, x: "int") -> None: ...

        def method(self, x: "int") -> None: ...

    for call in (Callable(), Callable().method, functools.partial(sort, [1], reverse=True, k=2), Box):
        assert "int" in {str(spec) for spec in Inputs.of(call, 1).specs.values()}


def test_a_signature_will_do():
    inputs = Inputs.of(inspect.signature(sort), 1, name="sort")
    assert list(inputs.specs) == ["xs", "k", "reverse"]


def test_calls_are_written_so_that_they_can_be_pasted():
    def f(a: Point, b: Box, c: Colour, d: set[str], e: tuple[int], g: dict[int, float], h: frozenset[int]): ...

    inputs = Inputs.of(f, 2, {"d": "set[str:1]:2"})
    text = inputs.describe_call("f", inputs.initial())
    assert text == (
        "f(Point(x=0, y=0), Box(width=0), Colour.RED, {'a', 'b'}, (0,), {0: 0.0, 1: 0.0}, frozenset({0, 1}))"
    )

    def check(a, b, c, *rest):
        return (a, b.width, c, *rest)

    expected = check(*inputs.decode(Native(inputs.initial()))[0])
    assert eval(text, {"f": check, "Point": Point, "Box": Box, "Colour": Colour}) == expected


def test_empty_containers_and_constants_are_written_too():
    inputs = Inputs.of(
        lambda a, b, c, d: None, 0, {"a": "set", "b": "frozenset", "c": "tuple[]", "d": Const(float("-inf"))}
    )
    assert inputs.describe_call("f", []) == "f(set(), frozenset(), (), float('-inf'))"


def test_members_that_do_not_compare_are_written_in_one_order():
    inputs = Inputs.of(lambda a: None, 0, {"a": Const({3, "a", None})})
    assert inputs.describe_call("f", []) == "f({'a', 3, None})"


def test_inputs_can_be_sent_to_another_process():
    inputs = Inputs.of(sort, 2, {"k": Int(1, 5)})
    copy = pickle.loads(pickle.dumps(inputs))
    assert copy.domains == inputs.domains
    assert copy.describe_call("f", copy.initial()) == "f([0, 0], 1, reverse=False)"


@pytest.mark.parametrize("size", [-1, 1.0, "3", None, True])
def test_sizes_that_are_none_are_refused(size):
    with pytest.raises(InputError) as caught:
        Inputs.of(sort, size)
    assert str(caught.value) == f"the size {size!r} is not a whole number of elements: give an int such as 10"


def unhinted(xs, k=3): ...


def callback(f: typing.Never): ...


def ranged(xs: typing.Annotated[int, range(0)] = 3): ...


@pytest.mark.parametrize(
    ("target", "given", "message"),
    [
        (
            unhinted,
            {},
            "parameter 'xs' of unhinted has no type hint: annotate it or add --input 'xs=list[int]:N'",
        ),
        (
            callback,
            {},
            "parameter 'f' of callback: no inputs can be made from the hint typing.Never: "
            "add --input 'f=list[int]:N' or the like",
        ),
        (
            ranged,
            {},
            "parameter 'xs' of ranged: range(0, 0) is not a range of inputs: "
            "give a range that is not empty and has step 1",
        ),
        (unhinted, {"ys": "int"}, "unhinted has no parameter 'ys': its parameters are xs, k"),
        (lambda: None, {"ys": "int"}, "<lambda> has no parameter 'ys': it takes none"),
        (unhinted, {"xs": "lost"}, "in 'lost': 'lost' is not a kind of input"),
        (
            unhinted,
            {"xs": int},
            "<class 'int'> given for 'xs' is not a specification: give List(Int(0, 9), 'N') or 'list[int]:N'",
        ),
        (dict, {}, "dict has no signature that can be read: wrap it in a Python function with type hints"),
    ],
)
def test_mistakes_are_told_in_one_line(target, given, message):
    with pytest.raises(InputError) as caught:
        Inputs.of(target, 1, given)
    assert message in str(caught.value)


def test_specifications_are_used_as_python_objects():
    inputs = Inputs.of(unhinted, 2, {"xs": List(Float(0, 1), "2*N")})
    assert inputs.describe_call("f", [0.5, 1.0, 0.0, 0.25]) == "f([0.5, 1.0, 0.0, 0.25])"
