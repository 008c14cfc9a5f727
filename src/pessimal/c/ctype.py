"""The types of C as the compiler has laid them out."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Number:
    """An integer or floating type; ``name`` is how to write it."""

    name: str
    size: int
    is_float: bool = False
    is_signed: bool = True
    is_char: bool = False
    is_bool: bool = False

    @property
    def low(self) -> int:
        """The smallest value of an integer type."""
        return -(1 << (8 * self.size - 1)) if self.is_signed else 0

    @property
    def high(self) -> int:
        """The largest value of an integer type."""
        return 1 if self.is_bool else (1 << (8 * self.size - self.is_signed)) - 1


@dataclass(frozen=True, slots=True)
class Enum:
    """An enumeration with its names and values."""

    name: str
    size: int
    members: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer; ``target`` is None for ``void *``."""

    name: str
    target: CType | None
    size: int = 8
    is_const: bool = False
    """Whether what it leads to cannot be written to through it."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array inside of something else; ``count`` is 0 where it has no length, negative where a parameter has it."""

    name: str
    element: CType
    count: int
    size: int

    @property
    def is_variable(self) -> bool:
        """Whether a parameter has the length of it or of its elements."""
        return self.count < 0 or (isinstance(self.element, Array) and self.element.is_variable)


@dataclass(frozen=True, slots=True)
class Function:
    """What a function pointer leads to."""

    name: str
    size: int = 0
    returns_pointer: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """A type that is declared and never defined, or that inputs cannot be made of."""

    name: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a struct or union; a bit-field has a width, and counts its bits from ``offset``."""

    name: str
    type: CType
    offset: int
    first_bit: int = 0
    width: int = 0


@dataclass(eq=False, slots=True)
class Struct:
    """A struct or a union; its members are filled in later, since it may lead to itself."""

    name: str
    size: int
    is_union: bool = False
    members: list[Member] = field(default_factory=list)


CType = Number | Enum | Pointer | Array | Function | Opaque | Struct


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function."""

    name: str
    type: CType


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes, and what it returns; None for ``void``."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: CType | None

    def __str__(self) -> str:
        taken = ", ".join(f"{parameter.type.name} {parameter.name}" for parameter in self.parameters)
        return f"{self.returns.name if self.returns else 'void'} {self.name}({taken or 'void'})"
