"""Structs that end with an array without a length: an object with as many elements behind it as the size says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pessimal.c.ctype import Array, Pointer, Struct
from pessimal.c.layout import NEVER, Code, CSpec, CStruct, Operation, Plan
from pessimal.inputs import Allocator, Maker


@dataclass(frozen=True, slots=True)
class CFlexible(CSpec):
    """A pointer to a struct and the elements of its last member, or NULL if it may be."""

    type: Pointer
    target: CStruct
    member: str
    element: CSpec
    element_size: int
    nullable: bool

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """Whether there is an object, the leaves of the struct, and those of all elements."""
        leaf = allocator.leaf("choice", f"{name}?", 0, 1, start=1) if self.nullable else NEVER
        inner = self.target.allocate(allocator, f"*{name}")
        count, first = allocator.resolve("N"), len(allocator.domains)
        parts = [self.element.allocate(allocator, f"{name}->{self.member}[{i}]") for i in range(count)]
        stride = (len(allocator.domains) - first) // max(1, count)
        start = self.target.type.size

        def decode(maker: Maker) -> Any:
            if leaf != NEVER and not maker.choose(leaf):
                return None
            return {**inner.decode(maker), self.member: [part.decode(maker) for part in parts]}

        def code(offset: int) -> Code:
            element = parts[0].code(0) if parts else []
            tail = [Operation.REPEAT, start, self.element_size, count, stride, len(element), *element]
            body = [*inner.code(0), *tail]
            return [Operation.POINTER, offset, leaf, max(start + count * self.element_size, 1), len(body), *body]

        return Plan(decode, code)

    def text(self, value: Any) -> str:
        """The address of a compound literal that has room for the elements."""
        if value is None:
            return "NULL"
        elements, own = value[self.member], {name: item for name, item in value.items() if name != self.member}
        name, kind = self.target.type.name, getattr(self.element, "type").name  # noqa: B009
        written = ", ".join(self.element.inner(item) for item in elements) or "0"
        room = f"struct {{ {name} own; {kind} more[{max(1, len(elements))}]; }}"
        return f"({name} *)&({room}){{{self.target.inner(own)}, {{{written}}}}}"

    def __str__(self) -> str:
        return f"{self.target} with {self.member}[N]"


def flexible_member(struct: Struct) -> Array | None:
    """The array without a length that a struct ends with, if its elements begin where the struct ends."""
    last = struct.members[-1] if struct.members and not struct.is_union else None
    is_open = last is not None and isinstance(last.type, Array) and last.type.count == 0 and last.offset == struct.size
    return last.type if last is not None and is_open and isinstance(last.type, Array) else None
