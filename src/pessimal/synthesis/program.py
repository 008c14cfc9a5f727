"""Programs: nests of loops whose numbers are laws of the size, and their expansion into arrays at a size."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from pessimal.synthesis.laws import Law, fits, sum_text
from pessimal.synthesis.terms import Atom, Form, Loop, NoModel, Term, atoms, map_numbers, numbers, shape, size

if TYPE_CHECKING:
    from pessimal.synthesis.expand import Expansion

Terms: TypeAlias = tuple[Term[int], ...]

NAMES = "ijklmopqrstuvwxyz"
"""Names of iterators, outermost first; ``n`` is the size."""


@dataclass(frozen=True, slots=True)
class Program:
    """Terms for all sizes: their numbers are laws of the size."""

    terms: tuple[Term[Law], ...]

    def at(self, n: int) -> Terms:
        """The terms at one size."""
        return map_numbers(self.terms, lambda law: law(n))

    def count(self, n: int) -> int:
        """How many events there are at a size."""
        from pessimal.synthesis.expand import count  # NumPy is in an extra

        return count(self.at(n))

    def expand(self, n: int, *, ordered: bool = True) -> Expansion:
        """The events at a size as arrays; ``ordered=False`` leaves out their order, which takes memory."""
        from pessimal.synthesis.expand import expand  # NumPy is in an extra

        return expand(self.at(n), ordered=ordered)

    @property
    def symbols(self) -> frozenset[Hashable]:
        """The symbols of all its events."""
        return frozenset(atom.symbol for atom in atoms(self.terms))

    @property
    def complexity(self) -> int:
        """The length of its description: atoms, loops and free parameters of its laws."""
        return size(self.terms) + sum(_complexity(law) for law in numbers(self.terms))

    def text(self, write: Callable[[Hashable, list[str]], str] | None = None) -> str:
        """As nested loops, one line per atom and loop; ``write`` turns a symbol and its numbers into text."""
        return "\n".join(_lines(self.terms, 0, write or _call))

    def to_json(self) -> list[Any]:
        """As plain data; symbols must be made of None, booleans, numbers, strings and tuples of them."""
        return [_term_to_json(term) for term in self.terms]

    @classmethod
    def from_json(cls, data: Sequence[Mapping[str, Any]]) -> Program:
        """The program that :meth:`to_json` wrote."""
        return cls(tuple(_term_from_json(term) for term in data))


def fit_programs(folded: Mapping[int, Terms], spare: int = 1) -> Iterator[Program]:
    """The programs that equal the given terms at each size; raises :class:`NoModel` if there is none.

    Each law must have ``spare`` more points than parameters; if that is 0, something else must confirm the program. If
    several laws fit, there are several programs, simplest first; equal numbers get equal laws.
    """
    sizes = sorted(folded)
    if not sizes:
        raise NoModel("there are no sequences to learn from")
    _check_shapes(folded, sizes)
    last = folded[sizes[-1]]
    rows = list(zip(*(numbers(folded[n]) for n in sizes), strict=True))
    laws: dict[tuple[int, ...], tuple[Law, ...]] = {}
    for row, description in zip(rows, _descriptions(last), strict=True):
        if row not in laws:
            laws[row] = _laws(dict(zip(sizes, row, strict=True)), description, spare)
    for choice in product(*laws.values()):
        yield _with_laws(last, map(dict(zip(laws, choice, strict=True)).__getitem__, rows))


def _with_laws(terms: Terms, laws: Iterator[Law]) -> Program:
    return Program(map_numbers(terms, lambda _: next(laws)))


def _check_shapes(folded: Mapping[int, Terms], sizes: Sequence[int]) -> None:
    last = sizes[-1]
    widths: dict[Hashable, int] = {}
    for n in sizes:
        if shape(folded[n]) != shape(folded[last]):
            ours, theirs = size(folded[n]), size(folded[last])
            kind = "of other kinds" if ours == theirs else f"but {theirs}"
            raise NoModel(f"the sequence at size {n} has {ours} loops and events, {kind} at size {last}")
    for atom in atoms(folded[last]):
        if widths.setdefault(atom.symbol, len(atom.forms)) != len(atom.forms):
            raise NoModel(f"events {atom.symbol!r} have {widths[atom.symbol]} numbers here and {len(atom.forms)} there")


def _laws(points: Mapping[int, int], description: str, spare: int) -> tuple[Law, ...]:
    laws = fits(points, spare)
    if not laws:
        values = ", ".join(map(str, points.values()))
        sizes = ", ".join(map(str, points))
        raise NoModel(f"{description} is {values} at sizes {sizes}, which no law fits")
    return laws


def _descriptions(terms: Terms) -> Iterator[str]:
    """A description of each number, for messages."""
    loops = 0

    def walk(terms: Terms) -> Iterator[str]:
        nonlocal loops
        for term in terms:
            if isinstance(term, Atom):
                for number, form in enumerate(term.forms):
                    yield from _entries(form, f"number {number + 1} of {term.symbol}")
            else:
                loops += 1
                yield from _entries(term.trip, f"the trip of loop {loops}")
                yield from walk(term.body)

    return walk(terms)


def _entries(form: Form[int], what: str) -> Iterator[str]:
    yield what
    for name in NAMES[: len(form) - 1]:
        yield f"the coefficient of {name} in {what}"


def _complexity(law: Law) -> int:
    return law.complexity[0] if law.terms else 0


def _lines(terms: Sequence[Term[Law]], depth: int, write: Callable[[Hashable, list[str]], str]) -> Iterator[str]:
    for term in terms:
        if isinstance(term, Atom):
            yield "    " * depth + write(term.symbol, [form_text(form) for form in term.forms])
        else:
            yield f"{'    ' * depth}for {NAMES[depth % len(NAMES)]} in range({form_text(term.trip)}):"
            yield from _lines(term.body, depth + 1, write)


def _call(symbol: Hashable, texts: list[str]) -> str:
    return f"{symbol}({', '.join(texts)})"


def form_text(form: Form[Law]) -> str:
    """A form as an expression of the iterators and the size."""
    pieces: list[tuple[int, str]] = []
    for law, name in zip(form[1:], NAMES, strict=False):
        if law.is_constant:
            pieces.append((law(0), name))
        else:
            pieces.append((1, f"{_grouped(law.text())} * {name}"))
    pieces = [piece for piece in pieces if piece[0]]
    constant = form[0]
    if constant.is_constant:
        return sum_text([*pieces, (constant(0), "")])
    text = constant.text()
    if not pieces:
        return text
    if text.startswith("-") and constant.divisor == 1:
        return f"{sum_text(pieces)} - {text[1:]}"
    if text.startswith("-") or pieces[0][0] < 0:
        return sum_text([(1, text), *pieces])
    return f"{sum_text(pieces)} + {text}"


def _grouped(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _term_to_json(term: Term[Law]) -> dict[str, Any]:
    if isinstance(term, Atom):
        return {"symbol": _symbol_to_json(term.symbol), "forms": [_form_to_json(form) for form in term.forms]}
    return {"trip": _form_to_json(term.trip), "body": [_term_to_json(inner) for inner in term.body]}


def _form_to_json(form: Form[Law]) -> list[dict[str, Any]]:
    return [law.to_json() for law in form]


def _term_from_json(data: Mapping[str, Any]) -> Term[Law]:
    if "symbol" in data:
        return Atom(_symbol_from_json(data["symbol"]), tuple(map(_form_from_json, data["forms"])))
    return Loop(_form_from_json(data["trip"]), tuple(map(_term_from_json, data["body"])))


def _form_from_json(data: Sequence[Mapping[str, Any]]) -> Form[Law]:
    return tuple(map(Law.from_json, data))


def _symbol_to_json(symbol: Hashable) -> Any:
    if isinstance(symbol, tuple):
        return [_symbol_to_json(part) for part in symbol]
    if symbol is None or isinstance(symbol, str | int | float):
        return symbol
    raise TypeError(f"not a JSON value: {symbol!r}")


def _symbol_from_json(data: Any) -> Hashable:
    return tuple(map(_symbol_from_json, data)) if isinstance(data, list) else data
