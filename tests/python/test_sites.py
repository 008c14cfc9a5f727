"""Sites: exact to the expression on every supported Python, and stable under edits elsewhere."""

import dis
import linecache
import ntpath
import re
import textwrap

import pytest

from pessimal.expr import Compare, Offset
from pessimal.inputs import Inputs, Int
from pessimal.python.sites import resolve
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request


def define(source, name="f", filename="subject.py"):
    text = textwrap.dedent(source)
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {}
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]


def sites_of(source, filename="subject.py"):
    function = define(source, filename=filename)
    inputs = Inputs.of(function, 0, {"x": Int(), "y": Int()})
    return Symbolic(function, inputs).run(Request()).sites


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("if x < y: pass", ["x < y"]),
        ("if x < 1 and y < 2: pass", ["x < 1", "y < 2"]),
        ("if x < 1 or y < 2: pass", ["x < 1"]),
        ("if not x < 1: pass", ["x < 1"]),
        ("while x > 1: break", ["x > 1"]),
        ("return 1 if x < 1 and y < 2 else 2", ["x < 1", "y < 2"]),
        ("return [1 for _ in range(1) if x < y]", ["x < y"]),
        ("assert x <= y", ["x <= y"]),
        ("return x in [y, 5]", ["x in [y, 5]"]),
        ("return sorted([x, y])", ["sorted([x, y])"]),
        ("return any([x < y, y < x])", ["any([x < y, y < x])"] * 2),
    ],
)
def test_a_site_is_the_text_of_its_expression(body, texts):
    found = sites_of(f"def f(x, y):\n    {body}\n")
    assert [site.text for site in found] == texts
    assert {site.line for site in found} == {2}


def test_equal_texts_in_one_function_are_told_apart():
    first, second = sites_of("def f(x, y):\n    if x < y: pass\n    if x < y: pass\n")
    assert first.text == second.text
    assert (first.counter, second.counter) == (0, 1)
    assert first.id != second.id


def test_a_chain_of_comparisons_is_two_sites():
    sites = sites_of("def f(x, y):\n    if -1 < x < y + 9: pass\n")
    assert len(sites) == 2
    assert len({site.id for site in sites}) == 2


def test_an_identity_survives_edits_elsewhere_and_another_checkout(tmp_path):
    files = [tmp_path / checkout / "app" / "subject.py" for checkout in ("one", "two")]
    for file in files:
        (file.parent.parent / ".git").mkdir(parents=True)
    before = sites_of("def f(x, y):\n    if x < y: pass\n", str(files[0]))
    edited = "import os\n\ndef g():\n    pass\n\ndef f(x, y):\n    z = 1\n    if x < y: pass\n"
    after = sites_of(edited, str(files[1]))
    assert [site.id for site in before] == [site.id for site in after] == ["app/subject.py:f:x < y"]
    assert before[0].line != after[0].line


def test_a_trace_tells_distances_and_variables():
    function = define("def f(x, y):\n    if x < y + 3: pass\n")
    trace = Symbolic(function, Inputs.of(function, 0, {"x": Int(), "y": Int()})).run(Request(start=[5, 1]))
    (branch,) = trace.branches
    assert branch.taken == 0
    assert branch.distances == (0.0, 2.0)
    assert branch.variables == {0, 1}
    assert isinstance(branch.condition, Compare)
    assert isinstance(branch.condition.left, Offset)
    assert branch.depth == 1


def test_the_test_of_a_loop_is_one_site_though_the_compiler_writes_it_twice():
    source = "def f(x, y):\n    while x < 3 and y < 3:\n        x += 1\n        y += 1\n"
    sites = sites_of(source)
    assert [site.text for site in sites] == ["x < 3", "y < 3"] * 3 + ["x < 3"]
    assert len({site.id for site in sites}) == 2


def test_the_links_of_a_chain_in_a_loop_are_two_sites():
    sites = sites_of("def f(x, y):\n    while -1 < x < 3:\n        x += 1\n")
    assert len(sites) == 8
    assert len({site.id for site in sites}) == 2


@pytest.mark.parametrize("value", ["x < 1 and y < 2 and x < 5", "x > 1 or y > 2 or x > 5"])
def test_operands_of_a_value_are_sites_of_their_own(value):
    texts = [site.text for site in sites_of(f"def f(x, y):\n    z = {value}\n    return z\n")]
    assert texts == re.split(" and | or ", value)[:2]


def test_code_that_is_frozen_into_the_interpreter_has_the_file_of_its_module():
    code = ntpath.isabs.__code__
    frozen = code.replace(co_filename="<frozen ntpath>")
    offsets = [item.offset for item in dis.get_instructions(frozen) if "POP_JUMP" in item.opname]
    sites = [resolve(frozen, offset) for offset in offsets]
    assert sites and {site.file for site in sites} == {ntpath.__file__}
    assert not any("COMPARE" in site.text or "CALL" in site.text for site in sites)
    assert resolve(frozen.replace(co_filename="<frozen no_such_module>"), offsets[0]).file == "<frozen no_such_module>"
