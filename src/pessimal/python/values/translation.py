"""Tables of ``str.translate`` and ``str.maketrans`` on symbolic text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pessimal.expr import Expr, Term
from pessimal.inputs.domain import LAST_CHARACTER
from pessimal.python.deciding import decide, select
from pessimal.python.values.number import SymBool, SymInt, operand
from pessimal.python.values.rows import Row, bounds, either, ranges_of, within
from pessimal.python.values.sequence import number

CodesOf = Callable[[Any], Row | None]


def translated(codes: Row, table: Any, codes_of: CodesOf) -> Row:
    """A row with every code looked up in a table: a dictionary with plain keys is read, all else is asked."""
    result: Row = ()
    entries = _entries(table, codes_of) if any(type(code) is not int for code in codes) else None
    for code in codes:
        if entries is None or type(code) is int:
            result += _asked(code, table, codes_of)
        else:
            result += _looked_up(code, entries)
    return result


def _entries(table: Any, codes_of: CodesOf) -> dict[int, Row] | None:
    """The replacements by code, where the table is a plain mapping whose keys can be listed."""
    if isinstance(table, dict):
        if hasattr(type(table), "__missing__") or any(type(key) in (SymInt, SymBool) for key in table):
            return None
        return {int(key): _replacement(new, codes_of) for key, new in dict.items(table) if isinstance(key, int)}
    text = codes_of(table)
    return None if text is None else {key: (code,) for key, code in enumerate(text)}


def _asked(code: Term, table: Any, codes_of: CodesOf) -> Row:
    try:
        value = table[number(code)]
    except LookupError:
        return (code,)
    return _replacement(value, codes_of)


def _replacement(value: Any, codes_of: CodesOf) -> Row:
    if value is None:
        return ()
    if isinstance(value, int):
        term = operand(value)
        assert term is not None
        if not decide(_is_character(term)):
            raise ValueError("character mapping must be in range(0x110000)")
        return (term,)
    codes = codes_of(value)
    if codes is None:
        raise TypeError("character mapping must return integer, None or str")
    return codes


def _is_character(term: Term) -> Expr:
    return within(term, ((0, LAST_CHARACTER),), LAST_CHARACTER + 1)


def _looked_up(code: Term, entries: dict[int, Row]) -> Row:
    """One for one is an alternative inside the term; a replacement of another length is decided."""
    low, high = bounds(code)
    singles: dict[Term, list[int]] = {}
    others: dict[Row, list[int]] = {}
    for key, new in entries.items():
        if low <= key <= high:
            if len(new) == 1:
                singles.setdefault(new[0], []).append(key)
            else:
                others.setdefault(new, []).append(key)
    cases = [(within(code, ranges_of(keys)), new) for new, keys in others.items()]
    found: Row | None = select(cases, None)
    if found is not None:
        return found
    result = code
    for single, keys in singles.items():
        result = either(within(code, ranges_of(keys)), single, result)
    return (result,)
