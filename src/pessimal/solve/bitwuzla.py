"""Bitwuzla on IEEE doubles and bit-vectors: exact, and many times faster than Z3 on most of them; an optional extra.

It gets a question as Z3 would, in SMT-LIB. What it cannot read, such as integers beside doubles, stays unknown.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Collection
from importlib import import_module
from typing import Any, NamedTuple

from pessimal.expr import Leaf
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Query, Status
from pessimal.solve.components import relevant
from pessimal.solve.words import WordsText, has_bits, in_words
from pessimal.solve.z3 import DoublesText, in_doubles

LONGEST = 2_000
"""Milliseconds after which a question is given up."""
READINGS = ("words", "doubles")


class Found(NamedTuple):
    """What Bitwuzla says of a text: the status, and for ``SAT`` the bits of each name; truth values have one."""

    status: Status
    bits: dict[str, str]


class BitwuzlaSolver:
    """Asks Bitwuzla about words where there are bit operations, otherwise about doubles, one question at a time."""

    name = "bitwuzla"

    def __init__(self, readings: Collection[str] = READINGS, longest: int = LONGEST) -> None:
        import_module("bitwuzla")
        self._readings = readings
        self._longest = longest

    def solve(self, query: Query) -> Answer:
        """Settle the question; a model is confirmed by exact evaluation."""
        reading = "words" if has_bits(condition for condition, _ in relevant(query)[0]) else "doubles"
        milliseconds = query.milliseconds(self._longest)
        if reading not in self._readings or milliseconds <= 0:
            return UNKNOWN
        question: WordsText | DoublesText | None = in_words(query) if reading == "words" else in_doubles(query)
        found = None if question is None else settled(question.text, milliseconds)
        if question is None or found is None:
            return UNKNOWN
        if found.status is not Status.SAT:
            return UNSAT if found.status is Status.UNSAT and question.is_exact else UNKNOWN
        number = _integer if reading == "words" else _double
        values = {var: number(found.bits[name]) for var, name in question.names.items() if name in found.bits}
        is_right = query.satisfied_by(values)
        return Answer(Status.SAT, values) if is_right else Answer(Status.UNKNOWN, near=values)


def settled(text: str, milliseconds: int) -> Found | None:
    """What Bitwuzla says of a text in SMT-LIB; None if it cannot read that."""
    library: Any = import_module("bitwuzla")
    options = library.Options()
    options.set(library.Option.PRODUCE_MODELS, True)
    options.set(library.Option.TIME_LIMIT_PER, milliseconds)
    parser = library.Parser(library.TermManager(), options)
    try:
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
            file.write(text)
            file.flush()
            parser.parse(file.name, True, True)
        solver = parser.bitwuzla()
        status = solver.check_sat()
        if status != library.Result.SAT:
            return Found(Status.UNSAT if status == library.Result.UNSAT else Status.UNKNOWN, {})
        values = {function.symbol(): solver.get_value(function).value() for function in parser.get_declared_funs()}
    except library.BitwuzlaException:
        return None
    return Found(Status.SAT, {name: bits for name, value in values.items() if (bits := _bits(value)) is not None})


def _bits(value: Any) -> str | None:
    """The bits of a value: a text, or several for the parts of a float; a rounding mode has none."""
    if isinstance(value, bool):
        return str(int(value))
    return "".join(value) if isinstance(value, str | tuple | list) else None


def _integer(bits: str) -> Leaf:
    """The number that bits mean in two's complement."""
    return int(bits, 2) - ((1 << len(bits)) if bits[0] == "1" else 0)


def _double(bits: str) -> Leaf:
    return float(struct.unpack(">d", int(bits, 2).to_bytes(8, "big"))[0])
