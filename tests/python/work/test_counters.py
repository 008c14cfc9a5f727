"""Counters against a plain oracle, which counts every single statement when it begins."""

import ast
from itertools import count
from types import FunctionType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.python.work.counted_file import CountedFile
from pessimal.python.work.counts import Counts
from tests.profiles import examples

PROGRAMS = {
    "branches": """
def run(xs):
    total = 0
    for x in xs:
        if x > 3:
            total += 1
            continue
        elif x == 2:
            break
        total += 2
    else:
        total = -total
    return total
""",
    "while": """
def run(xs):
    i = 0
    while True:
        i += 1
        if i > len(xs):
            return i
        while i % 3:
            i += 1
            if i == 5:
                break
    return 0
""",
    "nested functions": """
def run(xs):
    def inner(x):
        if x:
            return inner(x - 1)
        return 0
    class Local:
        def method(self):
            for x in xs:
                inner(x)
    Local().method()
    return [inner(x) for x in xs if x % 2]
""",
    "lambdas and comprehensions": """
def run(xs):
    ys = sorted(xs, key=lambda x: -x)
    pairs = {(x, y) for x in xs for y in ys if x < y}
    return sum(x for x, y in pairs), {x: [y for y in range(x)] for x in ys}
""",
    "try": """
def run(xs):
    seen = 0
    for x in xs:
        try:
            if x == 1:
                raise ValueError
            seen += 1
        except ValueError:
            seen += 10
        else:
            seen += 2
        finally:
            seen += 3
    with open("/dev/null") as file:
        file.read()
    return seen
""",
    "match": """
def run(xs):
    out = []
    for x in xs:
        match x:
            case 0 | 1:
                out.append(x)
                out.append(x)
            case y if y > 3:
                continue
            case _:
                pass
        out.append(2)
    return out
""",
    "generators": """
def produce(xs):
    for x in xs:
        if x % 2:
            yield x
        yield from range(x)

def run(xs):
    for x in produce(xs):
        if x == 3:
            xs = xs[1:]
    return list(produce(xs))
""",
    "locals are listed": """
def run(xs):
    x = 1
    for y in xs:
        x += y
    return sorted(locals())
""",
}
INPUTS = [[], [0], [1, 2, 3], [5, 4, 3, 2, 1, 0], [3, 1, 3, 1, 3, 7, 8]]


class Oracle(ast.NodeTransformer):
    """Puts a call before every statement of a function, and into every iteration and every lambda."""

    def __init__(self):
        self._in_function = False

    def visit_FunctionDef(self, node):
        outer, self._in_function = self._in_function, True
        self.generic_visit(node)
        self._in_function = outer
        node.body = called_before_each(node.body)
        return node

    def visit_ClassDef(self, node):
        outer, self._in_function = self._in_function, False
        self.generic_visit(node)
        self._in_function = outer
        if outer:
            node.body = called_before_each(node.body)
        return node

    def visit_Lambda(self, node):
        self.generic_visit(node)
        node.body = ast.BoolOp(ast.And(), [call(), node.body])
        return node

    def _comprehension(self, node):
        self.generic_visit(node)
        node.generators[-1].ifs.insert(0, call())
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def _blocks(self, node):
        self.generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            if self._in_function and getattr(node, name, None):
                setattr(node, name, called_before_each(getattr(node, name)))
        if self._in_function and isinstance(node, ast.For | ast.While | ast.ExceptHandler):
            node.body.insert(0, ast.Expr(call()))
        return node

    visit_If = visit_For = visit_While = visit_With = visit_Try = visit_ExceptHandler = visit_match_case = _blocks


def call():
    return ast.Call(ast.Name("tally", ast.Load()), [], [])


def called_before_each(block):
    return [part for statement in block for part in (ast.Expr(call()), statement)]


def by_oracle(source, inputs):
    """The result and the number of statements for each input, by the oracle."""
    tally = count(1)
    space = {"tally": tally.__next__}
    exec(compile(ast.fix_missing_locations(Oracle().visit(ast.parse(source))), "oracle", "exec"), space)
    found = []
    for xs in inputs:
        before = next(tally)
        result = space["run"](list(xs))
        found.append((result, next(tally) - before - 1))
    return found


def by_counters(source, inputs):
    """The result and the number of statements for each input, by the counters."""
    counts = Counts()
    file = CountedFile("counted.py", source.encode(), "counted.py", counts)
    space = {}
    exec(compile(source, "counted.py", "exec"), space)
    functions = [each for each in space.values() if isinstance(each, FunctionType)]
    file.define_names(space)
    for function in functions:
        function.__code__ = file.codes[function.__code__.co_qualname, function.__code__.co_firstlineno]
    found = []
    for xs in inputs:
        counts.reset()
        result = space["run"](list(xs))
        found.append((result, counts.weighed(counts.take())))
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_they_count_what_the_oracle_counts(name):
    assert by_counters(PROGRAMS[name], INPUTS) == by_oracle(PROGRAMS[name], INPUTS)


def test_known_counts():
    """One statement before the loop, three in each round with the header, one at the end, and the loop itself."""
    source = "def run(xs):\n    total = 0\n    for x in xs:\n        total += x\n        total -= 1\n    return total\n"
    assert [work for _, work in by_counters(source, [[], [1], [1, 2, 3]])] == [3, 6, 12]


def test_the_body_of_a_class_is_counted_with_it():
    source = "def run(xs):\n  class A:\n    a = 1\n    b = 2\n    def f(self):\n      pass\n  return 0\n"
    assert [work for _, work in by_counters(source, [[]])] == [5]


SIMPLE = st.sampled_from(["s += 1", "pass", "s += sum(x for x in xs if x > s)", "f = lambda: s", "s = max(s, f())"])
TESTS = st.sampled_from(["s % 2", "s > 5", "xs", "s % 3 == 1", "f() > 2"])


def indented(lines):
    return ["    " + line for line in lines]


@st.composite
def blocks(draw, depth=0, in_loop=False):
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statements(depth, in_loop))
    return lines


@st.composite
def statements(draw, depth, in_loop):
    kinds = (
        ["simple", "return"] + ["break", "continue"] * in_loop + ["if", "if else", "for", "while", "try"] * (depth < 3)
    )
    kind = draw(st.sampled_from(kinds))
    if kind == "simple":
        return [draw(SIMPLE)]
    if kind == "return":
        return [f"if s > {draw(st.integers(5, 90))}:", "    return s"]
    if kind in ("break", "continue"):
        return [f"if {draw(TESTS)}:", f"    {kind}"]
    return compound(draw, kind, indented(draw(blocks(depth + 1, in_loop or kind in ("for", "while")))), depth, in_loop)


def compound(draw, kind, body, depth, in_loop):
    if kind == "for":
        return ["for x in xs:", *body]
    if kind == "while":
        return ["while next(steps):", *body]
    other = indented(draw(blocks(depth + 1, in_loop)))
    if kind == "try":
        return ["try:", *body, "finally:", *other]
    head = [f"if {draw(TESTS)}:", *body]
    return head if kind == "if" else [*head, "else:", *other]


@st.composite
def programs(draw):
    head = ["s = 0", "f = lambda: s + 1", "steps = iter([1] * 20 + [0] * 200)"]
    return "\n".join(["def run(xs):", *indented([*head, *draw(blocks()), "return s"])]) + "\n"


@given(programs())
@examples(200)
def test_any_program_has_the_count_of_the_oracle(source):
    assert by_counters(source, INPUTS[:4]) == by_oracle(source, INPUTS[:4])
