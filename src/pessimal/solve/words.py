"""Conditions with bit operations, read as machine words: hashes, checksums and registers.

Integers are words of 64 bits, or of 128 where the range of a leaf needs more; bit-vectors have their own width. Where
all numbers are known to fit, the reading is exact, and that there is no solution is a proof. Otherwise leaves without
bounds are taken from 32 bits and numbers wrap around, so that a solution is one only if exact evaluation says so, and
that there is none proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import z3

from pessimal.expr import App, Compare, Expr, Junction, Leaf, Not, Offset, variables, vectors
from pessimal.expr.bits import BITS
from pessimal.expr.intervals import Intervals
from pessimal.expr.node import bottom_up, children
from pessimal.expr.reals import Untranslatable
from pessimal.solve.base import UNKNOWN, UNSAT, Answer, Bounds, Literal, Query, Status
from pessimal.solve.components import Components, relevant

WIDTHS = (64, 128)
INPUT = 1 << 31
EFFORT = 4_000_000
LONGEST = 10_000
MAX_CONDITIONS = 200
"""More conditions than this are not read as words, since all that bear on a question are read again for it."""
_MASKED = frozenset("&|^")


def has_bits(conditions: Iterable[Expr]) -> bool:
    """Whether a bit operation takes part in a condition."""
    seen: set[int] = set()
    stack: list[Any] = list(conditions)
    while stack:
        node = stack.pop()
        if type(node) is App:
            if node.op in _MASKED or node.op in BITS:
                return True
            if id(node) in seen:
                continue
            seen.add(id(node))
        stack.extend(children(node))
    return False


class WordSolver:
    """Answers questions along one path, each by a Z3 of its own that is told only what bears on it."""

    def __init__(self) -> None:
        self._components = Components()
        self._literals: list[tuple[int, Literal]] = []
        self._read = 0

    def solve(self, query: Query) -> Answer:
        """A model as words, which must be checked, or a proof that there is none."""
        milliseconds = query.milliseconds(LONGEST)
        solver = z3.SolverFor("QF_BV")
        words = _told(solver, query, self._relevant(query), width_for(query.domains)) if milliseconds > 0 else None
        if words is None:
            return UNKNOWN
        solver.set("rlimit", EFFORT)
        solver.set("timeout", milliseconds)
        return _answer(solver, words)

    def _relevant(self, query: Query) -> list[Literal]:
        """The conditions of the path that share variables with the question, however indirectly."""
        for literal in query.path[self._read :]:
            found = variables(literal[0])
            self._components.join(found)
            self._literals += [(var, literal) for var in list(found)[:1]]
        self._read = len(query.path)
        asked = self._components.of(variables(query.extra[0]))
        return [literal for var, literal in self._literals if self._components.of((var,)) <= asked]


class WordsText(NamedTuple):
    """A question over words in SMT-LIB, the names of the leaves in it, and whether the reading is exact."""

    text: str
    names: dict[int, str]
    is_exact: bool


def in_words(query: Query) -> WordsText | None:
    """The question as other solvers of bit-vectors can read it; None if it has no translation."""
    path = relevant(query)[0][:-1]
    found = [_written(query, path, width) for width in WIDTHS]
    return next((one for one in found if one is not None and one.is_exact), found[0])


def _written(query: Query, path: Sequence[Literal], width: int) -> WordsText | None:
    solver = z3.Solver()
    words = _told(solver, query, path, width)
    if words is None:
        return None
    names = {index: str(var) for index, var in words.variables.items()}
    return WordsText(solver.to_smt2(), names, words.is_exact)


def _told(solver: Any, query: Query, path: Sequence[Literal], width: int) -> _Words | None:
    """Tell a solver the question and what of the path bears on it; None if the question has no translation."""
    words = _Words(query.domains, width)
    if len(path) > MAX_CONDITIONS:
        return None
    try:
        solver.add(words.literal(query.extra))
    except (Untranslatable, z3.Z3Exception):
        return None
    for literal in path:
        try:
            solver.add(words.literal(literal))
        except (Untranslatable, z3.Z3Exception):
            continue  # to leave out a condition only adds solutions, which are checked
    solver.add(*words.ranges())
    return words


def _answer(solver: Any, words: _Words) -> Answer:
    status = solver.check()
    if status == z3.sat:
        model = solver.model()
        values: dict[int, Leaf] = {
            index: model.eval(var, model_completion=True).as_signed_long() for index, var in words.variables.items()
        }
        return Answer(Status.SAT, values)
    return UNSAT if status == z3.unsat and words.is_exact else UNKNOWN


class _Word(NamedTuple):
    """A translated term: an integer in two's complement, or a bit-vector, which has no sign."""

    term: Any
    is_integer: bool


