"""Recipes as idiomatic Python expressions: ranges, products and comprehensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from pessimal.inputs import render
from pessimal.synthesis.generators.recipe import (
    Arranged,
    Container,
    Cut,
    Fixed,
    Inexact,
    Item,
    Items,
    Number,
    Repeat,
    Scalar,
    add_multiple,
    map_numbers,
    numbers,
    uses,
    without_loop,
)
from pessimal.synthesis.generators.tokens import literal
from pessimal.synthesis.laws import ONE, Law, N, constant
from pessimal.synthesis.program import NAMES, form_text

MAX_UNROLLED = 4
"""A loop that always makes at most so many items is written out."""
MAX_UNROLLED_TEXT = 16
"""So is a loop that always makes at most so many characters or bytes."""
MAX_STOP_DISTANCE = 8
"""How far from the exact end of a range a simpler expression is looked for."""
COMPARED_SIZES = 200
"""Sums of multiples, quotients and remainders by small numbers that agree at so many sizes always agree."""
MIN_SAVING = 2
"""A loop counts from 0 unless another start saves more characters than this."""
MAX_WIDTH = 100
"""A dict of arguments longer than this many characters is written on several lines."""


class Unprintable(Exception):
    """A recipe has no short expression, as for a dict whose keys and values come from different loops."""


@dataclass(frozen=True, slots=True)
class _ContainerStyle:
    """How the containers of one type are written."""

    joiner: str
    literal: Callable[[Items], str]
    wrap: Callable[[str], str]
    ranged: Callable[[str], str]


def arguments_text(arguments: Mapping[str, Items], indent: str = "    ") -> str:
    """A dict of arguments by name, on one line if it is short enough."""
    entries = [f"{quoted(name)}: {_argument(items)}" for name, items in arguments.items()]
    line = f"{{{', '.join(entries)}}}"
    if len(line) <= MAX_WIDTH or len(entries) == 1:
        return line
    inner = "".join(f"\n{indent}    {entry}," for entry in entries)
    return f"{{{inner}\n{indent}}}"


def _argument(items: Items) -> str:
    if len(items) != 1:
        raise Unprintable(f"an argument must be one value, but has {len(items)}")
    try:
        return _item(*_unrolled(items))
    except (ValueError, OverflowError) as error:  # not a valid character or byte
        raise Unprintable(str(error)) from None


def quoted(text: str | bytes) -> str:
    """The repr, but in double quotes if that needs no other escapes."""
    plain = repr(text)
    if '"' in plain or "\\'" in plain:
        return plain
    return plain.replace("'", '"')


def _item(item: Item) -> str:
    match item:
        case Scalar(kind, number):
            return _scalar(kind, number)
        case Fixed(symbol):
            return render(literal(symbol))
        case Container(kind, items):
            return _joined(kind, items)
    raise Unprintable(f"{item} is not one value")


def _scalar(kind: str, number: Number) -> str:
    text = form_text(number)
    if not _is_constant(number):
        return text if kind in ("int", "byte") else f"{kind}({text})"
    value = number[0](0)
    match kind:
        case "bool":
            return str(bool(value))
        case "float":
            return repr(float(value))
        case "chr":
            return quoted(chr(value))
    return text


def _is_constant(number: Number) -> bool:
    return number[0].is_constant and not any(law.terms for law in number[1:])


def _joined(kind: str, items: Items) -> str:
    """The expression of a container: its runs of single items and its loops, joined."""
    pieces: list[str] = []
    for is_single, run in groupby(items, lambda item: not isinstance(item, Repeat | Cut | Arranged)):
        members = tuple(run)
        if is_single:
            pieces.append(_STYLES[kind].literal(members))
        else:
            pieces += [_repeated(kind, item) for item in members]
    return _STYLES[kind].joiner.join(pieces) or _STYLES[kind].literal(())


def _repeated(kind: str, item: Item) -> str:
    """The expression of a container with a single loop."""
    match item:
        case Cut(length, items):
            return f"{_grouped(_joined(kind, items))}[:{form_text(length)}]"
        case Arranged(function, items):
            return f"{function}({_joined(kind, items)})"
        case Repeat(trip, items):
            depth = len(trip) - 1
            if kind != "dict" and not uses(items, depth) and all(map(_is_immutable, items)):
                return f"{_grouped(_joined(kind, without_loop(items, depth)))} * {_factor(form_text(trip))}"
            ranged = _range(item)
            if ranged is not None and kind in ("list", "tuple", "bytes"):
                return _STYLES[kind].ranged(ranged)
            return _STYLES[kind].wrap(_comprehension(kind, item))
    raise Unprintable(f"{item} is not a loop")


def _comprehension(kind: str, loop: Repeat) -> str:
    """The inside of a comprehension: an element and a ``for`` clause for each loop around it."""
    clauses: list[str] = []
    body: Items = (loop,)
    while len(body) == 1 and isinstance(inner := body[0], Repeat):
        depth = len(inner.trip) - 1
        if uses(inner.items, depth):
            text, body = _counted(inner)
            clauses.append(f"for {NAMES[depth]} in {text}")
        else:
            clauses.append(f"for _ in range({form_text(inner.trip)})")
            body = without_loop(inner.items, depth)
    return f"{_element(kind, body, clauses)} {' '.join(clauses)}"


def _counted(loop: Repeat) -> tuple[str, Items]:
    """The range and the body of a loop, counting from 0, or such that one number is the iterator if that is shorter."""
    depth = len(loop.trip) - 1
    best = f"range({form_text(loop.trip)})", loop.items
    for number in numbers(loop.items):
        if number[depth + 1 :] != (constant(1),):
            continue
        try:
            counted = _counted_from(number[:-1], loop)
        except Inexact:
            continue
        if _length(counted) + MIN_SAVING < _length(best):
            best = counted
    return best


def _length(counted: tuple[str, Items]) -> int:
    return len(counted[0]) + sum(len(form_text(number)) for number in numbers(counted[1]))


def _counted_from(start: Number, loop: Repeat) -> tuple[str, Items]:
    """The range and the body of a loop whose iterator starts elsewhere; raises Inexact if no law can express it."""
    depth = len(start)

    def change(number: Number) -> Number:
        if not number[depth].is_constant:
            raise Inexact
        moved = (add_multiple(law, first, -number[depth](0)) for law, first in zip(number, start, strict=False))
        return (*moved, *number[depth:])

    stop = tuple(map(add_multiple, start, loop.trip))
    return f"range({form_text(start)}, {form_text(stop)})", map_numbers(loop.items, change)


def _element(kind: str, body: Items, clauses: list[str]) -> str:
    """The element of a comprehension; in lists and tuples several items need a ``for`` clause of their own."""
    if kind == "dict":
        if len(body) != 2:
            raise Unprintable("a loop over keys or values alone")
        return f"{_item(body[0])}: {_item(body[1])}"
    if kind in ("str", "bytes"):
        return _joined(kind, body)
    if len(body) == 1 and not _has_loop(body):
        return _item(body[0])
    clauses.append(f"for x in {_joined('tuple' if not _has_loop(body) else 'list', body)}")
    return "x"


def _has_loop(items: Items) -> bool:
    return any(isinstance(item, Repeat | Cut | Arranged) for item in items)


def _is_immutable(item: Item) -> bool:
    """Whether one object can safely occur in several places."""
    match item:
        case Container(kind, items):
            return kind not in ("list", "dict") and all(map(_is_immutable, items))
        case Repeat() | Cut() | Arranged():
            return all(map(_is_immutable, item.items))
    return True


def _range(loop: Repeat) -> str | None:
    """The range that gives the numbers of a loop, if the loop has one number that changes by a fixed step."""
    match loop.items:
        case (Scalar(kind="int" | "byte", number=number),) if number[-1].is_constant and number[-1].terms:
            step = number[-1](0)
        case _:
            return None
    start = number[:-1]
    try:
        stop = tuple(add_multiple(first, other, step) for first, other in zip(start, loop.trip, strict=True))
    except Inexact:
        return None
    stop = (_shortest_stop(stop[0], step), *stop[1:])
    is_zero = not any(law.terms for law in start)
    parts = [form_text(stop)] if is_zero and step == 1 else [form_text(start), form_text(stop)]
    return f"range({', '.join(parts if step == 1 else [*parts, str(step)])})"


def _shortest_stop(stop: Law, step: int) -> Law:
    """The law with the shortest text that ends a range at the same element; it may be off by less than a step."""
    near = [
        add_multiple(stop, constant(-distance if step > 0 else distance))
        for distance in range(min(abs(step), MAX_STOP_DISTANCE))
    ]
    simple = [
        Law(((offset, ONE), (1, N)) if offset else ((1, N),)) for offset in range(-MAX_STOP_DISTANCE, MAX_STOP_DISTANCE)
    ]
    is_simple = all(
        part.kind in ("power", "floor", "remainder") and part.number <= MAX_STOP_DISTANCE for _, part in stop.terms
    )
    near += [
        law for law in simple if is_simple and all(_ends_alike(stop(n), law(n), step) for n in range(COMPARED_SIZES))
    ]
    return min(near, key=lambda law: len(law.text()))


def _ends_alike(stop: int, other: int, step: int) -> bool:
    return 0 <= (stop - other if step > 0 else other - stop) < abs(step)


def _unrolled(items: Items) -> Items:
    """The items, with loops that always make few of them written out."""
    return tuple(inner for item in items for inner in _unrolled_item(item))


def _unrolled_item(item: Item) -> Iterator[Item]:
    match item:
        case Container(kind, items):
            yield Container(kind, _unrolled(items))
        case Repeat(trip, items):
            yield from _unrolled_loop(trip, _unrolled(items))
        case Cut(length, items):
            yield Cut(length, _unrolled(items))
        case Arranged(function, items):
            yield Arranged(function, _unrolled(items))
        case _:
            yield item


def _unrolled_loop(trip: Number, items: Items) -> Items:
    loop = Repeat(trip, items)
    text = all(isinstance(item, Scalar) and item.kind in ("chr", "byte") for item in items)
    if not _is_constant(trip) or _has_loop(items) or not items:
        return (loop,)
    count = max(0, trip[0](0))
    if count * len(items) > (MAX_UNROLLED_TEXT if text else MAX_UNROLLED):
        return (loop,)
    try:
        return tuple(item for iteration in range(count) for item in without_loop(items, len(trip) - 1, iteration))
    except Inexact:
        return (loop,)


def _grouped(text: str) -> str:
    """The text in parentheses, unless it is one literal, call or pair of brackets."""
    return text if _is_closed(text) else f"({text})"


def _is_closed(text: str) -> bool:
    """Whether the text has no operator outside of brackets and quotes."""
    return " * " not in (outer := _outside_brackets(text)) and " + " not in outer and " | " not in outer


def _outside_brackets(text: str) -> str:
    """The text without what is inside of brackets and quotes."""
    kept, depth, quote, skip = "", 0, "", False
    for character in text:
        if skip:
            skip = False
        elif quote:
            skip = character == "\\"
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif not depth:
            kept += character
    return kept


def _factor(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _list(items: Items) -> str:
    return f"[{', '.join(map(_item, items))}]"


def _tuple(items: Items) -> str:
    return f"({', '.join(map(_item, items))}{',' if len(items) == 1 else ''})"


def _dict(items: Items) -> str:
    if len(items) % 2:
        raise Unprintable("a key and its value are made by different loops")
    pairs = zip(items[::2], items[1::2], strict=True)
    return f"{{{', '.join(f'{_item(key)}: {_item(item)}' for key, item in pairs)}}}"


def _str(items: Items) -> str:
    return " + ".join(_texts(items, lambda codes: quoted("".join(map(chr, codes))), _item)) or '""'


def _bytes(items: Items) -> str:
    pieces = _texts(items, lambda codes: quoted(bytes(codes)), lambda item: f"bytes([{_item(item)}])")
    return " + ".join(pieces) or 'b""'


def _texts(items: Items, constant: Callable[[list[int]], str], other: Callable[[Item], str]) -> Iterator[str]:
    for is_constant, run in groupby(items, lambda item: isinstance(item, Scalar) and _is_constant(item.number)):
        if is_constant:
            yield constant([item.number[0](0) for item in run if isinstance(item, Scalar)])
        else:
            yield from map(other, run)


_STYLES = {
    "list": _ContainerStyle(" + ", _list, lambda inside: f"[{inside}]", lambda text: f"list({text})"),
    "tuple": _ContainerStyle(" + ", _tuple, lambda inside: f"tuple({inside})", lambda text: f"tuple({text})"),
    "str": _ContainerStyle(" + ", _str, lambda inside: f'"".join({inside})', lambda text: text),
    "bytes": _ContainerStyle(" + ", _bytes, lambda inside: f'b"".join({inside})', lambda text: f"bytes({text})"),
    "dict": _ContainerStyle(" | ", _dict, lambda inside: f"{{{inside}}}", lambda text: text),
}
