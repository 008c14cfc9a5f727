"""Bitwuzla on IEEE doubles: exact, and many times faster than Z3 on the same questions; an optional extra.

It gets the question as Z3 would, in SMT-LIB. What it cannot read, such as integers beside doubles, stays unknown.
"""

from __future__ import annotations

import struct
import tempfile
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from pessimal.expr import Leaf
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Query, Status
from pessimal.solve.z3 import DoublesText, in_doubles

LONGEST = 2_000
"""Milliseconds after which a question is given up."""


def is_installed() -> bool:
    """Whether the extra is there."""
    return find_spec("bitwuzla") is not None


class BitwuzlaSolver:
    """Asks Bitwuzla about doubles, one question at a time."""

    name = "bitwuzla"

    def __init__(self) -> None:
        self._library: Any = import_module("bitwuzla")

    def solve(self, query: Query) -> Answer:
        """Settle the question; a model is confirmed by exact evaluation."""
        question = in_doubles(query)
        milliseconds = query.milliseconds(LONGEST)
        if question is None or milliseconds <= 0:
            return UNKNOWN
        try:
            answer = self._asked(question, milliseconds)
        except self._library.BitwuzlaException:
            return UNKNOWN
        is_wrong = answer.status is Status.SAT and not query.satisfied_by(answer.values)
        return Answer(Status.UNKNOWN, near=answer.values) if is_wrong else answer

    def _asked(self, question: DoublesText, milliseconds: int) -> Answer:
        library = self._library
        options = library.Options()
        options.set(library.Option.PRODUCE_MODELS, True)
        options.set(library.Option.TIME_LIMIT_PER, milliseconds)
        parser = library.Parser(library.TermManager(), options)
        with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
            file.write(question.text)
            file.flush()
            parser.parse(file.name, True, True)
        solver = parser.bitwuzla()
        status = solver.check_sat()
        if status == library.Result.UNSAT and question.is_exact:
            return UNSAT
        if status != library.Result.SAT:
            return UNKNOWN
        names = {function.symbol(): solver.get_value(function) for function in parser.get_declared_funs()}
        return Answer(Status.SAT, {var: _double(names[name]) for var, name in question.names.items()})


def _double(value: Any) -> Leaf:
    """A value of Bitwuzla, whose sign, exponent and fraction are texts of bits, as a double."""
    bits = "".join(value.value())
    return float(struct.unpack(">d", int(bits, 2).to_bytes(8, "big"))[0])
