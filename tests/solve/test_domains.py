"""Sets and sums of single variables: moves stay inside what is known, and what is called impossible is."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import App, Compare, Evaluator, Junction, Not, Offset, holds
from pessimal.expr.linear import Linear
from pessimal.solve.difference import Difference
from pessimal.solve.domains import MAX_SUM, Domains
from tests.profiles import examples
from tests.solve.test_sets import conditions

COUNT = 3
LOW, HIGH = -3, 4
INPUTS = list(itertools.product(range(LOW, HIGH + 1), repeat=COUNT))
X, Y = Offset(0), Offset(1)


def domains(values=(0, 0, 0), low=LOW, high=HIGH):
    difference = Difference(list(values))
    for var in range(len(values)):
        difference.add(var, difference.zero, high)
        difference.add(difference.zero, var, -low)
    return Domains(difference, Evaluator(difference.values)), difference


@examples(500)
@given(st.lists(conditions, max_size=4), conditions, st.booleans(), st.sampled_from(range(LOW, HIGH + 1)))
def test_a_variable_is_moved_to_where_a_condition_holds(kept, condition, want, start):
    layer, difference = domains((start, 0, 0))
    truths = [holds(other, [start]) for other in kept]
    for other, truth in zip(kept, truths, strict=True):
        layer.keep(other, truth)
    left = [n for n in range(LOW, HIGH + 1) if all(holds(c, [n]) is t for c, t in zip(kept, truths, strict=True))]
    verdict = layer.enforce(condition, want)
    there = [n for n in left if holds(condition, [n]) is want]
    assert verdict is None or verdict is bool(there)
    if verdict:
        assert difference.values[0] in there
    else:
        assert difference.values[0] == start


def test_a_variable_is_only_moved_where_its_neighbours_leave_room():
    layer, difference = domains((0, 2, 0))
    difference.add(0, 1, -1)  # x < y
    beyond = Junction("or", (Compare("==", X, 3), Compare("==", X, -9)))
    assert layer.enforce(beyond, True) is None
    assert difference.values[:2] == [0, 2]
    near = Junction("or", (Compare("==", X, 3), Compare("==", X, 1)))
    assert layer.enforce(near, True) is True
    assert difference.values[:2] == [1, 2]


def test_constants_that_a_variable_is_not_are_left_out():
    layer, difference = domains((0, 0, 0))
    difference.add_unequal(0, difference.zero, 3)
    difference.add_unequal(0, difference.zero, 4)
    assert layer.enforce(Junction("or", (Compare("==", X, 3), Compare("==", X, 4))), True) is False
    assert layer.enforce(Junction("or", (Compare("==", X, 3), Compare("==", X, 2))), True) is True
    assert difference.values[0] == 2


def test_plain_comparisons_are_left_to_the_order_solver_until_a_set_is_known():
    layer, _ = domains()
    assert layer.enforce(Compare("==", X, 3), True) is None
    layer.keep(Junction("or", (Compare("<", X, 1), Compare(">", X, 3))), True)
    assert layer.enforce(Compare("==", X, 3), True) is False
    assert layer.enforce(Compare("==", X, 4), True) is True


def test_a_condition_of_two_variables_is_not_a_matter_of_sets():
    layer, _ = domains()
    both = Junction("and", (Compare("==", X, 3), Compare("==", Y, 3)))
    assert layer.of(both, True) is None
    assert layer.enforce(both, True) is None
    layer.keep(both, True)
    assert layer.enforce(Junction("or", (Compare("==", X, 1), Compare("==", X, 2))), True) is True


def test_what_is_wanted_is_read_through_conjunctions_and_negations():
    layer, difference = domains()
    wanted = Junction("and", (Compare(">", X, 0), Not(Compare(">", Y, 1)), Compare("<", X, 3)))
    assert layer.wanted(wanted, True) == {0: ((1, 2),), 1: ((LOW, 1),)}
    assert layer.wanted(Junction("or", (Compare(">", X, 0), Compare(">", Y, 1))), False) == {
        0: ((LOW, 0),),
        1: ((LOW, 1),),
    }
    assert layer.wanted(Junction("or", (Compare(">", X, 0), Compare(">", Y, 1))), True) == {}
    difference.add_unequal(0, difference.zero, 2)
    assert layer.wanted(wanted, True)[0] == ((1, 1),)


@pytest.mark.parametrize(
    ("alternatives", "verdict"),
    [
        ([Compare("==", Y, 2)], True),
        ([Compare("==", X, 0), Compare("==", Y, 2)], True),
        ([Compare("==", X, 0)], False),
        ([Compare("==", X, 0), Compare("==", Y, 9)], False),
        ([Compare("==", X, 0), Compare("<", X, Y)], None),
        ([Compare("==", App("*", (Y, Y), "int"), 4)], None),
    ],
)
def test_a_broken_condition_is_mended_by_one_of_its_alternatives(alternatives, verdict):
    """The condition wanted is x > 2; what broke says that one of some alternatives holds."""
    layer, difference = domains((3, 0, 0))
    wanted = Compare(">", X, 2)
    broken = Junction("or", tuple(alternatives)) if len(alternatives) > 1 else alternatives[0]
    found = layer.repair(broken, True, layer.wanted(wanted, True), lambda: difference.values[0] > 2)
    assert found is verdict
    if verdict:
        assert holds(broken, difference.values) and holds(wanted, difference.values)
    else:
        assert difference.values[:COUNT] == [3, 0, 0]


def test_a_negated_conjunction_is_mended_as_a_disjunction():
    layer, difference = domains((3, 1, 0))
    broken = Not(Not(Junction("and", (Compare(">", X, 2), Compare(">", Y, 0)))))
    wanted = Compare(">", X, 2)
    assert layer.repair(broken, False, layer.wanted(wanted, True), lambda: difference.values[0] > 2) is True
    assert difference.values[0] > 2 and difference.values[1] <= 0


coefficients = st.dictionaries(st.integers(0, 2), st.sampled_from([-5, -2, -1, 1, 2, 3, 10]), min_size=1)


def value(form, leaves):
    return sum(k * leaves[var] for var, k in form.coefficients.items()) + form.const


def true(form, leaves):
    total = value(form, leaves)
    return {"<=": total <= 0, "==": total == 0, "!=": total != 0}[form.op]


@examples(600)
@given(coefficients, st.integers(-40, 40), st.sampled_from(["<=", "==", "!="]), st.sampled_from(INPUTS))
def test_sums_are_balanced_or_refused_exactly(factors, const, op, start):
    form = Linear(factors, const, op)
    layer, difference = domains(start)
    verdict = layer.balance(form)
    if verdict is False:
        assert not any(true(form, leaves) for leaves in INPUTS)
    if verdict:
        assert true(form, difference.values)
    assert all(LOW <= number <= HIGH for number in difference.values[:COUNT])


def test_positional_numbers_are_found_digit_by_digit():
    layer, difference = domains((0,) * 6, low=0, high=9)
    form = Linear({i: 10**i for i in range(6)}, -271828, "==")
    assert layer.balance(form) is True
    assert difference.values[:6] == [8, 2, 8, 1, 7, 2]
    assert layer.balance(Linear({i: 10**i for i in range(6)}, -(10**6), "==")) is False


def test_known_sets_narrow_the_reach_of_a_sum():
    layer, _ = domains((0, 0, 0))
    layer.keep(Junction("or", (Compare("==", X, 0), Compare("==", X, 1))), True)
    form = Linear({0: 1, 1: 1}, -6, "==")
    assert layer.balance(form) is False
    assert layer.balance(Linear({0: 1, 1: 1}, -5, "==")) is True


def test_an_open_sum_is_never_refused():
    difference = Difference([0, 0])
    layer = Domains(difference, Evaluator(difference.values))
    assert layer.balance(Linear({0: 1, 1: -1}, 10**30, "<=")) is True
    assert difference.values[0] - difference.values[1] + 10**30 <= 0
    assert layer.balance(Linear({0: 1, 1: 1}, 10**400, "==")) in (None, True)


def test_long_sums_are_left_to_others():
    layer, _ = domains((0,) * (MAX_SUM + 1), low=0, high=1)
    assert layer.balance(Linear(dict.fromkeys(range(MAX_SUM + 1), 1), 1, "<=")) is None
    assert layer.balance(Linear(dict.fromkeys(range(MAX_SUM), 1), 1, "<=")) is False


def test_a_sum_that_is_fixed_is_not_different_from_itself():
    layer, _ = domains((2, 2, 0), low=2, high=2)
    assert layer.balance(Linear({0: 1, 1: 1}, -4, "!=")) is False
    assert layer.balance(Linear({0: 1, 1: 1}, -5, "!=")) is None
