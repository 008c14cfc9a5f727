"""Specifications of values with parts: lists, tuples, dicts, sets and unions."""

from __future__ import annotations

from dataclasses import dataclass

from pessimal.errors import InputError
from pessimal.inputs.extent import SIZE_NAME, Extent, check_length
from pessimal.inputs.spec import Allocator, Decoder, Length, Spec


def check_part(part: object, owner: str) -> None:
    """Raise InputError unless a part is a specification."""
    if not isinstance(part, Spec):
        raise InputError(f"a part of {owner} is {part!r}: give a specification such as Int(0, 9) or Const(3)")


def _check_member(member: Spec, owner: str) -> None:
    check_part(member, owner)
    if not member.hashable:
        raise InputError(f"{member} cannot be hashed, as a {owner} demands: use int, str or a tuple of such")


@dataclass(frozen=True, slots=True)
class List(Spec):
    """A list of equal elements; a matrix is a list of lists."""

    element: Spec
    length: Extent = SIZE_NAME

    def __post_init__(self) -> None:
        check_part(self.element, "list")
        check_length(self.length)

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of every element in order."""
        length, decoders = _allocate_elements(allocator, self.element, self.length, name)
        return lambda maker: [decode(maker) for decode in decoders[: length.of(maker)]]

    @property
    def hashable(self) -> bool:
        """Never: a list can change."""
        return False

    def __str__(self) -> str:
        return f"list[{self.element}]:{self.length}"


@dataclass(frozen=True, slots=True)
class Repeated(Spec):
    """A tuple of equal elements, as ``tuple[int, ...]`` says."""

    element: Spec
    length: Extent = SIZE_NAME

    def __post_init__(self) -> None:
        check_part(self.element, "tuple")
        check_length(self.length)

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of every element in order."""
        length, decoders = _allocate_elements(allocator, self.element, self.length, name)
        return lambda maker: tuple(decode(maker) for decode in decoders[: length.of(maker)])

    @property
    def hashable(self) -> bool:
        """Whether the elements are."""
        return self.element.hashable

    def __str__(self) -> str:
        return f"tuple[{self.element},...]:{self.length}"


def _allocate_elements(allocator: Allocator, element: Spec, extent: Extent, name: str) -> tuple[Length, list[Decoder]]:
    length = allocator.length(extent, name)
    return length, [element.allocate(allocator, f"{name}[{position}]") for position in range(length.most)]


@dataclass(frozen=True, slots=True)
class Tuple(Spec):
    """A tuple with a specification for each element."""

    elements: tuple[Spec, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", tuple(self.elements))
        for element in self.elements:
            check_part(element, "tuple")

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of every element in order."""
        decoders = [
            element.allocate(allocator, f"{name}[{position}]") for position, element in enumerate(self.elements)
        ]
        return lambda maker: tuple(decode(maker) for decode in decoders)

    @property
    def hashable(self) -> bool:
        """Whether all elements are."""
        return all(element.hashable for element in self.elements)

    def __str__(self) -> str:
        return f"tuple[{','.join(map(str, self.elements))}]"


@dataclass(frozen=True, slots=True)
class Dict(Spec):
    """A dict with ``length`` entries at first; keys that search makes equal merge, as they do in Python."""

    key: Spec
    value: Spec
    length: Extent = SIZE_NAME

    def __post_init__(self) -> None:
        _check_member(self.key, "dict")
        check_part(self.value, "dict")
        check_length(self.length)

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of the first key, of the first value, of the second key and so on."""
        length = allocator.length(self.length, name)
        count = length.most
        entries = [self._allocate_entry(allocator, name, position, count) for position in range(count)]
        return lambda maker: maker.mapping([(key(maker), value(maker)) for key, value in entries[: length.of(maker)]])

    def _allocate_entry(self, allocator: Allocator, name: str, position: int, count: int) -> tuple[Decoder, Decoder]:
        with allocator.distinct(position, count):
            key = self.key.allocate(allocator, f"{name}.keys[{position}]")
        return key, self.value.allocate(allocator, f"{name}.values[{position}]")

    @property
    def hashable(self) -> bool:
        """Never: a dict can change."""
        return False

    def __str__(self) -> str:
        return f"dict[{self.key},{self.value}]:{self.length}"


@dataclass(frozen=True, slots=True)
class Set(Spec):
    """A set or frozenset with ``length`` members at first; members that search makes equal merge."""

    element: Spec
    length: Extent = SIZE_NAME
    frozen: bool = False

    def __post_init__(self) -> None:
        _check_member(self.element, "set")
        check_length(self.length)

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of every member in order."""
        length = allocator.length(self.length, name)
        count = length.most
        members = [self._allocate_member(allocator, name, position, count) for position in range(count)]
        return lambda maker: maker.members([decode(maker) for decode in members[: length.of(maker)]], self.frozen)

    def _allocate_member(self, allocator: Allocator, name: str, position: int, count: int) -> Decoder:
        with allocator.distinct(position, count):
            return self.element.allocate(allocator, f"{name}.members[{position}]")

    @property
    def hashable(self) -> bool:
        """Only a frozenset is."""
        return self.frozen

    def __str__(self) -> str:
        return f"{'frozenset' if self.frozen else 'set'}[{self.element}]:{self.length}"


@dataclass(frozen=True, slots=True)
class Union(Spec):
    """A value of one of several specifications; search starts with the first."""

    alternatives: tuple[Spec, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "alternatives", tuple(self.alternatives))
        if not self.alternatives:
            raise InputError("a union needs at least one alternative: write for example int|None")
        for alternative in self.alternatives:
            check_part(alternative, "union")

    def allocate(self, allocator: Allocator, name: str) -> Decoder:
        """The leaves of the first alternative, the selector, and the leaves of the others.

        The first alternative comes before the selector so that distinct members of a set differ in it, where
        they can, before they differ in kind.
        """
        first, *others = self.alternatives
        decoders = [first.allocate(allocator, name)]
        selector = allocator.leaf("choice", f"{name}?", 0, len(others))
        decoders += [other.allocate(allocator, name) for other in others]
        return lambda maker: decoders[maker.choose(selector)](maker)

    @property
    def hashable(self) -> bool:
        """Whether all alternatives are."""
        return all(alternative.hashable for alternative in self.alternatives)

    def __str__(self) -> str:
        return "|".join(map(str, self.alternatives))
