"""Rules: what is learnt in any order is the same, and JSON keeps it."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pessimal.search.guides import Rules

SITES = st.sampled_from(["a.py:f:x > 0", "a.py:f:x > 0#1", "b.py:g:y == 'ä'"])
KEYS = st.tuples(SITES, st.lists(st.tuples(SITES, st.integers(0, 3)), max_size=2).map(tuple))
TABLES = st.dictionaries(KEYS, st.none() | st.integers(0, 3), max_size=6)


def rules(table):
    return Rules(2, True, dict(table))


def merged(*tables):
    result = Rules(2, True)
    for table in tables:
        result.merge(rules(table))
    return result


@given(TABLES)
def test_json_keeps_them(table):
    assert Rules.from_json(json.loads(json.dumps(rules(table).to_json()))) == rules(table)


@given(TABLES, TABLES, TABLES)
def test_the_order_of_merging_does_not_matter(a, b, c):
    assert merged(a, b, c) == merged(c, a, b) == merged(b, c, a, a)


@given(TABLES, TABLES)
def test_what_is_merged_is_what_both_agree_on(a, b):
    table = merged(a, b).table
    assert set(table) == {*a, *b}
    for key, direction in table.items():
        said = {table[key] for table in (a, b) if key in table}
        assert direction == (said.pop() if len(said) == 1 else None)
