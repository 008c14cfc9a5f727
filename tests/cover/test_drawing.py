"""How arguments are drawn: types that are known, objects that can be made, files, and what other code passed."""

from __future__ import annotations

import importlib
import random
import sys
import unicodedata
from typing import Protocol

import pytest

from pessimal.arcs import Arc
from pessimal.covering.fatal_scenarios import FatalScenarios
from pessimal.inputs import Int, Record, Str
from pessimal.python.cover.call_sites import literals_passed
from pessimal.python.cover.catalogue import Catalogue
from pessimal.python.cover.drawing import Drawing
from pessimal.python.cover.files import Files, is_path_name, makes_file
from pessimal.python.cover.generator import Generator
from pessimal.python.cover.members import members_of
from pessimal.python.cover.parameters import ANYTHING
from pessimal.python.cover.passed import Passed
from pessimal.python.cover.recipes import Recipes
from pessimal.python.cover.same_names import sharing_names
from pessimal.python.cover.values import Values
from pessimal.python.cover.vocabulary import MOST_BITS, Vocabulary
from pessimal.python.cover.weights import Weights
from pessimal.scenario import Function, Name, Plain, Result, Scenario, Step, needed
from tests.cover import calling

MEMBERS = members_of([calling])


def member(name):
    return next(item for item in MEMBERS if name in (item.name.qualname, item.attribute))


@pytest.fixture
def rng():
    return random.Random(1)


@pytest.fixture
def values(rng):
    return Values(rng, Vocabulary([calling]))


def drawing(rng, values, **options):
    passed = Passed([item.code for item in MEMBERS if item.code is not None], rng)
    return Drawing(rng, values, Recipes(rng), passed, **options), passed


def test_what_nothing_is_known_of_may_be_anything_until_its_name_says_more():
    assert member("untyped").specs == {"request": ANYTHING}
    shared = next(item for item in sharing_names(MEMBERS) if item.name.qualname == "untyped")
    assert isinstance(shared.specs["request"], Record)
    assert shared.specs["request"].builder is calling.Request
    assert "request" not in shared.trusted


def test_hints_are_trusted_and_guesses_are_not():
    assert member("typed").trusted == {"request"}
    assert member("guessed").trusted == frozenset()
    assert [item.name for item in member("guessed").guessed] == ["text", "width", "other_text"]


def test_one_argument_of_a_call_at_most_is_of_another_type(rng, values):
    draw, _ = drawing(rng, values)
    kinds = {"text": str, "width": int, "other_text": str}
    odd = []
    for _ in range(300):
        step = draw.call(member("guessed"), [], member("guessed").name)
        given = [*zip(kinds, step.args, strict=False), *step.kwargs]
        wrong = [item for name, item in given if type(getattr(item, "value", None)) is not kinds[name]]
        odd.append(len(wrong))
    assert set(odd) == {0, 1}


def test_an_object_of_another_class_is_made_in_a_step_of_its_own(rng, values):
    draw, _ = drawing(rng, values)
    steps: list[Step] = []
    step = draw.call(member("typed"), steps, member("typed").name)
    assert [item.subject for item in steps] == [member("Request").name]
    assert step.args == (Result(0),)


def test_private_functions_are_given_what_public_ones_pass(rng, values):
    draw, passed = drawing(rng, values)
    helper = member("_helper")
    assert passed.of(helper.code, "shouted") is None
    with passed.watching():
        calling.public("ab")
    calling.public("cd")
    assert passed.of(helper.code, "shouted").values == [Plain("AB")]
    assert passed.of(helper.code, "words").values == [Plain(["ab"])]
    assert passed.of(helper.code, "request").classes == [calling.Request]
    drawn = [draw.call(helper, [], helper.name) for _ in range(60)]
    assert any(Plain("AB") in step.arguments for step in drawn)


def test_literals_that_the_source_passes_are_examples(rng):
    found = {(code.co_name, name, value) for code, name, value in literals_passed([calling], MEMBERS)}
    assert found == {("__init__", "url", "http:x"), ("chosen", "mode", "thorough"), ("chosen", "text", "shown")}
    generator = Generator([calling], [member("chosen")], rng)
    steps = [generator.draw().steps[-1] for _ in range(100)]
    assert any(("mode", Plain("thorough")) in step.kwargs for step in steps)


def test_huge_numbers_are_not_used_again(rng, values):
    words = Vocabulary([calling])
    words.note_returned(10**5000, rng)
    words.note_returned(12345, rng)
    assert words.returned == [12345]
    number = 1
    for _ in range(3000):
        number = values.changed(number)
    assert number.bit_length() <= 2 * MOST_BITS


