"""Black boxes: what is called and not looked into stays in conditions, and behaves as it does natively."""

import hashlib
import hmac
import inspect
import math
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pessimal
from pessimal.expr import App, Offset, Var
from pessimal.expr.node import children
from pessimal.pool.alarm import Deadline
from pessimal.python.byvalue import rewrite_function
from pessimal.python.concrete import Concrete
from pessimal.python.counted import counted
from pessimal.python.handlers import resolve
from pessimal.python.handlers.black_boxes.answers import Answer, answer_of, same, sorts
from pessimal.python.handlers.black_boxes.arguments import arguments_of
from pessimal.python.handlers.black_boxes.box import DIFFERS, Box
from pessimal.python.handlers.black_boxes.calls import calling
from pessimal.python.values import SymBytes, SymFloat, SymInt, SymStr
from pessimal.runs import Request
from pessimal.search.sweep import Sweep
from pessimal.target_spec import Limits
from pessimal.trace import Outcome, Side
from tests.python import black_box_programs
from tests.python.exploring import Collector, Enough, native

PROGRAMS = [
    function
    for _, function in inspect.getmembers(black_box_programs, inspect.isfunction)
    if function.__module__ == black_box_programs.__name__
]


def explored(program, paths=60):
    found = Collector(program, size=2, paths=paths)
    with suppress(Enough):
        Sweep().search(found)
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_both_outcomes_are_reached_and_all_kinds_of_run_agree(program):
    found = explored(program)
    counted = Concrete(rewrite_function(program), found.inputs.decode, timeout=TimeoutError)
    outcomes = set()
    for trace in found.traces:
        outcome, result = native(program, found.inputs, trace.leaves)
        assert outcome is trace.outcome is Outcome.RETURNED
        assert counted.run(trace.leaves).costs["branches"] == trace.length
        outcomes.add(result)
    assert outcomes == {0, 1}


@given(
    st.sampled_from(sorted(hashlib.algorithms_guaranteed)), st.lists(st.tuples(st.binary(max_size=3), st.booleans()))
)
def test_hashes_of_parts_from_the_input_and_elsewhere_are_the_native_ones(name, parts):
    make = getattr(hashlib, name)
    found, native_one, length = resolve(make)(), make(), [4] if name.startswith("shake") else []
    for data, is_input in parts:
        before = found.copy()
        found.update(counted(data) if is_input else bytearray(data))
        assert before.digest(*length) == native_one.digest(*length)
        native_one.update(data)
    assert found.hexdigest(*length) == native_one.hexdigest(*length)
    assert (found.name, found.digest_size, found.block_size) == (
        native_one.name,
        native_one.digest_size,
        native_one.block_size,
    )


@pytest.mark.parametrize("method", [hashlib.sha256, "sha1"])
def test_keyed_hashes_are_the_native_ones(method):
    made = resolve(hmac.new)(b"key", counted(b"ab"), method)
    made.update(b"c")
    assert made.hexdigest() == hmac.new(b"key", b"abc", method).hexdigest()
    assert resolve(hmac.new)(b"key", digestmod=method).digest() == hmac.new(b"key", None, method).digest()


@pytest.mark.parametrize(
    "program",
    [black_box_programs.hashed, black_box_programs.hashed_in_parts, black_box_programs.keyed],
    ids=lambda program: program.__name__,
)
def test_hashes_are_not_made_concrete(program):
    assert not any(trace.concretisations for trace in explored(program).traces)


def test_what_no_hash_takes_raises_as_natively():
    with pytest.raises(TypeError):
        resolve(hashlib.md5)("text")
    with pytest.raises(TypeError):
        resolve(hashlib.md5)(None)
    with pytest.raises(TypeError, match="encoded"):
        resolve(hashlib.md5)().update(SymStr.make([Offset(0)]))
    with pytest.raises(TypeError):
        resolve(hashlib.sha256)(b"", b"")
    with pytest.raises(ValueError, match="unsupported"):
        resolve(hashlib.new)("no such hash", b"")
    with pytest.raises(TypeError):
        resolve(hashlib.shake_128)(counted(b"x")).digest()


def never(data: bytes) -> int:
    return 1 if zlib.crc32(data) > 1 << 40 else 0


def test_no_outcome_behind_a_box_is_infeasible_without_a_proof():
    found = explored(never)
    sides = {side for trace in found.traces for side in trace.others}
    assert Side.UNKNOWN in sides and Side.INFEASIBLE not in sides
    assert found.proof is None


