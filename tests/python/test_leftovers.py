"""What a run leaves in tables that outlive it does not decide the next run."""

from functools import partial

import pytest

from pessimal.python.values.defaults import Default
from pessimal.python.values.keyed import Count, Dict
from pessimal.python.values.members import Set
from pessimal.python.values.ordered import Ordered
from pessimal.runs import Request
from tests.python.exploring import Collector


def remembering(make):
    """A function that keeps its results in a table of its module, as rewritten code makes it."""
    table = make()

    def parse(x: int, y: int) -> int:
        if x in table:
            return 0
        result = 1 if y > 7 else 2
        table[x] = result
        return result

    return parse, table


@pytest.mark.parametrize("make", [Dict, Count, Ordered, partial(Default, int)])
def test_a_cache_of_a_module_does_not_answer_another_run(make):
    parse, table = remembering(make)
    table[3] = 1
    symbolic = Collector(parse).symbolic
    lengths = [symbolic.run(Request(start=[x, 0])).length for x in (9, 1, 9, 3)]
    assert lengths == [1, 1, 1, 0]
    assert dict(table) == {3: 1}
    table[4] = 5
    assert 4 in table and 9 not in table and type(table) is type(make())


def test_a_set_of_a_module_keeps_its_plain_members():
    known = Set([3])

    def meet(x: int, y: int) -> int:
        if x in known:
            return 0
        known.add(x)
        return 1 if y > 7 else 2

    symbolic = Collector(meet).symbolic
    assert [symbolic.run(Request(start=[x, 0])).length for x in (9, 1, 9, 3)] == [1, 1, 1, 0]
    assert set(known) == {3} and type(known) is Set


def test_a_run_that_fails_leaves_nothing_either():
    table = Dict()

    def fail(x: int) -> int:
        if x in table:
            return 0
        table[x] = 1
        raise ValueError

    symbolic = Collector(fail).symbolic
    assert [str(symbolic.run(Request(start=[x])).outcome) for x in (9, 1)] == ["raised", "raised"]
    assert dict(table) == {}
