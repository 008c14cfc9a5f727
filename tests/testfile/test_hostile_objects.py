"""Objects whose methods raise, lie or do not end are observed all the same, and tests of them are written."""

import pytest

from pessimal.inputs.looking import is_a, quietly
from pessimal.pool.alarm import DeadlineExceeded
from pessimal.pool.run_guard import RunGuard
from pessimal.scenario import Name, Result, Scenario, Step
from pessimal.testfile import observe
from tests.cover import hostile
from tests.testfile.making import call, get, method

HERE = hostile.__name__
KINDS = ["Broken", "Exits", "Lies", "Endless"]


def observed(*steps):
    with RunGuard(5.0):
        return observe(Scenario(steps))


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_is_asserted_by_its_class_whatever_its_methods_do(kind):
    seen = observed(call(f"{HERE}:{kind}"))
    assert seen.raised is None
    assert (seen.checks[0].relation, seen.checks[0].expected) == ("isinstance", Name(HERE, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_is_an_argument_whatever_its_methods_do(kind):
    step = Step("call", Name(HERE, "compare"), "", (Result(0), call(f"{HERE}:make", 7).args[0]))
    assert [check.expected.value for check in observed(call(f"{HERE}:{kind}"), step).checks] == ["small"]


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_containers_of_such_objects_are_observed(number):
    assert observed(call(f"{HERE}:make", number)).checks


def test_an_exception_without_a_text_is_named_by_its_class():
    seen = observed(call(f"{HERE}:make", 3))
    assert (seen.raised, seen.match) == (Name(HERE, "Silent"), None)


def test_what_reading_an_attribute_or_an_operator_raises_is_observed():
    assert observed(call(f"{HERE}:Broken"), get(0, "anything")).raised == Name("builtins", "RuntimeError")
    assert observed(call(f"{HERE}:Broken"), method(0, "__len__")).raised == Name("builtins", "RuntimeError")
    assert observed(call(f"{HERE}:Exits"), method(0, "__repr__")).raised == Name("builtins", "SystemExit")
    assert observed(call(f"{HERE}:Lies"), get(0, "missing")).raised == Name("builtins", "AttributeError")


def test_a_target_that_closes_standard_output_is_observed():
    seen = observed(call(f"{HERE}:close_output", "bye"))
    assert (seen.printed, seen.raised) == ("bye\n", None)


def test_only_the_deadline_passes_a_quiet_look():
    def late():
        raise DeadlineExceeded(1.0)

    assert quietly(lambda: hash(hostile.Broken()), 5) == 5
    assert quietly(lambda: repr(hostile.Exits()), "none") == "none"
    with pytest.raises(DeadlineExceeded):
        quietly(late, None)


def test_a_class_is_asked_for_without_the_object():
    assert is_a(hostile.Broken(), hostile.Broken)
    assert not is_a(hostile.Lies(), int)
    assert is_a(True, (str, int))
