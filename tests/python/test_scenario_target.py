"""Scenarios as targets: which values become inputs, and the way from leaves to scenarios and back."""

import math

import pytest

from pessimal.inputs import Const
from pessimal.inputs.examples import LONGEST_TEXT, spec_of
from pessimal.python.scenario_frontend import ScenarioFrontEnd
from pessimal.python.scenario_target import ScenarioTarget
from pessimal.runs import Request
from pessimal.scenario import Build, Function, Group, Name, Plain, Result, Scenario, Step
from pessimal.target import Reference
from pessimal.trace import Outcome

pytestmark = pytest.mark.usefixtures("separate_worlds")


def call(*arguments, function=("builtins", "repr")):
    return Scenario((Step("call", Name(*function), args=arguments),))


@pytest.mark.parametrize(
    ("example", "text"),
    [
        (3, "int"),
        (True, "bool"),
        (0.5, "float"),
        ("abc", "str:N+3"),
        (b"", "bytes:N+0"),
        ([1, 2], "list[int]:N//4+2"),
        (["a", "bcd"], "list[str:N+3]:N//4+2"),
        ([1, None], "list[int|None]:N//4+2"),
        ((1, "a"), "tuple[int,str:N+1]"),
        ([(1,), (2, 3)], "list[tuple[int,...]:N//4+2]:N//4+2"),
        ({"a": 1}, "dict[str:N+1,int]:N//4+1"),
        ({1, 2}, "set[int]:N//4+2"),
        (frozenset({"x"}), "frozenset[str:N+1]:N//4+1"),
    ],
)
def test_specifications_are_read_off_examples(example, text):
    assert str(spec_of(example)) == text


@pytest.mark.parametrize(
    "example",
    [None, math.nan, math.inf, [], {}, object(), 1j, bytearray(b"a"), [1, object()], "x" * (LONGEST_TEXT + 1), (None,)],
    ids=lambda example: type(example).__name__,
)
def test_what_cannot_vary_has_no_specification(example):
    assert spec_of(example) is None


def test_a_tuple_keeps_what_cannot_vary():
    spec = spec_of((1, 1j))
    assert spec.elements[1] == Const(1j)


EVERYTHING = Scenario(
    (
        Step("call", Name("fractions", "Fraction"), args=(Plain(3), Plain(4))),
        Step("set", Result(0), "note", args=(Plain("abc"),)),
        Step(
            "method",
            Result(0),
            "__add__",
            args=(
                Group("list", (Plain(1), Name("math", "pi"), Build(Name("fractions", "Fraction"), (Plain("1/2"),)))),
                Function((Plain(b"xy"), Plain(None))),
                Plain({"a": [1.5, 2.5]}),
                Plain(1j),
            ),
            kwargs=(("flag", Plain(True)),),
        ),
    )
)


def test_the_leaves_of_a_scenario_mean_the_scenario():
    target = ScenarioTarget(EVERYTHING)
    assert target.with_leaves(target.leaves) == EVERYTHING
    assert target.is_whole is False  # because of the complex number
    assert len(target.inputs.specs) == 8


def test_none_is_no_value_that_could_vary():
    assert ScenarioTarget(call(Plain(None), Plain(1))).is_whole


def test_equal_values_vary_on_their_own():
    same = Plain(5)
    target = ScenarioTarget(call(same, same))
    assert target.with_leaves([5, 6]) == call(Plain(5), Plain(6))


def test_too_many_leaves_stay_concrete():
    target = ScenarioTarget(call(*(Plain("x" * 90) for _ in range(9))))
    assert len(target.inputs.specs) == 4
    assert target.is_whole is False


def test_symbolic_and_native_runs_see_their_own_copy_of_a_module():
    scenario = call(Plain("a b"), function=("shlex", "split"))
    front_end = ScenarioFrontEnd(scenario, [Reference(None, "shlex", "")])
    trace = front_end.run(Request(), 10.0)
    assert trace.outcome is Outcome.RETURNED
    assert any(site.file.endswith("shlex.py") for site in trace.sites)
    assert front_end.native(front_end.initial, 10.0).returned == "['a', 'b']"


def test_other_scenarios_use_the_same_modules(tmp_path, monkeypatch):
    file = tmp_path / "loaded_once.py"
    file.write_text("token = object()\ndef f(x):\n    return id(token) if x > 3 else 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    first = ScenarioFrontEnd(call(Plain(1), function=("loaded_once", "f")), [Reference(str(file), None, "")])
    returned = set()
    for value in (5, 2, 9):
        other = first.retargeted(call(Plain(value), function=("loaded_once", "f")))
        assert other.run(Request(), 10.0).decisions == bytes([value > 3])
        returned.add(other.native(other.initial, 10.0).returned)
    assert len(returned) == 2


def test_a_module_that_cannot_be_rewritten_is_run_as_it_is(tmp_path, monkeypatch):
    source = "import sys\nif any('pessimal' in str(loader) for loader in (__loader__,)):\n    raise ImportError('no')\n"
    (tmp_path / "touchy.py").write_text(f"{source}def f(x):\n    return 1 if x > 3 else 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    scenario = call(Plain(5), function=("touchy", "f"))
    front_end = ScenarioFrontEnd(scenario, [Reference(None, "touchy", "")])
    trace = front_end.run(Request(), 10.0)
    assert trace.decisions == b"\x01"  # operators need no rewriting
    assert front_end.native(front_end.initial, 10.0).returned == "1"


@pytest.mark.parametrize("module", ["collections", "functools", "asyncio", "atexit", "builtins"])
def test_modules_that_everything_needs_can_be_under_test(module):
    front_end = ScenarioFrontEnd(call(Plain("ab"), function=("builtins", "len")), [Reference(None, module, "")])
    for _ in range(2):
        assert front_end.run(Request(), 10.0).outcome is Outcome.RETURNED
        assert front_end.native(front_end.initial, 10.0).returned == "2"


def test_compiled_functions_are_handled_in_symbolic_runs():
    front_end = ScenarioFrontEnd(Scenario((Step("method", Plain("abc"), "__len__"),)))
    assert front_end.run(Request(), 10.0).outcome is Outcome.RETURNED
    front_end = ScenarioFrontEnd(call(Plain("12"), function=("builtins", "int")))
    trace = front_end.run(Request(), 10.0)
    assert (trace.outcome, trace.refused) == (Outcome.RETURNED, None)


def test_room_to_grow_can_change():
    front_end = ScenarioFrontEnd(call(Plain("ab")))
    assert len(front_end.domains) == 1 + 2 + 8
    larger = front_end.resized(20)
    assert len(larger.domains) == 1 + 2 + 20
    assert larger.scenario(larger.initial) == call(Plain("ab"))
