"""Random programs against brute force: no explored input lies, no proof is false, no two kinds of run disagree."""

import ast
import itertools
import linecache
from contextlib import suppress
from types import ModuleType

import pytest

from pessimal.expr import Evaluator
from pessimal.inputs import Inputs, Native
from pessimal.python.concrete import Concrete
from pessimal.python.execution import Request
from pessimal.python.losses import losses
from pessimal.python.rewrite import NAMES, rewrite
from pessimal.python.sites import Sites
from pessimal.python.symbolic import Symbolic
from pessimal.python.values import SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.search.exhaustive import Exhaustive
from pessimal.solve.base import Answer, Status
from pessimal.trace import Outcome, Side
from tests.python.programs import INPUTS, PRELUDE, Program, program

SEEDS = range(120)
PATHS = 400

# What these make concrete is plain afterwards in every kind of run. Elsewhere (str(x), text.upper(), pow) a counted
# value stays counted where a symbolic one has become concrete, as docs/limits.md says.
PLAIN_EVERYWHERE = {"hash()", "__index__", "alternative of the input"}

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


class Enough(BaseException):
    """The exploration has gone on for long enough."""


class Subject:
    """A program in all its forms, with what a native run of every single input gives."""

    def __init__(self, given: Program, name: str) -> None:
        self.is_seen = given.seen
        linecache.cache[name] = (len(given.source), None, given.source.splitlines(True), name)
        target = load(given.source, name, rewriting=False)
        self._rewritten = load(given.source, name, rewriting=True)
        self.inputs = Inputs.of(target, 2, given.inputs)
        self.sites = Sites()
        self.symbolic = Symbolic(self._call, self.inputs, sites=self.sites)
        self.concrete = Concrete(self._rewritten, self.inputs.decode, timeout=TimeoutError)
        spans = [range(domain.low, domain.high + 1) for domain in self.inputs.domains]
        self.native = {leaves: self._ending(target, leaves) for leaves in itertools.product(*spans)}
        self.returned = None
        self.explored = []
        self.proof = None

    def _call(self, *args):
        self.returned = self._rewritten(*args)

    def _ending(self, target, leaves):
        args, _ = self.inputs.decode(Native(leaves))
        try:
            return Outcome.RETURNED, repr(target(*args))
        except Exception as error:
            return Outcome.RAISED, type(error).__name__

    def follow(self, leaves):
        return self.symbolic.run(Request(start=list(leaves)))

    # The strategy's view of the engine.

    def run(self, policy=None, start=None, *, both=False, stop_when_infeasible=False, seen=0, avoid=None):
        if len(self.explored) == PATHS:
            raise Enough
        trace = self.symbolic.run(Request(policy, start, both, avoid=avoid))
        self.explored += [trace] if trace.outcome is not Outcome.INFEASIBLE else []
        return trace

    def count_infeasible(self, leaves):
        pass

    def diverged(self, trace):
        raise AssertionError("a deterministic program is called not deterministic")

    def claim(self, proof):
        self.proof = proof

    def explore(self):
        if not self.explored:
            with suppress(Enough):
                Exhaustive().search(self)
        return self


def load(source, name, rewriting):
    tree = ast.parse(source, name)
    module = ModuleType("programs")
    if rewriting:
        tree = rewrite(tree)
        module.__dict__.update(NAMES)
    exec(compile(tree, name, "exec", dont_inherit=True), module.__dict__)
    return module.target


def written(body):
    """The program with a body of one's own, over all kinds of input that the body names."""
    nodes = ast.walk(ast.parse(f"def target():\n    {body}"))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    names = [name for name in INPUTS if name in used]
    source = f"{PRELUDE}def target({', '.join(names)}):\n    {body}\n"
    return Subject(Program(source, {name: INPUTS[name]() for name in names}, True), f"<{body}>")


def plain(value, leaves):
    """What a symbolic value is worth for an input."""
    evaluator = Evaluator(leaves)
    if type(value) is SymBool:
        return evaluator.condition(value.expr)
    if type(value) in (SymInt, SymFloat):
        return evaluator.term(value.expr)
    if type(value) in (SymStr, SymBytes):
        return value.native([evaluator.term(code) for code in value.codes])
    return type(value)(plain(item, leaves) for item in value) if type(value) in (list, tuple) else value