def test_bytes_are_put_together_from_those_of_the_code(rng):
    words = Vocabulary([])
    words.data = [b"FORM", b"AIFC"]
    drawn = [Values(rng, words).data() for _ in range(2000)]
    assert any(item[:4] == b"FORM" and item[8:12] == b"AIFC" for item in drawn)


def test_files_are_made_before_they_are_read(rng, values):
    files = Files(rng, values, [".py", "word", ".", ".toolong"])
    made = []
    for _ in range(50):
        steps: list[Step] = []
        path = files.path(steps)
        assert all(makes_file(step) for step in steps)
        made.append((path.value, [step.name for step in steps]))
    assert {name for _, names in made for name in names} == {"write_text", "write_bytes", "mkdir"}
    assert any(name.endswith(".py") for name, _ in made)
    assert not any(name.endswith(".toolong") for name, _ in made)


def test_steps_that_write_files_stay(rng, values):
    steps: list[Step] = []
    files = Files(rng, values, [])
    while not steps:
        path = files.path(steps)
    scenario = Scenario((*steps, Step("call", member("read").name, "", (path,))))
    assert needed(scenario) == scenario


@pytest.mark.parametrize(
    ("name", "expected"),
    [("path", True), ("file_name", True), ("src_dir", True), ("archive", True), ("profile", False), ("text", False)],
)
def test_paths_are_known_by_their_names(name, expected):
    assert is_path_name(name) is expected


def test_context_managers_are_entered_and_left(rng):
    generator = Generator([calling], [member("managed")], rng)
    assert member("managed").is_context_manager
    assert not member("public").is_context_manager
    drawn = [generator.draw() for _ in range(40)]
    assert {tuple(step.name for step in scenario.steps) for scenario in drawn} == {
        ("", "__enter__"),
        ("", "__enter__", "__exit__"),
    }


def test_members_are_found_by_steps_and_classes():
    catalogue = Catalogue(MEMBERS)
    making = Step("call", member("Request").name, "", (Plain("http:"),))
    assert list(catalogue.of_step(making)) == [member("Request")]
    assert catalogue.class_of(making) is calling.Request
    assert catalogue.class_of(Step("call", member("typed").name)) is None
    assert [item.attribute for item in catalogue.on(calling.Request)] == ["url"]
    assert list(catalogue.makers(calling.Request)) == [member("Request")]
    assert list(catalogue.on(int)) == []


def test_members_with_missing_branches_are_drawn_most(rng):
    chosen = [member("public"), member("guessed")]
    weights = Weights(chosen, rng)
    weights.note_returned(0)
    weights.note_returned(1)
    first = chosen[1].code.co_firstlineno
    weights.aim([Arc(chosen[1].code.co_filename, first + 1, to) for to in (1, 2, 3)])
    drawn = [weights.choose() for _ in range(100)]
    assert drawn.count(1) > 80
    weights.add_tries(1, 10**9)
    assert [weights.choose() for _ in range(20)].count(1) < 10
    weights.forget_tries(1)
    assert [weights.choose() for _ in range(20)].count(1) > 10


def test_what_has_never_returned_is_drawn_more_until_it_does(rng):
    chosen = [member("typed"), member("public")]
    weights = Weights(chosen, rng)
    weights.aim([])
    weights.note_returned(1)
    assert [weights.choose() for _ in range(50)].count(0) > 35
    weights.note_returned(0)
    assert 0 < [weights.choose() for _ in range(50)].count(0) < 25


def test_inputs_are_text_where_the_code_says_so():
    assert member("guessed").specs["text"] == Str()


def test_methods_of_an_enum_are_called_on_its_members(rng):
    generator = Generator([calling], [member("is_warm")], rng)
    subjects = {generator.draw().steps[-1].subject.qualname for _ in range(30)}
    assert subjects == {"Colour.RED", "Colour.BLUE"}


def test_a_call_that_ended_its_process_too_often_is_given_up():
    def scenario(name, number):
        return Scenario((Step("call", Name("m", name), args=(Plain(number),)),))

    fatal = [scenario("exits", number).to_json() for number in (200, 300, 400)]
    once = FatalScenarios(fatal[:1])
    assert once.include(scenario("exits", 200)) and not once.include(scenario("exits", 1))
    often = FatalScenarios(fatal)
    assert often.include(scenario("exits", 1)) and not often.include(scenario("divides", 1))


def drawn_calls(name, rng, values, count=300):
    draws = drawing(rng, values, catalogue=Catalogue(MEMBERS))[0]
    return [draws.call(member(name), [], member(name).name) for _ in range(count)]


