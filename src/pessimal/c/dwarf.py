"""Signatures and layouts of types, read from the debugging information that the compiler wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pessimal.c import extra
from pessimal.c.ctype import Array, CType, Enum, Function, Member, Number, Opaque, Parameter, Pointer, Signature, Struct

_BOOLEAN, _FLOATING = 0x02, 0x04
_UNSIGNED = (0x02, 0x07, 0x08)
_CHARACTERS = (0x06, 0x08)
_QUALIFIERS = ("const_type", "volatile_type", "restrict_type", "atomic_type")


def signatures(file: Path, wanted: str | None = None, casts: Mapping[str, str] | None = None) -> dict[str, Signature]:
    """The functions that an object file defines, or only the one that is wanted.

    ``casts`` has for parameters what they are cast to, which is what those lead to that are ``void *``, or structs that
    others begin with.
    """
    elf = extra.load("elftools.elf.elffile")
    found: dict[str, Signature] = {}
    with file.open("rb") as stream:
        reader = _Reader()
        for unit in elf.ELFFile(stream).get_dwarf_info().iter_CUs():
            top = unit.get_top_DIE()
            for entry in top.iter_children():
                is_defined = entry.tag == "DW_TAG_subprogram" and "DW_AT_declaration" not in entry.attributes
                if is_defined and wanted in (None, _name(entry) or _name(_origin(entry))):
                    signature = reader.signature(entry)
                    found[signature.name] = reader.cast(signature, casts, top) if casts else signature
    return found


def data_ranges(file: Path) -> list[tuple[int, int]]:
    """Where a library keeps its variables: address and size of each part."""
    elf = extra.load("elftools.elf.elffile")
    with file.open("rb") as stream:
        sections = [elf.ELFFile(stream).get_section_by_name(name) for name in (".data", ".bss")]
        return [(item["sh_addr"], item["sh_size"]) for item in sections if item is not None and item["sh_size"]]


class _Reader:
    """Reads types, each once."""

    def __init__(self) -> None:
        self._known: dict[int, CType] = {}

    def signature(self, entry: Any) -> Signature:
        parameters = [child for child in entry.iter_children() if child.tag == "DW_TAG_formal_parameter"]
        named = [Parameter(_name(child) or f"arg{i}", self._required(child)) for i, child in enumerate(parameters)]
        return Signature(_name(entry) or _name(_origin(entry)), tuple(named), self._type_of(_origin(entry)))

    def cast(self, signature: Signature, casts: Mapping[str, str], unit: Any) -> Signature:
        """A signature with what its pointers are cast to that lead to anything, or to the head of a larger struct."""
        loose = {item.name for item in signature.parameters if _may_be_cast(item.type)}
        wanted = {casts[name] for name in loose if name in casts}
        types = {name: self.read(entry) for entry in unit.iter_children() if (name := _written(entry)) in wanted}
        targets = {name: types[casts[name]] for name in loose if types.get(casts.get(name, "")) is not None}
        parameters = [_leading_to(item, targets.get(item.name)) for item in signature.parameters]
        return replace(signature, parameters=tuple(parameters))

    def _required(self, entry: Any) -> CType:
        return self._type_of(_origin(entry)) or Opaque("void")

    def _type_of(self, entry: Any) -> CType | None:
        """The type of a thing; None for void."""
        return self.read(entry.get_DIE_from_attribute("DW_AT_type")) if "DW_AT_type" in entry.attributes else None

    def read(self, entry: Any) -> CType | None:
        """The type that an entry describes; None for void."""
        if entry.offset in self._known:
            return self._known[entry.offset]
        kind = entry.tag.removeprefix("DW_TAG_")
        if kind in _QUALIFIERS:
            return self._type_of(entry)
        if kind == "typedef":
            inner = self._type_of(entry)
            return None if inner is None else _renamed(inner, _name(entry))
        if kind in ("structure_type", "union_type"):
            return self._struct(entry, kind)
        made = self._plain(entry, kind)
        self._known[entry.offset] = made
        return made

    def _plain(self, entry: Any, kind: str) -> CType:
        name, size = _name(entry), _number(entry, "DW_AT_byte_size")
        match kind:
            case "base_type":
                encoding = _number(entry, "DW_AT_encoding")
                return Number(
                    name, size, encoding == _FLOATING, encoding not in _UNSIGNED, encoding in _CHARACTERS,
                    encoding == _BOOLEAN,
                )  # fmt: skip
            case "enumeration_type":
                members = [(_name(item), _number(item, "DW_AT_const_value")) for item in entry.iter_children()]
                return Enum(f"enum {name}" if name else "int", size, tuple(members))
            case "pointer_type":
                target = self._type_of(entry)
                return Pointer(_pointer_name(target), target, is_const=_is_const(entry))
            case "array_type":
                return self._array(entry)
            case "subroutine_type":
                returns = self._type_of(entry)
                name = f"__typeof__({returns.name if returns else 'void'} ())"
                return Function(name, returns_pointer=isinstance(returns, Pointer))
        return Opaque(name or kind, size)

    def _array(self, entry: Any) -> CType:
        element = self._required(entry)
        for child in reversed(list(entry.iter_children())):
            count = _number(child, "DW_AT_count") if "DW_AT_count" in child.attributes else _upper_bound(child) + 1
            element = Array(f"__typeof__({element.name}[{count}])", element, count, max(0, count * element.size))
        return element

    def _struct(self, entry: Any, kind: str) -> CType:
        tag, name = ("union" if kind == "union_type" else "struct"), _name(entry)
        if "DW_AT_declaration" in entry.attributes:
            return Opaque(f"{tag} {name}")
        made = Struct(f"{tag} {name}" if name else "", _number(entry, "DW_AT_byte_size"), tag == "union")
        self._known[entry.offset] = made
        made.members += [self._member(item) for item in entry.iter_children() if item.tag == "DW_TAG_member"]
        return made

    def _member(self, entry: Any) -> Member:
        name, kind, offset = _name(entry), self._required(entry), _number(entry, "DW_AT_data_member_location")
        if "DW_AT_bit_size" not in entry.attributes:
            return Member(name, kind, offset)
        width = _number(entry, "DW_AT_bit_size")
        if "DW_AT_data_bit_offset" in entry.attributes:
            bit = _number(entry, "DW_AT_data_bit_offset")
        else:  # counted from the most significant bit
            bit = 8 * offset + 8 * kind.size - width - _number(entry, "DW_AT_bit_offset")
        unit = bit // (8 * kind.size) * kind.size
        return Member(name, kind, unit, bit - 8 * unit, width)


def _is_const(pointer: Any) -> bool:
    has_type = "DW_AT_type" in pointer.attributes
    return has_type and pointer.get_DIE_from_attribute("DW_AT_type").tag == "DW_TAG_const_type"


def _pointer_name(target: CType | None) -> str:
    if isinstance(target, Array) and target.is_variable:
        return "void *"
    if isinstance(target, Array | Function):
        return f"__typeof__({target.name} *)"
    return f"{target.name if target else 'void'} *".replace("* *", "**")


def _renamed(kind: CType, name: str) -> CType:
    """A type by the name that a typedef gives it, where it has no other that can be written."""
    if isinstance(kind, Struct) and not kind.name:
        kind.name = name
    if isinstance(kind, Enum) and kind.name == "int":
        return Enum(name, kind.size, kind.members)
    return kind


def _may_be_cast(kind: CType) -> bool:
    return isinstance(kind, Pointer) and (kind.target is None or isinstance(kind.target, Struct))


def _leading_to(parameter: Parameter, target: CType | None) -> Parameter:
    kind = parameter.type
    if not isinstance(kind, Pointer) or target is None or not target.size:
        return parameter
    if kind.target is not None and not (isinstance(target, Struct) and target.size > kind.target.size):
        return parameter
    return replace(parameter, type=replace(kind, target=target))


def _written(entry: Any) -> str:
    """How a type is written that has a name."""
    words = {"DW_TAG_structure_type": "struct ", "DW_TAG_union_type": "union ", "DW_TAG_enumeration_type": "enum "}
    is_plain = entry.tag in ("DW_TAG_typedef", "DW_TAG_base_type")
    return words.get(entry.tag, "") + _name(entry) if is_plain or entry.tag in words else ""


def _name(entry: Any) -> str:
    attribute = entry.attributes.get("DW_AT_name")
    return "" if attribute is None else attribute.value.decode(errors="replace")


def _number(entry: Any, name: str) -> int:
    attribute = entry.attributes.get(name)
    return attribute.value if attribute is not None and isinstance(attribute.value, int) else 0


def _upper_bound(entry: Any) -> int:
    """The largest index; -1 for an array without a length, less where only the running program knows the length."""
    bound = entry.attributes.get("DW_AT_upper_bound")
    if bound is None:
        return -1
    return bound.value if isinstance(bound.value, int) and not bound.form.startswith("DW_FORM_ref") else -2


def _origin(entry: Any) -> Any:
    """The entry that has the name and type of another, which refers to it."""
    name = "DW_AT_abstract_origin"
    if name not in entry.attributes:
        name = "DW_AT_specification"
    return entry.get_DIE_from_attribute(name) if name in entry.attributes else entry
