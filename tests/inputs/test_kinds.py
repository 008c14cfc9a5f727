"""Every kind of hint: drawn, made, written as text and as JSON, and made again from each."""

import importlib
import json
import random
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.arguments import argument_of
from pessimal.errors import InputError
from pessimal.inputs import Inputs, encode, from_hint, from_json, render, to_json
from pessimal.inputs.render import needed_imports
from pessimal.performing import perform
from pessimal.scenario import Name, Scenario, Step
from tests.inputs.hinted import COMPARABLE, TAKEN_APART, Colour, Labelled, Movie, Permission, Shape, Square

HINTS = {str(hint): (hint, lambda value: value) for hint in COMPARABLE}
HINTS |= {str(hint): (hint, look) for hint, look in TAKEN_APART.items()}


def identity(value):
    return value


def target(x): ...


def drawn(hint, size, seed, growing=True):
    """Inputs of a hint, and random leaves that make a value."""
    inputs = Inputs.of(target, size, {"x": from_hint(hint)}, growing=growing)
    rng = random.Random(seed)
    for _ in range(20):
        leaves = inputs.sample(rng)
        try:
            inputs.arguments(leaves)
        except Exception:  # the thirtieth of February is no date
            continue
        return inputs, leaves
    raise AssertionError(f"no value of {hint} could be drawn")


def imported(value):
    """The names that the text of a value takes for granted, and no others."""
    names = {}
    for module, name in needed_imports(value):
        found = importlib.import_module(module)
        names[name or module.rpartition(".")[2]] = getattr(found, name) if name else found
    return names


@pytest.mark.parametrize("name", HINTS)
@given(size=st.integers(0, 3), seed=st.integers(0, 2**32), growing=st.booleans())
def test_the_text_of_a_value_makes_an_equal_one(name, size, seed, growing):
    hint, look = HINTS[name]
    inputs, leaves = drawn(hint, size, seed, growing)
    described = inputs.described(leaves)["x"]
    assert look(eval(render(described), imported(described))) == look(inputs.arguments(leaves)["x"])


@pytest.mark.parametrize("name", HINTS)
@given(size=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_a_scenario_passes_an_equal_value(name, size, seed):
    hint, look = HINTS[name]
    inputs, leaves = drawn(hint, size, seed)
    argument = argument_of(inputs.described(leaves)["x"])
    scenario = Scenario((Step("call", Name(__name__, "identity"), args=(argument,)),))
    read = Scenario.from_json(json.loads(json.dumps(scenario.to_json())))
    wanted = look(inputs.arguments(leaves)["x"])
    assert look(perform(scenario)) == wanted
    assert look(perform(read)) == wanted


@pytest.mark.parametrize("name", [str(hint) for hint in COMPARABLE])
@given(size=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_described_values_are_encoded_again(name, size, seed):
    hint, _ = HINTS[name]
    inputs, leaves = drawn(hint, size, seed)
    described = inputs.described(leaves)
    try:
        again = encode(inputs, described)
    except InputError as error:
        assert "does not fit" in str(error) or "cannot be" in str(error)
        assert any(word in str(inputs.specs["x"]) for word in ("scaleb", "hours", "dict.", "Path")), error
        return
    assert inputs.arguments(again) == inputs.arguments(leaves)


STANDARD = [hint for hint in COMPARABLE if getattr(hint, "__module__", "") not in ("tests.inputs.hinted", "typing")]
WRITTEN = ("complex", "bytearray", "range", "slice", "Decimal", "Fraction", "date", "time", "datetime", "timedelta")


@pytest.mark.parametrize("name", [str(hint) for hint in STANDARD if getattr(hint, "__name__", "") in WRITTEN])
@given(size=st.integers(0, 3), seed=st.integers(0, 2**32))
def test_values_of_the_library_survive_json(name, size, seed):
    hint, _ = HINTS[name]
    inputs, leaves = drawn(hint, size, seed)
    value = inputs.arguments(leaves)["x"]
    back = from_json(json.loads(json.dumps(to_json(value))))
    assert (type(back), back) == (type(value), value)


def test_only_known_calls_are_read_from_json():
    with pytest.raises(KeyError):
        from_json({"$call": ["os", "system", ["true"], {}]})


def test_an_optional_key_may_be_missing():
    inputs = Inputs.of(target, 1, {"x": from_hint(Movie)})
    keys = {tuple(sorted(inputs.arguments(inputs.sample(random.Random(seed)))["x"])) for seed in range(30)}
    assert keys == {("title",), ("title", "year")}


def test_flags_are_combined():
    values = from_hint(Permission).values
    assert values == (Permission.READ, Permission.WRITE, Permission.READ | Permission.WRITE, Permission(0))
    assert [render(value) for value in values[1:]] == ["Permission.WRITE", "Permission(3)", "Permission(0)"]


def test_an_abstract_class_is_one_below_it():
    assert from_hint(Shape).builder is Square


def test_a_protocol_that_no_class_has_is_a_plain_object():
    assert str(from_hint(Labelled)) == ("SimpleNamespace(is_open=bool, label=str:N, size=function[int]:3)")


def test_special_floats_are_drawn_only_where_wanted():
    def values(special):
        inputs = Inputs.of(target, 1, {"x": from_hint(typing.Optional[float], special=special)})  # noqa: UP045
        rng = random.Random(1)
        return {repr(inputs.arguments(inputs.sample(rng))["x"]) for _ in range(500)}

    assert {"inf", "-inf", "nan", "-0.0", "5e-324"} <= values(True)
    assert not {"inf", "-inf", "nan"} & values(False)


def test_symbolic_runs_start_from_finite_floats():
    inputs = Inputs.of(target, 1, {"x": from_hint(list[float], special=True)})
    assert inputs.finite([float("nan")]) == [0.0]
    assert inputs.finite([2.5]) == [2.5]


def test_what_cannot_be_written_is_refused():
    with pytest.raises(InputError, match="cannot be written"):
        argument_of(object())


def test_members_of_an_enum_are_names():
    assert argument_of([Colour.RED]).members == (Name("tests.inputs.hinted", "Colour.RED"),)
