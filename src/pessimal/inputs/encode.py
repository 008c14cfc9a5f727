"""The leaves that make given values: what a person or a generator wrote, as search and replay want it."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from pessimal.errors import InputError
from pessimal.expr import Leaf
from pessimal.inputs.binding import Inputs
from pessimal.inputs.built import Function, Record
from pessimal.inputs.codec import safe_repr
from pessimal.inputs.containers import Dict, List, Repeated, Set, Tuple, Union
from pessimal.inputs.domain import Domain
from pessimal.inputs.maker import Answers, Construction
from pessimal.inputs.scalars import Bool, Bytes, Choice, Const, Float, Int, Str
from pessimal.inputs.spec import Allocator, Spec
from pessimal.inputs.written import construction_of

SHOWN = 60
"""How many characters of a value a message shows."""


def encode(inputs: Inputs, values: Mapping[str, Any]) -> list[Leaf]:
    """Leaves that :meth:`Inputs.arguments` decodes into the values; leaves that no value needs are initial.

    Raises InputError where a value does not fit its specification at the size of the inputs.
    """
    known = ", ".join(inputs.specs) or "none"
    for name in values:
        if name not in inputs.specs:
            raise InputError(f"there is no parameter {name!r}: the parameters are {known}")
    layout = _Layout(inputs.size, inputs.growing)
    leaves: list[Leaf] = []
    for name, spec in inputs.specs.items():
        if name not in values:
            raise InputError(f"the parameter {name!r} has no value: the parameters are {known}")
        leaves += layout.leaves(spec, values[name], name)
    return leaves


class _Layout:
    """Lays values out as ``allocate`` of their specifications lays out leaves."""

    def __init__(self, size: int, growing: bool) -> None:
        self._size = size
        self._growing = growing
        self._known: dict[int, list[Domain]] = {}

    def leaves(self, spec: Spec, value: Any, name: str) -> list[Leaf]:
        """The leaves of one value."""
        encoder = _ENCODERS.get(type(spec))
        if encoder is None:
            raise InputError(f"{name} cannot be encoded: values of {spec} cannot be taken apart")
        return encoder(self, spec, value, name)

    def domains(self, spec: Spec, name: str) -> list[Domain]:
        """What the specification reserves, the same wherever it stands."""
        known = self._known.get(id(spec))
        if known is None:
            allocator = Allocator(self._size, self._growing)
            spec.allocate(allocator, name)
            known = self._known[id(spec)] = allocator.domains
        return known

    def expect(self, fits: bool, spec: Spec, value: Any, name: str) -> None:
        """Raise InputError unless the value fits."""
        if not fits:
            shown = safe_repr(value, SHOWN)
            raise InputError(
                f"{name} is {shown}, which does not fit {spec} at size {self._size}: give a value that does"
            )

    def scalar(self, spec: Spec, value: Any, name: str) -> list[Leaf]:
        """The leaf of an int, a bool or a float."""
        (domain,) = self.domains(spec, name)
        self.expect(type(value) is _KINDS[domain.kind] and value in domain, spec, value, name)
        return [value if domain.kind == "float" else int(value)]

    def text(self, spec: Str, value: Any, name: str) -> list[Leaf]:
        """A code point a character, or its index in the alphabet."""
        self.expect(type(value) is str, spec, value, name)
        letters = spec.alphabet
        return self._flat(spec, list(map(ord if letters is None else letters.find, value)), value, name)

    def data(self, spec: Bytes, value: Any, name: str) -> list[Leaf]:
        """A leaf a byte."""
        self.expect(type(value) is bytes, spec, value, name)
        return self._flat(spec, list(value), value, name)

    def _flat(self, spec: Str | Bytes, leaves: list[int], value: Any, name: str) -> list[Leaf]:
        lead, most = self._length(spec, len(leaves), value, name)
        domains = self.domains(spec, name)[len(lead) :]
        self.expect(all(leaf in domain for leaf, domain in zip(leaves, domains, strict=False)), spec, value, name)
        return [*lead, *leaves, *(domain.initial for domain in domains[len(leaves) : most])]

    def const(self, spec: Const, value: Any, name: str) -> list[Leaf]:
        """No leaf."""
        self.expect(_same(value, spec.value), spec, value, name)
        return []

    def choice(self, spec: Choice, value: Any, name: str) -> list[Leaf]:
        """The position of the value among the choices."""
        places = [place for place, choice in enumerate(spec.values) if _same(value, choice)]
        self.expect(bool(places), spec, value, name)
        return [places[0]]

    def sequence(self, spec: List | Repeated, value: Any, name: str) -> list[Leaf]:
        """The leaves of every element in order."""
        self.expect(type(value) is (list if type(spec) is List else tuple), spec, value, name)
        lead, most = self._length(spec, len(value), value, name)
        return lead + self._parts([(spec.element, f"{name}[{place}]") for place in range(most)], value)

    def row(self, spec: Tuple, value: Any, name: str) -> list[Leaf]:
        """The leaves of every element in order."""
        self.expect(type(value) is tuple and len(value) == len(spec.elements), spec, value, name)
        return self._parts([(part, f"{name}[{place}]") for place, part in enumerate(spec.elements)], value)

    def mapping(self, spec: Dict, value: Any, name: str) -> list[Leaf]:
        """The leaves of keys and values by turns; the last entry again where entries must have merged."""
        self.expect(type(value) is dict, spec, value, name)
        lead, most = self._length(spec, len(value), value, name)
        parts = [
            part
            for place in range(most)
            for part in ((spec.key, f"{name}.keys[{place}]"), (spec.value, f"{name}.values[{place}]"))
        ]
        entries = list(value.items())
        entries += entries[-1:] * (0 if lead else most - len(entries))
        return lead + self._parts(parts, [item for entry in entries for item in entry])

    def members(self, spec: Set, value: Any, name: str) -> list[Leaf]:
        """The leaves of the members in an order that hashes do not decide; the last again where some merged."""
        self.expect(type(value) is (frozenset if spec.frozen else set), spec, value, name)
        lead, most = self._length(spec, len(value), value, name)
        members = _ordered(value)
        members += members[-1:] * (0 if lead else most - len(members))
        return lead + self._parts([(spec.element, f"{name}.members[{place}]") for place in range(most)], members)

    def union(self, spec: Union, value: Any, name: str) -> list[Leaf]:
        """The leaves of the first alternative that fits, and initial ones of the others around it."""
        parts = [[domain.initial for domain in self.domains(part, name)] for part in spec.alternatives]
        for place, alternative in enumerate(spec.alternatives):
            try:
                parts[place] = self.leaves(alternative, value, name)
            except InputError:
                continue
            first, *others = parts
            return [*first, place, *(leaf for part in others for leaf in part)]
        self.expect(False, spec, value, name)
        raise AssertionError

    def record(self, spec: Record, value: Any, name: str) -> list[Leaf]:
        """The leaves of every part in order, if the object keeps what its constructor was given."""
        args, fields = self._taken_apart(spec, value, name)
        self.expect(len(args) == len(spec.args), spec, value, name)
        leaves = self._parts([(part, f"{name}[{place}]") for place, part in enumerate(spec.args)], args)
        for field, part in spec.fields.items():
            given = field not in spec.optional or field in fields
            leaves += [int(given)] if field in spec.optional else []
            leaves += self._parts([(part, f"{name}.{field}")], [fields[field]] if given else [])
        return leaves

    def _taken_apart(self, spec: Record, value: Any, name: str) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """The arguments that made an object."""
        if typing.is_typeddict(spec.builder):
            self.expect(isinstance(value, dict | Construction), spec, value, name)
            return (), value.fields if isinstance(value, Construction) else value
        if isinstance(value, range):
            value = Construction(range, (value.start, value.stop, value.step))
        elif spec.args and not isinstance(value, Construction):
            value = construction_of(value) or value
        kind = value.builder if isinstance(value, Construction) else type(value)
        self.expect(kind is spec.builder, spec, value, name)
        return (value.args, value.fields) if isinstance(value, Construction) else ((), _Attributes(value, name))

    def function(self, spec: Function, value: Any, name: str) -> list[Leaf]:
        """The leaves of every answer in order; the last answer again where fewer are given."""
        self.expect(isinstance(value, Answers) and 0 < len(value.values) <= spec.count, spec, value, name)
        answers = [*value.values, *(value.values[-1:] * (spec.count - len(value.values)))]
        return self._parts([(spec.answer, f"{name}()[{place}]") for place in range(spec.count)], answers)

    def _length(self, spec: Any, count: int, value: Any, name: str) -> tuple[list[Leaf], int]:
        """The leaf that holds the length, if there is one, and how many elements are laid out."""
        most, leaf = Allocator(self._size, self._growing).length(spec.length, name)
        merging = isinstance(spec, Dict | Set) and count > 0
        self.expect(count == most or (count < most and (leaf is not None or merging)), spec, value, name)
        return [] if leaf is None else [count], most

    def _parts(self, parts: Sequence[tuple[Spec, str]], values: Sequence[Any]) -> list[Leaf]:
        """The leaves of the parts that have a value, then initial ones."""
        leaves: list[Leaf] = []
        for place, (spec, name) in enumerate(parts):
            if place < len(values):
                leaves += self.leaves(spec, values[place], name)
            else:
                leaves += [domain.initial for domain in self.domains(spec, name)]
        return leaves


class _Attributes(Mapping[str, Any]):
    """The fields of an object by name."""

    def __init__(self, value: Any, name: str) -> None:
        self._value = value
        self._name = name

    def __iter__(self) -> Iterator[str]:
        return iter(dir(self._value))

    def __len__(self) -> int:
        return len(dir(self._value))

    def __getitem__(self, field: str) -> Any:
        try:
            return getattr(self._value, field)
        except AttributeError:
            kind = type(self._value).__qualname__
            raise InputError(
                f"{self._name} cannot be encoded: {kind} does not keep {field!r} as an attribute of that name"
            ) from None


def _same(value: Any, other: Any) -> bool:
    """Equal and of one type; objects that do not compare are all the same."""
    kind = type(other)
    incomparable = getattr(kind, "__eq__", None) is object.__eq__ and not isinstance(other, Enum | type)
    return type(value) is kind and (value is other or incomparable or bool(value == other))


def _ordered(values: Iterable[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=safe_repr)


_KINDS: dict[str, type] = {"int": int, "bool": bool, "float": float}
_ENCODERS: dict[type[Spec], Callable[[_Layout, Any, Any, str], list[Leaf]]] = {
    Int: _Layout.scalar,
    Bool: _Layout.scalar,
    Float: _Layout.scalar,
    Str: _Layout.text,
    Bytes: _Layout.data,
    Const: _Layout.const,
    Choice: _Layout.choice,
    List: _Layout.sequence,
    Repeated: _Layout.sequence,
    Tuple: _Layout.row,
    Dict: _Layout.mapping,
    Set: _Layout.members,
    Union: _Layout.union,
    Record: _Layout.record,
    Function: _Layout.function,
}
