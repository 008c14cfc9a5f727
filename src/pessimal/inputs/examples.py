"""Specifications read off example values: what else may stand where an example stands, in its type and about its size.

The size N of such a specification is the room for growth: at size 8 a text may be up to 8 characters longer than the
example, and a list up to 2 elements. Shorter ones are possible down to nothing, if lengths grow (``growing``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any

from pessimal.inputs.binding import Inputs
from pessimal.inputs.containers import Dict, List, Repeated, Set, Tuple, Union
from pessimal.inputs.extent import resolve
from pessimal.inputs.scalars import Bool, Bytes, Const, Float, Int, Str
from pessimal.inputs.spec import Spec

LONGEST_TEXT, LONGEST_LIST = 100, 30
"""Longer examples are not varied: they would be too many leaves."""
MOST_ALTERNATIVES = 4
"""The elements of a list are not varied if they are of more types than this."""


def spec_of(example: Any) -> Spec | None:
    """The specification of values like the example; None if there is nothing to vary in it."""
    return spec_of_all([example])


def spec_of_all(examples: Sequence[Any]) -> Spec | None:
    """The specification of values like any of the examples; None if nothing can be varied in one of them."""
    by_type: dict[type, list[Any]] = {}
    for example in examples:
        by_type.setdefault(type(example), []).append(example)
    found = [_of_type(kind, group) for kind, group in by_type.items()]
    alternatives = [spec for spec in found if spec is not None]
    if len(alternatives) < len(found) or not 0 < len(alternatives) <= MOST_ALTERNATIVES:
        return None
    if all(isinstance(spec, Const) for spec in alternatives):
        return None
    return alternatives[0] if len(alternatives) == 1 else Union(tuple(alternatives))


def limits_of(inputs: Inputs) -> list[str]:
    """What inputs are limited to beside their types, in words: lengths, and floats that are finite."""
    return sorted({limit for spec in inputs.specs.values() for limit in _limits(spec, inputs.size)})


def _limits(spec: Spec, size: int) -> Iterator[str]:
    what = _LENGTHS.get(type(spec))
    if what is not None:
        yield what.format(resolve(spec.length, size))  # type: ignore[attr-defined]
    elif isinstance(spec, Float):
        yield "finite floats"
    for part in _parts(spec):
        yield from _limits(part, size)


def _parts(spec: Spec) -> Sequence[Spec]:
    match spec:
        case List(element) | Repeated(element) | Set(element):
            return (element,)
        case Dict(key, value):
            return key, value
        case Tuple(parts) | Union(parts):
            return parts
    return ()


def _of_type(kind: type, examples: list[Any]) -> Spec | None:
    if kind is type(None):
        return Const(None)
    reader = _READERS.get(kind)
    return None if reader is None else reader(examples)


def _floats(examples: list[float]) -> Spec | None:
    return Float() if all(map(isfinite, examples)) else None


def _length(examples: Iterable[Any], longest: int, growth: str) -> str | None:
    """A length that may be any up to the longest example and somewhat more; None if that is too long."""
    length = max(map(len, examples))
    return None if length > longest else f"{growth}+{length}"


def _texts(examples: list[str]) -> Spec | None:
    length = _length(examples, LONGEST_TEXT, "N")
    return None if length is None else Str(length)


def _data(examples: list[bytes]) -> Spec | None:
    length = _length(examples, LONGEST_TEXT, "N")
    return None if length is None else Bytes(length)


def _elements(make: Callable[[Spec, str], Spec], needs_hash: bool = False) -> Callable[[list[Any]], Spec | None]:
    """Reads the specification of a container whose elements are all alike."""

    def read(examples: list[Any]) -> Spec | None:
        length = _length(examples, LONGEST_LIST, "N//4")
        element = spec_of_all(list(chain.from_iterable(examples)))
        if length is None or element is None or (needs_hash and not element.hashable):
            return None
        return make(element, length)

    return read


def _tuples(examples: list[tuple[Any, ...]]) -> Spec | None:
    """Tuples of one length have a specification for each place."""
    if len(set(map(len, examples))) > 1:
        return _elements(Repeated)(examples)
    columns = list(zip(*examples, strict=True))
    places = [spec_of_all(column) or _constant(column) for column in columns]
    specs = [spec for spec in places if spec is not None]
    if len(specs) < len(places) or all(isinstance(spec, Const) for spec in specs):
        return None
    return Tuple(tuple(specs))


def _constant(column: Sequence[Any]) -> Spec | None:
    """What cannot be varied stays as it is, if it is the same in all examples."""
    return Const(column[0]) if len(column) == 1 else None


def _dicts(examples: list[dict[Any, Any]]) -> Spec | None:
    """Values that cannot be varied stay, but then the dict is as a whole what it is."""
    length = _length(examples, LONGEST_LIST, "N//4")
    key = spec_of_all(list(chain.from_iterable(examples)))
    value = spec_of_all(list(chain.from_iterable(example.values() for example in examples)))
    if length is None or key is None or value is None or not key.hashable:
        return None
    return Dict(key, value, length)


_READERS: dict[type, Callable[[list[Any]], Spec | None]] = {
    bool: lambda examples: Bool(),
    int: lambda examples: Int(),
    float: _floats,
    str: _texts,
    bytes: _data,
    list: _elements(List),
    tuple: _tuples,
    dict: _dicts,
    set: _elements(Set, needs_hash=True),
    frozenset: _elements(lambda element, length: Set(element, length, frozen=True), needs_hash=True),
}

_LENGTHS: dict[type[Spec], str] = {
    Str: "texts of up to {} characters",
    Bytes: "up to {} bytes",
    **dict.fromkeys((List, Repeated, Set, Dict), "containers of up to {} elements"),
}
