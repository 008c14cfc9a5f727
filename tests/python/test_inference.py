"""Inputs for parameters without hints: what each source suggests, and that searches use it."""

import http.cookiejar
import shlex
import subprocess
import textwrap
import urllib.request
import xml.etree.ElementPath
import xml.etree.ElementTree
from collections.abc import Callable

import pytest

import pessimal
from pessimal.inputs import Bool, Const, Function, Int, Record, Str, Union, from_hint
from pessimal.python.inference import NOTHING, inferred, specs_for
from pessimal.python.inference import stubs as stubs_module
from pessimal.report import text
from tests.python import unhinted, unhinted_use


def guesses(function, **options):
    return {name: (*guess.hints, guess.source) for name, guess in inferred(function, unhinted, **options).items()}


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (
            unhinted.by_default,
            {
                "x": (int, "default"),
                "y": (str, "default"),
                "flag": (bool, "default"),
                "names": (list[str], "default"),
                "nothing": ("Any", NOTHING),
            },
        ),
        (unhinted.by_test, {"x": (str, bytes, "isinstance")}),
        (
            unhinted.by_operators,
            {
                "n": (int, "operators"),
                "ratio": (float, "operators"),
                "text": (str, "operators"),
                "key": (str, "operators"),
                "table": (dict[str, int], "operators"),
            },
        ),
        (
            unhinted.by_attributes,
            {"word": (str, "attributes"), "rows": (list[int], "attributes"), "mapping": (dict[str, int], "attributes")},
        ),
        (unhinted.by_iteration, {"things": (list[int], "operators")}),
        (unhinted.by_elements, {"words": (list[str], "operators"), "rows": (list[list[int]], "operators")}),
        (unhinted.by_truth, {"quiet_please": (bool, "truth")}),
        (unhinted.by_call, {"amount_of_it": (int, "calls")}),
        (unhinted.by_sphinx, {"a": (int, "docstring"), "b": (str, "docstring")}),
        (unhinted.by_google, {"a": (float, "docstring"), "b": (str, "docstring")}),
        (unhinted.by_numpy, {"a": (list[int], "docstring"), "b": (bool, "docstring")}),
        (
            unhinted.by_name,
            {
                "width": (int, "name"),
                "file_name": (str, "name"),
                "is_open": (bool, "name"),
                "qqq": ("Any", NOTHING),
            },
        ),
        (
            unhinted.applied,
            {"action": (Callable[..., int], "operators"), "it": (list[int], str, "operators")},
        ),
        (unhinted.Account, {"owner": (str, "attributes"), "balance": (int, "operators")}),
        (unhinted.Account.has, {"amount": (int, "operators")}),
        (unhinted.Account.__lt__, {"other": (unhinted.Account, "operand")}),
        (unhinted.by_constructor, {"seen": (unhinted.Reading, "attributes")}),
        (unhinted.Thermometer.warm, {"sample": (unhinted.Reading, "calls")}),
    ],
)
def test_each_source_suggests_types(function, expected):
    found = {
        name: tuple("Any" if getattr(hint, "__name__", "") == "Any" else hint for hint in guess)
        for name, guess in guesses(function).items()
    }
    assert found == expected


def test_classes_of_other_modules_of_the_package_are_known_by_their_attributes():
    guess = inferred(unhinted_use.checks, unhinted_use)["it"]
    assert (guess.hints, guess.source) == ((unhinted.Reading,), "attributes")


def test_hints_are_not_guessed():
    assert inferred(unhinted.audited, unhinted) == {}


def test_the_library_is_known_from_typeshed():
    assert {guess.source for guess in inferred(textwrap.TextWrapper, textwrap).values()} == {"typeshed"}
    assert inferred(shlex.split, shlex)["s"].hints == (str,)
    local = inferred(textwrap.shorten, textwrap, stubs=False)
    assert "typeshed" not in {guess.source for guess in local.values()}
    assert local["width"].hints == (int,)


def test_without_typeshed_the_other_sources_answer(monkeypatch):
    monkeypatch.setattr(stubs_module, "_names", lambda module: {})
    assert inferred(textwrap.dedent, textwrap)["text"].hints == (str,)


def test_guesses_become_specifications():
    assert specs_for(unhinted.by_test, unhinted) == {"x": from_hint(str | bytes)}
    assert specs_for(unhinted.by_truth, unhinted) == {"quiet_please": Bool()}
    assert specs_for(unhinted.applied, unhinted)["action"] == Function(Int())
    nothing = specs_for(unhinted.by_name, unhinted)["qqq"]
    assert (
        isinstance(nothing, Union)
        and nothing.alternatives[:2] == (Int(), Str())
        and Const(None) in nothing.alternatives
    )


def test_a_constructor_without_hints_is_inferred_where_a_hint_names_its_class():
    spec = from_hint(unhinted.Account, infer=lambda cls: specs_for(cls, unhinted))
    assert isinstance(spec, Record) and list(spec.fields) == ["owner", "balance"]


def test_searches_use_what_was_inferred_and_say_so():
    result = pessimal.explore(unhinted.by_test, paths=20)
    assert {path.returned for path in result.paths} == {"1"}
    assert result.inferred == {"x": "str:N|bytes:N"}
    assert result.to_json()["inferred"] == result.inferred
    assert "  inferred  x=str:N|bytes:N; --input x=... changes it" in text.explore(result).splitlines()


def test_what_is_given_is_not_inferred():
    result = pessimal.explore(unhinted.by_test, inputs={"x": "int"}, paths=20)
    assert ({path.returned for path in result.paths}, result.inferred) == ({"2"}, {})


def test_stubs_are_read_without_starting_a_process(monkeypatch):
    def refuse(*arguments, **options):
        raise PermissionError("the sandbox denies processes")

    monkeypatch.setattr(subprocess, "check_output", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    stubs_module._names.cache_clear()
    found = stubs_module.stub_hints(http.cookiejar.DefaultCookiePolicy.return_ok)
    assert found == {"cookie": http.cookiejar.Cookie, "request": urllib.request.Request}


def test_classes_that_take_brackets_in_stubs_alone_are_found_and_made_as_their_stubs_say():
    hints = stubs_module.stub_hints(xml.etree.ElementPath.find)
    assert hints["elem"] is xml.etree.ElementTree.Element
    spec = specs_for(xml.etree.ElementPath.find, xml.etree.ElementPath)["elem"]
    assert isinstance(spec, Record)
    assert spec.builder is xml.etree.ElementTree.Element
    assert len(spec.args) == 1
