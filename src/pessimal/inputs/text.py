"""The grammar of ``--input``: ``xs=list[int:0..9]:N``, ``k=const:3``, ``s=str:N:a..z``, ``o=int|None``.

A container's lengths follow it and are handed inwards: in ``list[list[int]]:3xN`` the outer list takes 3 and
the inner ones N; the last length is repeated as deep as needed, and everything without a length has N.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

from pessimal.errors import InputError
from pessimal.inputs.containers import Dict, List, Repeated, Set, Tuple, Union
from pessimal.inputs.extent import SIZE_NAME, Extent, check
from pessimal.inputs.hints import from_hint
from pessimal.inputs.scalars import UNBOUNDED, Bool, Bytes, Choice, Const, Float, Int, Str
from pessimal.inputs.scan import Scanner
from pessimal.inputs.spec import Spec

Lengths = tuple[Extent, ...]

_TYPES: dict[str, Any] = {
    "complex": complex,
    "decimal": Decimal,
    "fraction": Fraction,
    "date": datetime.date,
    "time": datetime.time,
    "datetime": datetime.datetime,
    "timedelta": datetime.timedelta,
    "uuid": UUID,
    "path": Path,
    "any": Any,
}
"""Kinds that mean what a hint means."""
_INTEGER = re.compile(r"[+-]?[0-9]{1,1000}\Z")


def parse(text: str) -> Spec:
    """The specification that a text such as ``list[int]:N`` means."""
    scanner = Scanner(text)
    try:
        shape = _alternatives(scanner)
        scanner.finish()
    except RecursionError:
        raise InputError(f"in {text[:40]!r}...: the brackets are nested too deeply: write fewer") from None
    try:
        return shape.build((SIZE_NAME,))
    except InputError as error:
        raise InputError(f"in {text!r}: {error}") from None


def parse_inputs(texts: Iterable[str]) -> dict[str, Spec]:
    """The specifications that several ``name=specification`` texts give, each name at most once."""
    given: dict[str, Spec] = {}
    for text in texts:
        name, equals, spec = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise InputError(
                f"{text!r} does not start with a parameter's name: write for example x=int or xs=list[int]:N"
            )
        if name in given:
            raise InputError(f"parameter {name!r} is given twice: drop {text!r} or the one before it")
        given[name] = parse(spec)
    return given


@dataclass(frozen=True, slots=True)
class _Shape:
    """A specification that still waits for the lengths from outside; depth is how many of them it can use."""

    depth: int
    build: Callable[[Lengths], Spec]


def _plain(spec: Spec) -> _Shape:
    """A shape that uses no length."""
    return _Shape(0, lambda _: spec)


def _sized(depth: int, own: Lengths | None, build: Callable[[Extent, Lengths], Spec]) -> _Shape:
    """A shape that takes the first length for itself, of its own lengths or else of those from outside."""

    def take(outer: Lengths) -> Spec:
        lengths = own or outer
        return build(lengths[0], lengths[1:] or lengths)

    return _Shape(depth, take)


def _alternatives(scanner: Scanner) -> _Shape:
    shapes = [_single(scanner)]
    while scanner.accept("|"):
        shapes.append(_single(scanner))
    if len(shapes) == 1:
        return shapes[0]
    return _Shape(_deepest(shapes), lambda outer: Union(tuple(shape.build(outer) for shape in shapes)))


def _deepest(shapes: Iterable[_Shape]) -> int:
    return max((shape.depth for shape in shapes), default=0)


def _single(scanner: Scanner) -> _Shape:
    kind = scanner.kind()
    return _READERS[kind](scanner, kind)


def _number(scanner: Scanner, kind: str) -> _Shape:
    """``int``, ``int:0..9``, or in brackets ``int[0..9]`` and ``int[0,9]``."""
    build: Callable[..., Spec] = Int if kind == "int" else Float
    if scanner.accept("["):
        bounds = _bracketed_range(scanner, kind)
    elif scanner.accept(":"):
        bounds = _range(scanner, scanner.segment(), kind)
    else:
        bounds = []
    return _Shape(0, lambda _: build(*bounds))


def _bracketed_range(scanner: Scanner, kind: str) -> list[Extent | float | None]:
    part = scanner.segment()
    if scanner.accept(","):
        part = f"{part}..{scanner.segment()}"
    bounds = _range(scanner, part, kind)
    scanner.expect("]", kind)
    return bounds


def _range(scanner: Scanner, part: str, kind: str) -> list[Extent | float | None]:
    low, dots, high = (piece.strip() for piece in part.partition(".."))
    if not dots:
        scanner.fail(part, f"is not a range of {kind}s", kind)
    ends = ("" if low == "-inf" else low), ("" if high == "inf" else high)
    bounds = [_bound(scanner, end, kind) for end in ends]
    return list(UNBOUNDED) if bounds == [None, None] else bounds


def _bound(scanner: Scanner, part: str, kind: str) -> Extent | float | None:
    if not part:
        return None
    if kind == "int" or SIZE_NAME in part:
        return _extent(scanner, part, kind)
    try:
        return float(part)
    except ValueError:
        scanner.fail(part, "is not a number", kind)


def _string(scanner: Scanner, kind: str) -> _Shape:
    own: Lengths | None = None
    characters = _characters(scanner)
    if not characters:
        own = _lengths(scanner, kind, 1)
        characters = _characters(scanner)
    return _sized(1, own, lambda length, _: Str(length, **characters))


def _characters(scanner: Scanner) -> dict[str, Any]:
    """``:a..z`` or ``:'abc'`` if that comes next."""
    start = scanner.position
    if not scanner.accept(":"):
        return {}
    low, quoted = scanner.character()
    if scanner.accept(".."):
        return {"low": low, "high": scanner.character()[0]}
    if quoted:
        return {"alphabet": low}
    scanner.position = start
    return {}


def _bytes(scanner: Scanner, kind: str) -> _Shape:
    return _sized(1, _lengths(scanner, kind, 1), lambda length, _: Bytes(length))


def _collection(scanner: Scanner, kind: str) -> _Shape:
    (element,) = _bracketed(scanner, kind, 1)
    own = _lengths(scanner, kind, element.depth + 1)

    def build(length: Extent, inner: Lengths) -> Spec:
        spec = element.build(inner)
        return List(spec, length) if kind == "list" else Set(spec, length, kind == "frozenset")

    return _sized(element.depth + 1, own, build)


def _dictionary(scanner: Scanner, kind: str) -> _Shape:
    key, value = _bracketed(scanner, kind, 2)
    depth = _deepest((key, value)) + 1
    own = _lengths(scanner, kind, depth)
    return _sized(depth, own, lambda length, inner: Dict(key.build(inner), value.build(inner), length))


def _bracketed(scanner: Scanner, kind: str, count: int) -> list[_Shape]:
    """``[spec,...]`` of so many specifications; ints when there are no brackets."""
    if not scanner.accept("["):
        return [_plain(Int())] * count
    shapes = [_alternatives(scanner)]
    while len(shapes) < count:
        scanner.expect(",", kind)
        shapes.append(_alternatives(scanner))
    scanner.expect("]", kind)
    return shapes


def _tuple(scanner: Scanner, kind: str) -> _Shape:
    scanner.expect("[", kind)
    elements: list[_Shape] = []
    while not scanner.accept("]"):
        if elements and scanner.accept("..."):
            return _repeated(scanner, kind, elements)
        elements.append(_alternatives(scanner))
        if not scanner.peek("]"):
            scanner.expect(",", kind)
    return _Shape(_deepest(elements), lambda outer: Tuple(tuple(element.build(outer) for element in elements)))


def _repeated(scanner: Scanner, kind: str, elements: list[_Shape]) -> _Shape:
    scanner.expect("]", kind)
    if len(elements) > 1:
        scanner.fail("...", "follows more than one element", kind)
    (element,) = elements
    own = _lengths(scanner, kind, element.depth + 1)
    return _sized(element.depth + 1, own, lambda length, inner: Repeated(element.build(inner), length))


def _lengths(scanner: Scanner, kind: str, depth: int) -> Lengths | None:
    """``:NxM`` if that comes next, with no more lengths than the container is deep."""
    if not scanner.accept(":"):
        return None
    part = scanner.segment(":")
    lengths = tuple(_extent(scanner, length.strip(), kind) for length in part.split("x"))
    if len(lengths) > depth:
        scanner.fail(part, f"gives {len(lengths)} lengths where {depth} can be used", kind)
    return lengths


def _extent(scanner: Scanner, part: str, kind: str) -> Extent:
    if _INTEGER.match(part):
        return int(part)
    try:
        check(part)
    except InputError:
        scanner.fail(part, "is neither an int nor an expression of N", kind)
    return part


def _constant(scanner: Scanner, kind: str) -> _Shape:
    scanner.expect(":", kind)
    return _plain(Const(scanner.literal(kind)))


def _choice(scanner: Scanner, kind: str) -> _Shape:
    """``:1,2`` or, where more follows, ``[1,2]``."""
    bracketed = scanner.accept("[")
    if not bracketed:
        scanner.expect(":", kind)
    values = [scanner.literal(kind)]
    while scanner.accept(","):
        values.append(scanner.literal(kind))
    if bracketed:
        scanner.expect("]", kind)
    return _plain(Choice(tuple(values)))


_READERS: dict[str, Callable[[Scanner, str], _Shape]] = {
    "int": _number,
    "float": _number,
    "bool": lambda scanner, kind: _plain(Bool()),
    "str": _string,
    "bytes": _bytes,
    "list": _collection,
    "tuple": _tuple,
    "dict": _dictionary,
    "set": _collection,
    "frozenset": _collection,
    "const": _constant,
    "choice": _choice,
    "None": lambda scanner, kind: _plain(Const(None)),
    **dict.fromkeys(_TYPES, lambda scanner, kind: _plain(from_hint(_TYPES[kind]))),
}
