"""Abstract classes that nothing implements, modules and context managers as arguments, and the tests of such calls."""

import math
import random
from contextlib import nullcontext
from pathlib import Path

import pytest

from pessimal.errors import InputError
from pessimal.inputs import from_hint
from pessimal.performing import class_of, perform
from pessimal.python.cover.generator import Generator
from pessimal.python.cover.members import members_of
from pessimal.python.cover.stand_ins import stand_in_for
from pessimal.scenario import Build, Function, Name, Plain, Result, Scenario, Step, Subclass
from pessimal.testfile import Case, Plan, observe, written
from tests.cover import abstract

HERE = abstract.__name__
SHAPE = Name(HERE, "Shape")
MEMBERS = (("corners", Plain(3)), ("area", Function((Plain(7), Plain(8)))))
LARGE = Scenario(
    (
        Step("call", Subclass("ConcreteShape", SHAPE, MEMBERS), "", (Plain("a"),)),
        Step("method", Result(0), "describe"),
    )
)
"""A shape whose area is 7 at first."""


def text_of(scenario):
    plan = Plan(Path("test_shapes.py"), [], "shapes", "pessimal cover shapes")
    return written([(Case(scenario, ()), observe(scenario))], plan).text


def test_what_is_abstract_is_answered_as_hints_say():
    stand_in = stand_in_for(abstract.Shape)
    assert stand_in.label == "ConcreteShape"
    assert {name: str(spec) for name, spec in stand_in.methods.items()} == {"area": "int"}
    assert {name: str(spec) for name, spec in stand_in.attributes.items()} == {"corners": "int"}
    assert [item.name for item in stand_in.constructor.parameters] == ["name"]


def test_a_class_that_stands_in_is_made_and_kept_as_json():
    assert perform(LARGE) == "triangle"
    assert Scenario.from_json(LARGE.to_json()) == LARGE
    shape = perform(Scenario(LARGE.steps[:1]))
    assert class_of(shape) is abstract.Shape
    assert [shape.area(), shape.area(), shape.area()] == [7, 8, 8]


def test_it_is_written_as_a_class_statement():
    assert text_of(LARGE).partition("\n\n\n")[2] == (
        "def test_shape_describe():\n"
        "    replies = itertools.chain([7], itertools.repeat(8))\n"
        "\n"
        "    class ConcreteShape(Shape):\n"
        "        corners = 3\n"
        "\n"
        "        def area(self, *args, **kwargs):\n"
        "            return next(replies)\n"
        "\n"
        '    shape = ConcreteShape("a")\n'
        '    assert shape.describe() == "triangle"\n'
    )


def test_a_module_is_written_by_its_name():
    module = Build(Name("importlib", "import_module"), (Plain("json"),))
    text = text_of(Scenario((Step("call", Name(HERE, "kind"), "", (module,)),)))
    assert "import json\n" in text
    assert "importlib" not in text
    assert 'assert kind(json) == "package"' in text


def test_scenarios_use_all_of_them():
    generator = Generator([abstract], members_of([abstract]), random.Random(1))
    ends = {"describe": set(), "total": set(), "kind": set(), "entered": set()}
    for _ in range(600):
        scenario = generator.draw()
        last = scenario.steps[-1]
        name = last.name or getattr(last.subject, "qualname", "")
        if name in ends:
            ends[name].add(_end(scenario))
    assert {"triangle", "small", "a is large"} & ends["describe"]
    assert "ValueError" in ends["total"]
    assert ends["kind"] >= {"package", "file"}
    assert ends["entered"] >= {True, False}


def _end(scenario):
    try:
        return perform(scenario)
    except Exception as error:
        return type(error).__name__


def test_others_than_cover_make_no_abstract_objects():
    with pytest.raises(InputError, match="no inputs can be made from the hint Shape"):
        from_hint(abstract.Shape)
    assert from_hint(abstract.Shape, abstract=True).builder is abstract.Shape


def test_hints_of_modules_and_context_managers():
    inputs = from_hint(abstract.entered.__annotations__["manager"])
    assert inputs.builder is nullcontext
    modules = from_hint(type(math), module=abstract)
    assert modules.args[0].values[-1] == HERE
