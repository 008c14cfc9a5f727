"""The methods that text and bytes share, on rows of codes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from pessimal.expr import Expr, Term, conjunction, disjunction
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python.deciding import decide
from pessimal.python.values import parts
from pessimal.python.values.casing import Casing
from pessimal.python.values.characters import LAST_BYTE, Classes, members
from pessimal.python.values.rows import Row, equal, is_plain, one_of, within
from pessimal.python.values.sequence import LARGEST, SymSequence, amount, clamped, flag_of, limit_of, sample_of

_BLANK: Any = object()


class Methods(SymSequence):
    """Searching, cutting, filling, classes of characters and case."""

    __slots__ = ()

    def _part(self, value: Any, method: str, *args: Any) -> Row:
        """The codes of an argument that must be of the same kind; otherwise what Python raises."""
        codes = self.codes_of(value)
        return self._raise_natively(method, value, *args) if codes is None else codes

    def _sought(self, value: Any, method: str) -> Row:
        """The codes of what is searched for."""
        return self._part(value, method)

    def _span(self, start: Any, end: Any) -> tuple[int, int]:
        """The positions that a search is limited to; a start behind the end finds not even an empty part."""
        size = len(self.codes)
        low = clamped(start, size, size + 1)
        _, last, _ = slice(low, clamped(end, size)).indices(size)
        low = 0 if low is None else operator.index(low)
        return max(0, low + size) if low < 0 else low, last

    def find(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        """Where a part begins first, decided from the left."""
        return parts.first(self.codes, self._sought(sub, "find"), *self._span(start, end))

    def rfind(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        """Where a part begins last, decided from the right."""
        return parts.last(self.codes, self._sought(sub, "rfind"), *self._span(start, end))

    def index(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        """Where a part begins first; an error if it is not there."""
        return self._present(parts.first(self.codes, self._sought(sub, "index"), *self._span(start, end)))

    def rindex(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        """Where a part begins last; an error if it is not there."""
        return self._present(parts.last(self.codes, self._sought(sub, "rindex"), *self._span(start, end)))

    def _present(self, position: int) -> int:
        if position < 0:
            raise ValueError("substring not found" if self.plain is str else "subsection not found")
        return position

    def count(self, sub: Any, start: Any = None, end: Any = None, /) -> int:
        """How often a part occurs."""
        part, (first, last) = self._sought(sub, "count"), self._span(start, end)
        return parts.count(self.codes[first:last], part) if first <= last else 0

    def startswith(self, prefix: Any, start: Any = None, end: Any = None, /) -> Any:
        """Whether the value begins with a prefix, or with one of several."""
        return self._affix(prefix, self._span(start, end), "startswith")

    def endswith(self, suffix: Any, start: Any = None, end: Any = None, /) -> Any:
        """Whether the value ends with a suffix, or with one of several."""
        return self._affix(suffix, self._span(start, end), "endswith")

    def _affix(self, affix: Any, span: tuple[int, int], method: str) -> Any:
        codes = self.codes[slice(*span)]
        cases: list[Expr] = []
        others: list[Term] = []
        for option in affix if isinstance(affix, tuple) else (affix,):
            wanted = self.codes_of(option)
            if wanted is None:
                if decide(disjunction(cases)):
                    return True  # Python looks no further
                self._raise_natively(method, (option,) if isinstance(affix, tuple) else affix)
            size = len(wanted)
            fits = size <= len(codes) and span[0] <= span[1]
            part = codes[:size] if method == "startswith" else codes[len(codes) - size :]
            cases.append(fits and equal(part, wanted))
            others.extend(wanted)
        return self._answer(disjunction(cases), others)

    def removeprefix(self, prefix: Any, /) -> Any:
        """The value without a prefix that it has."""
        part = self._part(prefix, "removeprefix")
        return self.make(self.codes[len(part) :] if decide(equal(self.codes[: len(part)], part)) else self.codes)

    def removesuffix(self, suffix: Any, /) -> Any:
        """The value without a suffix that it has."""
        part = self._part(suffix, "removesuffix")
        rest = len(self.codes) - len(part)
        return self.make(self.codes[:rest] if rest >= 0 and decide(equal(self.codes[rest:], part)) else self.codes)

    def replace(self, old: Any, new: Any, count: Any = -1, /) -> Any:
        """The value with a part replaced."""
        part, other = self._part(old, "replace", new), self.codes_of(new)
        if other is None:
            self._raise_natively("replace", old, new)
        return self.make(parts.replace(self.codes, part, other, limit_of(count, len(self.codes))))

    def split(self, sep: Any = None, maxsplit: Any = -1) -> list[Any]:
        """The pieces between separators or white space, decided from the left."""
        cut = self._cutter(sep, maxsplit, "split", 1)
        return [self.make(piece) for piece in cut(self.codes)]

    def rsplit(self, sep: Any = None, maxsplit: Any = -1) -> list[Any]:
        """The pieces between separators or white space, decided from the right."""
        cut = self._cutter(sep, maxsplit, "rsplit", -1)
        return [self.make(piece) for piece in parts.backwards(cut, self.codes)]

    def _cutter(self, sep: Any, maxsplit: Any, method: str, order: int) -> Callable[[Row], list[Row]]:
        limit = limit_of(maxsplit, len(self.codes))
        if sep is None:
            return lambda codes: parts.words(codes, self._is_space, limit)
        separator = self._part(sep, method)[::order]
        if not separator:
            raise ValueError("empty separator")
        return lambda codes: parts.split(codes, separator, limit)

    def partition(self, sep: Any, /) -> tuple[Any, Any, Any]:
        """What lies before a separator, the separator, and what lies behind it."""
        part = self._separator(sep, "partition")
        return self._around(parts.first(self.codes, part, 0, len(self.codes)), len(part), False)

    def rpartition(self, sep: Any, /) -> tuple[Any, Any, Any]:
        """The same for the last separator."""
        part = self._separator(sep, "rpartition")
        return self._around(parts.last(self.codes, part, 0, len(self.codes)), len(part), True)

    def _separator(self, sep: Any, method: str) -> Row:
        part = self._part(sep, method)
        if not part:
            raise ValueError("empty separator")
        return part

    def _around(self, position: int, size: int, from_right: bool) -> tuple[Any, Any, Any]:
        codes = self.codes
        rows: tuple[Row, Row, Row] = (codes[:position], codes[position : position + size], codes[position + size :])
        if position < 0:
            rows = ((), (), codes) if from_right else (codes, (), ())
        before, middle, after = map(self.make, rows)
        return before, middle, after

    def splitlines(self, keepends: Any = False) -> list[Any]:
        """The lines of the value."""
        keep = flag_of(keepends)
        return [self.make(line) for line in parts.lines(self.codes, self._breaks, keep)]

    def strip(self, chars: Any = None, /) -> Any:
        """The value without white space, or other characters, at its ends."""
        return self.make(parts.strip(self.codes, self._stripped(chars, "strip"), True, True))

    def lstrip(self, chars: Any = None, /) -> Any:
        """The same at the left end only."""
        return self.make(parts.strip(self.codes, self._stripped(chars, "lstrip"), True, False))

    def rstrip(self, chars: Any = None, /) -> Any:
        """The same at the right end only."""
        return self.make(parts.strip(self.codes, self._stripped(chars, "rstrip"), False, True))

    def _stripped(self, chars: Any, method: str) -> parts.Test:
        if chars is None:
            return self._is_space
        options = self._part(chars, method)
        return lambda code: one_of(code, options)

    def _is_space(self, code: Term) -> Expr:
        return within(code, members("isspace", self.plain, self._last()))

    def _breaks(self, code: Term) -> Expr:
        return within(code, members("breaks lines", self.plain, self._last()))

    def _last(self) -> int:
        return LAST_CHARACTER if self.plain is str else LAST_BYTE

    def join(self, iterable: Iterable[Any], /) -> Any:
        """Parts put together with the value between them."""
        result: Row = ()
        items = list(iterable)
        for i, item in enumerate(items):
            codes = self.codes_of(item)
            if codes is None:
                self._raise_natively("join", [sample_of(part) for part in items])
            result += self.codes + codes if i else codes
        return self.make(result)

    def center(self, width: Any, fillchar: Any = _BLANK, /) -> Any:
        """The value in the middle of a given width."""
        return self._filled("center", width, fillchar)

    def ljust(self, width: Any, fillchar: Any = _BLANK, /) -> Any:
        """The value at the left of a given width."""
        return self._filled("ljust", width, fillchar)

    def rjust(self, width: Any, fillchar: Any = _BLANK, /) -> Any:
        """The value at the right of a given width."""
        return self._filled("rjust", width, fillchar)

    def _filled(self, method: str, width: Any, fillchar: Any) -> Any:
        size = len(self.codes)
        columns = amount(width, size, size + LARGEST)
        fill = (32,) if fillchar is _BLANK else self.codes_of(fillchar)
        if fill is None or len(fill) != 1:
            self._raise_natively(method, columns, fillchar)
        left = len(getattr("x" * size, method)(columns).split("x")[0]) if size else 0
        return self.make(fill * left + self.codes + fill * (columns - size - left))

    def zfill(self, width: Any, /) -> Any:
        """The value with zeros to its left, behind a sign, which is decided."""
        size = len(self.codes)
        zeros = (48,) * (amount(width, size, size + LARGEST) - size)
        sign = 1 if zeros and size and decide(one_of(self.codes[0], (43, 45))) else 0
        return self.make(self.codes[:sign] + zeros + self.codes[sign:])

    def expandtabs(self, tabsize: Any = 8) -> Any:
        """The value with spaces for tabs."""
        return self.make(parts.without_tabs(self.codes, amount(tabsize, 0, LARGEST)))

    def _class(self, condition: Callable[[Classes], Expr], empty: bool = False) -> Any:
        """The answer of a test of all characters; the empty value has one of its own."""
        if not self.codes:
            return empty
        return self._answer(condition(Classes(self.codes, self.plain)))

    def isalpha(self) -> Any:
        """Whether all are letters."""
        return self._class(lambda classes: classes.all("isalpha"))

    def isalnum(self) -> Any:
        """Whether all are letters or numbers."""
        return self._class(lambda classes: classes.all("isalnum"))

    def isdigit(self) -> Any:
        """Whether all are digits."""
        return self._class(lambda classes: classes.all("isdigit"))

    def isspace(self) -> Any:
        """Whether all are white space."""
        return self._class(lambda classes: classes.all("isspace"))

    def isascii(self) -> Any:
        """Whether all are ASCII."""
        return self._answer(_all_within(self.codes))

    def islower(self) -> Any:
        """Whether there are small letters and no others with a case."""
        return self._class(lambda classes: classes.all_of_one("islower", "bars lower"))

    def isupper(self) -> Any:
        """Whether there are capitals and no others with a case."""
        return self._class(lambda classes: classes.all_of_one("isupper", "bars upper"))

    def istitle(self) -> Any:
        """Whether all words start with a capital and go on with small letters."""
        return self._class(Classes.titled)

    def _cased(self, mapped: Callable[[Casing], Row], method: str) -> Any:
        if is_plain(self.codes):
            return getattr(self.native(self.codes), method)()
        return self.make(mapped(Casing(self.codes, self.plain)))

    def upper(self) -> Any:
        """The value in capitals."""
        return self._cased(lambda casing: casing.each("upper"), "upper")

    def lower(self) -> Any:
        """The value in small letters."""
        return self._cased(lambda casing: casing.each("lower"), "lower")

    def swapcase(self) -> Any:
        """The value with capitals and small letters exchanged."""
        return self._cased(lambda casing: casing.each("swapcase"), "swapcase")

    def capitalize(self) -> Any:
        """The value with one capital at its start."""
        return self._cased(Casing.capitalized, "capitalize")

    def title(self) -> Any:
        """The value with a capital at the start of each word."""
        return self._cased(Casing.titled, "title")


def _all_within(codes: Row) -> Expr:
    return conjunction([within(code, ((0, 127),)) for code in codes])
