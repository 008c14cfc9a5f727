"""Numbers without a range lie between minus the size and the size, where a search asks for that."""

import math
import pickle
from dataclasses import dataclass
from typing import Annotated

import pytest

from pessimal.errors import InputError
from pessimal.inputs import Dict, Float, Inputs, Int, List, Repeated, Set, Tuple, Union, parse


@dataclass
class Order:
    count: int
    price: float
    parts: list[int]


def domains(function, size=10, given=None, **options):
    """The bounds of all leaves by name, and what was assumed."""
    inputs = Inputs.of(function, size, given, sized_numbers=True, **options)
    return {domain.name: (domain.low, domain.high) for domain in inputs.domains}, inputs.assumed


def test_numbers_that_are_parameters_are_bounded_by_the_size():
    def target(n: int, x: float, flag: bool, maybe: int | None): ...

    bounds, assumed = domains(target, 7)
    assert bounds["n"] == bounds["x"] == bounds["maybe"] == (-7, 7)
    assert bounds["flag"] == (0, 1)
    assert assumed == {"n": "int:-7..7", "x": "float:-7..7", "maybe": "int:-7..7"}


def test_members_of_tuples_and_fields_are_parameters_too():
    def target(pair: tuple[int, float], order: Order): ...

    bounds, assumed = domains(target, 3)
    assert assumed == {
        "pair[0]": "int:-3..3",
        "pair[1]": "float:-3..3",
        "order.count": "int:-3..3",
        "order.price": "float:-3..3",
    }
    assert all(bounds[name] == (-3, 3) for name in assumed)
    assert bounds["order.parts[0]"] == (None, None)


@pytest.mark.parametrize(
    "spec",
    [
        List(Int(), 1),
        Set(Int(), 1),
        Dict(Int(), Float(), 1),
        Repeated(Float(), 1),
        List(Tuple((Int(), Int())), 1),
        Union((List(Int(), 1), List(Float(), 1))),
    ],
    ids=str,
)
def test_elements_of_containers_stay_unbounded(spec):
    bounds, assumed = domains(lambda x: x, given={"x": spec})
    assert assumed == {}
    assert {pair for name, pair in bounds.items() if not name.endswith("?")} == {(None, None)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", (-10, 10)),
        ("int:0..1000", (0, 1000)),
        ("int[0..1000]", (0, 1000)),
        ("int[0,1000]", (0, 1000)),
        ("int:0..", (0, None)),
        ("int:..5", (None, 5)),
        ("int:..", (None, None)),
        ("int:-inf..inf", (None, None)),
        ("int[-inf,inf]", (None, None)),
        ("float", (-10, 10)),
        ("float[0,0.5]", (0, 0.5)),
        ("float:..", (None, None)),
        ("float:-inf..inf", (None, None)),
        ("int:-N..2*N", (-10, 20)),
    ],
)
def test_a_range_that_is_given_is_kept(text, expected):
    bounds, assumed = domains(lambda n: n, given={"n": text})
    assert bounds == {"n": expected}
    assert bool(assumed) is (text in ("int", "float"))


def test_a_hint_with_a_range_is_kept():
    def target(n: Annotated[int, range(5)]): ...

    assert domains(target) == ({"n": (0, 4)}, {})


@pytest.mark.parametrize("spec", [Int(-math.inf, math.inf), Float(-math.inf, math.inf)])
def test_what_is_unbounded_can_be_written_and_read(spec):
    assert str(spec) in ("int:..", "float:..")
    assert parse(str(spec)) == spec


@pytest.mark.parametrize("bounds", [(math.inf, None), (None, -math.inf), (0, math.inf), (math.inf, -math.inf)])
def test_other_infinite_bounds_are_refused(bounds):
    for kind in (Int, Float):
        with pytest.raises(InputError):
            kind(*bounds)


def test_without_the_wish_numbers_are_unbounded():
    inputs = Inputs.of(lambda n: n, 10, {"n": "int"})
    assert (inputs.domains[0].low, inputs.assumed) == (None, {})


def test_what_was_assumed_survives_pickling():
    inputs = Inputs.of(lambda n: n, 4, {"n": "int"}, sized_numbers=True)
    assert pickle.loads(pickle.dumps(inputs)).assumed == {"n": "int:-4..4"}