def test_what_other_conditions_forbid_is_still_infeasible():
    def ordered(x: int) -> int:
        if math.ulp(x) > 0 and x > 3:
            return 1 if x < 3 else 2
        return 0

    trace = Collector(ordered).symbolic.run(Request(start=[9], probe_other=True))
    assert Side.INFEASIBLE in trace.others


def test_nothing_is_made_concrete_and_the_condition_names_the_function():
    found = explored(black_box_programs.checksum)
    assert not any(trace.concretisations for trace in found.traces)
    calls = [str(node.args[0]) for trace in found.traces for node in _apps(trace.conditions) if node.op == "call"]
    assert set(calls) == {"zlib.crc32"}


def _apps(conditions):
    waiting = list(conditions)
    while waiting:
        node = waiting.pop()
        if isinstance(node, App):
            yield node
        waiting += children(node)


numbers = st.integers() | st.floats() | st.booleans() | st.none()
results = st.recursive(numbers | st.text(max_size=5) | st.binary(max_size=5), lambda inner: st.tuples(inner, inner))


@given(results)
def test_a_result_is_its_shape_and_its_numbers(result):
    answer = answer_of(result)
    assert answer.is_symbolic and same(answer, answer_of(result))
    assert len(list(sorts(answer.shape))) == len(answer.parts)


@pytest.mark.parametrize("result", [object(), [1], {1: 2}, 1j, bytes(1000), (1, [2])])
def test_other_results_stay_concrete(result):
    assert answer_of(result) == Answer(("returns", type(result).__name__))


@given(st.integers(), st.floats(allow_nan=False), st.text(min_size=1, max_size=4), st.binary(min_size=1, max_size=4))
def test_arguments_are_filled_with_the_values_of_their_terms(n, x, text, data):
    symbols = (
        SymInt(Offset(0)),
        [SymFloat(Var(1)), "constant", 0.0],
        (SymStr([Offset(2), ord("x")]), SymBytes([7, Offset(3)])),
    )
    arguments = arguments_of(symbols, {"named": SymInt(Offset(0, 5)), "plain": -0.0})
    args, kwargs = arguments.filled([n, x, ord(text[0]), data[0], n + 5])
    assert args == [n, [x, "constant", 0.0], (text[0] + "x", bytes([7, data[0]]))]
    assert kwargs["named"] == n + 5 and math.copysign(1, kwargs["plain"]) == -1


def test_arguments_that_no_term_stands_for_are_left_to_the_function():
    assert arguments_of([SymInt(Offset(0)), object()], {}) is None
    assert arguments_of([{1: SymInt(Offset(0))}], {}) is None


def test_calls_that_differ_in_a_constant_are_kept_apart():
    keys = {arguments_of([SymInt(Offset(0)), constant], {}).key for constant in (0, 0.0, -0.0, False, "0", b"0", None)}
    assert len(keys) == 7


def form_of(function, value=None):
    box = Box("box", function)
    return box, box.form(arguments_of([SymInt(Offset(0)) if value is None else value], {}))


def test_a_function_that_answers_differently_is_given_up():
    answers = iter(range(100))
    box, form = form_of(lambda x: next(answers))
    form.checked([1])
    assert box.given_up == DIFFERS


def test_a_function_that_changes_its_argument_is_given_up():
    box, form = form_of(lambda xs: xs.append(1) or 3, [SymInt(Offset(0))])
    assert form.sample(1) == Answer(("int",), (3,))
    assert box.given_up == "changes its arguments"


def test_samples_are_called_once_and_program_calls_again():
    seen = []
    box, form = form_of(lambda x: seen.append(x) or x)
    assert [form.sample(4), form.sample(4), form.checked([4])] == [Answer(("int",), (4,))] * 3
    assert seen == [4, 4] and box.given_up is None


def test_what_is_not_symbolic_is_passed_on_as_it_is():
    rows = [3, 1, 2]
    calling(Box("box", list.sort), list.sort)(rows)
    assert rows == [1, 2, 3]


@pytest.mark.parametrize(("error", "name"), [(ValueError("no"), "ValueError"), (SystemExit(3), "SystemExit")])
def test_what_a_function_raises_is_an_answer(error, name):
    def function(x):
        raise error

    _, form = form_of(function)
    assert form.sample(1).shape == ("raises", name)


