"""Random programs against brute force: no explored input lies, no proof is false, no two kinds of run disagree."""

import ast

import pytest

from pessimal.inputs import Inputs
from pessimal.python.counting import needs_rewrite
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.solve.base import Answer, Status
from pessimal.trace import Outcome
from tests.profiles import thorough
from tests.python.comparing import CHECKS, Subject, load
from tests.python.exploring import Collector
from tests.python.programs import INPUTS, PRELUDE, Program, program

SEEDS = range(60)
MORE_SEEDS = range(60, 600)
FIXED = [
    "return (a > 1) + (b > 0) * 2",
    "return (a > b) < p, -p, ~p, p << 1, p // (a + 1)",
    "return 1 if 'b' not in s else 2",
    "f = 'b' not in s\n    return f",
    "return 1 if p is True else 2 if p is not False else 3",
    "d = {a: 1}\n    return type(a) is int, type(p) is bool",
    "d = {b: 1}\n    return 1 if [b, b] == xs else 2",
    "return 1 if a * 0 < b * 0 else 2",
    "f = +b in {2}\n    return 1 if b > 1 else 2",
    "f = int(b) in {2}, round(b) in {2}, b**1 in {2}\n    return 1 if b > 1 else 2",
    "return 'ab'.endswith(('a', s))",
    "match (a, p):\n        case (_, False):\n            return 1\n    return 2",
    "f = s in {'a': 1}\n    return 1 if 'a' in s and s.startswith('a') else 2",
]


def written(body):
    """The program with a body of one's own, over all kinds of input that the body names."""
    nodes = ast.walk(ast.parse(f"def target():\n    {body}"))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    names = [name for name in INPUTS if name in used]
    source = f"{PRELUDE}def target({', '.join(names)}):\n    {body}\n"
    return Subject(Program(source, {name: INPUTS[name]() for name in names}, True), f"<{body}>")


@pytest.mark.parametrize("seed", [*SEEDS, *thorough(MORE_SEEDS)])
def test_a_program_behaves_alike_in_every_kind_of_run(seed):
    subject = Subject(program(seed), f"<program {seed}>")
    for check in CHECKS:
        check(subject)


@pytest.mark.parametrize("body", FIXED)
def test_what_once_went_wrong(body):
    subject = written(body)
    for check in CHECKS:
        check(subject)
    assert subject.proof == "tree exhausted"


def test_the_truth_of_an_object_is_that_of_its_parts():
    subject = written("return 1 if Card(a) else 2")
    assert subject.explore().proof == "tree exhausted"
    assert subject.concrete.run([0]).outcome is Outcome.RETURNED


@pytest.mark.parametrize("test", ["p is True", "type(p) is bool", "list(map(ord, p))"])
def test_counted_runs_of_code_that_looks_at_identity_or_type_are_rewritten(test):
    target = load(f"def target(p):\n    return {test}", f"<{test}>", rewriting=False)
    assert needs_rewrite(target, [], lambda name, file: name == "programs", has_text=True)


def test_a_deadline_inside_the_solver_leaves_no_half_written_decision():
    def overdue():
        raise TimeoutError

    def target(a: int):
        return 1 if a * a == 2 else 2

    trace = Symbolic(target, Inputs.of(target, 1), solver=overdue).run(Request(probe_other=True))
    assert trace.outcome is Outcome.TIMED_OUT
    assert (trace.concretisations, trace.length) == ([], 0)


class Forgetful:
    """A solver that finds a way once, and never again."""

    name = "forgetful"

    def __init__(self) -> None:
        self.asked = 0

    def solve(self, query):
        self.asked += 1
        return Answer(Status.SAT, {0: 2, 1: 3}) if self.asked == 1 else Answer(Status.UNKNOWN)


def test_what_the_solver_finds_only_once_forbids_a_proof_and_nothing_else():
    def target(a: int, b: int):
        return 1 if a * b == 6 else 2

    solver = Forgetful()
    found = Collector(target, solver=lambda: solver).explore()
    assert solver.asked > 1
    assert found.proof is None


def test_programs_are_worth_the_trouble():
    """Most programs are compared in all kinds of run, and they end in many ways."""
    subjects = [Subject(program(seed), f"<program {seed}>") for seed in range(30)]
    assert sum(subject.is_seen for subject in subjects) >= 15
    endings = {ending for subject in subjects for ending in subject.native.values()}
    assert {report for outcome, report in endings if outcome is Outcome.RAISED} >= {
        "IndexError",
        "ValueError",
        "KeyError",
    }
    assert len(endings) > 100
