"""Errors of the user's: one line, a slug and a hint, the same in every process."""

import json

import pytest

from pessimal.errors import InputError, TargetError, UsageError


@pytest.mark.parametrize(
    "error",
    [
        UsageError("the size is\n wrong"),
        UsageError("x", slug="size"),
        TargetError("there is no file"),
        InputError("no", slug="require"),
        UsageError("qlearn needs jax", slug="missing", hint="pip install 'pessimal[learn]'"),
    ],
)
def test_an_error_is_the_same_in_another_process(error):
    again = UsageError.from_json(json.loads(json.dumps(error.to_json())))
    assert (type(again), str(again), again.slug, again.hint) == (type(error), str(error), error.slug, error.hint)


def test_an_error_of_a_class_elsewhere_is_one_of_the_nearest_class_here():
    class Missing(TargetError):
        pass

    assert type(UsageError.from_json(Missing("no").to_json())) is TargetError


def test_a_message_is_one_line_that_ends_with_its_hint():
    error = UsageError("it\n is  missing", slug="missing", hint="pip install it")
    assert str(error) == "it is missing: pip install it"
    assert UsageError("x").hint is None
