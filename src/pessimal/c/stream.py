"""``FILE *``: a stream that reads a text in memory, and may write over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pessimal.c.ctype import Pointer
from pessimal.c.layout import Code, CSpec, CVector, Operation, Plan
from pessimal.inputs import Allocator


@dataclass(frozen=True, slots=True)
class CStream(CSpec):
    """A stream over a text, or NULL if it may be."""

    type: Pointer
    content: CVector

    def allocate(self, allocator: Allocator, name: str) -> Plan:
        """The leaves of the text."""
        content = self.content.allocate(allocator, name)

        def code(offset: int) -> Code:
            body = content.code(offset)
            return [Operation.STREAM, offset, len(body), *body]

        return Plan(content.decode, code)

    def text(self, value: Any) -> str:
        """A call that opens the stream."""
        return "NULL" if value is None else f'fmemopen({self.content.text(value)}, {len(value)}, "r+")'

    def __str__(self) -> str:
        return str(self.content)