def test_a_sample_that_hangs_is_given_up_alone():
    def function(x):
        while x > 5:
            pass
        return x

    _, form = form_of(function)
    with Deadline(60):
        assert form.sample(9).shape == ("takes too long",)
        assert form.sample(2).shape == ("int",)


TARGET = """
import sys

def helper(x, y=0):
    if x > 1000:
        raise ValueError(x)
    return "text" if y else x * 3 + 1

def uses(x: int, y: bool) -> int:
    try:
        found = helper(x, y=y)
    except ValueError:
        return 3
    if isinstance(found, str):
        return 2
    return 1 if found == 22 else 0

state = 0

def changing(x):
    global state
    state += 1
    return x + state

def impure(x: int) -> int:
    return 1 if changing(x) > 5 else 0

def leaving(x):
    if x > 100:
        sys.exit(1)
    return x

def leaves(x: int) -> int:
    return 1 if leaving(x) == 7 else 0

def hanging(x):
    while x > 100:
        pass
    return x

def hangs(x: int) -> int:
    return 1 if hanging(x) == 7 else 0

def writing(x):
    open("written", "w")
    return x

def writes(x: int) -> int:
    return 1 if writing(x) == 7 else 0
"""


@pytest.fixture
def target(write):
    return write(TARGET)


def explore(target, name, box, **options):
    return pessimal.explore(
        f"{target}:{name}", black_boxes=box, paths=12, explain=True, warn=lambda text: None, **options
    )


@pytest.mark.parametrize("box", ["helper", "help*", "helpe[r]"])
def test_a_named_box_is_called_and_not_looked_into(target, box):
    result = explore(target, "uses", box)
    assert {path.returned for path in result.paths} == {"0", "1", "2", "3"}
    assert {row["site"]["function"] for row in result.explain["unknown"]} == {"uses"}
    assert all(path.difference is None for path in result.paths)
    assert not result.exhausted


def test_a_box_that_answers_differently_is_named_and_made_concrete(target):
    result = explore(target, "impure", "changing")
    reasons = {row["reason"] for row in result.explain["concretisations"]}
    assert any("changing, which answers differently to the same arguments" in reason for reason in reasons)
    assert result.effort.concretisations > 0 and not result.exhausted


def test_a_box_that_exits_is_an_outcome(target):
    result = explore(target, "leaves", "leaving")
    assert {(path.outcome, path.returned) for path in result.paths} == {
        ("returned", "0"),
        ("returned", "1"),
        ("raised", None),
    }


def test_a_box_that_hangs_times_out_on_its_own_input(target):
    result = explore(target, "hangs", "hanging", limits=Limits(run_seconds=3.0), budget=None)
    assert [failure.outcome for failure in result.failures] == ["timed out"]
    assert all(failure.input["x"] > 100 for failure in result.failures)


def test_a_box_with_side_effects_is_made_concrete(target, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = explore(target, "writes", "writing")
    assert not (tmp_path / "written").exists()
    assert any("has side effects" in row["reason"] for row in result.explain["concretisations"])
    assert not result.exhausted


def test_the_lines_of_a_box_in_python_are_not_determined_by_the_path(target):
    result = pessimal.stress(
        f"{target}:leaves", size=1, black_boxes="leaving", cost="lines", strategy="sweep", paths=20
    )
    assert result.proof is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nowhere.function", "there is no module 'nowhere'"),
        ("zlib.crc33", "names no function"),
        ("zlib.nothing*", "names no function"),
        ("nothing", "names no function"),
        ("zlib.error", "names no function"),
        ("uses", "is the target itself"),
        ("", "must be module.function, but is ''"),
    ],
)
def test_a_name_that_means_no_function_is_refused(pessimal, target, name, words):
    answer = pessimal("explore", f"{target}:uses", "--black-box", name)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err and "[black-box]" in answer.err and answer.err.count("\n") == 1


def test_boxes_can_be_configured(pessimal, target, tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text('[tool.pessimal]\nblack-box = ["helper", "zlib.*"]\n')
    monkeypatch.chdir(tmp_path)
    answer = pessimal("explore", f"{target}:uses", "--paths", "8", "--explain")
    assert answer.code == 0 and "the message of what" in answer.out


def test_options_of_the_solver_are_checked(pessimal, target):
    answer = pessimal("explore", f"{target}:uses", "--set-solver", "nothing=3")
    assert answer.code == 2 and "does not take these options" in answer.err and answer.err.count("\n") == 1
