"""Handlers of dicts, sets and their kin: keys that are symbolic are looked up by choices among the keys there are."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from pessimal.python.deciding import decide
from pessimal.python.handlers.registry import handles
from pessimal.python.values import counter_arithmetic, keyed, members
from pessimal.python.values.defaults import Default
from pessimal.python.values.keyed import Count, Dict, is_keyed, is_symbolic
from pessimal.python.values.ordered import Ordered

counter_arithmetic.give_arithmetic()

_OWN: dict[type, type] = {dict: Dict, set: members.Set, OrderedDict: Ordered, Counter: Count}
"""Classes that C code makes tables of, and those that can hold symbolic keys."""


def dict_of(*items: Any) -> Dict:
    """``{key: value, ...}``, given as keys and values in turn."""
    table = Dict()
    for i in range(0, len(items), 2):
        keyed.store(table, items[i], items[i + 1])
    return table


def dict_of_pairs(pairs: Iterable[tuple[Any, Any]]) -> Dict:
    """``{key: value for ...}``."""
    table = Dict()
    for key, value in pairs:
        keyed.store(table, key, value)
    return table


def items_of(mapping: Any) -> list[tuple[Any, Any]]:
    """The pairs of a mapping that ``**`` takes into a dict."""
    return [(key, mapping[key]) for key in mapping.keys()]  # noqa: SIM118


@handles(dict)
def _dict(*args: Any, **kwargs: Any) -> Any:
    table = Dict()
    if len(args) > 1:
        return dict(*args)  # raises what Python raises
    keyed.update(table, *args, **kwargs)
    return table


@handles(OrderedDict)
def _ordered(*args: Any, **kwargs: Any) -> Any:
    table = Ordered()
    keyed.update(table, *args, **kwargs)
    return table


@handles(defaultdict)
def _default(factory: Any = None, /, *args: Any, **kwargs: Any) -> Any:
    table = Default(_OWN.get(factory, factory) if isinstance(factory, type) else factory)
    keyed.update(table, *args, **kwargs)
    return table


@handles(Counter)
def _counter(*args: Any, **kwargs: Any) -> Any:
    table = Count()
    keyed.count_items(table, *args, **kwargs)
    return table


@handles(dict.fromkeys)
def _fromkeys(keys: Iterable[Any], value: Any = None) -> Any:
    return dict_of_pairs((key, value) for key in keys)


@handles(set)
def _set(*args: Any) -> Any:
    return set(*args) if len(args) > 1 else members.make_set(*map(members.unordered, args))


@handles(frozenset)
def _frozenset(*args: Any) -> Any:
    return frozenset(*args) if len(args) > 1 else members.make_frozenset(*map(members.unordered, args))


def _by_key(native: Any, ours: Callable[..., Any]) -> None:
    """Handle a method of tables: natively for plain keys of plain tables, else by choices."""

    @handles(native)
    def method(table: Any, *args: Any, **kwargs: Any) -> Any:
        if is_keyed(table) or any(map(is_symbolic, args)):
            return ours(table, *args, **kwargs)
        return native(table, *args, **kwargs)


_BY_KEY: tuple[tuple[Any, Any], ...] = (
    (dict.get, keyed.get),
    (dict.pop, keyed.pop),
    (dict.setdefault, keyed.setdefault),
    (dict.__getitem__, keyed.lookup),
    (OrderedDict.pop, keyed.pop),
    (OrderedDict.setdefault, keyed.setdefault),
    (set.add, members.add),
    (set.discard, members.discard),
    (set.remove, members.remove),
)
for _method, _ours in _BY_KEY:
    _by_key(_method, _ours)


@handles(OrderedDict.move_to_end)
def _move_to_end(table: Any, key: Any, last: bool = True) -> None:
    member = keyed.find(table, key)
    if member is keyed.MISSING:
        raise KeyError(key)
    OrderedDict.move_to_end(table, member, last)


def _by_items(native: Any, ours: Callable[..., Any]) -> None:
    """Handle a method whose arguments hold the keys: natively where none of them is symbolic."""

    @handles(native)
    def method(table: Any, *args: Any, **kwargs: Any) -> Any:
        args = tuple(_pairs(arg) if native is dict.update else _listed(arg) for arg in args)
        if is_keyed(table) or any(map(_has_symbolic, args)):
            return ours(table, *args, **kwargs)
        return native(table, *args, **kwargs)


def _listed(arg: Any) -> Any:
    """An argument that can be gone through twice."""
    return arg if isinstance(arg, list | tuple | set | frozenset | dict | str) else list(arg)


def _pairs(arg: Any) -> Any:
    """An argument of ``dict.update``, which may be any mapping."""
    if isinstance(arg, dict) or not hasattr(arg, "keys"):
        return _listed(arg)
    return [(key, arg[key]) for key in arg.keys()]  # noqa: SIM118


def _has_symbolic(arg: Any) -> bool:
    if is_keyed(arg):
        return True
    if isinstance(arg, dict | set | frozenset):
        return False
    return any(is_symbolic(item) for item in arg)


_BY_ITEMS: tuple[tuple[Any, Any], ...] = (
    (dict.update, keyed.update),
    (set.update, members.update),
    (set.union, members.union),
    (set.intersection, members.intersection),
    (set.difference, members.difference),
    (set.symmetric_difference, members.symmetric_difference),
    (set.issubset, members.issubset),
    (set.issuperset, members.issuperset),
    (set.isdisjoint, members.isdisjoint),
    (set.intersection_update, members.intersection_update),
    (set.difference_update, members.difference_update),
    (set.symmetric_difference_update, members.symmetric_difference_update),
    (frozenset.union, members.union),
    (frozenset.intersection, members.intersection),
    (frozenset.difference, members.difference),
    (frozenset.symmetric_difference, members.symmetric_difference),
    (frozenset.issubset, members.issubset),
    (frozenset.issuperset, members.issuperset),
    (frozenset.isdisjoint, members.isdisjoint),
)
for _method, _ours in _BY_ITEMS:
    _by_items(_method, _ours)


def _regardless_of_order(native: Any) -> None:
    """Handle a function that asks no order of a set, so that its members stay symbolic."""

    @handles(native)
    def function(*args: Any, **kwargs: Any) -> Any:
        return native(*map(members.unordered, args), **kwargs)


for _function in (sum, any, all):
    _regardless_of_order(_function)


def _asks_for_members(kind: Any) -> None:
    """Handle the method behind ``in`` where it is called by name, as ``keyword.iskeyword`` is one."""

    @handles(kind.__contains__)
    def function(owner: Any, item: Any) -> Any:
        return decide(keyed.holds(owner, item)) if is_symbolic(item) else kind.__contains__(owner, item)


for _kind in (dict, set, frozenset):
    _asks_for_members(_kind)
