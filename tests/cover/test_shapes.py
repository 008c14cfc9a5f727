"""What the source shows of the data that it works on."""

import ast
import collections
import re
from random import Random
from types import SimpleNamespace

from pessimal.inputs import Dict, Int, List, Str
from pessimal.inputs.built import Record
from pessimal.python.cover.matched import matched
from pessimal.python.cover.members import members_of
from pessimal.python.cover.parameters import ANYTHING
from pessimal.python.cover.shapes import groups_in, keys_in, kinds_in, name_parts, records_in
from tests.cover import calling

SOURCE = """
def apply(op, document, kinds=()):
    if "path" not in op or op.get("op", "add") == op["kind"]:
        return {"op": "add", "path": op["path"], "size": -1}
    if isinstance(op, (collections.deque, Known)) or isinstance(document, bytes | dict) or isinstance(op, kinds):
        return {**op, "never": 1}
    return isinstance(op, missing.Class), {1: "a"}, {}
"""
TREE = ast.parse(SOURCE)


class Known:
    """A class of the module."""


def test_keys_are_those_that_are_looked_up_or_spelt_out():
    assert set(keys_in([TREE])) == {"path", "op", "kind", "size", "never"}


def test_records_have_literal_values_and_none_for_what_is_computed():
    assert records_in([TREE, TREE]) == [{"op": "add", "path": None, "size": -1}]


def test_kinds_are_the_classes_of_isinstance_that_can_be_made():
    namespace = {"collections": collections, "Known": Known, "missing": SimpleNamespace()}
    kinds = kinds_in(TREE, namespace, __name__)
    built = [kind.builder for kind in kinds if isinstance(kind, Record)]
    assert built == [collections.deque, Known]
    assert [type(kind).__name__ for kind in kinds if not isinstance(kind, Record)] == ["Bytes", "Dict"]


def test_parts_of_names_are_what_is_put_behind_a_text():
    names = ["visit_Add", "visit_not_in_set", "do_it", "visit_", "unrelated"]
    assert name_parts(["visit_", "do", "x y_", "_"], names) == ["Add", "not_in_set", "not_in"]
    assert name_parts([], names) == []


def test_guesses_of_containers_say_little_of_their_members():
    specs = {item.name.qualname: item.specs for item in members_of([calling])}
    assert specs["total"]["items"].alternatives == (List(Int()), List(Str()), List(ANYTHING))
    assert specs["looked_up"]["options"] == Dict(Str(), ANYTHING)
    assert specs["looked_up"]["hinted"] == Dict(Str(), Int())


def test_matches_have_the_groups_that_the_code_asks_for():
    tree = ast.parse("def f(m):\n    return m.group('kind') or m.group(1) or m.group('a b') or m.group('rest')")
    assert groups_in([tree]) == ["kind", "rest"]
    words = SimpleNamespace(groups=["kind", "rest"])
    drawn = [matched(Random(seed), SimpleNamespace(words=words, text=lambda: "one two")) for seed in range(20)]
    groups = [re.match(*(item.value for item in build.args)).groupdict() for build in drawn]
    assert {"kind": "one", "rest": "two"} in groups
    assert {"kind": "one"} in groups
