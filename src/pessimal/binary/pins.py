"""What is made concrete where a term cannot be followed: its parts, or the bytes of the input that it hangs on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pessimal.binary.terms import leaves_of
from pessimal.expr import App, Offset, Term

DEEPEST, MOST_BYTES = 24, 16
"""A deeper term is made concrete by its bytes, if it hangs on so few: no solver would find another value of it soon."""


def pinned_parts(found: Iterable[Any]) -> tuple[Term, ...]:
    """The terms that get a value in place of some others, each term and each leaf once."""
    once: dict[Any, Any] = {}
    for term in found:
        for part in _parts(term):
            once.setdefault(part.var if type(part) is Offset else id(part), part)
    return tuple(once.values())


def _parts(term: Any) -> list[Any]:
    """The bytes of the input that a term is put together from, or the term itself."""
    if type(term) is not App:
        return [term] if type(term) is Offset else []
    if term.op == "bv":
        return [term.args[1]]
    if term.op == "zero_extend":
        return _parts(term.args[1])
    if term.op == "concat":
        return [*_parts(term.args[2]), *_parts(term.args[3])]
    leaves = leaves_of(term) if term.depth > DEEPEST else 0
    if 0 < leaves.bit_count() <= MOST_BYTES:
        return [Offset(index) for index in range(leaves.bit_length()) if leaves >> index & 1]
    return [term]
