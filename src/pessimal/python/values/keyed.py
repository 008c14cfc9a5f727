"""Dicts and sets with symbolic keys: which member a key equals is decided by choices among the members.

Rewritten code makes its dicts and sets of the plain classes here, which differ from the built-in ones in nothing but
that the first symbolic key turns an object into its symbolic class. That one holds its keys by identity, pairwise
different on the path so far, and looks every key up by asking which of them it equals. Both pretend to be the
built-in class. What a concrete run looks up by hash is not counted there: so it is not here, and a value that was a
key counts no more.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pessimal.expr import App, Expr, conjunction, disjunction
from pessimal.python import current
from pessimal.python.deciding import decide, select
from pessimal.python.marking import mark
from pessimal.python.values.number import SymBool, SymFloat, SymInt
from pessimal.python.values.objects import hashes_its_state, holds_symbolic, same_object
from pessimal.python.values.text import SymBytes, SymStr

MISSING: Any = object()
_NUMBERS = (SymInt, SymFloat)
_TEXTS = (SymStr, SymBytes)
_PREVAILING = (OrderedDict, defaultdict)
_SYMBOLIC = frozenset((SymInt, SymFloat, SymBool, SymStr, SymBytes))
switch_class = object.__dict__["__class__"].__set__


def is_symbolic(key: Any) -> bool:
    """Whether a key holds something symbolic, so that its hash says nothing."""
    if type(key) in _SYMBOLIC:
        return True
    if isinstance(key, tuple):
        return any(is_symbolic(part) for part in key)
    if isinstance(key, Keyed):
        return isinstance(key, frozenset)
    return hashes_its_state(key) and holds_symbolic(key, is_symbolic)


def alike(key: Any, other: Any) -> Expr:
    """The condition that two keys are equal."""
    if key is other:
        return True
    if isinstance(key, tuple) and isinstance(other, tuple):
        if len(key) != len(other):
            return False
        return conjunction([alike(a, b) for a, b in zip(key, other, strict=True)])
    if hashes_its_state(key) or hashes_its_state(other):
        return same_object(key, other, alike)
    answer = key == other if type(key) in _SYMBOLIC else other == key
    return answer.expr if type(answer) is SymBool else bool(answer)


def hashed(key: Any) -> None:
    """Note that a value served as a key: from here on no truth test of it is counted, as in concrete runs."""
    if type(key) in _NUMBERS:
        key.expr = mark(key.expr)
    elif type(key) in _TEXTS:
        key.codes = tuple(mark(code) for code in key.codes)
    elif isinstance(key, tuple):
        for part in key:
            hashed(part)


def find(table: Any, key: Any) -> Any:
    """The member of a dict or set that a key equals, decided by choices; ``MISSING`` if there is none."""
    symbolic = is_symbolic(key)
    if not symbolic and _plain_contains(table, key):
        return _member(table, key)
    if not symbolic and not is_keyed(table):
        return MISSING
    if current.execution.identity_hash:
        return key if _plain_contains(table, key) else MISSING
    if symbolic:
        hashed(key)
    members = [member for member in _members(table) if symbolic or is_symbolic(member)]
    cases: list[tuple[Expr, Any]] = []
    for member in members:
        same = alike(key, member)
        if same is True:
            return member
        if same is not False:
            cases.append((same, member))
    return select(cases, MISSING)


def _member(table: Any, key: Any) -> Any:
    """The very member that a plain key equals."""
    if not is_keyed(table):
        return key
    plain = (member for member in _members(table) if not is_symbolic(member))
    return next(member for member in plain if member is key or member == key)


def holds(table: Any, key: Any) -> Expr:
    """The condition that a dict or set holds a key."""
    if is_symbolic(key) and current.execution.identity_hash:
        return _plain_contains(table, key)
    if is_symbolic(key):
        hashed(key)
    elif _plain_contains(table, key):
        return True
    elif not is_keyed(table):
        return False
    return disjunction([alike(key, member) for member in _members(table)])


def is_keyed(table: Any) -> bool:
    """Whether a dict or set has symbolic keys."""
    return isinstance(table, Keyed)


def _members(table: Any) -> Iterator[Any]:
    if isinstance(table, dict):
        return dict.__iter__(table)
    return iter(table.order) if is_keyed(table) else iter(table)


def _plain_contains(table: Any, key: Any) -> bool:
    base = dict if isinstance(table, dict) else frozenset if isinstance(table, frozenset) else set
    return base.__contains__(table, key)


def on_table(operation: Callable[..., Any], table: Any, key: Any, *rest: Any) -> Any:
    """An operation of the built-in class; a symbolic key of a table that holds such is hashed by identity."""
    execution = current.execution
    if not (is_keyed(table) and is_symbolic(key)):
        return operation(table, key, *rest)
    before, execution.identity_hash = execution.identity_hash, True
    try:
        return operation(table, key, *rest)
    finally:
        execution.identity_hash = before


def store(table: Any, key: Any, value: Any) -> None:
    """``table[key] = value``: under the key that it equals, or as a new one."""
    if not is_keyed(table) and not is_symbolic(key):
        _base(table).__setitem__(table, key, value)
        return
    member = find(table, key)
    if member is MISSING:
        member = admit(table, key)
    on_table(_base(table).__setitem__, table, member, value)


def admit(table: Any, key: Any) -> Any:
    """A new key as it is kept: symbolic where the table can hold that, else made concrete."""
    if type(key) is SymBool:
        return key.concrete("hash()")  # of two values each is soon known, and both equal numbers
    if not is_symbolic(key) or is_keyed(table):
        return key
    symbolic = SYMBOLIC_OF.get(type(table))
    if symbolic is None:
        return concrete(key, "hash()")
    if isinstance(table, set):
        table.order = list(table)  # type: ignore[attr-defined]
    symbolic.before_switch(table)  # type: ignore[attr-defined]
    switch_class(table, symbolic)
    current.execution.tables.append(table)
    return key


def concrete(key: Any, reason: str) -> Any:
    """A key as a plain value, made concrete where it is not."""
    if type(key) in _SYMBOLIC:
        return key.concrete(reason)
    if not isinstance(key, tuple) or not is_symbolic(key):
        return key
    parts = [concrete(part, reason) for part in key]
    return tuple(parts) if type(key) is tuple else type(key)(*parts)


def _base(table: Any) -> Any:
    """The built-in class that a table derives from."""
    return OrderedDict if isinstance(table, OrderedDict) else dict if isinstance(table, dict) else set


def lookup(table: Any, key: Any) -> Any:
    """``table[key]``, with what the class does for a missing key."""
    member = find(table, key)
    return _absent(table, key) if member is MISSING else on_table(dict.__getitem__, table, member)


def _absent(table: Any, key: Any) -> Any:
    if isinstance(table, defaultdict):
        if table.default_factory is None:
            raise KeyError(key)
        value = table.default_factory()
        store(table, key, value)
        return value
    absent = getattr(type(table), "__missing__", None)
    if absent is None:
        raise KeyError(key)
    return absent(table, key)


def delete(table: Any, key: Any) -> None:
    """``del table[key]``."""
    member = find(table, key)
    if member is MISSING:
        raise KeyError(key)
    on_table(_base(table).__delitem__, table, member)


def get(table: Any, key: Any, default: Any = None) -> Any:
    """``table.get(key, default)``; one number where all that can come out are integers."""
    if type(key) in _SYMBOLIC and not current.execution.identity_hash:
        read = _read(table, key, default)
        if read is not MISSING:
            return read
    member = find(table, key)
    return default if member is MISSING else on_table(dict.__getitem__, table, member)


def read(table: Any, key: Any) -> Any:
    """``table[key]`` for a symbolic key: decided whether there is one; one number where all values are integers."""
    if len(table) < 2 or current.execution.identity_hash or not _is_integers(dict.values(table)):
        return lookup(table, key)
    return _read(table, key, MISSING) if decide(holds(table, key)) else _absent(table, key)


def _read(table: Any, key: Any, default: Any) -> Any:
    """The value as one term, so that nothing needs to be decided; ``MISSING`` where that cannot be."""
    values = list(dict.values(table))
    if not _is_integers(values) or (default is not MISSING and not _is_integers([default])) or not values:
        return MISSING
    hashed(key)
    term: Any = values.pop() if default is MISSING else default
    for member, value in zip(_members(table), values, strict=False):
        same = alike(key, member)
        if same is True:
            return value
        if same is not False and value is not term:
            term = App("ite", (same, value, term), "int")
    return term if isinstance(term, int) else SymInt(mark(term))


def _is_integers(values: Iterable[Any]) -> bool:
    return all(type(value) is int for value in values)


def pop(table: Any, key: Any, *default: Any) -> Any:
    """``table.pop(key, default)``."""
    member = find(table, key)
    if member is not MISSING:
        return on_table(_base(table).pop, table, member)
    if not default:
        raise KeyError(key)
    return default[0]


def setdefault(table: Any, key: Any, default: Any = None) -> Any:
    """``table.setdefault(key, default)``."""
    member = find(table, key)
    if member is not MISSING:
        return on_table(dict.__getitem__, table, member)
    store(table, key, default)
    return default


def update(table: Any, *others: Any, **named: Any) -> None:
    """``table.update(...)``: one key after the other."""
    for other in others:
        pairs = ((key, other[key]) for key in other.keys()) if hasattr(other, "keys") else other  # noqa: SIM118
        for key, value in pairs:
            store(table, key, value)
    for key, value in named.items():
        store(table, key, value)


def count_items(table: Any, iterable: Any = None, /, **named: Any) -> None:
    """``Counter.update``: adds counts."""
    if iterable is not None and isinstance(iterable, dict):
        for key, count in iterable.items():
            store(table, key, count + get(table, key, 0))
    elif iterable is not None:
        for key in iterable:
            store(table, key, get(table, key, 0) + 1)
    for key, count in named.items():
        store(table, key, count + get(table, key, 0))


def same_dict(table: Any, other: Any) -> Any:
    """``table == other`` where one has symbolic keys."""
    if not isinstance(other, dict):
        return NotImplemented
    if len(table) != len(other):
        return False
    for key in _members(other):
        member = find(table, key)
        if member is MISSING or on_table(dict.__getitem__, table, member) != on_table(dict.__getitem__, other, key):
            return False
    return True


def merged(table: Any, other: Any) -> Any:
    """``table | other`` as a dict of the same kind."""
    if not isinstance(other, dict) or (isinstance(other, _PREVAILING) and not isinstance(table, _PREVAILING)):
        return NotImplemented
    result = copied(table)
    update(result, other)
    return result


def merged_after(table: Any, other: Any) -> Any:
    """``other | table``, where one of them has keys that C code cannot take over."""
    if not isinstance(other, dict):
        return NotImplemented
    result = _fresh(table) if isinstance(table, _PREVAILING) else Dict()
    update(result, other, table)
    return result


def copied(table: Any) -> Any:
    """A copy that holds the same keys."""
    result = _fresh(table)
    for key in _members(table):
        store(result, key, on_table(dict.__getitem__, table, key))
    return result


def _fresh(table: Any) -> Any:
    kind = PLAIN_OF.get(type(table), type(table))
    return kind(table.default_factory) if isinstance(table, defaultdict) else kind()


class Keyed:
    """A table that holds symbolic keys."""

    __slots__ = ()

    @staticmethod
    def before_switch(table: Any) -> None:
        """Prepare a table that is about to hold its first symbolic key."""


class KeyedDict(Keyed):
    """What symbolic dicts of all classes have in common."""

    __slots__ = ()

    __getitem__, __setitem__, __delitem__ = lookup, store, delete
    get, pop, setdefault, update, copy = get, pop, setdefault, update, copied
    __eq__, __or__, __ror__ = same_dict, merged, merged_after
    __hash__ = None  # type: ignore[assignment]

    def __contains__(self, key: Any) -> bool:
        return decide(holds(self, key))

    def __iter__(self) -> Iterator[Any]:
        return dict.__iter__(self)  # type: ignore[arg-type]  # keeps C code from copying the keys unseen

    def __ne__(self, other: Any) -> Any:
        answer = same_dict(self, other)
        return answer if answer is NotImplemented else not answer

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        update(self, other)
        return self


class Dict(dict[Any, Any]):
    """A dict of rewritten code."""

    __slots__ = ()
    __class__ = property(lambda self: dict)
    __or__ = merged

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        if not isinstance(other, Keyed):
            return dict.__ior__(self, other)
        update(self, other)
        return self


class SymDict(KeyedDict, Dict):
    """A dict with symbolic keys."""

    __slots__ = ()


class Count(Counter[Any]):
    """A Counter of rewritten code."""

    __class__ = property(lambda self: Counter)
    update = count_items


class SymCount(KeyedDict, Count):
    """A Counter with symbolic keys."""

    update = count_items


SYMBOLIC_OF: dict[type, type] = {Dict: SymDict, Count: SymCount}
PLAIN_OF: dict[type, type] = {symbolic: plain for plain, symbolic in SYMBOLIC_OF.items()}
