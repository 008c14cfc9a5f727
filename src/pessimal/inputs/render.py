"""Python text of values, ready to be pasted: what a report shows as the call that hurts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from inspect import isroutine
from itertools import chain
from typing import Any

from pessimal.inputs.codec import safe_repr
from pessimal.inputs.maker import Answers, Construction
from pessimal.inputs.written import address_of, construction_of


def render_call(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """The text of a call."""
    parts = [render(value) for value in args]
    parts += [f"{key}={render(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def render(value: Any) -> str:
    """The text of a value: an expression that evaluates to an equal one, wherever Python has one."""
    if isinstance(value, Enum) and value.name in type(value).__members__:
        return f"{type(value).__qualname__}.{value.name}"
    writer = _WRITERS.get(type(value))
    if writer:
        return writer(value)
    if isinstance(value, type) or isroutine(value):
        return _named(value)
    made = construction_of(value)
    return safe_repr(value, limit=None) if made is None else _construction(made)


def needed_imports(value: Any) -> set[tuple[str, str]]:
    """The modules and names that the text of a value takes for granted; no name where the module itself is meant."""
    if isinstance(value, Enum):
        return {_imported(type(value))}
    if isinstance(value, type) or isroutine(value):
        return {_imported(value)}
    if isinstance(value, dict):
        return _imports_of(chain(value, value.values()))
    if isinstance(value, list | tuple | set | frozenset) and type(value) in _WRITERS:
        return _imports_of(value)
    if isinstance(value, Answers):
        return _imports_of(value.values) | ({("unittest", "mock"), ("itertools", "")} if _differ(value) else set())
    made = value if isinstance(value, Construction) else construction_of(value)
    if made is None:
        return set()
    return _imports_of((made.builder, *made.args, *made.fields.values()))


def _imports_of(values: Iterable[Any]) -> set[tuple[str, str]]:
    return {found for value in values for found in needed_imports(value) if found[0] != "builtins"}


def _imported(thing: Any) -> tuple[str, str]:
    """The module and the name in it that are imported; for a function the module alone."""
    module, name = address_of(thing)
    return module, "" if _is_of_module(thing) else name.partition(".")[0]


def _named(thing: Any) -> str:
    module, name = address_of(thing)
    return f"{module}.{name}" if module != "builtins" and _is_of_module(thing) else name


def _is_of_module(thing: Any) -> bool:
    """Whether a thing is a function of a module, which is written with the module in front."""
    return not isinstance(thing, type) and "." not in thing.__qualname__


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f"float({str(value)!r})"


def _tuple(value: tuple[Any, ...]) -> str:
    return f"({_joined(value)}{',' if len(value) == 1 else ''})"


def _dict(value: dict[Any, Any]) -> str:
    return f"{{{', '.join(f'{render(key)}: {render(item)}' for key, item in value.items())}}}"


def _set(value: set[Any]) -> str:
    return f"{{{_sorted(value)}}}" if value else "set()"


def _frozenset(value: frozenset[Any]) -> str:
    return f"frozenset({{{_sorted(value)}}})" if value else "frozenset()"


def _construction(value: Construction) -> str:
    return render_call(_named(value.builder), value.args, value.fields)


def _answers(value: Answers) -> str:
    if not _differ(value):
        return f"lambda *args, **kwargs: {render(value.values[0])}"
    *first, last = map(render, value.values)
    return f"mock.Mock(side_effect=itertools.chain([{', '.join(first)}], itertools.repeat({last})))"


def _differ(value: Answers) -> bool:
    return len({render(answer) for answer in value.values}) > 1


def _joined(values: Iterable[Any]) -> str:
    return ", ".join(map(render, values))


def _sorted(values: Iterable[Any]) -> str:
    """Members in an order that does not depend on hashes, so that the same input has the same text."""
    try:
        return _joined(sorted(values))
    except TypeError:
        return ", ".join(sorted(map(render, values)))


_WRITERS: dict[type, Callable[[Any], str]] = {
    float: _float,
    list: lambda value: f"[{_joined(value)}]",
    tuple: _tuple,
    dict: _dict,
    set: _set,
    frozenset: _frozenset,
    Construction: _construction,
    Answers: _answers,
}
