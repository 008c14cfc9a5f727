"""Hints that use names which are defined for type checkers alone."""

from decimal import Decimal
from fractions import Fraction

from pessimal.inputs.signatures import resolved_signature
from tests.inputs import for_checkers


def hints(call):
    return {name: item.annotation for name, item in resolved_signature(call).parameters.items()}


def test_names_under_type_checking_are_found():
    expected = {"a": Decimal, "b": Fraction, "c": int | float, "d": str, "e": list[str] | None}
    assert hints(for_checkers.uses) == expected
    assert hints(for_checkers.Held) == {"word": str}


def test_what_is_not_installed_spoils_its_own_hint_alone():
    assert hints(for_checkers.needs) == {"x": "no_such_module_at_all.Thing", "y": str}


def test_the_module_itself_is_not_changed():
    resolved_signature(for_checkers.uses)
    assert not hasattr(for_checkers, "Word") and not hasattr(for_checkers, "decimal")


def test_a_search_uses_them(pessimal):
    result = pessimal("stress", "tests/inputs/for_checkers.py:Held", "--size", 3, "--strategy", "fixed", "--json").json
    assert result["input"] == {"word": "aaa"}
