"""Which conditions bear on each other: the same as the connected parts of a graph."""

from hypothesis import given
from hypothesis import strategies as st

from pessimal.solve.components import Components
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
