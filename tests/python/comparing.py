"""A program in every kind of run, compared with native runs of every single input."""

import ast
import itertools
import linecache
import sys
from collections import Counter, deque
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import is_dataclass
from functools import cache

from pessimal.expr import Evaluator
from pessimal.inputs import Inputs, Native
from pessimal.python import current
from pessimal.python.concrete import Concrete
from pessimal.python.rewrite import NAMES, rewrite
from pessimal.python.sites import Sites
from pessimal.python.symbolic import Symbolic
from pessimal.python.values import SymBool, SymBytes, SymFloat, SymInt, SymStr
from pessimal.python.values.members import unordered
from pessimal.python.world import Worlds
from pessimal.runs import Request
from pessimal.search.exhaustive import Exhaustive
from pessimal.trace import Outcome, Side

PATHS = 400


class Enough(BaseException):
    """The exploration has gone on for long enough."""


class Subject:
    """A program in all its forms, with what a native run of every single input gives."""

    def __init__(self, given, name, paths=PATHS):
        self.is_seen = given.seen
        target = load(given.source, name, rewriting=False)
        self._rewritten = load(given.source, name, rewriting=True)
        self.inputs = Inputs.of(target, 2, given.inputs, growing=given.growing)
        self.sites = Sites()
        self.symbolic = Symbolic(
            self._call, self.inputs, sites=self.sites, uncounted_files=WORLDS.scope.uncounted_files
        )
        self.concrete = Concrete(self._rewritten, self.inputs.decode, timeout=TimeoutError)
        spans = [range(domain.low, domain.high + 1) for domain in self.inputs.domains]
        self.results = {}
        self._followed = {}
        self.native = {leaves: self._ending(target, leaves) for leaves in itertools.product(*spans)}
        self.paths = paths
        self.returned = None
        self.explored = []
        self.endings = []
        self.proof = None
        self.compared = Counter()

    def _call(self, *args):
        self.returned = self._rewritten(*args)
        current.execution.tables.clear()  # what is returned is looked at after the run, with its symbolic keys

    def _ending(self, target, leaves):
        args, _ = self.inputs.decode(Native(leaves))
        try:
            result = target(*args)
        except Exception as error:
            return Outcome.RAISED, type(error).__name__
        self.results[leaves] = report(result)
        return Outcome.RETURNED, repr(result)

    def follow(self, leaves):
        """The symbolic run along an input, and what it returned as the input has it."""
        if leaves not in self._followed:
            trace = self.symbolic.run(Request(start=list(leaves)))
            returned = report(self.returned, trace.leaves) if trace.outcome is Outcome.RETURNED else None
            self._followed[leaves] = trace, returned
        return self._followed[leaves]

    # The strategy's view of the engine.

    def run(
        self, policy=None, start=None, *, probe_other=False, stop_when_infeasible=False, known_prefix=0, avoid=None
    ):
        if len(self.explored) == self.paths:
            raise Enough
        trace = self.symbolic.run(Request(policy, start, probe_other, avoid=avoid))
        if trace.outcome is not Outcome.INFEASIBLE:
            self.explored.append(trace)
            self.endings.append(report(self.returned, trace.leaves) if trace.outcome is Outcome.RETURNED else None)
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


WORLDS = Worlds()


def load(source, name, rewriting):
    """The function ``target`` of a program; what comes before it is loaded once for all programs that share it."""
    start = source.index("def target(")
    module = dict(_prelude(source[:start], rewriting))
    _execute(source[start:], name, rewriting, module)
    return module["target"]


@cache
def _prelude(source, rewriting):
    module = {"__name__": "programs", **(NAMES if rewriting else {})}
    with _rewritten_library() if rewriting else nullcontext():
        _execute(source, f"<prelude of {len(source)} characters>", rewriting, module)
    return module


def _execute(source, name, rewriting, module):
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tree = ast.parse(source, name)
    exec(compile(rewrite(tree) if rewriting else tree, name, "exec", dont_inherit=True), module)


@contextmanager
def _rewritten_library():
    """Let imports find the rewritten modules of the library, as they do for a target; all others stay as they are."""
    before = dict(sys.modules)
    WORLDS.rewritten.enter()
    try:
        yield
    finally:
        WORLDS.rewritten.leave()
        sys.modules.update({name: module for name, module in before.items() if name not in sys.modules})


