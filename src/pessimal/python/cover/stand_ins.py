"""Classes that stand in for abstract ones without any below them: what is abstract gives answers that are drawn.

So the methods that an abstract class does implement are covered, and functions that ask for an object of it are called.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, get_type_hints

from pessimal.inputs import Spec
from pessimal.inputs.looking import quietly
from pessimal.inputs.written import address_of
from pessimal.python.cover.members import Member, constructor_of
from pessimal.python.cover.parameters import ANYTHING, described_hint
from pessimal.scenario import Name


@dataclass(frozen=True, slots=True, eq=False)
class StandIn:
    """What is known of an abstract class: its name and constructor, and what its abstract members give."""

    name: Name
    constructor: Member
    methods: Mapping[str, Spec]
    attributes: Mapping[str, Spec]

    @property
    def label(self) -> str:
        """What the class that stands in is called."""
        return f"Concrete{self.name.qualname.rpartition('.')[2].lstrip('_')}"


@lru_cache(maxsize=256)
def stand_in_for(cls: type) -> StandIn | None:
    """How a class below an abstract one is made; None if it cannot be called at all."""
    name = Name(*address_of(cls))
    constructor = constructor_of(cls, name)
    if constructor is None:
        return None
    given = {member: _given(cls, member) for member in sorted(cls.__abstractmethods__)}  # type: ignore[attr-defined]
    is_attribute = {member: isinstance(inspect.getattr_static(cls, member), property) for member in given}
    return StandIn(
        name,
        constructor,
        {member: spec for member, spec in given.items() if not is_attribute[member]},
        {member: spec for member, spec in given.items() if is_attribute[member]},
    )


def _given(cls: type, member: str) -> Spec:
    """What an abstract method returns, or an abstract property is, by its hint."""
    found: Any = inspect.getattr_static(cls, member)
    function = getattr(found, "fget", None) or getattr(found, "__func__", found)
    hints: dict[str, Any] = quietly(lambda: get_type_hints(function), {})
    return described_hint(hints["return"], cls.__module__) if "return" in hints else ANYTHING
