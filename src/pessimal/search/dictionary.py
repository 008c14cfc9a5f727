"""A dictionary: pieces of input made from the literals in the code of a target, for each kind of leaf."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pessimal.expr import Leaf
from pessimal.inputs import Domain

MOST_PIECES = 400

Literal: TypeAlias = int | float | str


class Dictionary:
    """The pieces that fit into a domain: single numbers, or texts as sequences of code points."""

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        self._literals = list(literals)
        self._pieces: dict[tuple[object, ...], list[list[Leaf]]] = {}

    def pieces(self, domain: Domain) -> list[list[Leaf]]:
        """The pieces for a span of such leaves."""
        key = domain.kind, domain.low, domain.high
        if key not in self._pieces:
            self._pieces[key] = list(self._made(domain).values())
        return self._pieces[key]

    def _made(self, domain: Domain) -> dict[tuple[Leaf, ...], list[Leaf]]:
        texts = domain.kind in ("char", "byte")
        candidates = [piece for each in self._literals for piece in (_text(each) if texts else _numbers(each))]
        fitting = [piece for piece in candidates if all(value in domain for value in _typed(piece, domain))]
        return {tuple(piece): _typed(piece, domain) for piece in fitting[:MOST_PIECES]}


def _typed(piece: Sequence[Leaf], domain: Domain) -> list[Leaf]:
    return [float(value) for value in piece] if domain.kind == "float" else list(piece)


def _text(literal: Literal) -> list[list[Leaf]]:
    """A text as it is and its characters; a number as the character with that code."""
    if isinstance(literal, str):
        codes: list[Leaf] = [ord(each) for each in literal]
        return [codes, *([code] for code in codes)]
    return [[literal]] if type(literal) is int else []


def _numbers(literal: Literal) -> list[list[Leaf]]:
    """A number and its neighbours; of a text, its length."""
    if isinstance(literal, str):
        return [[len(literal)]]
    if not abs(literal) < 1e300:
        return []
    return [[literal], [literal + 1], [literal - 1]]