def report(value, leaves=()):
    """A result as text, with what its symbolic parts are worth for an input; sets have no order."""
    return repr(_plain(value, Evaluator(leaves)))


def _plain(value, evaluator):
    kind = type(value)
    if kind is SymBool:
        return evaluator.condition(value.expr)
    if kind in (SymInt, SymFloat):
        return evaluator.term(value.expr)
    if kind in (SymStr, SymBytes):
        return value.native([evaluator.term(code) for code in value.codes])
    if isinstance(value, dict):
        return value.__class__.__name__, [(_plain(k, evaluator), _plain(v, evaluator)) for k, v in value.items()]
    if isinstance(value, set | frozenset):
        return value.__class__.__name__, sorted((_plain(item, evaluator) for item in unordered(value)), key=repr)
    if isinstance(value, list | tuple | deque):
        return value.__class__.__name__, [_plain(item, evaluator) for item in value]
    if is_dataclass(value):
        return kind.__name__, _plain(vars(value), evaluator)
    return value


def steps(trace):
    pairs = enumerate(zip(trace.sites, trace.decisions, strict=True))
    return tuple((site.id, taken) for i, (site, taken) in pairs if i not in trace.choices)


def is_open(trace):
    """Whether something about a run or its other directions stayed unknown, which forbids a proof."""
    return trace.refused is not None or Side.UNKNOWN in trace.others


def check_exploration(subject):
    """Every explored input ends natively as explored, and a finite domain is exhausted or it is said why not."""
    subject.explore()
    for trace, ending in zip(subject.explored, subject.endings, strict=True):
        if trace.refused is None:
            outcome, text = subject.native[tuple(trace.leaves)]
            assert (trace.outcome, trace.exception if ending is None else None) == (
                outcome,
                text if outcome is Outcome.RAISED else None,
            ), f"explored {trace.leaves}"
            assert ending == subject.results.get(tuple(trace.leaves)), f"explored {trace.leaves}"
            subject.compared["explored"] += 1
    assert (subject.proof is None) == any(map(is_open, subject.explored)) or len(subject.explored) == subject.paths


def check_proof(subject):
    """If the tree is exhausted then every input of the domain follows a path that was explored."""
    if subject.explore().proof is None:
        return
    paths = {steps(trace) for trace in subject.explored}
    runs = [subject.follow(leaves)[0] for leaves in subject.native]
    assert [run.refused for run in runs] == [None] * len(runs)
    assert {steps(run) for run in runs} <= paths
    assert max(run.length for run in runs) == max(trace.length for trace in subject.explored)
    subject.compared["proofs"] += 1


def check_symbolic(subject):
    """A symbolic run from an input computes what the target computes natively."""
    for leaves, (outcome, text) in subject.native.items():
        trace, returned = subject.follow(leaves)
        if trace.refused is not None:
            subject.compared["refused"] += 1
            continue
        assert trace.leaves == list(leaves)
        raised = trace.exception if trace.outcome is Outcome.RAISED else None
        assert (trace.outcome, raised) == (outcome, text if outcome is Outcome.RAISED else None), f"input {leaves}"
        assert returned == subject.results.get(leaves), f"input {leaves}"
        subject.compared["symbolic"] += 1


def check_counted_results(subject):
    """A counted run gives the native result."""
    for leaves, (outcome, text) in subject.native.items():
        counted = subject.concrete.run(list(leaves), subject.sites.locate)
        ending = counted.returned if outcome is Outcome.RETURNED else (counted.exception or "").partition(":")[0]
        assert (counted.outcome, ending) == (outcome, text), f"counted {leaves}"
        subject.compared["counted"] += 1


def check_counted(subject):
    """A counted run gives the native result, through the same branches as the symbolic run of the same input.

    What a handler decides by choices (digits, places, exponents) is not counted in symbolic runs from there on, while a
    counted value that goes through it may still count: such runs are compared by their results alone.
    """
    if not subject.is_seen:
        return
    check_counted_results(subject)
    for leaves in subject.native:
        trace, _ = subject.follow(leaves)
        counted = subject.concrete.run(list(leaves), subject.sites.locate)
        if trace.refused is None and not trace.choices and not trace.concretisations:
            assert steps(counted) == steps(trace), f"counted {leaves}"


CHECKS = [check_exploration, check_proof, check_symbolic, check_counted]
RESULTS = [check_exploration, check_proof, check_symbolic, check_counted_results]
