"""Functions whose hints use names that are defined for type checkers alone."""

from __future__ import annotations

import typing

TYPE_CHECKING = False

if typing.TYPE_CHECKING:
    import decimal
    from fractions import Fraction as Part

    import no_such_module_at_all

    from .no_such_neighbour import Nothing

    Number: typing.TypeAlias = int | float

if TYPE_CHECKING:
    Word = str


def uses(a: decimal.Decimal, b: Part, c: Number, d: Word, e: list[Word] | None = None) -> Nothing:
    return a, b, c, d, e


def needs(x: no_such_module_at_all.Thing, y: Word) -> int:
    return 1


class Held:
    def __init__(self, word: Word) -> None:
        self.word = word
