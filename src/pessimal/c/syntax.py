"""Questions about the syntax tree of C that need no types: names, calls, constants, declared lengths."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import Any

from pessimal.c import extra
from pessimal.c.literal_values import literal_value

Node = Any
UNEVALUATED = {
    "sizeof_expression", "alignof_expression", "offsetof_expression", "generic_expression", "enum_specifier",
    "struct_specifier", "union_specifier", "array_declarator", "abstract_array_declarator", "bitfield_clause",
    "attribute_specifier", "gnu_asm_expression", "type_descriptor", "static_assert_declaration", "macro_type_specifier",
    "ERROR",
}  # fmt: skip
"""Where a statement expression is not allowed, or nothing is evaluated."""
_TYPE_OF = {"typeof", "__typeof", "__typeof__"}


def parsed(text: bytes) -> Node:
    """The syntax tree of preprocessed text."""
    tree_sitter = extra.load("tree_sitter")
    language = tree_sitter.Language(extra.load("tree_sitter_c").language())
    return tree_sitter.Parser(language).parse(text).root_node


def function_name(definition: Node) -> str | None:
    """The name of a function that is defined."""
    node = definition.child_by_field_name("declarator")
    while node is not None and node.type != "identifier":
        inner = node.child_by_field_name("declarator")
        node = inner or next((child for child in node.named_children if child.type.endswith("declarator")), None)
    return None if node is None else node.text.decode()


def declared_lengths(definition: Node) -> Iterator[tuple[str, int]]:
    """The parameters that are declared as arrays of a fixed length."""
    for parameter in _parameters(definition):
        array = parameter.child_by_field_name("declarator")
        while array is not None and array.type == "array_declarator":
            inner, size = array.child_by_field_name("declarator"), array.child_by_field_name("size")
            length = None if size is None else constant_value(size)
            if inner is not None and inner.type == "identifier" and length is not None and length > 0:
                yield inner.text.decode(), length
            array = inner


_ARITHMETIC = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv, "%": operator.mod,
    "<<": operator.lshift, ">>": operator.rshift, "|": operator.or_, "&": operator.and_,
}  # fmt: skip
_LARGEST = 1 << 31


def constant_value(node: Node) -> int | None:
    """The value of an expression of literals that are not negative; None of any other."""
    node = unwrapped(node)
    if node.type != "binary_expression":
        value = literal_value(node.text.decode(errors="replace"))
        return value if isinstance(value, int) and 0 <= value < _LARGEST else None
    left, right = (constant_value(node.child_by_field_name(side)) for side in ("left", "right"))
    compute = _ARITHMETIC.get(node.child_by_field_name("operator").type)
    if left is None or right is None or compute is None:
        return None
    try:
        value = compute(left, right)
    except (ArithmeticError, ValueError, MemoryError):
        return None
    return value if 0 <= value < _LARGEST else None


def dimensions(definition: Node) -> Iterator[tuple[str, str]]:
    """The parameters that say how long others are, as ``n`` in ``int m[n][n]``, each with one that it is about."""
    for parameter in _parameters(definition):
        array, sizes = parameter.child_by_field_name("declarator"), []
        while array is not None and array.type != "identifier":
            sizes += [array.child_by_field_name("size")] if array.type == "array_declarator" else []
            inside = (child for child in array.named_children if child.type.endswith(("declarator", "identifier")))
            array = array.child_by_field_name("declarator") or next(inside, None)
        for size in sizes if array is not None else ():
            if size is not None and unwrapped(size).type == "identifier":
                yield unwrapped(size).text.decode(), array.text.decode()


_ALIAS = re.compile(r"\b(\w+)\s*=\s*(?:\([\w\s*]+\)\s*)?(\w+)\s*[;,]")


def aliases(definition: Node) -> dict[str, str]:
    """The variables of a function to which another one is assigned as it is, each with the first such one."""
    found: dict[str, str] = {}
    for name, source in _ALIAS.findall(definition.text.decode(errors="replace")):
        found.setdefault(name, source)
    return found


def _parameters(definition: Node) -> list[Node]:
    declarator = definition.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    parameters = declarator and declarator.child_by_field_name("parameters")
    return list(parameters.named_children) if parameters else []


def has_code(declaration: Node) -> bool:
    """Whether a declaration initialises a variable at run time."""
    words = {child.text for child in declaration.children if child.type == "storage_class_specifier"}
    return b"static" not in words and any(child.type == "init_declarator" for child in declaration.children)


def unwrapped(node: Node) -> Node:
    """An expression without the parentheses around it."""
    while node.type == "parenthesized_expression" and len(node.named_children) == 1:
        node = node.named_children[0]
    return node


def callee(node: Node) -> str | None:
    """The function that an expression calls by its name."""
    node = unwrapped(node)
    if node.type != "call_expression":
        return None
    function = node.child_by_field_name("function")
    return function.text.decode() if function.type == "identifier" else None


def is_evaluated(node: Node) -> bool:
    """Whether an expression or a statement is one that runs, and not one that only has a size or a type."""
    return node.type not in UNEVALUATED and callee(node) not in _TYPE_OF


def is_constant(node: Node) -> bool:
    """Whether an expression has the same value in every run, as far as its text shows."""
    if node.type in UNEVALUATED or node.type in ("number_literal", "char_literal", "true", "false", "null"):
        return True
    if node.type in ("identifier", "call_expression", "string_literal", "compound_statement"):
        return callee(node) == "__builtin_constant_p"
    return all(is_constant(child) for child in node.named_children)