def steps(trace):
    pairs = enumerate(zip(trace.sites, trace.decisions, strict=True))
    return tuple((site.id, taken) for i, (site, taken) in pairs if i not in trace.choices)


def is_open(trace):
    """Whether something about a run or its other directions stayed unknown, which forbids a proof."""
    return trace.refused is not None or Side.UNKNOWN in trace.others


def check_exploration(subject):
    """Every explored input ends natively as explored, and a finite domain is exhausted or it is said why not."""
    for trace in subject.explore().explored:
        if trace.refused is None:
            outcome, told = subject.native[tuple(trace.leaves)]
            assert trace.outcome is outcome
            assert outcome is Outcome.RETURNED or trace.exception == told
    assert (subject.proof is None) == any(map(is_open, subject.explored)) or len(subject.explored) == PATHS


def check_proof(subject):
    """If the tree is exhausted then every input of the domain follows a path that was explored."""
    if subject.explore().proof is None:
        return
    paths = {steps(trace) for trace in subject.explored}
    runs = [subject.follow(leaves) for leaves in subject.native]
    assert [run.refused for run in runs] == [None] * len(runs)
    assert {steps(run) for run in runs} <= paths
    assert max(run.length for run in runs) == max(trace.length for trace in subject.explored)


def check_symbolic(subject):
    """A symbolic run from an input computes what the target computes natively."""
    for leaves, (outcome, told) in subject.native.items():
        trace = subject.follow(leaves)
        if trace.refused is None:
            assert trace.leaves == list(leaves)
            assert trace.outcome is outcome
            result = plain(subject.returned, list(leaves)) if outcome is Outcome.RETURNED else None
            assert told == (trace.exception if result is None and outcome is Outcome.RAISED else repr(result))


def check_counted(subject):
    """A counted run gives the native result, through the same branches as the symbolic run of the same input."""
    for leaves, (outcome, told) in subject.native.items():
        trace = subject.follow(leaves)
        if trace.refused is not None or not subject.is_seen:
            continue
        counted = subject.concrete.run(list(leaves), subject.sites.locate)
        assert counted.outcome is outcome
        assert told == (counted.returned if outcome is Outcome.RETURNED else counted.exception.partition(":")[0])
        if {event.reason for event in trace.concretisations} <= PLAIN_EVERYWHERE:
            assert steps(counted) == steps(trace)


CHECKS = [check_exploration, check_proof, check_symbolic, check_counted]


@pytest.mark.parametrize("seed", SEEDS)
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
    assert losses(ast.parse(f"def target(p):\n    return {test}"))


def test_a_deadline_inside_the_solver_leaves_no_half_written_decision():
    def overdue():
        raise TimeoutError

    def target(a: int):
        return [0, 1][a * a]

    trace = Symbolic(target, Inputs.of(target, 1), solver=overdue).run(Request(both=True))
    assert trace.outcome is Outcome.TIMED_OUT
    assert (trace.concretisations, trace.length) == ([], 0)


class Forgetful:
    """A solver that finds a way once, and never again."""

    def __init__(self) -> None:
        self.asked = 0

    def solve(self, path, extra, model):
        self.asked += 1
        return Answer(Status.SAT if self.asked == 1 else Status.UNKNOWN)


@pytest.mark.parametrize("body", ["return 1 if a * a == 4 else 2", "return [1, 2, 3, 4, 5, 6, 7, 8, 9, 0][a * a]"])
def test_what_the_solver_finds_only_once_forbids_a_proof_and_nothing_else(body):
    subject, solver = written(body), Forgetful()
    subject.symbolic = Symbolic(subject._call, subject.inputs, solver=lambda: solver)
    assert subject.explore().proof is None


def test_programs_are_worth_the_trouble():
    """Most programs are compared in all kinds of run, and they end in many ways."""
    subjects = [Subject(program(seed), f"<program {seed}>") for seed in range(30)]
    assert sum(subject.is_seen for subject in subjects) >= 15
    endings = {ending for subject in subjects for ending in subject.native.values()}
    assert {told for outcome, told in endings if outcome is Outcome.RAISED} >= {"IndexError", "ValueError", "KeyError"}
    assert len(endings) > 100
