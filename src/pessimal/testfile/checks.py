"""What can be asserted of a value: the whole of it, or its length, class and some of its public attributes."""

from __future__ import annotations

from typing import Any

from pessimal.inputs.codec import safe_repr
from pessimal.inputs.looking import is_a, quietly
from pessimal.scenario import Argument, Build, Name, Plain
from pessimal.testfile.approximating import approximated
from pessimal.testfile.describing import LONGEST, described, has_address, name_of
from pessimal.testfile.observation import Check, Relation

SHOWN_ITEMS = 3
"""How many items of a long sequence are asserted."""
_SHOWN_TEXT = 50
_SHOWN_REPR = 120
_MOST_ATTRIBUTES = 4
_FAILED = object()


def checks_of(subject: Argument, value: Any, call: Argument | None = None) -> list[Check]:
    """What can be asserted of a value: the whole of it, or parts; never that it equals the call that made it."""
    if len(safe_repr(value, 2 * LONGEST)) <= LONGEST:
        found = described(value)
        expected = approximated(found) if found is not None else None
        if expected is not None and repr(expected) != repr(call):
            return [Check(subject, _relation(expected), expected)]
    kind = type(value)
    if kind is int:
        return [Check(_method(subject, "bit_length"), "==", Plain(value.bit_length()))]
    if is_a(value, str) and has_address(str.__str__(value)):
        return _object(subject, value)[:1]
    if kind in (str, bytes, list, tuple):
        return _long_sequence(subject, value)
    return _object(subject, value)


def _relation(expected: Argument) -> Relation:
    is_singleton = isinstance(expected, Plain) and (expected.value is None or type(expected.value) is bool)
    return "is" if is_singleton or isinstance(expected, Name) else "=="


def _long_sequence(subject: Argument, value: Any) -> list[Check]:
    """A long text or list by its length and how it begins."""
    checks = [Check(_length(subject), "==", Plain(len(value)))]
    shown = _SHOWN_TEXT
    if isinstance(value, list | tuple):
        shown = next((n for n in range(SHOWN_ITEMS, 0, -1) if len(safe_repr(value[:n])) <= _SHOWN_REPR), 0)
    found = described(value[:shown])
    expected = approximated(found) if found is not None else None
    if 0 < shown < len(value) and expected is not None:
        first = Build(Name("operator", "getitem"), (subject, Build(Name("builtins", "slice"), (Plain(shown),))))
        checks.append(Check(first, "==", expected))
    return checks


def _object(subject: Argument, value: Any) -> list[Check]:
    """An object by its class, its length and some of its public attributes."""
    return [*class_of(subject, value), *_state(subject, value)]


def class_of(subject: Argument, value: Any) -> list[Check]:
    """The class of a value, if it has a name."""
    name = None if value is None else name_of(type(value))
    return [] if name is None else [Check(subject, "isinstance", name)]


def _state(subject: Argument, value: Any) -> list[Check]:
    """The length and the public attributes of an object."""
    checks = []
    length = quietly(lambda: len(value), None) if hasattr(type(value), "__len__") else None
    if length is not None:
        checks.append(Check(_length(subject), "==", Plain(length)))
    for name in _public_attributes(value):
        checks += attribute_of(subject, value, name)
    return checks[:_MOST_ATTRIBUTES]


def _public_attributes(value: Any) -> list[str]:
    """The attributes that an instance has of its own, or else the properties of its class."""
    slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
    attributes: Any = quietly(lambda: list(value.__dict__), [])
    own = [name for name in (*attributes, *slots) if type(name) is str and not name.startswith("_")]
    if own or type(value).__module__ == "builtins":
        return own
    kinds = vars(type(value)).items()
    return [name for name, item in kinds if isinstance(item, property) and not name.startswith("_")]


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _short(value: Any) -> Argument | None:
    """A value that is simple enough to be asserted beside others."""
    if value is _FAILED or len(safe_repr(value, LONGEST)) > _SHOWN_TEXT:
        return None
    found = described(value)
    return approximated(found) if found is not None else None


def _length(subject: Argument) -> Argument:
    return Build(Name("builtins", "len"), (subject,))


def attribute_of(subject: Argument, value: Any, name: str) -> list[Check]:
    """One attribute of an object, if it has a simple value."""
    expected = _short(quietly(lambda: getattr(value, name), _FAILED))
    return [] if expected is None else [Check(_attribute(subject, name), _relation(expected), expected)]


def _attribute(subject: Argument, name: str) -> Argument:
    return Build(Name("builtins", "getattr"), (subject, Plain(name)))


def _method(subject: Argument, name: str) -> Argument:
    return Build(Name("operator", "methodcaller"), (subject, Plain(name)))
