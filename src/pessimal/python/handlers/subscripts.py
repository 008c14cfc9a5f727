"""``owner[index]`` with a symbolic index or key: read as one number where that can be, else decided by choices."""

from __future__ import annotations

import operator
from collections import deque
from enum import EnumMeta
from typing import Any

from pessimal.expr import App, Compare, Term, disjunction
from pessimal.python.compiled_code import is_foreign
from pessimal.python.deciding import between, decide, number_between, select
from pessimal.python.handlers.enums import named
from pessimal.python.marking import mark
from pessimal.python.refusals import watched
from pessimal.python.values import keyed
from pessimal.python.values.keyed import is_keyed, is_symbolic
from pessimal.python.values.number import SymBool, SymInt
from pessimal.python.values.sequence import step_within
from pessimal.python.values.text import SymBytes, SymStr

_ROWS = (list, tuple, deque)
_INTEGERS = (SymInt, SymBool)
LONGEST_TERM = 1024
"""Rows up to this length are read as one number; longer ones would make terms that no solver likes."""


def load(owner: Any, index: Any) -> Any:
    """``owner[index]``."""
    if isinstance(owner, dict):
        if is_symbolic(index) and not _has_own(owner, "__getitem__"):
            return keyed.read(owner, index)
        return owner[index]
    if type(index) in _INTEGERS:
        if isinstance(owner, _ROWS) and not _has_own(owner, "__getitem__"):
            return _element(owner, _term(index))
        if type(owner) in (str, bytes):
            return (SymStr if type(owner) is str else SymBytes)(tuple(_codes(owner)))[index]
        if type(owner) is range:
            return owner.start + _place(range(len(owner)), _term(index), "range object") * owner.step
    elif type(index) is slice and isinstance(owner, list | tuple | str | bytes) and _is_symbolic_slice(index):
        return owner[_plain_slice(index, len(owner))]
    elif type(index) is SymStr and isinstance(owner, EnumMeta):
        return named(owner, index)
    return watched(operator.getitem, (owner, index), {}) if is_foreign(type(owner)) else owner[index]


def store(owner: Any, index: Any, value: Any) -> None:
    """``owner[index] = value``."""
    if isinstance(owner, dict):
        if (is_symbolic(index) or is_keyed(owner)) and not _has_own(owner, "__setitem__"):
            keyed.store(owner, index, value)
            return
    elif isinstance(owner, _ROWS):
        index = _plain(owner, index, "assignment ")
    elif is_foreign(type(owner)):
        watched(operator.setitem, (owner, index, value), {})
        return
    owner[index] = value


def delete(owner: Any, index: Any) -> None:
    """``del owner[index]``."""
    if isinstance(owner, dict):
        if (is_symbolic(index) or is_keyed(owner)) and not _has_own(owner, "__delitem__"):
            keyed.delete(owner, index)
            return
    elif isinstance(owner, _ROWS):
        index = _plain(owner, index, "deletion ")
    elif is_foreign(type(owner)):
        watched(operator.delitem, (owner, index), {})
        return
    del owner[index]


def _has_own(owner: Any, name: str) -> bool:
    """Whether a class of the user's answers subscripts itself."""
    return hasattr(getattr(type(owner), name), "__code__") and not is_keyed(owner)


def _term(index: Any) -> Term:
    return index.as_int().expr if type(index) is SymBool else index.expr


def _codes(owner: str | bytes) -> list[int]:
    return list(map(ord, owner)) if isinstance(owner, str) else list(owner)


def _element(row: Any, term: Term) -> Any:
    """The element at a place: one number if all are integers, else one of the different ones."""
    if isinstance(term, int):
        return row[term]
    place = _within(row, term, "index")
    items = list(row)
    if len(items) <= LONGEST_TERM and all(type(item) is int for item in items):
        value = _tree(place, items, 0)
        return value if isinstance(value, int) else SymInt(mark(value))
    groups: list[tuple[Any, list[int]]] = []
    for i, item in enumerate(items):
        group = next((places for known, places in groups if known is item), None)
        if group is None:
            groups.append((item, [i]))
        else:
            group.append(i)
    return select([(_among(place, places), item) for item, places in groups[1:]], groups[0][0])


def _among(place: Term, places: list[int]) -> Any:
    """The condition that a place is one of several, consecutive ones together."""
    runs: list[list[int]] = []
    for i in places:
        if runs and runs[-1][1] == i - 1:
            runs[-1][1] = i
        else:
            runs.append([i, i])
    return disjunction([Compare("==", place, a) if a == b else between(place, a, b) for a, b in runs])


def _tree(place: Term, terms: list[Term], first: int) -> Term:
    """The term at a place as a balanced tree of conditions; equal neighbours need none."""
    if all(term is terms[0] or (isinstance(term, int) and term == terms[0]) for term in terms):
        return terms[0]
    half = len(terms) // 2
    below = _tree(place, terms[:half], first)
    above = _tree(place, terms[half:], first + half)
    return App("ite", (Compare("<", place, first + half), below, above), "int")


def _within(row: Any, term: Term, what: str) -> Term:
    """A place from the front, after deciding that there is one and from which end it counts."""
    size = len(row)
    if not decide(between(term, -size, size - 1)):
        raise IndexError(_complaint(row, what))
    if decide(Compare("<", term, 0)):
        return App("+", (term, size), "int")
    return term


def _complaint(row: Any, what: str) -> str:
    """The words that Python has for a place out of range."""
    try:
        if what == "assignment ":
            row[len(row)] = None
        elif what == "deletion ":
            del row[len(row)]
        else:
            row[len(row)]
    except IndexError as error:
        return str(error)
    raise AssertionError("a place beyond the end was found")


def _place(row: Any, term: Term, what: str) -> int:
    return number_between(_within(row, term, what), 0, len(row) - 1)


def _plain(row: Any, index: Any, what: str) -> Any:
    """An index or slice without symbolic parts."""
    if type(index) in _INTEGERS:
        return _place(row, _term(index), what)
    if type(index) is slice and _is_symbolic_slice(index):
        return _plain_slice(index, len(row))
    return index


def _is_symbolic_slice(index: slice) -> bool:
    return any(type(bound) in _INTEGERS for bound in (index.start, index.stop, index.step))


def _plain_slice(index: slice, size: int) -> slice:
    step = step_within(index.step, size)
    return slice(_bound(index.start, size), _bound(index.stop, size), step)


def _bound(bound: Any, size: int) -> Any:
    """A bound of a slice; beyond the ends all are alike."""
    if type(bound) not in _INTEGERS:
        return bound
    term = _term(bound)
    if decide(Compare(">=", term, size)):
        return size
    if decide(Compare("<", term, -size)):
        return -size - 1
    return number_between(term, -size, size - 1)
