"""What symbolic text and bytes have in common: positions that hold a code each, compared and put together."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from sys import _getframe
from typing import Any, NoReturn, TypeVar

from pessimal.expr import Compare, Expr, Term, disjunction, negation
from pessimal.python import current
from pessimal.python.deciding import between, decide, number_between
from pessimal.python.marking import mark
from pessimal.python.symbolic_value import SymbolicValue
from pessimal.python.values.number import SymBool, SymFloat, SymInt, operand
from pessimal.python.values.rows import Row, either, equal, is_plain, less, same

T = TypeVar("T", bound="SymSequence")
LARGEST = 16
"""A symbolic number of copies or columns is decided up to this; beyond it becomes concrete."""


class SymSequence(SymbolicValue):
    """A row of codes of concrete length, some of them symbolic."""

    __slots__ = ("codes",)
    plain: Any = object

    def __init__(self, codes: Sequence[Term]) -> None:
        self.codes: Row = tuple(codes)

    @classmethod
    def make(cls, codes: Sequence[Term]) -> Any:
        """A symbolic value, or a plain one where no position is symbolic."""
        return cls.native(codes) if is_plain(codes) else cls(codes)

    @classmethod
    def native(cls, codes: Sequence[Any]) -> Any:
        """The plain value of concrete codes."""
        raise TypeError(f"{cls.__name__} has no native form")

    @classmethod
    def codes_of(cls, value: Any) -> Row | None:
        """The codes of a plain or symbolic value of this kind; None for anything else."""
        raise TypeError(f"{cls.__name__} has no codes")

    def __len__(self) -> int:
        return len(self.codes)

    def __add__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self.make(self.codes + codes)

    def __radd__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self.make(codes + self.codes)

    def __mul__(self, times: Any) -> Any:
        if type(times) in (SymInt, SymBool):
            times = amount(times, 0, LARGEST) if self.codes else 0
        return self.make(self.codes * times)

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> Any:
        return self.concrete("%") % values

    def __eq__(self, other: Any) -> Any:
        return self._compare(other, equal)

    def __ne__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: negation(equal(a, b)))

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: less(a, b, False))

    def __le__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: less(a, b, True))

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: less(b, a, False))

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, lambda a, b: less(b, a, True))

    def _compare(self, other: Any, condition: Callable[[Row, Row], Expr]) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(condition(self.codes, codes), codes)

    def __hash__(self) -> int:
        if current.execution.identity_hash:
            return id(self)
        plain = self.concrete("hash()")
        self.codes = tuple(mark(code) for code in self.codes)  # a dictionary's tests of it are not branches
        return hash(plain)

    def _answer(self, condition: Expr, others: Sequence[Term] = ()) -> Any:
        """A condition on codes as what a comparison returns: plain where nothing in it is symbolic."""
        return condition if is_plain(self.codes) and is_plain(others) else SymBool(condition)

    def _slice(self, index: slice) -> Row:
        """The codes of a slice whose bounds, where they are symbolic, are decided within the length."""
        size = len(self.codes)
        step = step_within(index.step, size)
        return self.codes[slice(clamped(index.start, size), clamped(index.stop, size), step)]

    def _at(self, index: Any) -> Term:
        """The code at an index; at a symbolic one, which is first decided to be in range, one of all the codes."""
        term = operand(index) if type(index) in (SymInt, SymBool) else None
        if term is None or isinstance(term, int):
            place = index if term is None else term
            if not _in_range(place, len(self.codes)):
                self._raise_natively("__getitem__", place)
            return self.codes[place]
        size = len(self.codes)
        if size == 0 or not decide(between(term, -size, size - 1)):
            self._raise_natively("__getitem__", size)
        code = self.codes[-1]
        for i in range(size - 2, -1, -1):
            code = either(_is_index(term, i, size), self.codes[i], code)
        return code

    def _raise_natively(self, method: str, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise what Python raises for such arguments, by calling the method on plain values of the same types."""
        named = {name: sample_of(value) for name, value in kwargs.items()}
        getattr(self.plain, method)(sample_of(self), *map(sample_of, args), **named)
        raise TypeError(f"bad argument for {self.plain.__name__}.{method}()")

    def concrete(self, reason: str) -> Any:
        """Give every symbolic position the value that it has now, recorded as one concretisation."""
        symbolic = tuple(code for code in self.codes if type(code) is not int)
        if not symbolic:
            return self.native(self.codes)
        values = iter(current.execution.concretise(symbolic, reason, _getframe(1)))
        return self.native([code if type(code) is int else next(values) for code in self.codes])

    def __repr__(self) -> str:
        return repr(self.concrete("repr()"))

    def __getattr__(self, name: str) -> Any:
        """A method that has no symbolic version: call it on the concrete value."""
        if not hasattr(self.plain, name):
            raise AttributeError(f"'{self.plain.__name__}' object has no attribute '{name}'")
        return getattr(self.concrete(f"{self.plain.__name__}.{name}"), name)


def _in_range(index: Any, size: int) -> bool:
    try:
        return -size <= operator.index(index) < size
    except TypeError:
        return False


def _is_index(term: Term, i: int, size: int) -> Expr:
    return disjunction([same(term, i), same(term, i - size)])


def number(code: Term) -> Any:
    """A code as the integer that a program sees."""
    return code if type(code) is int else SymInt(code)


def sample_of(value: Any) -> Any:
    """A plain value of the type that a symbolic value stands for, to see what Python does with that type."""
    if isinstance(value, tuple):
        return tuple(map(sample_of, value))
    if isinstance(value, SymSequence):
        return value.native([code if type(code) is int else ord("a") for code in value.codes])
    return value.__class__() if type(value) in (SymInt, SymBool, SymFloat) else value


def clamped(index: Any, size: int, top: int | None = None) -> Any:
    """A bound of a slice: a symbolic one is decided, where all that lie beyond an end are one case."""
    if type(index) not in (SymInt, SymBool):
        return index
    term = operand(index)
    assert term is not None
    return number_between(term, -size - 1, size if top is None else top)


def step_within(step: Any, size: int) -> Any:
    """A step through a row of a size: a symbolic one is decided, where all that leave the row at once are one case."""
    if type(step) not in (SymInt, SymBool):
        return step
    term = operand(step)
    assert term is not None
    return number_between(term, -max(size, 1), max(size, 1))


def amount(value: Any, low: int, high: int) -> int:
    """A number of which all up to ``low`` are alike, decided up to ``high`` and made concrete beyond."""
    if type(value) not in (SymInt, SymBool):
        return operator.index(value)
    term = operand(value)
    assert term is not None
    if isinstance(term, int):
        return term
    if decide(Compare("<=", term, high)):
        return number_between(term, low, high)
    return int(value.concrete("a number of copies or columns"))


def limit_of(value: Any, size: int) -> int:
    """How often to cut or replace: negative for always; more often than there are places is one case."""
    if type(value) not in (SymInt, SymBool):
        return operator.index(value)
    term = operand(value)
    assert term is not None
    return number_between(term, -1, size + 1)


def flag_of(value: Any) -> bool:
    """A truth value that a method wants, decided as a choice."""
    return decide(value.expr) if type(value) is SymBool else bool(value)
