"""Whatever a scenario does, the file that is written of it parses, is formatted and passes, twice."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pessimal.scenario import Build, Function, Group, Name, Plain, Result, Scenario, Step
from pessimal.testfile import CannotObserve, Case, Module, Plan, Reach, observe, written
from tests.profiles import examples
from tests.testfile import zoo
from tests.testfile.making import call, method

ZOO = zoo.__name__
RUFF = str(Path(sys.executable).with_name("ruff"))

texts = (
    st.text(max_size=12) | st.text("ab'\"\\ \n\té{%", max_size=90) | st.sampled_from(["ab" * 60, "x y " * 40, " in "])
)
numbers = st.integers(-5, 30) | st.integers() | st.floats() | st.booleans() | st.none() | st.integers(10**20, 10**21)
atoms = numbers | texts | st.binary(max_size=12)
hashable = st.integers(-3, 3) | st.text(max_size=5)
values: st.SearchStrategy[Any] = st.recursive(
    atoms,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(hashable, inner, max_size=3)
        | st.sets(hashable, max_size=3)
        | st.frozensets(hashable, max_size=2)
    ),
    max_leaves=8,
)
built = st.builds(lambda x, y: Build(Name(ZOO, "Point"), (Plain(x), Plain(y))), atoms, atoms)
functions = st.lists(atoms.map(Plain), min_size=1, max_size=3).map(lambda answers: Function(tuple(answers)))
names = st.sampled_from([Name(ZOO, "Colour.RED"), Name(ZOO, "echo"), Name("builtins", "int"), Name("math", "pi")])
arguments = values.map(Plain) | built | names | functions
arguments = arguments | st.lists(arguments, max_size=3).map(lambda items: Group("list", tuple(items)))
ONE = [
    "echo",
    "opaque",
    "hidden",
    "colour",
    "later",
    "say",
    "say_and_return",
    "fail",
    "sort_in_place",
    "Opaque",
    "Point",
]
TWO = ["both", "point", "pair", "everything", "only_by_place", "extended", "call", "Point", "Pair"]
OPERATORS = ["__contains__", "__getitem__", "__eq__", "__lt__", "__add__", "__delitem__", "push", "__call__", "missing"]
PLAIN = ["__len__", "__iter__", "__neg__", "pop", "__bool__", "__enter__", "__hash__", "__repr__"]

single = st.builds(lambda name, item: (call(f"{ZOO}:{name}", item),), st.sampled_from(ONE), arguments)
double = st.builds(lambda name, x, y: (call(f"{ZOO}:{name}", x, y),), st.sampled_from(TWO), arguments, arguments)
option = st.builds(lambda x, y: (call(f"{ZOO}:both", x, option=y),), arguments, arguments)
counted = st.builds(
    lambda name, n: (call(f"{ZOO}:{name}", n),), st.sampled_from(["made", "items", "endless"]), st.integers(0, 60)
)
stack = st.lists(arguments, max_size=2).map(lambda items: call(f"{ZOO}:Stack", *items))
stacked = st.builds(
    lambda made, name, item: (made, method(0, name, item)), stack, st.sampled_from(OPERATORS), arguments
)
plainly = st.builds(lambda made, name: (made, method(0, name)), stack, st.sampled_from(PLAIN))
longer = st.builds(
    lambda made, other, x, name: (made, other, method(0, "push", x), method(0, name, Result(1))),
    *(stack, stack, arguments, st.sampled_from(OPERATORS)),
)
attribute = st.builds(
    lambda x, y: (call(f"{ZOO}:Opaque", x), Step("set", Result(0), "value", (y,))), arguments, arguments
)
builtin = st.builds(lambda x, y: (call(f"{ZOO}:Lists"), method(0, "list", x, y)), arguments, arguments)
scenarios = single | double | option | counted | stacked | plainly | longer | attribute | builtin
conditions = st.sampled_from([None, "x is None", "for x in y", "a < b and not c", "x == '\"'", "len(x) > 3", "%$"])


def test_written_files_parse_are_formatted_and_pass_with_different_hash_seeds(tmp_path: Path) -> None:
    files: list[Path] = []

    @settings(examples(50), phases=[Phase.generate])  # what is wrong is seen later, in all files at once
    @given(
        st.lists(st.tuples(scenarios, conditions, st.booleans()), min_size=1, max_size=12), st.sampled_from([88, 100])
    )
    def collect(found: list[tuple[Any, str | None, bool]], width: int) -> None:
        cases = []
        for steps, condition, came_out in found:
            case = Case(Scenario(steps), (Reach("zoo.py", 1, 2, condition, came_out),))
            assert Case.from_json(case.to_json()).to_json() == case.to_json()
            try:
                cases.append((case, observe(case.scenario, [str(zoo.__file__)])))
            except CannotObserve:
                continue
        path = tmp_path / f"width_{width}" / f"test_{len(files)}.py"
        path.parent.mkdir(exist_ok=True)
        plan = Plan(path, [Module(ZOO, zoo.__file__)], "the zoo", "pessimal cover zoo", width)
        text = written(cases, plan).text
        compile(text, str(path), "exec")
        path.write_text(text)
        again = written(cases, plan, text)
        assert again.text == text
        assert not again.functions
        files.append(path)

    collect()
    for width in (88, 100):
        options = ["--isolated", "--line-length", str(width), str(tmp_path / f"width_{width}")]
        assert _output(RUFF, "format", "--check", "--diff", *options) == ""
        _output(RUFF, "check", *options)
    for seed in (1, 2):
        _output(
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(tmp_path), seed=seed
        )


def _output(*command: str, seed: int = 0) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout
