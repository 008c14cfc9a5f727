"""Which functions of a file may run in our own process: those that can change nothing there but what is theirs.

Such a function assigns to variables by their names only, and calls only functions that do the same and a few of the C
library that write nothing. It may read through pointers: what goes wrong then is a signal, and what takes long is ended
by its steps. Everything that is not understood makes a function unfit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from pessimal.c.syntax import Node, function_name, is_constant, unwrapped

_READING = re.compile(
    r"str(n?len|n?cmp|n?casecmp|r?chr|str|c?spn|pbrk)|mem(cmp|chr)"
    r"|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(lower|upper)"
    r"|__ctype_(b|tolower|toupper)_loc|l{0,2}abs|(fabs|sqrt|floor|ceil|round|trunc|fmod|fmin|fmax|cbrt|hypot|pow)f?"
    r"|a?(sin|cos|tan)[hf]?|atan2|exp2?|log(2|10)?"
    r"|__builtin_(expect|constant_p|(clz|ctz|popcount|parity)l{0,2}|bswap(16|32|64)|is(nan|inf_sign|finite)|signbit|fabs)"
)
"""Functions of the C library and the compiler that write nothing."""
_HIDDEN_CODE = re.compile(rb"\b(__)?(constructor|ifunc|cleanup|thread)(__)?\b|\b_Thread_local\b|\b__thread\b")
"""Words of code that runs unseen, or when a library is loaded, and of variables that no run resets."""
_FOREIGN = re.compile(rb"\b(u?intptr_t|FILE)\b")
"""Addresses as numbers, which are other ones in each process, and streams, which would have to be closed."""
_UNFIT = {"gnu_asm_expression", "function_definition", "variadic_parameter"}


def harmless(root: Node, left_alone: Collection[str]) -> frozenset[str]:
    """The functions of a preprocessed file that may run in our own process, of those that are instrumented."""
    if _HIDDEN_CODE.search(root.text):
        return frozenset()
    variables = {name for child in root.children if child.type == "declaration" for name in _own_variables(child)}
    calls: dict[str, set[str]] = {}
    for definition in (child for child in root.children if child.type == "function_definition"):
        name, called = function_name(definition), _calls(definition, variables)
        if name is not None and called is not None and name not in left_alone:
            calls[name] = called
    return _closed(calls)


def _closed(calls: dict[str, set[str]]) -> frozenset[str]:
    """The functions that call none but each other and those that only read."""
    fit = set(calls)
    while unfit := {name for name in fit if not all(_READING.fullmatch(item) for item in calls[name] - fit)}:
        fit -= unfit
    return frozenset(fit)


def _calls(definition: Node, variables: Collection[str]) -> set[str] | None:
    """What a function calls; None if it is not harmless whatever that does."""
    if definition.has_error or _FOREIGN.search(definition.text):
        return None
    nodes = list(_inside(definition))
    own = {name for node in nodes if node.type in ("declaration", "parameter_declaration") for name in _declared(node)}
    own.update(variables)
    called = set()
    for node in nodes:
        if not _is_fit(node, own):
            return None
        if node.type == "call_expression":
            called.add(node.child_by_field_name("function").text.decode(errors="replace"))
    return called


def _is_fit(node: Node, own: Collection[str]) -> bool:
    match node.type:
        case "assignment_expression":
            return _is_variable(node.child_by_field_name("left"), own)
        case "update_expression":
            return _is_variable(node.child_by_field_name("argument"), own)
        case "call_expression":
            return bool(node.child_by_field_name("function").type == "identifier")
        case "goto_statement":
            return node.child_by_field_name("label") is not None
        case "array_declarator":
            size = node.child_by_field_name("size")
            return size is None or is_constant(size)
    return node.type not in _UNFIT


def _is_variable(target: Node, own: Collection[str]) -> bool:
    """Whether something that is assigned to is a variable of the file or the function, or a member of one."""
    target = unwrapped(target)
    if target.type == "field_expression" and target.child_by_field_name("operator").type == ".":
        return _is_variable(target.child_by_field_name("argument"), own)
    return target.type == "identifier" and target.text.decode(errors="replace") in own


def _own_variables(declaration: Node) -> Iterator[str]:
    """The variables that a declaration outside of functions defines; those of others belong to the whole process."""
    if b"extern" not in {child.text for child in declaration.children if child.type == "storage_class_specifier"}:
        yield from _declared(declaration)


def _declared(declaration: Node) -> Iterator[str]:
    """The names that a declaration declares."""
    for part in declaration.children_by_field_name("declarator"):
        node = part
        while node is not None and node.type != "identifier":
            inside = (child for child in node.named_children if child.type.endswith(("declarator", "identifier")))
            node = node.child_by_field_name("declarator") or next(inside, None)
        if node is not None:
            yield node.text.decode(errors="replace")


def _inside(definition: Node) -> Iterator[Node]:
    pending = list(definition.children)
    while pending:
        node = pending.pop()
        yield node
        pending += node.children
