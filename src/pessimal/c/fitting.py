"""From the type of a parameter, and what the user says about it, to the specification of its values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from math import prod

from pessimal.c.ctype import Array, CType, Enum, Function, Member, Number, Opaque, Parameter, Pointer, Struct
from pessimal.c.flexible import CFlexible, flexible_member
from pessimal.c.layout import CArray, CCallback, CChar, CConst, CInt, CObject, CReal, CSpec, CStruct, CTable, CVector
from pessimal.c.stream import CStream
from pessimal.errors import InputError
from pessimal.inputs import Bool, Bytes, Choice, Const, Float, Int, List, Spec, Str, Union, parse

DEEPEST_LIST, DEEPEST_TREE = 6, 3
"""How many objects a pointer of a struct to its own kind leads to, one after the other; in a tree fewer."""
MOST_SIBLINGS = 64
"""How many objects there may be as far away from a parameter, by the pointers to structs on the way to them."""
_COUNTS = re.compile(
    r"(n|argc|elements|n_\w+|num_?\w*|nmemb|nelems?|\w*(_n|len|length|size|count|cnt|num|sz))\Z", re.IGNORECASE
)
_OUTPUTS = re.compile(r"(dst|dest\w*|out\w*|\w*buf|buffer|result|res|ret)\Z", re.IGNORECASE)
_BACK = re.compile(r"(\w*_)?(prev|previous|parent|back|owner|up)\Z", re.IGNORECASE)
"""How members are called that lead back to where one came from: through them there is one object and no tree."""
_SIZE_TESTED = re.compile(r"(\w+)\s*[!=<>]=?\s*.*\bsizeof\b|\bsizeof\b.*[!=<>]=?\s*(\w+)\Z")
ROOM = 64
"""How many elements a function may write beyond those of a pointer that by its name takes its output."""
HIDDEN_SIZE = 1023
"""How many zeros there are behind a pointer to a type that is never defined."""
WIDEST = 8
_STREAMS = ("struct _IO_FILE", "FILE")
_UNMADE = ("__va_list_tag", "struct __va_list_tag")
_WORD_TESTED = re.compile(r"(?:[\w.\[\]>-]*?(?:->|\.))?(\w+)(\[[^\]]*\])?\Z")
_COMPARED_WITH_NULL = re.compile(r"(.+?)\s*[!=]=\s*(?:\(\(void \*\)0\)|NULL|(?:\([\w\s*]+\)\s*)?0)\Z")


def tested_for_null(texts: Sequence[str]) -> frozenset[str]:
    """The names of variables and members that tests compare with NULL, or test as they are; of elements ``name[]``."""
    found = set()
    for text in texts:
        compared = _COMPARED_WITH_NULL.match(text)
        word = _WORD_TESTED.match((compared[1] if compared else text).strip())
        if word:
            found.add(f"{word[1]}[]" if word[2] else word[1])
    return frozenset(found)


def compared_with_sizes(texts: Sequence[str]) -> frozenset[str]:
    """The names that tests compare with the size of something: they have that value, and count no elements."""
    found = filter(None, map(_SIZE_TESTED.search, texts))
    return frozenset(item[1] or item[2] for item in found)


@dataclass(frozen=True, slots=True)
class Fitting:
    """Makes the specifications of one function's parameters.

    A pointer may be NULL if the code tests its name for that: a parameter if the function itself does
    (``nullable_parameters``), a member if any function of the file does (``nullable``). With ``sized_numbers`` an
    integer lies between minus the size and the size.
    """

    function: str
    nullable: frozenset[str]
    sized_numbers: bool = False
    nullable_parameters: frozenset[str] = frozenset()
    text_length: str = "N"
    declared: Mapping[str, int] = field(default_factory=dict)
    dimensions: Mapping[str, str] = field(default_factory=dict)
    sizes: frozenset[str] = frozenset()
    shallower: int = 0
    """By how many objects lists and trees are shorter, where inputs would be too large to search."""

    def specs(self, parameters: Sequence[Parameter], given: Mapping[str, Spec | str]) -> dict[str, CSpec]:
        """The specification of each parameter."""
        names = [parameter.name for parameter in parameters]
        for name in given:
            if name not in names:
                known = f"its parameters are {', '.join(names)}" if names else "it takes none"
                raise InputError(f"{self.function} has no parameter {name!r}: {known}")
        dimensions = {count: (vector,) for count, vector in self.dimensions.items()}
        counts = {**_counts(parameters), **dimensions}
        counted = {count: found for count, found in counts.items() if count not in {*given, *self.sizes}}
        specs = {}
        for parameter in parameters:
            user = _parsed(given.get(parameter.name))
            spec = self._given(parameter.type, user, parameter.name) if user else self._default(parameter, counted)
            specs[parameter.name] = spec
        return specs

    def _default(self, parameter: Parameter, counted: Mapping[str, Sequence[str]]) -> CSpec:
        name, kind = parameter.name, parameter.type
        if name in counted and isinstance(kind, Number):
            return CInt(kind, 0, "N")
        spec = self.of(kind, name, ())
        if name in self.declared and isinstance(kind, Pointer):
            return replace(_counted(spec), length=self.declared[name])  # type: ignore[type-var]
        if any(name in vectors for vectors in counted.values()):
            return _counted(spec)
        if isinstance(spec, CVector) and not spec.type.is_const and _OUTPUTS.match(name):
            return replace(spec, room=ROOM)
        if self.sized_numbers and isinstance(spec, CInt) and not spec.width:
            return replace(spec, low="-N" if int(spec.low) < 0 else 0, high="N") if int(spec.high) > 1 else spec
        return spec

    def of(self, kind: CType, name: str, around: tuple[Struct, ...]) -> CSpec:
        """The values of a type; ``around`` are the structs that it is inside of."""
        match kind:
            case Number(is_float=True):
                return CReal(kind)
            case Number():
                widest = replace(kind, size=min(kind.size, WIDEST))
                return CInt(kind, widest.low, widest.high)
            case Enum():
                return _enumeration(kind)
            case Array():
                return CArray(kind, self.of(kind.element, name, around))
            case Struct():
                return self._struct(kind, name, (*around, kind))
            case Pointer():
                return self._pointer(kind, name, around)
        raise self._unmade(kind, name)

    def _struct(self, kind: Struct, name: str, around: tuple[Struct, ...]) -> CStruct:
        members = [(member, self._member(member, around)) for member in kind.members if _is_made(member)]
        return CStruct(kind, tuple(members))

    def _member(self, member: Member, around: tuple[Struct, ...]) -> CSpec:
        kind = member.type
        if member.width and isinstance(kind, Number | Enum):
            is_signed = isinstance(kind, Number) and kind.is_signed
            low = -(1 << (member.width - 1)) if is_signed else 0
            return CInt(kind, low, (1 << (member.width - is_signed)) - 1, member.first_bit, member.width)
        try:
            return self.of(kind, member.name, around)
        except InputError:
            if isinstance(kind, Pointer):
                return CConst(kind, None)
            raise

    def _pointer(self, kind: Pointer, name: str, around: tuple[Struct, ...]) -> CSpec:
        target = kind.target
        may_be_null = self._may_be_null(name, around)
        if target is None:
            byte = Number("unsigned char", 1, is_signed=False, is_char=True)
            return CVector(kind, CInt(byte, 0, 255), byte, terminated=True, nullable=may_be_null)
        match target:
            case Function():
                return CCallback(kind, may_be_null)
            case Number(is_char=True):
                text = CVector(kind, CChar(target), target, self.text_length, terminated=True)
                return replace(text, nullable=may_be_null)
            case Array(is_variable=True):
                return self._rows(kind, target, name, may_be_null)
            case Number() | Enum() | Array():
                return CVector(kind, self.of(target, name, around), target, nullable=may_be_null)
            case Pointer():
                inner = self.of(target, f"{name}[]", around)
                return CVector(kind, inner, target, nullable=may_be_null, terminated=True)
            case Struct() if target.name in _STREAMS:
                return CStream(kind, self._content(may_be_null))
            case Struct() if target.name not in _UNMADE:
                return self._object(kind, target, name, around)
            case Opaque() if target.name.startswith(("struct ", "union ")) and "__" not in target.name:
                return _hidden(kind, may_be_null)
        if may_be_null:
            return CConst(kind, None)
        raise self._unmade(kind, name)

    def _content(self, may_be_null: bool) -> CVector:
        """What is read from a stream: text without NUL."""
        char = Number("char", 1, is_char=True)
        text = CVector(Pointer("char *", char), CChar(char), char, self.text_length, terminated=True)
        return replace(text, nullable=may_be_null)

    def _rows(self, kind: Pointer, target: CType, name: str, may_be_null: bool) -> CSpec:
        """Rows whose lengths other parameters have, one after the other, with room for the longest."""
        length = "N"
        while isinstance(target, Array):
            length += f"*{target.count}" if target.count >= 0 else "*N"
            target = target.element
        return CVector(kind, self.of(target, name, ()), target, length, nullable=may_be_null, fixed=True)

    def _may_be_null(self, name: str, around: tuple[Struct, ...]) -> bool:
        return name in (self.nullable if around else self.nullable_parameters)

    def _object(self, kind: Pointer, target: Struct, name: str, around: tuple[Struct, ...]) -> CSpec:
        deepest = DEEPEST_TREE if _self_references(target) > 1 else DEEPEST_LIST
        deepest = max(1, deepest - self.shallower)
        if target in around and _BACK.match(name):
            around = (*around, *[target] * (deepest - 1 - around.count(target)))
        is_deep = around.count(target) >= deepest or len(around) >= 2 * DEEPEST_LIST
        if is_deep or prod(map(_references, around)) > MOST_SIBLINGS:
            return CConst(kind, None)
        nullable = self._may_be_null(name, around) or target in around
        made = self._struct(target, name, (*around, target))
        tail = flexible_member(target)
        if tail is None or isinstance(tail.element, Struct | Array):
            return CObject(kind, made, target.size, nullable)
        element, size = self.of(tail.element, name, (*around, target)), tail.element.size
        return CFlexible(kind, _counting(made), target.members[-1].name, element, size, nullable)

    def _unmade(self, kind: CType, name: str) -> InputError:
        pointed = kind.target if isinstance(kind, Pointer) else kind
        shown = kind.name if not isinstance(pointed, Opaque) else f"{kind.name} (never defined)"
        hint = f"give it by --input '{name}=None', or write a function that makes one and calls {self.function}"
        return InputError(f"parameter {name!r} of {self.function} has the type {shown}, which cannot be made: {hint}")

    # What the user gave

    def _given(self, kind: CType, spec: Spec, name: str) -> CSpec:
        """The user's specification as one of this type."""
        if isinstance(spec, CSpec):
            return spec
        if isinstance(kind, Number | Enum):
            return self._number(kind, spec, name)
        if isinstance(kind, Pointer):
            return self._given_pointer(kind, spec, name)
        raise self._misfit(kind, spec, name)

    def _number(self, kind: Number | Enum, spec: Spec, name: str) -> CSpec:
        match spec:
            case Float() if isinstance(kind, Number) and kind.is_float:
                return CReal(kind, _bound(spec.low), _bound(spec.high))
            case Int() if isinstance(kind, Number) and kind.is_float:
                return CReal(kind, _bound(spec.low), _bound(spec.high))
            case Int():
                low, high = (kind.low, kind.high) if isinstance(kind, Number) else (-(1 << 31), (1 << 31) - 1)
                return CInt(kind, _whole(spec.low, low), _whole(spec.high, high))
            case Bool():
                return CInt(kind, 0, 1)
            case Const(value=int(value)):
                return CConst(kind, int(value))
            case Choice() if all(isinstance(value, int) for value in spec.values):
                return CTable(kind, tuple(map(int, spec.values)))
        raise self._misfit(kind, spec, name)

    def _given_pointer(self, kind: Pointer, spec: Spec, name: str) -> CSpec:
        target = kind.target or Number("unsigned char", 1, is_signed=False, is_char=True)
        match spec:
            case Const(value=None):
                return CConst(kind, None)
            case Union(alternatives=(first, Const(value=None))) | Union(alternatives=(Const(value=None), first)):
                return replace(self._given(kind, first, name), nullable=True)  # type: ignore[type-var]
            case Str() if isinstance(target, Number) and target.size == 1:
                low, high = max(1, int(spec.low)), min(255, int(spec.high))
                return CVector(kind, CChar(target, low, high), target, spec.length, terminated=True)
            case Bytes() if isinstance(target, Number) and target.size == 1:
                return CVector(kind, CInt(target, 0, 255), target, spec.length)
            case List():
                element = self._given(target, spec.element, name)
                return CVector(kind, element, target, spec.length)
            case Int() | Float() | Choice() | Bool():
                return CVector(kind, self._given(target, spec, name), target, 1)
        raise self._misfit(kind, spec, name)

    def _misfit(self, kind: CType, spec: Spec, name: str) -> InputError:
        return InputError(
            f"{name} of {self.function} has the type {kind.name}, which {spec} does not fit: give a range for numbers, "
            "list[...] for pointers to them, str or bytes for pointers to characters, or None for NULL"
        )