class _Words:
    """Turns conditions into Z3 terms of words; ``is_exact`` says whether all numbers so far are known to fit."""

    def __init__(self, domains: Bounds, width: int) -> None:
        self._domains = domains
        self._intervals = Intervals(domains)
        self._memo: dict[int, _Word] = {}
        self._width = width
        self._limit = 1 << (self._width - 1)
        self.variables: dict[int, Any] = {}
        self.is_exact = True

    def literal(self, literal: Literal) -> Any:
        """The Z3 term of a condition that shall be true or false."""
        condition, want = literal
        term = self._condition(condition)
        return term if want else z3.Not(term)

    def ranges(self) -> list[Any]:
        """What the domains say of the variables that were met."""
        found = []
        for index, var in self.variables.items():
            low, high = self._domains[index]
            is_narrow = low is not None and high is not None and low >= -self._limit and high < self._limit
            self.is_exact = self.is_exact and is_narrow
            least, most = (-self._limit, self._limit - 1) if is_narrow else (-INPUT, INPUT - 1)
            found += [var >= max(least, least if low is None else int(low))]
            found += [var <= min(most, most if high is None else int(high))]
        return found

    def _condition(self, node: Expr) -> Any:
        if isinstance(node, bool):
            return z3.BoolVal(node)
        if type(node) is Not:
            return z3.Not(self._condition(node.part))
        if type(node) is Junction:
            parts = [self._condition(part) for part in node.parts]
            return z3.And(parts) if node.op == "and" else z3.Or(parts)
        assert type(node) is Compare
        return self._compare(node)

    def _compare(self, node: Compare) -> Any:
        sides = [side if type(side) is int else self._word(side) for side in (node.left, node.right)]
        if any(type(side) is _Word and not side.is_integer for side in sides):
            known = vectors.compared(node.op, *map(_as_vector, sides))
            if known is not None:
                return known
        words = [side if type(side) is _Word else self._simple(side) for side in sides]
        return vectors.SIGNED[node.op](*map(self._integer, words))

    def _word(self, root: Any) -> _Word:
        """A term, its parts first: accumulators are as deep as the path is long."""
        if type(root) is not App:
            return self._simple(root)
        for node in bottom_up(root, self._memo):
            self._memo[id(node)] = self._operation(node)
        return self._memo[id(root)]

    def _simple(self, node: Any) -> _Word:
        if type(node) is int:
            self._expect_fits(node)
            return _Word(z3.BitVecVal(node, self._width), True)
        if type(node) is Offset:
            self._expect_fits(node)
            var = self.variables.setdefault(node.var, z3.BitVec(f"x{node.var}", self._width))
            return _Word(var + node.const if node.const else var, True)
        raise Untranslatable("a number that is not an integer")

    def _operation(self, node: App) -> _Word:
        if node.op in BITS:
            return self._vector(node)
        if node.op == "ite":
            return self._cases(self._condition(node.args[0]), *map(self._part, node.args[1:]))
        if node.sort != "int":
            raise Untranslatable("a number that is not an integer")
        self._expect_fits(node)
        second = node.args[1] if len(node.args) == 2 else None
        args = [self._integer(self._part(arg)) for arg in node.args]
        if node.op in _SIMPLE:
            return _Word(_SIMPLE[node.op](*args), True)
        if type(second) is int and second >= 0 and node.op in _SHIFTS:
            return _Word(_SHIFTS[node.op](args[0], min(second, self._width - 1)), True)
        if type(second) is int and second > 0 and node.op in _DIVISIONS:
            divisions = _DIVISIONS if second & (second - 1) else _BY_POWER
            return _Word(divisions[node.op](args[0], second), True)
        raise Untranslatable(f"the operation {node.op} on words")

    def _part(self, node: Any) -> _Word:
        return self._memo[id(node)] if type(node) is App else self._simple(node)

    def _cases(self, test: Any, then: _Word, other: _Word) -> _Word:
        if not then.is_integer and not other.is_integer and then.term.size() == other.term.size():
            return _Word(z3.If(test, then.term, other.term), False)
        return _Word(z3.If(test, self._integer(then), self._integer(other)), True)

    def _vector(self, node: App) -> _Word:
        operands = [arg if type(arg) is int else self._part(arg) for arg in vectors.operands_of(node)]
        if node.op == "signed":
            width = node.args[0]
            self._expect_fits(node)
            return _Word(_with_sign(_vector(operands[0], width), self._width), True)
        return _Word(vectors.operation(node, operands, _vector), False)

    def _integer(self, word: _Word) -> Any:
        """A word as an integer of the machine's width."""
        if word.is_integer:
            return word.term
        self.is_exact = self.is_exact and word.term.size() < self._width
        return vectors.resized(word.term, self._width)

    def _expect_fits(self, node: Any) -> None:
        interval = self._intervals.of(node)
        fits = interval is not None and -self._limit <= interval[0] and interval[1] < self._limit
        self.is_exact = self.is_exact and fits


def width_for(domains: Bounds) -> int:
    """The narrowest width that holds all leaves with given ranges."""
    ends = [int(end) for domain in domains for end in domain if isinstance(end, int)]
    needed = max((end.bit_length() for end in ends), default=0)
    return next((width for width in WIDTHS if needed < width), WIDTHS[0])


def _as_vector(side: _Word | int) -> Any:
    """What a comparison of vectors sees: vectors, constants, and of another number that it is none of them."""
    if isinstance(side, int):
        return z3.IntVal(side)
    return z3.Int("number") if side.is_integer else side.term


def _vector(word: _Word | int, width: int) -> Any:
    """A number modulo ``2**width``."""
    if isinstance(word, int):
        return z3.BitVecVal(word, width)
    return _with_sign(word.term, width) if word.is_integer else vectors.resized(word.term, width)


def _with_sign(term: Any, width: int) -> Any:
    size = term.size()
    return z3.SignExt(width - size, term) if size < width else vectors.resized(term, width)


_SIMPLE: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "neg": lambda a: -a,
    "~": lambda a: ~a,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "abs": lambda a: z3.If(a < 0, -a, a),
    "marked": lambda a: a,
}
_SHIFTS: dict[str, Any] = {"<<": lambda a, b: a << b, ">>": lambda a, b: a >> b}
_BY_POWER: dict[str, Any] = {"//": lambda a, b: a >> (b.bit_length() - 1), "%": lambda a, b: a & (b - 1)}
"""Division by a power of two, which costs words nothing."""
_DIVISIONS: dict[str, Any] = {"//": lambda a, b: (a - a % b) / b, "%": lambda a, b: a % b}
"""The remainder has the sign of the divisor, as Python's has, so that what is left divides without a rest."""
