"""What is known while a hint is read: the classes around it, what type variables stand for, and what may be guessed."""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

from pessimal.errors import InputError
from pessimal.inputs.containers import Dict, List, Union
from pessimal.inputs.scalars import Bool, Bytes, Const, Float, Int, Str
from pessimal.inputs.spec import Spec

DEEPEST = 3
"""How often a class may contain itself in one input."""
MOST_CLASSES = 300
"""How many classes are read for one hint at most: ten that contain each other, as those of a syntax tree do, contain
each other in too many ways."""

Infer = Callable[[Callable[..., Any]], Mapping[str, Spec]]
"""Guesses the inputs of those parameters of a callable that have no hint."""


class UnsupportedHintError(InputError):
    """A hint that says nothing from which inputs can be made."""


class EndlessHintError(UnsupportedHintError):
    """A hint of a class inside itself, of which no input would end."""


class ClassesRead:
    """The classes that were read for one hint, and how many times that was done in all."""

    def __init__(self) -> None:
        self._plain: dict[Any, Spec] = {}
        self._count = 0

    def read(self, key: Any, reading: Callable[[], Spec]) -> Spec:
        """Read a class; after many, only one that contains no other, and that was read before."""
        if self._count >= MOST_CLASSES:
            if key not in self._plain:
                raise EndlessHintError("it names classes that contain each other in too many ways")
            return self._plain[key]
        self._count += 1
        before = self._count
        spec = reading()
        if self._count == before:
            self._plain[key] = spec
        return spec


@dataclass(frozen=True)
class Context:
    """Where a hint stands; ``read`` is the way from a hint inside another one to its specification."""

    reader: Callable[[Any, Context], Spec]
    owners: tuple[Any, ...] = ()
    variables: Mapping[Any, Any] = field(default_factory=dict)
    special: bool = False
    module: ModuleType | None = None
    infer: Infer | None = None
    nested: bool = False
    abstract: bool = False
    """Whether an abstract class that nothing implements is an input."""
    known: ClassesRead = field(default_factory=ClassesRead)
    """What was read for the hint around all this."""

    def read(self, hint: Any) -> Spec:
        """The specification that a hint means here."""
        return self.reader(hint, self)

    def inside(self, owner: Any = None, variables: Mapping[Any, Any] | None = None) -> Context:
        """The context of what a value contains; of a class, its own name is added to those around it."""
        if owner is not None and self.owners.count(owner) >= DEEPEST:
            name = getattr(owner, "__qualname__", owner)
            raise EndlessHintError(f"the class {name} contains itself, so no input of it would end")
        owners = self.owners if owner is None else (*self.owners, owner)
        return replace(self, owners=owners, variables={**self.variables, **(variables or {})}, nested=True)

    @property
    def float(self) -> Float:
        """A float, with infinities and the like where they are wanted."""
        return Float(special=self.special)

    @property
    def anything(self) -> Spec:
        """Some value; inside others of fewer kinds, since each kind has leaves of its own."""
        if self.nested:
            return Union((Int(), Str(), Const(None)))
        return Union((Int(), Str(), self.float, Bool(), Const(None), List(Int()), Bytes(), Dict(Str(), Int())))


def stands_for(variable: typing.TypeVar) -> Any:
    """The first constraint of a type variable, or its bound, be it a name in its module; None if it has neither."""
    hint = (*variable.__constraints__, variable.__bound__)[0]
    if isinstance(hint, typing.ForwardRef):
        return getattr(sys.modules.get(variable.__module__), hint.__forward_arg__, None)
    return hint
