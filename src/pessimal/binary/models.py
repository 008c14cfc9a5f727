"""String functions of the C library, byte by byte.

The real ones look at sixteen bytes at once, so that each of their conditions hangs on sixteen bytes of the input. A
model has the conditions that the programmer had in mind. Models are used in every run, so that all runs count alike.
"""

from __future__ import annotations

from pessimal.binary import terms
from pessimal.binary.elf import relocated_names
from pessimal.binary.image import Image
from pessimal.binary.number_models import atof, strtod
from pessimal.binary.registers import RDI, RDX, RSI
from pessimal.binary.terms import Value
from pessimal.binary.views import Model, Returned, View, numbers

LONGEST = 1 << 20
"""A string that has no end before this is left to the real function."""


def _strlen(view: View) -> Returned | None:
    given = numbers(view, RDI)
    if given is None:
        return None
    for length in range(LONGEST):
        byte = view.byte_at(given[0] + length)
        if byte is None:
            return None
        if view.ask(view.equal(byte, 0)):
            return Returned(length, length + 1)
    return None


def _difference(a: Value, b: Value) -> Value:
    """What comparing functions return for the first bytes that differ."""
    low = terms.apply("bvsub", 32, terms.zero_extend(32, a, 8), terms.zero_extend(32, b, 8))
    return terms.zero_extend(64, low, 32)


def _compare(view: View, first: int, second: int, most: int, *, ends_at_zero: bool) -> Returned | None:
    for i in range(min(most, LONGEST)):
        a, b = view.byte_at(first + i), view.byte_at(second + i)
        if a is None or b is None:
            return None
        if not view.ask(view.equal(a, b)):
            return Returned(_difference(a, b), i + 1)
        if ends_at_zero and view.ask(view.equal(b if type(b) is int else a, 0)):
            return Returned(0, i + 1)
    return Returned(0, most) if most <= LONGEST else None


def _memcmp(view: View) -> Returned | None:
    given = numbers(view, RDI, RSI, RDX)
    return None if given is None else _compare(view, given[0], given[1], given[2], ends_at_zero=False)


def _strcmp(view: View) -> Returned | None:
    given = numbers(view, RDI, RSI)
    return None if given is None else _compare(view, given[0], given[1], LONGEST + 1, ends_at_zero=True)


def _strncmp(view: View) -> Returned | None:
    given = numbers(view, RDI, RSI, RDX)
    return None if given is None else _compare(view, given[0], given[1], given[2], ends_at_zero=True)


def _search(view: View, start: int, most: int, *, ends_at_zero: bool) -> Returned | None:
    wanted = terms.extract(7, 0, view.whole(RSI))
    for i in range(min(most, LONGEST)):
        byte = view.byte_at(start + i)
        if byte is None:
            return None
        if view.ask(view.equal(byte, wanted)):
            return Returned(start + i, i + 1)
        if ends_at_zero and view.ask(view.equal(byte, 0)):
            return Returned(0, i + 1)
    return Returned(0, most) if most <= LONGEST else None


def _memchr(view: View) -> Returned | None:
    given = numbers(view, RDI, RDX)
    return None if given is None else _search(view, given[0], given[1], ends_at_zero=False)


def _strchr(view: View) -> Returned | None:
    given = numbers(view, RDI)
    return None if given is None else _search(view, given[0], LONGEST + 1, ends_at_zero=True)


MODELS: dict[str, Model] = {
    "strlen": _strlen,
    "memcmp": _memcmp,
    "bcmp": _memcmp,
    "strcmp": _strcmp,
    "strncmp": _strncmp,
    "memchr": _memchr,
    "strchr": _strchr,
    "strtod": strtod,
    "atof": atof,
}


def modelled(image: Image, path: str) -> dict[int, Model]:
    """The models by the addresses of the functions that the file at a path was bound to."""
    found: dict[int, Model] = {}
    base = next((module.base for module in image.modules if module.path == path), 0)
    for offset, name in relocated_names(path, frozenset(MODELS)):
        address = int.from_bytes(image.read(base + offset, 8), "little")
        if image.module_at(address) is not None:
            found[address] = MODELS[name]
    return found
