"""Drawn values as arguments of scenarios: what a specification describes, in terms that can be run and written down."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterable
from enum import Enum
from itertools import chain
from typing import Any, cast

from pessimal.errors import InputError
from pessimal.inputs.codec import safe_repr
from pessimal.inputs.maker import Answers, Construction
from pessimal.inputs.written import address_of, construction_of
from pessimal.scenario import Argument, Build, Function, Group, Kind, Name, Plain

_LITERAL = frozenset((type(None), bool, int, float, str, bytes))
_GROUPS = frozenset((list, tuple, set, frozenset, dict))
_SHOWN = 60


def argument_of(value: Any) -> Argument:
    """The argument that makes a value which the maker ``Describing`` returned, or any value that can be written."""
    kind = type(value)
    if kind in _LITERAL:
        return Plain(value)
    if kind in _GROUPS:
        return _grouped(value)
    if isinstance(value, Answers):
        return Function(tuple(map(argument_of, value.values)))
    if isinstance(value, Enum) and value.name in kind.__members__:
        module, name = address_of(kind)
        return Name(module, f"{name}.{value.name}")
    if isinstance(value, type) or inspect.isroutine(value):
        return Name(*address_of(value))
    if value is ...:
        return Name("builtins", "Ellipsis")
    made = construction_of(value)
    if made is None:
        raise InputError(f"{safe_repr(value, _SHOWN)} cannot be written: give a value that a call or a literal makes")
    return _built(made)


def _grouped(value: Any) -> Argument:
    """A plain container if all its members are plain."""
    is_dict = isinstance(value, dict)
    members = tuple(map(argument_of, chain.from_iterable(value.items()) if is_dict else value))
    if all(isinstance(member, Plain) for member in members):
        return Plain(value)
    return Group(
        cast(Kind, type(value).__name__), _in_order(members) if isinstance(value, set | frozenset) else members
    )


def _in_order(members: Iterable[Argument]) -> tuple[Argument, ...]:
    """The members of a set in an order that hashes do not decide."""
    return tuple(sorted(members, key=repr))


def _built(made: Construction) -> Argument:
    if typing.is_typeddict(made.builder):
        return argument_of({**made.fields})
    kwargs = tuple((name, argument_of(item)) for name, item in made.fields.items())
    return Build(Name(*address_of(made.builder)), tuple(map(argument_of, made.args)), kwargs)
