"""Preconditions: the same truth on plain values and on symbolic ones, and no branches of their own."""

import inspect
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pessimal
from pessimal.errors import InputError
from pessimal.inputs import Inputs, parse_inputs
from pessimal.python.require import Requirement
from pessimal.python.symbolic import Symbolic
from pessimal.runs import Request
from pessimal.trace import Outcome
from tests.profiles import examples
from tests.subjects.insertion_sort import insertion_sort

VALUES = range(4)
PAIRS = [list(pair) for pair in product(VALUES, repeat=2)]


def nothing(xs: list[int]) -> None:
    """Makes no branch, so that all that a trace holds is the precondition's."""


def restricted(text, size=2):
    """One symbolic run of nothing under a precondition on small numbers."""
    inputs = Inputs.of(inspect.signature(nothing), size, parse_inputs(["xs=list[int:0..3]:N"]), name="nothing")
    return Symbolic(nothing, inputs, requirements=[Requirement(text, ["xs"])]).run(Request(probe_other=True))


def accepted(text):
    requirement = Requirement(text, ["xs"])
    return [xs for xs in PAIRS if requirement.accepts({"xs": xs}, {})]


ATOMS = [
    "xs[0] > 1",
    "xs[0] < xs[1]",
    "xs[0] == xs[1]",
    "xs[1] != 2",
    "sum(xs) == 3",
    "xs[0] + 2 * xs[1] <= 4",
    "0 < xs[0] <= xs[1]",
    "xs[0] < 2 < xs[1] != 3",
    "all(x > 1 for x in xs)",
    "any(x == 3 for x in xs)",
    "all(a <= b for a, b in zip(xs, xs[1:]))",
    "not any(x > 2 for x in xs)",
    "len(xs) == 2",
    "len(xs) > 2",
]
FORMULAS = st.recursive(
    st.sampled_from(ATOMS),
    lambda parts: st.one_of(
        st.tuples(parts, st.sampled_from(["and", "or"]), parts).map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
        parts.map(lambda part: f"not ({part})"),
    ),
    max_leaves=5,
)


@examples(150)
@given(FORMULAS)
def test_a_formula_is_satisfied_or_rejected_as_python_would_say(text):
    trace = restricted(text)
    solutions = accepted(text)
    assert len(trace) == 0
    assert trace.concretisations == []
    assert trace.outcome == (Outcome.RETURNED if solutions else Outcome.REJECTED)
    assert not solutions or trace.leaves in solutions


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("1 < xs[0] < 3 and xs[1] == 0", [[2, 0]]),
        ("3 > xs[0] > xs[1] > 0", [[2, 1]]),
        ("not xs[0] < 3 and not xs[1] < 3", [[3, 3]]),
        ("not (xs[0] < 3 or xs[1] < 3)", [[3, 3]]),
        ("all(x == 2 for x in xs)", [[2, 2]]),
        ("all([xs[0] == 2, xs[1] == 1])", [[2, 1]]),
        ("xs[0] == 3 and (xs[1] == 4 or xs[1] == 1)", [[3, 1]]),
        ("xs == [1, 2]", [[1, 2]]),
        ("sum(x * x for x in xs) == 18", [[3, 3]]),
        ("max(xs) == 0", [[0, 0]]),
        ("xs[0] == 3 if xs[1] == 3 else xs[0] + xs[1] == 99", [[3, 3]]),
    ],
)
def test_the_only_solution_is_found(text, solutions):
    assert accepted(text) == solutions
    result = pessimal.explore(nothing, size=2, inputs={"xs": "list[int:0..3]:N"}, require=text)
    assert [path.input["xs"] for path in result.paths] == solutions


@pytest.mark.parametrize(
    ("text", "size", "satisfiable"),
    [
        ("len(xs) > 0 and xs[0] > 2", 0, False),
        ("len(xs) > 0 and xs[0] > 2", 1, True),
        ("len(xs) == 0 or xs[0] > 2", 0, True),
        ("len(xs) == 0 or xs[0] > 2", 1, True),
        ("not xs or xs[0] > 2", 0, True),
        ("not xs or xs[0] > 2", 1, True),
        ("xs and xs[0] > 2", 1, True),
        ("all(x > 2 for x in xs)", 0, True),
        ("any(x > 2 for x in xs)", 0, False),
    ],
)
def test_a_guard_keeps_what_it_guards_from_being_evaluated(text, size, satisfiable):
    trace = restricted(text, size)
    assert trace.outcome == (Outcome.RETURNED if satisfiable else Outcome.REJECTED)
    assert all(leaf == 3 for leaf in trace.leaves)


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("xs[0] != 0 and 6 // xs[0] == 3", {2}),
        ("xs[0] == 0 or 6 // xs[0] == 3", {0, 2}),
        ("xs[0] > 0 and 6 % xs[0] == 0", {1, 2, 3}),
    ],
)
def test_a_symbolic_guard_keeps_its_operand_from_failing(text, inputs):
    result = pessimal.explore(which, inputs={"xs": "list[int:0..3]:1"}, require=text)
    assert {path.input["xs"][0] for path in result.paths} == inputs
    assert result.exhausted


def which(xs: list[int]) -> int:
    for value in range(4):
        if xs[0] == value:
            return value
    return -1


def test_an_operand_that_no_guard_keeps_from_failing_is_an_error():
    with pytest.raises(InputError, match="ZeroDivisionError"):
        pessimal.explore(which, inputs={"xs": "list[int:0..3]:1"}, require="xs[0] >= 0 and 6 // (xs[0] - xs[0]) > 0")