def test_any_number_of_arguments_are_of_the_kind_that_the_hint_or_a_loop_tells(rng, values):
    for step in drawn_calls("joined", rng, values):
        assert all(isinstance(item, Plain) and isinstance(item.value, str) for item in step.args)
    rest = [item for step in drawn_calls("piped", rng, values) for item in step.args[1:]]
    assert {type(item) for item in rest} == {Name, Function}
    assert Name("builtins", "len") in rest
    assert any(isinstance(item, Name) and item.module == "tests.cover.calling" for item in rest)


def test_keywords_are_those_that_code_mentions_or_that_something_else_takes(rng, values):
    names = [name for step in drawn_calls("joined", rng, values) for name, _ in step.kwargs]
    assert {"separator", "width", "other_text"} <= set(names)
    assert names.count("separator") > names.count("width")


def test_optional_arguments_are_given_together_or_not_at_all(rng, values):
    given = [len(step.args) + len(step.kwargs) for step in drawn_calls("guessed", rng, values)]
    assert given.count(1) > 30
    assert given.count(3) > 30


def test_one_argument_is_drawn_again_and_the_others_stay(rng, values):
    draws = drawing(rng, values)[0]
    its = member("guessed")
    step = Step("call", its.name, "", (Plain("first"),), (("other_text", Plain("second")),))
    seen = set()
    for _ in range(60):
        for parameter in its.parameters:
            changed = draws.with_another(its, step, parameter, [])
            kept = dict(changed.kwargs)
            assert changed.args == step.args or parameter.name == "text"
            assert kept.get("other_text") == Plain("second") or parameter.name == "other_text"
            seen.add(tuple(sorted(kept)))
    assert seen == {("other_text",), (), ("other_text", "width")}


def test_results_of_later_steps_are_counted_anew_when_an_argument_needs_steps(rng):
    generator = Generator([calling], MEMBERS, rng)
    request = Step("call", Name("tests.cover.calling", "Request"), "", (Plain("http:x"),))
    generator.recipes.add(calling.Request, Scenario((request,)))
    typed = Step("call", Name("tests.cover.calling", "typed"), "", (Result(0),))
    last = Step("method", Result(1), "strip")
    grown = 0
    for _ in range(60):
        found = generator._with_argument_drawn(Scenario((request, typed, last)))
        assert found.steps[-1].subject == Result(len(found.steps) - 2)
        assert found.steps[-2].subject == typed.subject
        grown += len(found.steps) > 3
    assert grown


class Walks(Protocol):
    def walk(self) -> int: ...


class Walker(Walks):
    def walk(self) -> int:
        return 1


def test_protocols_that_refuse_to_be_asked_are_no_hindrance(rng):
    members = [*MEMBERS, *members_of([sys.modules[__name__]], "Walks"), *members_of([sys.modules[__name__]], "Walker")]
    catalogue = Catalogue(members)
    assert [item.attribute for item in catalogue.on(Walker)] == ["walk", "walk"]
    assert catalogue.on(calling.Request) == [item for item in MEMBERS if item.attribute == "url"]
    assert catalogue.makers(Walks) == []


def test_an_object_may_be_the_one_that_the_scenario_has_already(rng, values):
    draws = drawing(rng, values, catalogue=Catalogue(MEMBERS))[0]
    request = Step("call", Name("tests.cover.calling", "Request"), "", (Plain("http:x"),))
    given = [draws.call(member("typed"), [request], member("typed").name).args[0] for _ in range(200)]
    assert 20 < given.count(Result(0)) < 100
    assert Result(1) in given


def test_attributes_are_assigned_that_methods_assign_or_that_are_plain_defaults_of_the_class():
    assigned = [item for item in MEMBERS if item.operation == "set" and item.owner is calling.Printer]
    assert [item.attribute for item in assigned] == ["text", "width"]
    assert isinstance(assigned[1].specs["value"], Int)


def test_a_field_of_a_text_is_replaced_as_a_whole(values):
    found = {values._with_field("10.0.0.0/8") for _ in range(300)}
    assert any(text.startswith("10.0.0.0/") and text != "10.0.0.0/8" for text in found)
    assert any(text.endswith("/8") and not text.startswith("10.") for text in found)
    assert all("." in text or "/" in text for text in found)


def test_characters_that_the_code_mentions_by_number_and_long_texts_are_drawn(rng, tmp_path, monkeypatch):
    (tmp_path / "letters_of_numbers.py").write_text("JOINER, LIMIT = 0x200D, 1000\n")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("letters_of_numbers")
    words = Vocabulary([module])
    assert words.letters == "\u03e8\u200d"
    drawn = Values(rng, words)
    changes = [drawn.changed("ab") for _ in range(2000)]
    assert any("\u200d" in text for text in changes)
    assert {999, 1000, 1001} <= {len(text) for text in changes}
    kinds = {unicodedata.bidirectional(letter) for text in changes for letter in text}
    assert {"L", "R", "AL", "AN", "EN"} <= kinds
