"""Specifications of what a call makes: objects of any class, and functions whose answers are inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pessimal.errors import InputError
from pessimal.inputs.containers import check_part
from pessimal.inputs.maker import Maker
from pessimal.inputs.spec import Allocator, Decoder, Spec

Given = Callable[[Maker], bool]


@dataclass(frozen=True, slots=True)
class Record(Spec):
    """What a class or function makes of ``args``, given by position, and ``fields``, given by keyword.

    A dataclass, a named tuple, any class with an annotated constructor; also ``Decimal(3)`` or ``iter([1, 2])``. The
    fields in ``optional`` may be left out of the call.
    """

    builder: Callable[..., Any]
    fields: Mapping[str, Spec]
    args: tuple[Spec, ...] = ()
    optional: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", tuple(self.args))
        object.__setattr__(self, "optional", frozenset(self.optional))
        for part in (*self.args, *self.fields.values()):
            check_part(part, self.name)

    @property
    def name(self) -> str:
        """The name of what makes the object."""
        return getattr(self.builder, "__qualname__", repr(self.builder))

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of every part in order; before a field that may be left out, whether it is given."""
        args = [spec.allocate(allocator, f"{name}[{place}]") for place, spec in enumerate(self.args)]
        fields = {field: self._allocate_field(allocator, name, field) for field in self.fields}

        def decode(maker: Maker) -> Any:
            values = [part(maker) for part in args]
            named = {field: part(maker) for field, (given, part) in fields.items() if given is None or given(maker)}
            return maker.build(self.builder, values, named)

        return decode

    def _allocate_field(self, allocator: Allocator, name: str, field: str) -> tuple[Given | None, Decoder]:
        given: Given | None = None
        if field in self.optional:
            leaf = allocator.leaf("choice", f"{name}.{field}?", 0, 1)
            given = lambda maker: bool(maker.choose(leaf))  # noqa: E731
        return given, self.fields[field].allocate(allocator, f"{name}.{field}")

    @property
    def hashable(self) -> bool:
        """Whether the class says so, and for a tuple its parts too; what a function makes is taken to be."""
        if not isinstance(self.builder, type):
            return True
        parts = (*self.args, *self.fields.values()) if issubclass(self.builder, tuple) else ()
        return self.builder.__hash__ is not None and all(part.hashable for part in parts)

    def __str__(self) -> str:
        parts = [str(spec) for spec in self.args]
        parts += [f"{name}{'?' if name in self.optional else ''}={spec}" for name, spec in self.fields.items()]
        return f"{self.name}({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Function(Spec):
    """A function that takes anything and gives ``count`` answers in turn, the last one again and again."""

    answer: Spec
    count: int = 3

    def __post_init__(self) -> None:
        check_part(self.answer, "function")
        if self.count < 1:
            raise InputError(f"a function cannot have {self.count} answers: give at least 1")

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of every answer in order."""
        answers = [self.answer.allocate(allocator, f"{name}()[{place}]") for place in range(self.count)]
        return lambda maker: maker.function([decode(maker) for decode in answers])

    def __str__(self) -> str:
        return f"function[{self.answer}]:{self.count}"
