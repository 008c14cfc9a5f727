"""Which conditions bear on each other: the same as the connected parts of a graph."""

from hypothesis import given
from hypothesis import strategies as st

from pessimal.expr import Compare, Evaluator, Junction, Not, Offset, variables
from pessimal.solve.base import Query
from pessimal.solve.components import Components, independent
from tests.profiles import examples


def connected(groups, start):
    found = {start}
    while True:
        wider = found.union(*(group for group in groups if group & found))
        if wider == found:
            return found
        found = wider


@examples(300)
@given(st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=8))
def test_variables_are_in_one_group_if_conditions_connect_them(groups):
    components = Components()
    for group in groups:
        components.join(group)
    for a in range(10):
        there = connected(groups, a)
        assert {b for b in range(10) if components.of((b,)) == components.of((a,))} == there


def test_variables_without_conditions_are_groups_of_their_own():
    components = Components()
    assert components.of(()) == set()
    assert components.of((3, 5)) == {3, 5}
    components.join((5, 3))
    assert components.of((3, 5)) == components.of((3,))


def atoms():
    ends = st.builds(Offset, st.integers(0, 5)) | st.integers(-1, 1)
    return st.builds(Compare, st.sampled_from(["<", "==", "!="]), ends, ends)


def conditions():
    return st.recursive(
        atoms(),
        lambda inner: (
            st.builds(Not, inner)
            | st.builds(Junction, st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=3).map(tuple))
        ),
        max_leaves=8,
    )


@examples(300)
@given(conditions(), st.booleans(), st.lists(atoms(), max_size=2), st.lists(st.integers(-2, 2), min_size=6, max_size=6))
def test_parts_of_a_question_share_no_variable_and_mean_the_same(condition, want, path, leaves):
    query = Query([(one, True) for one in path], (condition, want), [(None, None)] * 6, leaves)
    parts = independent(query)
    evaluator = Evaluator(leaves)
    wholes = [evaluator.condition(part) is wanted for part, wanted in (one.extra for one in parts)]
    assert all(wholes) is (evaluator.condition(condition) is want)
    groups = [variables(one) for one in path]
    for number, part in enumerate(parts[:-1]):
        mine = {name for start in variables(part.extra[0]) for name in connected(groups, start)}
        assert not any(mine & variables(other.extra[0]) for other in parts[number + 1 :])
