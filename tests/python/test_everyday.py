"""Random programs of everyday Python: what the constructs that stay symbolic compute is what Python computes."""

import ast

import pytest

from tests.profiles import thorough
from tests.python.comparing import RESULTS, Subject
from tests.python.everyday import INPUTS, PRELUDE, program
from tests.python.programs import Program

SLOW = {22, 42, 43}  # formats a quotient, of which Z3 takes long to say which value of a small domain gives it
SEEDS = sorted(set(range(60)) - SLOW)
MORE_SEEDS = (*sorted(SLOW), *range(60, 300))
PATHS = 40

FIXED = [
    "return list(OrderedDict([(c, 0), (1, 1)]))",
    "d = OrderedDict([(c, 0), (1, 1)])\n    d.move_to_end(0)\n    return d, d.popitem(), list(d.items())",
    "d = OrderedDict([(2, 0), (1, 1)])\n    d.move_to_end(2)\n    d[c] = 3\n    return d, list(d)",
    "return OrderedDict({c: 1, 0: 1}) == OrderedDict({0: 1, c: 1}), OrderedDict({c: 1, 0: 1}) == {0: 1, c: 1}",
    "return repr({c}), repr({1}), repr(OrderedDict({c: 1})), repr(defaultdict(int, {c: 1}))",
    "return type({c}) is set, type({c: 1}) is dict, type({1}) is set, type(Counter([c])) is Counter",
    "e = {c, 300}\n    e.remove(int('300'))\n    return e, sorted(e)",
    "return sorted({c, 2, 1}, key=lambda x: x % 2), min({c, 2, 4}, key=lambda x: x % 2)",
    "d = {0: 1, 1: 2}\n    return d.keys() - {c}, d.keys() | {c}, d.keys() ^ {c}, d.keys() & {c}, {c: 1}.keys() - {0}",
    "d = {0: 1, 1: 2}\n    return list(d.keys() & {True, 0}), list(d.keys() & {True}), c",
    "return {p: 1, 1: 2}, {p, 1, 0}, {True: 3} | {p: 4}",
    "return {} | OrderedDict({c: 1}), {c: 1} | OrderedDict({0: 1}), {c: 1} | defaultdict(int), {0: 1} | {c: 2}",
    "return frozenset({1}) - {c}, frozenset({1}) == {c}, {1} | frozenset({c}), {1} >= frozenset({c}), {0} - {c}",
]


def written(body):
    """The program with a body of one's own, over all inputs that the body names."""
    nodes = ast.walk(ast.parse(f"def target():\n    {body}"))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    names = [name for name in INPUTS if name in used]
    source = f"{PRELUDE}def target({', '.join(names)}):\n    {body}\n"
    return Subject(Program(source, {name: INPUTS[name][2]() for name in names}, True, True), f"<{body}>")


@pytest.mark.parametrize("seed", [*SEEDS, *thorough(MORE_SEEDS)])
def test_an_everyday_program_behaves_alike_in_every_kind_of_run(seed):
    subject = Subject(program(seed), f"<everyday {seed}>", PATHS)
    for check in RESULTS:
        check(subject)


@pytest.mark.parametrize("body", FIXED)
def test_what_once_went_wrong(body):
    subject = written(body)
    for check in RESULTS:
        check(subject)
    assert subject.proof == "tree exhausted"
