"""The match object of symbolic text; asking it for a span or group is what decides where the match lies."""

from __future__ import annotations

import operator
import re
from typing import Any

from pessimal.python.regex.classes import parser
from pessimal.python.regex.matcher import Found


class SymMatch:
    """A match on symbolic text, with the interface of ``re.Match``."""

    __class__ = property(lambda self: re.Match)

    def __init__(self, found: Found, pattern: re.Pattern[Any], string: Any, pos: int, endpos: int) -> None:
        self._found = found
        self.re = pattern
        self.string = string
        self.pos = pos
        self.endpos = endpos

    def __bool__(self) -> bool:
        return True

    @property
    def lastindex(self) -> int | None:
        """The number of the group that ended last."""
        return self._found.last

    @property
    def lastgroup(self) -> str | None:
        """The name of the group that ended last."""
        return next((name for name, group in self.re.groupindex.items() if group == self.lastindex), None)

    @property
    def regs(self) -> tuple[tuple[int, int], ...]:
        """All spans."""
        return tuple(self.span(group) for group in range(self.re.groups + 1))

    def span(self, group: Any = 0) -> tuple[int, int]:
        """Where a group begins and ends."""
        number = self._number(group)
        first, last = self._found.spans[2 * number : 2 * number + 2]
        return (first, last) if first >= 0 and last >= 0 else (-1, -1)

    def start(self, group: Any = 0) -> int:
        """Where a group begins."""
        return self.span(group)[0]

    def end(self, group: Any = 0) -> int:
        """Where a group ends."""
        return self.span(group)[1]

    def group(self, *groups: Any) -> Any:
        """The text of a group, or of several."""
        if len(groups) > 1:
            return tuple(self[group] for group in groups)
        return self[groups[0] if groups else 0]

    def __getitem__(self, group: Any) -> Any:
        return self._text(group, None)

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        """The texts of all groups."""
        return tuple(self._text(group, default) for group in range(1, self.re.groups + 1))

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        """The texts of all named groups."""
        return {name: self._text(group, default) for name, group in self.re.groupindex.items()}

    def expand(self, template: Any) -> Any:
        """A template with the groups put in."""
        return expanded(template_parts(template, self.re), self)

    def _text(self, group: Any, default: Any) -> Any:
        first, last = self.span(group)
        return default if first < 0 else self.string[first:last]

    def _number(self, group: Any) -> int:
        if isinstance(group, str):
            number = self.re.groupindex.get(_plain(group))
        else:
            try:
                number = operator.index(group)
            except TypeError:
                number = None
        if number is None or not 0 <= number <= self.re.groups:
            raise IndexError("no such group")
        return number

    def __copy__(self) -> SymMatch:
        return self

    def __deepcopy__(self, memo: object) -> SymMatch:
        return self

    def __repr__(self) -> str:
        return f"<re.Match object; span={self.span()}, match={self.group()!r}>"


def _plain(name: Any) -> str:
    plain: str = name.concrete("the name of a group") if hasattr(name, "codes") else name
    return plain


def template_parts(template: Any, pattern: re.Pattern[Any]) -> list[Any]:
    """A template as literal texts and numbers of groups."""
    parsed: Any = parser.parse_template(template, pattern)
    if isinstance(parsed, list):
        return parsed
    groups, parts = parsed  # up to Python 3.11: literals with gaps, and which group fills which gap
    for position, group in groups:
        parts[position] = group
    return list(parts)


def expanded(parts: list[Any], match: Any) -> Any:
    """The parts of a template with a match's groups put in; a group that took no part is empty."""
    result = match.string[:0]
    for part in parts:
        text = match[part] if type(part) is int else part
        result = result if text is None else result + text
    return result
