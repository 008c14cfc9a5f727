"""Case mapping of symbolic text: a tree of ranges with an offset each; characters that grow are decided as choices."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from pessimal.expr import Compare, Expr, Term, conjunction, disjunction, negation
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python.deciding import decide
from pessimal.python.tables import table
from pessimal.python.values.characters import FINAL_SIGMA, SIGMA, SMALL_SIGMA, Classes
from pessimal.python.values.rows import LAST_ASCII, Ranges, Row, apply, bounds, either, ranges_of, same, shifted, within

_LOWERING = ("lower", "swapcase")


class Run(NamedTuple):
    """Neighbouring characters from ``first`` on that move by the same distance, by the parity of their codes."""

    first: int
    even: int
    odd: int


class Mapping(NamedTuple):
    """What a method such as ``upper`` makes of single characters."""

    runs: tuple[Run, ...]
    grown: dict[int, Row]
    growing: Ranges


@table
def mapping(method: str, top: int) -> Mapping:
    """The mapping of a method for characters up to ``top``, read off Python's own results."""
    distances: list[int | None] = []
    grown: dict[int, Row] = {}
    for code in range(top + 1):
        mapped = getattr(chr(code), method)()
        if len(mapped) == 1:
            distances.append(ord(mapped) - code)
        else:
            distances.append(None)
            grown[code] = tuple(map(ord, mapped))
    return Mapping(_runs(distances), grown, ranges_of(grown))


def _runs(distances: list[int | None]) -> tuple[Run, ...]:
    """Cut a table into runs; None fits everywhere."""
    runs: list[Run] = []
    first = 0
    fixed: list[int | None] = [None, None]
    for code, distance in enumerate(distances):
        held = fixed[code & 1]
        if distance is None or held == distance:
            continue
        if held is not None:
            runs.append(Run(first, fixed[0] or 0, fixed[1] or 0))
            first, fixed = code, [None, None]
        fixed[code & 1] = distance
    return (*runs, Run(first, fixed[0] or 0, fixed[1] or 0))


@table
def byte_mapping(table: bytes) -> tuple[Run, ...]:
    """The runs of a table for ``bytes.translate``."""
    return _runs([new - old for old, new in enumerate(table)])


def moved(code: Term, runs: tuple[Run, ...], top: int = LAST_CHARACTER) -> Term:
    """What a code is mapped to, as a balanced tree over the runs that it may lie in."""
    low, high = bounds(code, top)
    firsts = [run.first for run in runs]
    return _moved(code, runs[max(0, bisect_right(firsts, low) - 1) : bisect_right(firsts, high)])


def _moved(code: Term, runs: tuple[Run, ...]) -> Term:
    if len(runs) == 1:
        _, even, odd = runs[0]
        if even == odd:
            return shifted(code, even)
        return either(same(apply("%", code, 2), 0), shifted(code, even), shifted(code, odd))
    middle = len(runs) // 2
    return either(Compare("<", code, runs[middle].first), _moved(code, runs[:middle]), _moved(code, runs[middle:]))


class Casing:
    """Changes the case of one row of codes."""

    def __init__(self, codes: Row, kind: type) -> None:
        self.codes = codes
        self.kind = kind
        self.classes = Classes(codes, kind)

    def each(self, method: str) -> Row:
        """Every character mapped by a method: ``upper``, ``lower``, ``casefold`` or ``swapcase``."""
        return sum((self._at(i, method) for i in range(len(self.codes))), ())

    def capitalized(self) -> Row:
        """The first character as it starts a word, the others small."""
        return sum((self._at(i, "lower" if i else "title") for i in range(len(self.codes))), ())

    def titled(self) -> Row:
        """Characters that start a word as capitals, others small; which ones do is a choice only if that is unknown."""
        result: Row = ()
        inside: Expr = False
        for i, code in enumerate(self.codes):
            result += self._titled_at(i, inside)
            inside = self.classes.belongs(code, "cased")
        return result

    def _titled_at(self, i: int, inside: Expr) -> Row:
        if not isinstance(inside, bool) and self._is_short(self.codes[i]):
            return (either(inside, *self._at(i, "lower"), *self._at(i, "title")),)
        return self._at(i, "lower" if decide(inside) else "title")

    def _is_short(self, code: Term) -> bool:
        """Whether a character is ASCII, or one of a text that is, so that it keeps its length."""
        return bounds(code, self.classes.top if type(code) is not int else LAST_CHARACTER)[1] <= LAST_ASCII

    def _at(self, i: int, method: str) -> Row:
        code = self.codes[i]
        if self.kind is bytes:
            return (moved(code, mapping(method, LAST_ASCII).runs),)
        if self._is_short(code) or decide(Compare("<=", code, LAST_ASCII)):
            return (moved(code, mapping(method, LAST_ASCII).runs, LAST_ASCII),)
        if method in _LOWERING and decide(same(code, SIGMA)):
            return (either(self._is_final(i), FINAL_SIGMA, SMALL_SIGMA),)
        full = mapping(method, LAST_CHARACTER)
        if decide(within(code, full.growing)):
            return _grown(code, full.grown)
        return (moved(code, full.runs),)

    def _is_final(self, i: int) -> Expr:
        """The condition that a sigma at a position ends its word, which makes it another letter."""
        before: Expr = False
        for code in self.codes[:i]:
            before = self._word_end(code, before)
        after: Expr = False
        for code in reversed(self.codes[i + 1 :]):
            after = self._word_end(code, after)
        return conjunction([before, negation(after)])

    def _word_end(self, code: Term, beyond: Expr) -> Expr:
        belongs = self.classes.belongs
        return disjunction([belongs(code, "ends a word"), conjunction([belongs(code, "is skipped"), beyond])])


def _grown(code: Term, grown: dict[int, Row]) -> Row:
    """What a character becomes that is known to be mapped to several, found by halving the characters in order."""
    low, high = bounds(code)
    olds = [old for old in grown if low <= old <= high]
    while len(olds) > 1:
        half = len(olds) // 2
        olds = olds[:half] if decide(Compare("<", code, olds[half])) else olds[half:]
    return grown[olds[0]]
