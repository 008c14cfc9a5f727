"""Handlers of functions that go through things or are handed a function: ``range``, ``map``, ``sorted``, caches."""

from __future__ import annotations

import functools
import itertools
from types import BuiltinFunctionType, MethodDescriptorType
from typing import Any

from pessimal.python import current
from pessimal.python.deciding import select
from pessimal.python.handlers.registry import handles, handles_kind, resolve
from pessimal.python.values import SymBool, SymInt, SymStr
from pessimal.python.values.keyed import MISSING, Dict, alike, find, is_symbolic, on_table, store
from pessimal.python.values.members import unordered
from pessimal.python.values.ranges import SymRange, step_between

_INTEGERS = (SymInt, SymBool)
_CACHE = type(functools.lru_cache(lambda: None))


@handles(range)
def _range(*args: Any) -> Any:
    if not any(type(arg) in _INTEGERS for arg in args) or not 1 <= len(args) <= 3:
        return range(*args)
    start, stop, step = (0, args[0], 1) if len(args) == 1 else (*args, 1)[:3]
    terms = [arg.as_int().expr if type(arg) is SymBool else getattr(arg, "expr", arg) for arg in (start, stop, step)]
    for term in terms:
        if isinstance(term, float | str):
            range(term)  # type: ignore[call-overload]
    taken = step_between(terms[2], terms[0], terms[1])
    range(0, 1, taken)  # raises what Python raises for a bad step
    return SymRange(terms[0], terms[1], taken, terms[2])


def _called_back(value: Any) -> Any:
    """A built-in that C code will call, as what stands for it."""
    return resolve(value) if type(value) in (BuiltinFunctionType, MethodDescriptorType, type) else value


def _calls_back(native: Any, place: int, name: str) -> None:
    """Handle a function that calls the function which it is given at a place or by a name; all else is data."""

    @handles(native)
    def function(*args: Any, **kwargs: Any) -> Any:
        if name in kwargs:
            kwargs[name] = _called_back(kwargs[name])
        return native(*args[:place], *map(_called_back, args[place : place + 1]), *args[place + 1 :], **kwargs)


for _native in (
    map,
    filter,
    functools.reduce,
    functools.partial,
    itertools.dropwhile,
    itertools.takewhile,
    itertools.filterfalse,
    itertools.starmap,
):
    _calls_back(_native, 0, "")
_calls_back(itertools.accumulate, 1, "func")
_calls_back(itertools.groupby, 1, "key")
_calls_back(list.sort, 1, "key")


def _takes_key(native: Any) -> None:
    """Handle a function that compares what it is given, whatever the order if there is no key."""

    @handles(native)
    def function(*args: Any, key: Any = None, **kwargs: Any) -> Any:
        if key is not None:  # which of two members with equal keys comes first hangs on the order of a set
            return native(*args, key=_called_back(key), **kwargs)
        return native(*(map(unordered, args) if len(args) == 1 else args), **kwargs)


for _chooser in (sorted, min, max):
    _takes_key(_chooser)


@handles_kind(_CACHE)
def _cached(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call through ``lru_cache``: looked up among those of this run, so that no run sees what another computed."""
    if isinstance(current.execution, current.NoExecution):
        return function(*args, **kwargs)
    notes = current.execution.notes
    if any(map(is_symbolic, (*args, *kwargs.values()))):
        return _remembered(notes.setdefault(function, Dict()), function, args, kwargs)
    plain: dict[Any, Any] = notes.setdefault((function,), {})
    key = functools._make_key(args, kwargs, function.cache_parameters()["typed"])
    if key not in plain:
        plain[key] = function.__wrapped__(*args, **kwargs)
    return plain[key]


def _remembered(cache: Dict, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The value for symbolic arguments, which are decided to be equal to earlier ones or not."""
    key = (*args, *itertools.chain.from_iterable(kwargs.items()))
    member = find(cache, key)
    if member is not MISSING:
        return on_table(dict.__getitem__, cache, member)
    value = function.__wrapped__(*args, **kwargs)
    store(cache, key, value)
    return value


def _attribute(owner: Any, name: Any) -> Any:
    """A name that is symbolic, decided among those that the object has."""
    if type(name) is not SymStr:
        return name
    names = [option for option in dir(owner) if len(option) == len(name)]
    found = select([(alike(name, option), option) for option in names], None)
    return name.concrete("attribute name") if found is None else found


@handles(getattr)
def _getattr(owner: Any, name: Any, *default: Any) -> Any:
    return getattr(owner, _attribute(owner, name), *default)


@handles(hasattr)
def _hasattr(owner: Any, name: Any) -> Any:
    return hasattr(owner, _attribute(owner, name))


@handles(setattr)
def _setattr(owner: Any, name: Any, value: Any) -> None:
    setattr(owner, _attribute(owner, name), value)
