"""The values that bytes can still have: against all inputs of two bytes."""

import pytest

pytest.importorskip("unicorn")

from hypothesis import given
from hypothesis import strategies as st

from pessimal.binary.conditions import Conditions
from pessimal.binary.possible import PossibleValues
from pessimal.binary.terms import apply, leaf, zero_extend
from pessimal.expr import Evaluator, disjunction, holds, negation

CONDITIONS = Conditions(0b11)
OPS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


@st.composite
def conditions(draw):
    """A comparison of one byte or of a sum of two with a number, negated or joined with another one."""
    a, b = (zero_extend(16, leaf(i), 8) for i in (0, 1))
    term = draw(st.sampled_from([a, b, apply("bvadd", 16, a, b), apply("bvmul", 16, a, 3), apply("bvxor", 16, a, b)]))
    made = CONDITIONS.compare(draw(OPS), 16, term, draw(st.integers(0, 600)))
    other = CONDITIONS.compare(draw(OPS), 8, leaf(draw(st.integers(0, 1))), draw(st.integers(0, 255)))
    return draw(st.sampled_from([made, negation(made), disjunction([made, other])]))


@given(st.lists(conditions(), max_size=4), conditions(), st.booleans(), st.tuples(*[st.integers(0, 255)] * 2))
def test_what_is_said_is_true_of_all_inputs(passed, asked, want, model):
    model = list(model)
    path = [(item, holds(item, model)) for item in passed if not isinstance(item, bool)]
    if isinstance(asked, bool):
        return
    possible = PossibleValues(path, 0b11, Evaluator(model).term)
    asked = possible.canonical(asked)
    inputs = [(x, y) for x in range(0, 256, 5) for y in range(0, 256, 5)] + [tuple(model)]
    outcomes = {holds(asked, item) for item in inputs if all(holds(part, item) is way for part, way in path)}
    settled = possible.settled(asked)
    assert settled is None or outcomes == {settled}
    found = possible.move(asked, want)
    if found is False:
        assert want not in outcomes
    elif found is not None:
        index, value = found
        model[index] = value
        assert holds(asked, model) is want
        assert all(holds(part, model) is way for part, way in path)
