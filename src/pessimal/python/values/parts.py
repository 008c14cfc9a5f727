"""Where parts of text lie: found, counted, cut and replaced by choices on rows of codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pessimal.expr import App, Expr, Term
from pessimal.python.deciding import decide, number_between
from pessimal.python.values.rows import Row, either, equal, one_of, same

Test = Callable[[Term], Expr]


def first(codes: Row, part: Row, start: int, end: int) -> int:
    """Where a part begins first between two positions; -1 where it does not."""
    for i in range(start, end - len(part) + 1):
        if decide(equal(codes[i : i + len(part)], part)):
            return i
    return -1


def last(codes: Row, part: Row, start: int, end: int) -> int:
    """Where a part begins last between two positions; -1 where it does not."""
    for i in range(end - len(part), start - 1, -1):
        if decide(equal(codes[i : i + len(part)], part)):
            return i
    return -1


def places(codes: Row, part: Row, limit: int) -> list[int]:
    """Where a part lies, from left to right without overlap, at most ``limit`` times if that is not negative."""
    found: list[int] = []
    i = 0
    while len(found) != limit:
        i = first(codes, part, i, len(codes))
        if i < 0:
            break
        found.append(i)
        i += len(part)
    return found


def count(codes: Row, part: Row) -> int:
    """How often a part lies in a row; for a single code only the number is decided, not the places."""
    if len(part) != 1:
        return len(places(codes, part, -1)) if part else len(codes) + 1
    tests = [same(code, part[0]) for code in codes]
    sure = tests.count(True)
    total: Term = sure
    for test in tests:
        if not isinstance(test, bool):
            total = App("+", (total, App("ite", (test, 1, 0), "int")), "int")
    return number_between(total, sure, len(codes))


def replace(codes: Row, old: Row, new: Row, limit: int) -> Row:
    """A row with a part replaced; one code for one code needs no choice."""
    if not old:
        return _interleave(codes, new, limit)
    if limit < 0 and len(old) == len(new) == 1:
        return tuple(either(same(code, old[0]), new[0], code) for code in codes)
    pieces = _cut(codes, places(codes, old, limit), len(old))
    result = pieces[0]
    for piece in pieces[1:]:
        result += new + piece
    return result


def _interleave(codes: Row, new: Row, limit: int) -> Row:
    times = len(codes) + 1 if limit < 0 else min(limit, len(codes) + 1)
    result: Row = ()
    for i in range(len(codes) + 1):
        result += (new if i < times else ()) + codes[i : i + 1]
    return result


def split(codes: Row, separator: Row, limit: int) -> list[Row]:
    """The pieces between separators."""
    return _cut(codes, places(codes, separator, limit), len(separator))


def _cut(codes: Row, at: Sequence[int], size: int) -> list[Row]:
    starts = [0, *(i + size for i in at)]
    return [codes[start:end] for start, end in zip(starts, [*at, len(codes)], strict=True)]


def words(codes: Row, is_space: Test, limit: int) -> list[Row]:
    """The pieces between white space; what is left after the limit keeps its own."""
    found: list[Row] = []
    i = _skip(codes, 0, is_space, True)
    while i < len(codes) and len(found) != limit:
        end = _skip(codes, i + 1, is_space, False)
        found.append(codes[i:end])
        i = _skip(codes, end + 1, is_space, True)
    if i < len(codes):
        found.append(codes[i:])
    return found


def _skip(codes: Row, i: int, test: Test, wanted: bool) -> int:
    """The first position from ``i`` on whose test is not as wanted."""
    while i < len(codes) and decide(test(codes[i])) is wanted:
        i += 1
    return i


def strip(codes: Row, test: Test, left: bool, right: bool) -> Row:
    """A row without the codes at its ends that pass a test."""
    start = _skip(codes, 0, test, True) if left else 0
    rest = codes[start:]
    return rest[: len(rest) - _skip(rest[::-1], 0, test, True)] if right else rest


def backwards(cut: Callable[[Row], list[Row]], codes: Row) -> list[Row]:
    """The pieces that a cutter finds from the right, in their usual order."""
    return [piece[::-1] for piece in reversed(cut(codes[::-1]))]


def lines(codes: Row, is_break: Test, keep: bool) -> list[Row]:
    """The lines of a row; a carriage return and the line feed behind it are one break."""
    found: list[Row] = []
    start = i = 0
    while i < len(codes):
        if not decide(is_break(codes[i])):
            i += 1
            continue
        pair = i + 1 < len(codes) and decide(same(codes[i], 13)) and decide(same(codes[i + 1], 10))
        end = i + 2 if pair else i + 1
        found.append(codes[start : end if keep else i])
        start = i = end
    if start < len(codes):
        found.append(codes[start:])
    return found


def without_tabs(codes: Row, size: int) -> Row:
    """A row with spaces up to the next column in the place of tabs."""
    result: Row = ()
    column = 0
    for i, code in enumerate(codes):
        if decide(same(code, 9)):
            width = size - column % size if size > 0 else 0
            result += (32,) * width
            column += width
            continue
        result += (code,)
        column += 1
        if any(same(other, 9) is not False for other in codes[i + 1 :]) and decide(_is_line_end(code)):
            column = 0
    return result


def _is_line_end(code: Term) -> Expr:
    return one_of(code, (10, 13))
