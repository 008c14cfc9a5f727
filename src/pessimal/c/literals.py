"""Values written as C: literals, compound literals and initialisers."""

from __future__ import annotations

import math

from pessimal.c.ctype import Array, CType, Enum, Number, Pointer

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_CALLBACKS = {-1: "minus_one", 0: "zero", 1: "one", 2: "null", 3: "block"}
_DEFINITIONS = {
    **{f"pessimal_{_CALLBACKS[value]}": f"long {{name}}(void) {{{{ return {value}; }}}}" for value in (-1, 0, 1)},
    "pessimal_null": "void *{name}(void) {{ return 0; }}",
    "pessimal_block": "void *{name}(void) {{ return calloc(1, 65536); }}",
}


def integer(value: int, kind: Number | Enum | Pointer) -> str:
    """An integer as a constant of its type; of an enumeration by its name."""
    if isinstance(kind, Enum):
        names = {number: name for name, number in kind.members}
        return names.get(value, f"({kind.name}){value}")
    if isinstance(kind, Number) and not kind.is_signed and kind.size >= 4:
        return f"{value}u" if kind.size == 4 else f"{value}ul"
    if value == -(1 << 63):
        return "(-9223372036854775807l - 1)"
    if value == -(1 << 31):
        return "(-2147483647 - 1)"
    return str(value) if abs(value) < 1 << 31 else f"{value}l"


def real(value: float) -> str:
    """A floating number exactly, with the names of ``math.h`` for what is not finite."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(float(value))


def string(value: str, kind: str = "char", is_const: bool = True, count: int | None = None) -> str:
    """A text as a literal, or as an array of its characters, or of a larger ``count``, where it may be written to."""
    parts = [_ESCAPES.get(char) or (char if " " <= char <= "~" else f"\\{ord(char):03o}") for char in value]
    literal = '"' + "".join(parts).replace("??", '?""?') + '"'
    if not is_const:
        return f"({kind}[{count or ''}]){{{literal}}}"
    return literal if kind == "char" else f"({kind} *){literal}"


def callback(value: int) -> str:
    """The name of a function that always returns the same number, or NULL, or a new block of memory."""
    return f"(void *)pessimal_{_CALLBACKS[value]}"


def callbacks_used(text: str) -> list[str]:
    """The definitions of the functions that a text names."""
    return [f"static {made.format(name=name)}" for name, made in _DEFINITIONS.items() if name in text]


def array_of(element: CType, count: int | None = None) -> str:
    """The type of an array of so many elements, or of as many as its initialiser has."""
    name = f"__typeof__({element.name}) " if isinstance(element, Array | Pointer) else element.name
    return f"{name}[{count or ''}]"
