"""How arguments are drawn: types that are known, objects that can be made, files, and what other code passed."""

from __future__ import annotations

import random

import pytest

from pessimal.arcs import Arc
from pessimal.covering.fatal_scenarios import FatalScenarios
from pessimal.inputs import Record, Str
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
from pessimal.scenario import Name, Plain, Result, Scenario, Step, needed
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