@pytest.mark.parametrize(
    ("require", "paths", "cost"),
    [
        ([], 24, 6),
        (["all(x >= 0 for x in xs)"], 24, 6),
        (["all(0 <= x <= 100 for x in xs)", "sum(xs) > 10"], 24, 6),
        (["xs[0] < xs[1] < xs[2] < xs[3]"], 1, 3),
        (["xs[0] > xs[1] > xs[2] > xs[3]"], 1, 6),
        (["sorted(xs) == xs"], 1, 3),
        (["xs[0] < xs[1] < xs[2] < xs[3]", "len(set(xs)) == len(xs)"], 1, 3),
    ],
)
def test_preconditions_cut_the_tree_and_cost_nothing(require, paths, cost):
    result = pessimal.stress(insertion_sort, size=4, strategy="exhaustive", cost="branches", require=require, paths=500)
    taken = pessimal.explore(insertion_sort, size=4, require=require, paths=500)
    assert max(path.cost for path in taken.paths) == cost
    assert len({_order(path.input["xs"]) for path in taken.paths}) == paths
    assert result.cost["value"] == cost
    assert all(eval(text, {"xs": result.input["xs"]}) for text in require)


@pytest.mark.parametrize(
    ("require", "size"),
    [
        (["len(set(xs)) == len(xs)"], 2),
        (["len(set(xs)) == len(xs)"], 6),
        (["len(set(xs)) == len(xs)", "all(0 <= x < 10 for x in xs)"], 3),
        (["xs == sorted(xs, reverse=True)", "xs[0] > xs[-1]"], 5),
        (["max(xs) - min(xs) > 3"], 5),
    ],
)
def test_an_input_that_satisfies_a_precondition_with_choices_is_found(require, size):
    result = pessimal.stress(insertion_sort, size=size, strategy="random", cost="branches", require=require, paths=5)
    assert all(eval(text, {"xs": result.input["xs"]}) for text in require)
    assert result.witness.difference is None
    assert result.cost["value"] >= size - 1


def test_a_predicate_that_changes_its_argument_changes_nobody_elses():
    def empties(xs):
        while xs:
            xs.pop()
        return True

    result = pessimal.stress(
        insertion_sort, size=3, strategy="exhaustive", cost="branches", require=[empties, "len(xs) == 3"]
    )
    assert result.cost["value"] == 3
    assert result.effort.paths == 6
    assert result.proof == "tree exhausted"


def _order(xs):
    return tuple(sorted(range(len(xs)), key=lambda i: (xs[i], i)))


def increasing(xs):
    previous = xs[0]
    for x in xs[1:]:
        if not previous < x:
            return False
        previous = x
    return True


class Above:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, xs):
        return all(x > self.limit for x in xs)


@pytest.mark.parametrize("predicate", [increasing, lambda xs: xs == sorted(set(xs)), Above(5)])
@pytest.mark.parametrize("strategy", ["exhaustive", "random"])
def test_a_predicate_is_a_precondition(predicate, strategy):
    result = pessimal.explore(insertion_sort, size=3, require=predicate, strategy=strategy, paths=10)
    assert result.paths
    assert all(predicate(path.input["xs"]) for path in result.paths)
    assert all(path.cost in (2, 3) for path in result.paths)


def test_a_precondition_may_use_what_the_targets_module_knows():
    result = pessimal.explore("tests.python.test_require:nothing", size=2, require="increasing(xs) and xs[0] > 10")
    assert result.paths
    assert all(10 < path.input["xs"][0] < path.input["xs"][1] for path in result.paths)


class Tries:
    """A strategy that evaluates inputs, good and bad, as a climber does."""

    name = "tries"

    def search(self, session):
        costs = [session.evaluate(leaves) for leaves in ([3, 2, 1], [1, 2, 3], [2, 1, 3], [1, 3, 2])]
        assert costs == [float("-inf"), 2, float("-inf"), 3], costs
        assert session.initial[0] == 1


@pytest.mark.parametrize("require", ["xs[0] == 1", lambda xs: xs[0] == 1])
def test_an_evaluated_input_that_breaks_a_precondition_costs_less_than_any(require):
    result = pessimal.stress(insertion_sort, size=3, strategy=Tries(), cost="branches", require=require)
    assert result.input == {"xs": [1, 3, 2]}
    assert result.effort.paths == 2


@pytest.mark.parametrize("require", ["sorted(xs) == xs", "xs[0] > 50 and xs[1] < xs[2]"])
def test_a_climber_keeps_preconditions(require):
    result = pessimal.stress(insertion_sort, size=4, require=require, paths=300)
    assert eval(require, {"xs": result.input["xs"]})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("xs[", "not a Python expression"),
        ("import os", "not a Python expression"),
        ("", "not a Python expression"),
        ("1 < 2", "uses no parameter of the target; its parameters are: xs"),
        ("ys[0] > 1", "uses no parameter"),
    ],
)
def test_a_text_that_is_no_precondition_is_refused(text, words):
    with pytest.raises(InputError, match=words):
        Requirement(text, ["xs"])


@pytest.mark.parametrize("text", ["xs[9] > 1", "xs.nope", "xs[0] > nope", "1 // (len(xs) - len(xs))"])
def test_a_precondition_that_fails_is_told_with_its_error(text):
    requirement = Requirement(text, ["xs"])
    with pytest.raises(InputError, match=r"--require .* fails with \w+Error"):
        requirement.accepts({"xs": [1, 2]}, {})
    with pytest.raises(InputError, match=r"--require .* fails with \w+Error"):
        restricted(text)
