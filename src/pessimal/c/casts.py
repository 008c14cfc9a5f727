"""What ``void *`` parameters are really: the types that a function casts or assigns them to."""

from __future__ import annotations

from collections.abc import Iterator

from pessimal.c.syntax import Node, unwrapped

_NO_TYPE = {"void", "char", "unsigned char", "signed char", "uint8_t", "int8_t"}
"""Casts to these say nothing about what is there: bytes are what a ``void *`` leads to anyway."""


def cast_types(definition: Node) -> dict[str, str]:
    """For each name the type of what it leads to, by the first cast to a pointer, or pointer that it initialises."""
    found: dict[str, str] = {}
    casts = sorted(_casts(definition.child_by_field_name("body")), key=lambda item: item[2].start_byte)
    for name, kind, _ in casts:
        if kind not in _NO_TYPE:
            found.setdefault(name, kind)
    return found


def _casts(body: Node) -> Iterator[tuple[str, str, Node]]:
    pending = [body]
    while pending:
        node = pending.pop()
        pending += node.named_children
        if node.type == "cast_expression":
            source, kind = node.child_by_field_name("value"), node.child_by_field_name("type")
            pointer = kind.child_by_field_name("declarator") if kind is not None else None
            if pointer is not None and pointer.type == "abstract_pointer_declarator" and not pointer.named_children:
                yield from _named(source, _type_name(kind), node)
        elif node.type == "declaration":
            for item in node.children_by_field_name("declarator"):
                pointer, source = item.child_by_field_name("declarator"), item.child_by_field_name("value")
                is_plain = pointer is not None and pointer.type == "pointer_declarator" and source is not None
                if is_plain and pointer.child_by_field_name("declarator").type == "identifier":
                    yield from _named(source, _type_name(node), node)


def _named(source: Node, kind: str, node: Node) -> Iterator[tuple[str, str, Node]]:
    source = unwrapped(source)
    if source.type == "identifier" and kind:
        yield source.text.decode(), kind, node


def _type_name(node: Node) -> str:
    kind = node.child_by_field_name("type")
    if kind is None or kind.child_by_field_name("body") is not None:
        return ""
    return " ".join(kind.text.decode(errors="replace").split())
