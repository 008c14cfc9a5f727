"""What a run returned, read from memory and written as C."""

from __future__ import annotations

import struct

from pessimal.c import literals
from pessimal.c.ctype import CType, Enum, Number, Pointer, Struct

_FLOATS = {4: "f", 8: "d"}
MOST_BYTES = 4096


def shown(kind: CType | None, data: bytes, text: bytes | None) -> str | None:
    """A returned value as text; None where nothing is returned. ``text`` is what a pointer to characters leads to."""
    if kind is None:
        return None
    match kind:
        case Number():
            return number(kind, data)
        case Enum():
            return literals.integer(int.from_bytes(data[: kind.size], "little", signed=True), kind)
        case Pointer():
            if not any(data[: kind.size]):
                return "NULL"
            return "a pointer" if text is None else literals.string(text.decode("latin-1"))
        case Struct() if kind.size <= MOST_BYTES:
            return _members(kind, data)
    return None


def number(kind: Number, data: bytes) -> str:
    """A number in memory as a literal."""
    if kind.is_float:
        if kind.size in _FLOATS:
            return literals.real(struct.unpack_from(_FLOATS[kind.size], data)[0])
        return f"0x{data[:10][::-1].hex()}"  # an extended number, exactly
    return str(int.from_bytes(data[: kind.size], "little", signed=kind.is_signed))


def _members(kind: Struct, data: bytes) -> str:
    plain = [member for member in kind.members if isinstance(member.type, Number | Enum) and not member.width]
    parts = [f".{member.name} = {shown(member.type, data[member.offset :], None)}" for member in plain]
    return f"{{{', '.join(parts)}}}"
