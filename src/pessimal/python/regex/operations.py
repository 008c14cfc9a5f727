"""What ``re`` does with matches: find one, find all, split, substitute."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from pessimal.expr import Compare, Expr, Term, disjunction
from pessimal.python.deciding import decide
from pessimal.python.regex.matcher import Matcher
from pessimal.python.regex.objects import SymMatch, expanded, template_parts
from pessimal.python.regex.program import program_of
from pessimal.python.values import SymBytes, SymStr
from pessimal.python.values.text import SymSequence

_BACKSLASH = ord("\\")


class Scan:
    """One call's look at one text: the part of it that the pattern may see, and the pattern on it."""

    def __init__(self, pattern: re.Pattern[Any], string: Any, pos: int = 0, endpos: int | None = None) -> None:
        kind = SymBytes if isinstance(pattern.pattern, bytes) else SymStr
        codes = kind.codes_of(string)
        if codes is None:
            pattern.match("" if isinstance(string, str) else b"")  # raises what Python says to the wrong kind of text
            raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
        size = len(codes)
        self.pattern = pattern
        self.string = string
        self.endpos = size if endpos is None else min(max(endpos, 0), size)
        self.pos = min(max(pos, 0), size)
        self._matcher = Matcher(program_of(pattern), pattern, codes[: self.endpos])

    def at(self, *, full: bool = False) -> SymMatch | None:
        """The match that begins at the first position."""
        return self._match(range(self.pos, self.pos + 1), full=full)

    def search(self, start: int, barred: bool = False) -> SymMatch | None:
        """The first match from a position on; a barred position cannot be an empty match again."""
        return self._match(range(start, self.endpos + 1), barred=start if barred else None)

    def all(self) -> Iterator[SymMatch]:
        """All matches that do not overlap."""
        start, barred = self.pos, False
        while start <= self.endpos:
            match = self.search(start, barred)
            if match is None:
                return
            yield match
            first, start = match.span()
            barred = first == start

    def _match(self, starts: range, *, full: bool = False, barred: int | None = None) -> SymMatch | None:
        if starts.start > self.endpos:
            return None
        found = self._matcher.find(starts, full=full, barred=barred)
        return None if found is None else SymMatch(found, self.pattern, self.string, self.pos, self.endpos)


def match(pattern: re.Pattern[Any], string: Any, pos: int = 0, endpos: int | None = None) -> SymMatch | None:
    """``Pattern.match``."""
    return Scan(pattern, string, pos, endpos).at()


def fullmatch(pattern: re.Pattern[Any], string: Any, pos: int = 0, endpos: int | None = None) -> SymMatch | None:
    """``Pattern.fullmatch``."""
    return Scan(pattern, string, pos, endpos).at(full=True)


def search(pattern: re.Pattern[Any], string: Any, pos: int = 0, endpos: int | None = None) -> SymMatch | None:
    """``Pattern.search``."""
    scan = Scan(pattern, string, pos, endpos)
    return scan.search(scan.pos)


def finditer(pattern: re.Pattern[Any], string: Any, pos: int = 0, endpos: int | None = None) -> Iterator[SymMatch]:
    """``Pattern.finditer``."""
    return Scan(pattern, string, pos, endpos).all()


def findall(pattern: re.Pattern[Any], string: Any, pos: int = 0, endpos: int | None = None) -> list[Any]:
    """``Pattern.findall``."""
    empty = string[:0]
    matches = finditer(pattern, string, pos, endpos)
    if pattern.groups > 1:
        return [match.groups(empty) for match in matches]
    return [match.groups(empty)[0] if pattern.groups else match.group() for match in matches]


def split(pattern: re.Pattern[Any], string: Any, maxsplit: int = 0) -> list[Any]:
    """``Pattern.split``."""
    parts: list[Any] = []
    end = 0
    for found in _at_most(maxsplit, finditer(pattern, string)):
        parts += [string[end : found.start()], *found.groups()]
        end = found.end()
    return [*parts, string[end:]]


def subn(pattern: re.Pattern[Any], repl: Any, string: Any, count: int = 0) -> tuple[Any, int]:
    """``Pattern.subn``; plain text has native matches, which may still be replaced by symbolic text."""
    matches = finditer(pattern, string) if isinstance(string, SymSequence) else pattern.finditer(string)
    replace = _replacement(pattern, repl)
    result, end, done = string[:0], 0, 0
    for found in _at_most(count, matches):
        result = result + string[end : found.start()]
        new = replace(found)
        result = result if new is None else result + new
        end = found.end()
        done += 1
    return result + string[end:], done


def _at_most(count: int, matches: Iterator[Any]) -> Iterator[Any]:
    """So many matches and no search beyond them; zero means all, and a negative number none, as in ``re``."""
    return islice(matches, max(count, 0)) if count else matches


def _replacement(pattern: re.Pattern[Any], repl: Any) -> Callable[[Any], Any]:
    """What a match is replaced by: a function's result, or a template filled in."""
    if callable(repl):
        function: Callable[[Any], Any] = repl
        return function
    if isinstance(repl, SymSequence):
        if not decide(disjunction([_is_backslash(code) for code in repl.codes])):
            return lambda found: repl
        repl = repl.concrete("a template of re.sub()")
    parts = template_parts(repl, pattern)
    return lambda found: expanded(parts, found)


def _is_backslash(code: Term) -> Expr:
    return code == _BACKSLASH if type(code) is int else Compare("==", code, _BACKSLASH)
