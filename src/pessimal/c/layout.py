"""Inputs of C functions: specifications that know how their values lie in memory, and how they are written in C.

Allocating a specification gives a :class:`Plan`. It makes the Python value of an input, for people and JSON, and has
the operations by which ``runtime/arguments.h`` makes the same value in memory out of the same leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from pessimal.c import literals
from pessimal.c.ctype import Array, CType, Enum, Function, Member, Number, Opaque, Pointer, Struct
from pessimal.inputs import Allocator, Maker, Spec

Code = list[int]
NEVER = -1


class Operation(IntEnum):
    """The operations of ``make`` in ``runtime/arguments.h``, with their numbers there."""

    INT = 0
    REAL = 1
    CONST = 2
    TABLE = 3
    BITS = 4
    POINTER = 5
    VECTOR = 6
    REPEAT = 7
    SELECT = 8
    FUNCTION = 9
    STREAM = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """How one value is made: ``decode`` for Python, ``code`` of its offset for the executor."""

    decode: Callable[[Maker], Any]
    code: Callable[[int], Code]

    def __call__(self, maker: Maker) -> Any:
        """The value as Python has it."""
        return self.decode(maker)


class CSpec(Spec):
    """The values of a type of C."""

    __slots__ = ()

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """Reserve the leaves of a value."""
        raise NotImplementedError

    def text(self, value: Any) -> str:
        """A value as C text."""
        raise NotImplementedError

    def inner(self, value: Any) -> str:
        """A value inside of an initialiser."""
        return self.text(value)


@dataclass(frozen=True, slots=True)
class CInt(CSpec):
    """An integer within bounds; of a bit-field, those of its width."""

    type: Number | Enum
    low: int | str
    high: int | str
    first_bit: int = 0
    width: int = 0

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """One leaf."""
        low, high = allocator.resolve(self.low), allocator.resolve(self.high)
        kind = "bool" if isinstance(self.type, Number) and self.type.is_bool else "int"
        leaf = allocator.leaf(kind, name, low, high)  # type: ignore[arg-type]
        size = self.type.size
        if self.width:
            where = [self.first_bit, self.width, leaf]
            return Plan(lambda maker: maker.integer(leaf), lambda offset: [Operation.BITS, offset, size, *where])
        return Plan(lambda maker: maker.integer(leaf), lambda offset: [Operation.INT, offset, size, leaf])

    def text(self, value: Any) -> str:
        """A literal of its type."""
        return literals.integer(value, self.type)

    def __str__(self) -> str:
        return f"int:{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class CReal(CSpec):
    """A floating number, with infinities and NaN where it has no bounds."""

    type: Number
    low: float | None = None
    high: float | None = None

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """One leaf."""
        special = self.low is None and self.high is None
        leaf = allocator.leaf("float", name, self.low, self.high, special=special)
        size = self.type.size
        return Plan(lambda maker: maker.floating(leaf), lambda offset: [Operation.REAL, offset, size, leaf])

    def text(self, value: Any) -> str:
        """A literal."""
        return literals.real(value)

    def __str__(self) -> str:
        return "float"


@dataclass(frozen=True, slots=True)
class CTable(CSpec):
    """One of several numbers: the values of an enumeration and one beside them, or those that the user gave."""

    type: Number | Enum
    values: tuple[int, ...]

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """One leaf that selects the value."""
        values = self.values
        leaf = allocator.leaf("choice", name, 0, len(values) - 1)
        words = [self.type.size, leaf, len(values), *values]
        return Plan(lambda maker: values[maker.choose(leaf)], lambda offset: [Operation.TABLE, offset, *words])

    def text(self, value: Any) -> str:
        """The name of the value, or the number."""
        return literals.integer(value, self.type)

    def __str__(self) -> str:
        return f"choice[{','.join(map(str, self.values))}]"


@dataclass(frozen=True, slots=True)
class CConst(CSpec):
    """A fixed number, or NULL."""

    type: Number | Enum | Pointer
    value: int | None

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """No leaf."""
        words = [self.type.size, self.value or 0]
        return Plan(lambda maker: self.value, lambda offset: [Operation.CONST, offset, *words])

    def text(self, value: Any) -> str:
        """The number, or NULL."""
        return "NULL" if isinstance(self.type, Pointer) else literals.integer(value, self.type)

    def __str__(self) -> str:
        return f"const:{self.value}"


@dataclass(frozen=True, slots=True)
class CObject(CSpec):
    """A pointer to one object, or NULL if it may be."""

    type: Pointer
    target: CSpec
    target_size: int
    nullable: bool

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """Whether there is an object, and the leaves of the object."""
        leaf = allocator.leaf("choice", f"{name}?", 0, 1, start=1) if self.nullable else NEVER
        inner = self.target.allocate(allocator, f"*{name}")

        def decode(maker: Maker) -> Any:
            return None if leaf != NEVER and not maker.choose(leaf) else inner.decode(maker)

        def code(offset: int) -> Code:
            body = inner.code(0)
            return [Operation.POINTER, offset, leaf, max(self.target_size, 1), len(body), *body]

        return Plan(decode, code)

    def text(self, value: Any) -> str:
        """The address of a compound literal."""
        return "NULL" if value is None else f"&{self._object(value)}"

    def _object(self, value: Any) -> str:
        text = self.target.text(value)
        return text if text.endswith("}") else f"({self.type.target.name if self.type.target else 'char'}){{{text}}}"

    def __str__(self) -> str:
        return f"{self.target}|None" if self.nullable else str(self.target)


@dataclass(frozen=True, slots=True)
class CVector(CSpec):
    """A pointer to the first of several elements, or NULL if it may be; a text ends with a NUL after them."""

    type: Pointer
    element: CSpec
    element_type: CType
    length: int | str = "N"
    terminated: bool = False
    nullable: bool = False
    fixed: bool = False
    """Whether it always has all elements, because another parameter says how many count."""
    room: int = 0
    """How many zeros follow the elements, where the function may write."""

    @property
    def is_text(self) -> bool:
        """Whether it is shown as a string literal."""
        return isinstance(self.element, CChar)

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """Whether there is anything, how much of it, and the elements."""
        null = allocator.leaf("choice", f"{name}?", 0, 1, start=1) if self.nullable else NEVER
        extent = allocator.resolve(self.length) if self.fixed else self.length
        length = allocator.length(extent, name, least=0 if self.terminated or self.room else 1)
        first = len(allocator.domains)
        parts = [self.element.allocate(allocator, f"{name}[{i}]") for i in range(length.most)]
        stride = (len(allocator.domains) - first) // max(1, length.most)

        def decode(maker: Maker) -> Any:
            if null != NEVER and not maker.choose(null):
                return None
            if self.is_text:
                return maker.text(range(first, first + length.of(maker)))
            return [part.decode(maker) for part in parts[: length.of(maker)]]

        def code(offset: int) -> Code:
            body = parts[0].code(0) if parts else []
            count = NEVER if length.leaf is None else length.leaf
            size = max(1, self.element_type.size)
            words = [offset, null, size, length.most, count, self.room + self.terminated, stride, len(body)]
            return [Operation.VECTOR, *words, *body]

        return Plan(decode, code)

    def text(self, value: Any) -> str:
        """A string literal, or a compound literal of an array."""
        if value is None:
            return "NULL"
        count = len(value) + self.room + 1 if self.room else None
        if self.is_text:
            return literals.string(value, self.element_type.name, self.type.is_const, count)
        items = ", ".join(self.element.inner(item) for item in value)
        target = self.type.target
        is_flat = isinstance(target, Opaque) or (isinstance(target, Array) and target.is_variable)
        return f"{'(void *)' * is_flat}({literals.array_of(self.element_type, count)}){{{items or '0'}}}"

    def __str__(self) -> str:
        return f"str:{self.length}" if self.is_text else f"list[{self.element}]:{self.length}"


@dataclass(frozen=True, slots=True)
class CChar(CSpec):
    """A character of a text, which is no NUL."""

    type: Number
    low: int = 1
    high: int = 255

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """One leaf of kind char."""
        leaf = allocator.leaf("char", name, self.low, self.high)
        return Plan(lambda maker: maker.integer(leaf), lambda offset: [Operation.INT, offset, 1, leaf])

    def text(self, value: Any) -> str:
        """A number."""
        return str(value)

    def __str__(self) -> str:
        return f"char:{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class CArray(CSpec):
    """An array inside of a struct or of another array."""

    type: Array
    element: CSpec

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """The leaves of every element in order."""
        count = allocator.length(self.type.count, name).most
        first = len(allocator.domains)
        parts = [self.element.allocate(allocator, f"{name}[{i}]") for i in range(count)]
        stride = (len(allocator.domains) - first) // max(1, count)

        def code(offset: int) -> Code:
            body = parts[0].code(0) if parts else []
            return [Operation.REPEAT, offset, self.type.element.size, count, stride, len(body), *body]

        return Plan(lambda maker: [part.decode(maker) for part in parts], code)

    def text(self, value: Any) -> str:
        """An initialiser."""
        return f"{{{', '.join(self.element.inner(item) for item in value) or '0'}}}"

    def __str__(self) -> str:
        return f"list[{self.element}]:{self.type.count}"


@dataclass(frozen=True, slots=True)
class CStruct(CSpec):
    """A struct with all its members, or a union with one of them."""

    type: Struct
    members: tuple[tuple[Member, CSpec], ...]

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """The leaves of the members; of a union first which one it has."""
        members = self.members
        if self.type.is_union and members:
            leaf = allocator.leaf("choice", f"{name}?", 0, len(members) - 1)
            parts = [spec.allocate(allocator, f"{name}.{member.name}") for member, spec in members]
            offsets = [member.offset for member, _ in members]
            return Plan(
                lambda maker: _member(members, parts, maker.choose(leaf), maker),
                lambda offset: _select(leaf, [part.code(offset + o) for part, o in zip(parts, offsets, strict=True)]),
            )
        parts = [spec.allocate(allocator, f"{name}.{member.name}") for member, spec in members]
        pairs = list(zip(parts, members, strict=True))
        return Plan(
            lambda maker: {member.name: part.decode(maker) for part, (member, _) in pairs},
            lambda offset: [word for part, (member, _) in pairs for word in part.code(offset + member.offset)],
        )

    def text(self, value: Any) -> str:
        """A compound literal."""
        return f"({self.type.name}){self.inner(value)}"

    def inner(self, value: Any) -> str:
        """An initialiser of the members by their names."""
        specs = {member.name: spec for member, spec in self.members}
        items = (
            f".{name} = {specs[name].inner(item)}" if name else specs[name].inner(item) for name, item in value.items()
        )
        return f"{{{', '.join(items) or '0'}}}"

    def __str__(self) -> str:
        return self.type.name


def _member(members: Sequence[tuple[Member, CSpec]], parts: Sequence[Plan], index: int, maker: Maker) -> Any:
    return {members[index][0].name: parts[index].decode(maker)}


def _select(leaf: int, bodies: Sequence[Code]) -> Code:
    words = [0, leaf, len(bodies), *map(len, bodies)]
    return [Operation.SELECT, *words, *(word for body in bodies for word in body)]


@dataclass(frozen=True, slots=True)
class CCallback(CSpec):
    """A pointer to a function that ignores what it is given and always returns the same, or NULL.

    That is -1, 0 or 1; of a function that returns a pointer NULL or a new block of memory, which are numbered 2 and 3.
    """

    type: Pointer
    nullable: bool = False

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """Whether there is a function, and what it returns."""
        null = allocator.leaf("choice", f"{name}?", 0, 1, start=1) if self.nullable else NEVER
        is_pointer = isinstance(self.type.target, Function) and self.type.target.returns_pointer
        leaf = allocator.leaf("int", f"{name}()", *((2, 3) if is_pointer else (-1, 1)), start=3 if is_pointer else 0)

        def decode(maker: Maker) -> int | None:
            return None if null != NEVER and not maker.choose(null) else maker.integer(leaf)

        return Plan(decode, lambda offset: [Operation.FUNCTION, offset, leaf, null])

    def text(self, value: Any) -> str:
        """The function that tests define for it."""
        return "NULL" if value is None else literals.callback(value)

    def __str__(self) -> str:
        return "callback|None" if self.nullable else "callback"