def _bound(bound: float | int | str | None) -> float | None:
    return float(bound) if isinstance(bound, int | float) else None


def _whole(bound: float | str | None, otherwise: int) -> int | str:
    return bound if isinstance(bound, int | str) else otherwise


def _parsed(given: Spec | str | None) -> Spec | None:
    return parse(given) if isinstance(given, str) else given


def _is_made(member: Member) -> bool:
    """Whether a member has a value of its own: padding and arrays without a length have none."""
    return not (isinstance(member.type, Array) and member.type.count <= 0) and bool(member.name or member.type.size)


def _enumeration(kind: Enum) -> CTable:
    """All values that have names, and one that has none, since C allows it."""
    values = tuple(dict.fromkeys(value for _, value in kind.members))
    return CTable(kind, (*values, max(values, default=-1) + 1))


def _hidden(kind: Pointer, nullable: bool) -> CVector:
    """What a pointer leads to whose type is never defined: code without the definition cannot look inside."""
    byte = Number("unsigned char", 1, is_signed=False, is_char=True)
    return CVector(kind, CInt(byte, 0, 0), byte, 0, nullable=nullable, fixed=True, room=HIDDEN_SIZE)


def _references(struct: Struct) -> int:
    """How many pointers to structs a struct has."""
    pointers = (member.type for member in struct.members if isinstance(member.type, Pointer))
    return max(1, sum(isinstance(pointer.target, Struct) for pointer in pointers))


