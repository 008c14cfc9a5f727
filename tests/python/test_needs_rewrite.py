"""When concrete runs need the rewritten code: never where nothing can be lost, always where something can."""

import itertools
import linecache
import random
from types import FunctionType

import pytest

from pessimal.inputs import Inputs
from pessimal.python.concrete import Concrete
from pessimal.python.counting import needs_rewrite
from pessimal.python.sites import Sites
from tests.python import counting_programs
from tests.python.comparing import load, steps


def in_programs(name, file):
    return name == counting_programs.__name__


def lost(function, *arguments):
    has_text = "_text_" in getattr(function, "__name__", "")
    return needs_rewrite(function, arguments, in_programs, has_text=has_text)


def named(start):
    return [name for name in vars(counting_programs) if name.startswith(start)]


@pytest.mark.parametrize("name", named("lost_"))
def test_what_loses_a_counted_value_is_found(name):
    assert lost(getattr(counting_programs, name))


@pytest.mark.parametrize("name", named("kept_"))
def test_what_loses_nothing_runs_as_it_is(name):
    assert lost(getattr(counting_programs, name)) is None


def test_a_name_means_what_it_means_in_its_module():
    """The built-in that a module replaces, and the one that another replaces for it."""
    source = "def f(x):\n    return int(x)\n"
    linecache.cache["<int>"] = (len(source), None, source.splitlines(True), "<int>")
    functions = []
    for int_ in (int, abs, lambda x: x):
        module = {"__name__": counting_programs.__name__, "int": int_}
        exec(compile(source, "<int>", "exec"), module)
        functions.append(module["f"])
    assert [lost(function) for function in functions] == ["int in f", None, None]


def test_the_classes_of_the_input_are_read():
    def target(things):
        return things[0].whole(1)

    target = FunctionType(target.__code__, {"__name__": "elsewhere"})
    assert lost(target) is None
    assert lost(target, [counting_programs.Derived()]) == "int in Base.whole"


def test_a_method_is_read_with_its_class():
    assert lost(counting_programs.SHARED.whole) == "int in Base.whole"
    assert lost(counting_programs.PIECES.join) is None
    assert lost(counting_programs.Pieces) is None


def test_what_is_lost_is_told():
    assert lost(counting_programs.lost_in_another_function) == "bool in _calls_bool"
    assert lost(counting_programs.lost_width) == ".ljust() in lost_width"


def test_code_without_its_source_may_do_anything():
    module = {"__name__": counting_programs.__name__}
    exec("def f(x):\n    return x", module)
    assert lost(module["f"]) == "code without its source in f"


PRELUDE = """
from math import isqrt
to_int = int
class Box:
    def __init__(self, x):
        self.x = x
    def join(self, y):
        return self.x + y
    def whole(self):
        return int(self.x)
def helper(n, more=1):
    return isqrt(n * n + more)
def changed(n):
    return n + 1
"""
EXPRESSIONS = [
    *("a", "b", "n", "m", "xs[0]", "len(xs)", "sum(xs)", "abs({})", "max({}, {})", "({} + {})", "({} - 2 * {})"),
    *("int({})", "to_int({})", "helper({})", "helper(n, more={})", "helper(len(xs))", "changed({})", "({} % 3)"),
    *("Box({}).join({})", "Box({}).whole()", "int(len(xs) / 2)", "float(n)", "(1 if {} in (1, 2) else 0)"),
    *("[f({}) for f in (abs, changed)][1]", "sorted([{}, {}])[0]", "(lambda n: n)({})", "(1 if {} > 1 else {})"),
]
STATEMENTS = [
    *("if {} > {}:\n        r += 1", "if {}:\n        r += 2", "xs.append({})", "n = len(xs) + 1", "m = n", "r += {}"),
    *("for i in range(3):\n        r += 1 if xs[0] > int(i) else 0", "n = {}", "xs[0] = {}", "m = max(n, 2)"),
]


def small_program(seed):
    """A function of two numbers and a list, of statements that keep counted values and some that do not."""
    rng = random.Random(seed)

    def expression(depth):
        form = rng.choice(EXPRESSIONS if depth else EXPRESSIONS[:6])
        return form.format(*(expression(depth - 1) for _ in range(form.count("{}"))))

    def statement():
        form = rng.choice(STATEMENTS)
        return form.format(*(expression(3) for _ in range(form.count("{}"))))

    body = [
        "r = n = m = 0",
        *(statement() for _ in range(rng.randint(2, 5))),
        "return 1 if r > 3 else n if n > m else 2",
    ]
    return PRELUDE + "def target(a: int, b: int, xs: list[int]):\n    " + "\n    ".join(body) + "\n"


def judged(seed):
    """Whether a small program needs the rewrite, and its counted runs in both forms."""
    copies = [load(small_program(seed), f"<small {seed}>", rewriting) for rewriting in (False, True)]
    needed = needs_rewrite(copies[0], [], lambda name, file: name == "programs", has_text=False)
    inputs = Inputs.of(copies[0], 2)
    return needed, [Concrete(call, inputs.decode, timeout=TimeoutError) for call in copies]


@pytest.mark.parametrize("seed", range(150))
def test_a_program_that_needs_no_rewrite_counts_alike(seed):
    needed, runs = judged(seed)
    sites = Sites()
    for leaves in [] if needed else itertools.product((-1, 0, 2), (1, 3), (0, 5), (2,)):
        one, other = (run.run(list(leaves), sites.locate) for run in runs)
        assert (one.outcome, one.returned, steps(one)) == (other.outcome, other.returned, steps(other)), leaves


def test_small_programs_are_worth_the_trouble():
    """Many need no rewrite, and many would count something else without it."""
    kept = different = 0
    for seed in range(150):
        needed, runs = judged(seed)
        costs = [sum(run.run([a, 3, 5, 2]).costs["branches"] for a in (-1, 0, 2, 4)) for run in runs]
        kept += needed is None
        different += costs[0] != costs[1]
    assert kept > 30
    assert different > 20
