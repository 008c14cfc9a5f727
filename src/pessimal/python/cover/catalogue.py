"""The members that scenarios may use, looked up by what a step does, by the class of an object, by what they make."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter

from pessimal.inputs import Spec
from pessimal.inputs.looking import is_below
from pessimal.inputs.signatures import VARIADIC
from pessimal.python.cover.members import Member
from pessimal.python.cover.parameters import ANYTHING
from pessimal.scenario import Argument, Name, Step, Subclass

_Key = tuple[str, str, Argument | None]
FUNCTIONS = (
    *(Name("builtins", name) for name in ("str", "len", "bool", "int", "list", "repr", "abs", "sorted", "dict")),
    *(Name("operator", name) for name in ("add", "not_", "lt", "getitem")),
)
"""Functions of one and of two arguments, which raise where they do not fit."""


class Catalogue:
    """Members by several keys: a search looks them up several times for each scenario."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = list(members)
        self.classes = {member.owner for member in members if member.owner is not None}
        self.functions = [item.name for item in members if item.operation == "call" and item.is_public]
        """What can be passed where a function is wanted."""
        self.keywords = _keywords(members)
        """What can be given by keyword, to something or other, and what it may be."""
        self._by_key: dict[_Key, list[Member]] = {}
        self._class_by_name: dict[Name, type] = {}
        self._owner_by_name: dict[Name, type] = {}
        self._on: dict[type, list[Member]] = {}
        self._makers: dict[type, list[Member]] = {}
        for member in members:
            subject = member.name if member.operation == "call" else None
            self._by_key.setdefault((member.operation, member.attribute, subject), []).append(member)
            if member.makes is not None:
                self._class_by_name.setdefault(member.name, member.makes)
            elif member.owner is not None:
                self._owner_by_name.setdefault(member.name, member.owner)

    def of_step(self, step: Step) -> Sequence[Member]:
        """The members that a step may stand for: methods of several classes can have the same name."""
        subject = step.subject if step.operation == "call" else None
        return self._by_key.get((step.operation, step.name, subject), ())

    def class_of(self, step: Step) -> type | None:
        """The class that a step makes an instance of."""
        if step.operation != "call":
            return None
        if isinstance(step.subject, Subclass):
            return self._owner_by_name.get(step.subject.base)
        return self._class_by_name.get(step.subject) if isinstance(step.subject, Name) else None

    def on(self, cls: type) -> Sequence[Member]:
        """What can be done with an instance of a class."""
        if cls not in self._on:
            on = [item for item in self.members if item.operation != "call" and item.owner is not None]
            self._on[cls] = [item for item in on if item.owner in cls.__mro__]
        return self._on[cls]

    def makers(self, cls: type) -> Sequence[Member]:
        """What makes instances of a class, or of classes below it."""
        if cls not in self._makers:
            self._makers[cls] = [item for item in self.members if item.makes and is_below(item.makes, cls)]
        return self._makers[cls]


def _keywords(members: Sequence[Member]) -> dict[str, Spec]:
    """The optional parameters of members, with what is known of them."""
    found: dict[str, Spec] = {}
    for member in members:
        for item in member.parameters:
            if item.default is not Parameter.empty and item.kind not in (Parameter.POSITIONAL_ONLY, *VARIADIC):
                found.setdefault(item.name, (member.specs or {}).get(item.name, ANYTHING))
    return found