def _counting(struct: CStruct) -> CStruct:
    """A struct before elements, which number of them a member has that by its name counts."""
    members = [
        (member, replace(spec, low=0, high="N") if isinstance(spec, CInt) and _COUNTS.match(member.name) else spec)
        for member, spec in struct.members
    ]
    return replace(struct, members=tuple(members))


def _self_references(struct: Struct) -> int:
    members = (member for member in struct.members if not _BACK.match(member.name))
    return sum(isinstance(member.type, Pointer) and member.type.target is struct for member in members)


def _counts(parameters: Sequence[Parameter]) -> dict[str, tuple[str, ...]]:
    """Numbers that by their names say how many elements the pointers before or after them lead to."""
    found: dict[str, tuple[str, ...]] = {}
    for at, (first, second) in enumerate(pairwise(parameters)):
        if _is_count(second) and _is_vector(first):
            found[second.name] = _alike(parameters[at::-1])
        elif _is_count(first) and _is_vector(second) and first.name not in found:
            found[first.name] = _alike(parameters[at + 1 :])
    return found


def _alike(parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """The first of some parameters, and those after it that have the same type, unless they are texts or outputs."""
    first, *further = parameters
    same = takewhile(lambda item: item.type.name == first.type.name, further)
    return first.name, *(item.name for item in same if not (_is_text(item) or _OUTPUTS.match(item.name)))


def _is_text(parameter: Parameter) -> bool:
    kind = parameter.type
    return isinstance(kind, Pointer) and isinstance(kind.target, Number) and kind.target.is_char


def _is_count(parameter: Parameter) -> bool:
    kind = parameter.type
    is_integer = isinstance(kind, Number) and not (kind.is_float or kind.is_bool or kind.is_char)
    return is_integer and _COUNTS.match(parameter.name) is not None


def _is_vector(parameter: Parameter) -> bool:
    kind = parameter.type
    return isinstance(kind, Pointer) and not isinstance(kind.target, Function | Opaque)


def _counted(spec: CSpec) -> CSpec:
    """A pointer whose number of elements another parameter gives: all of them are there."""
    match spec:
        case CVector(fixed=True):
            return spec
        case CVector():
            element = replace(spec.element, low=0, high=255) if isinstance(spec.element, CChar) else spec.element
            return replace(spec, element=element, length="N", fixed=True, terminated=False)
        case CObject(type=Pointer(target=Struct() as target)):
            return CVector(spec.type, spec.target, target, nullable=spec.nullable, fixed=True)
    return spec
