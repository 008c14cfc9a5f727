"""Symbolic text and bytes: a row of code points, some of them symbolic; the length is concrete.

Comparisons and tests for a part are one condition and so one branch when tested, as they are for the program. What
has no symbolic version is called on the text made concrete, and says so in the trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sys import _getframe
from typing import Any, TypeVar

from pessimal.expr import Compare, Expr, Term, conjunction, disjunction, negation
from pessimal.python import live
from pessimal.python.values.number import SymBool, SymInt, operand

T = TypeVar("T", bound="SymSequence")


class SymSequence:
    """What text and bytes have in common: positions that hold a code each."""

    __slots__ = ("codes",)
    plain: type = object

    def __init__(self, codes: Sequence[Term]) -> None:
        self.codes = tuple(codes)

    @classmethod
    def make(cls, codes: Sequence[Term]) -> Any:
        """A symbolic value, or a plain one where no position is symbolic."""
        if all(type(code) is int for code in codes):
            return cls.native(codes)
        return cls(codes)

    @classmethod
    def native(cls, codes: Sequence[Any]) -> Any:
        """The plain value of concrete codes."""
        raise TypeError(f"{cls.__name__} has no native form")

    @classmethod
    def codes_of(cls, value: Any) -> tuple[Term, ...] | None:
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
        return self.make(self.codes * times)

    __rmul__ = __mul__

    def __eq__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(equal(self.codes, codes), codes)

    def __ne__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(negation(equal(self.codes, codes)), codes)

    def __lt__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(_less(self.codes, codes, False), codes)

    def __le__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(_less(self.codes, codes, True), codes)

    def __gt__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(_less(codes, self.codes, False), codes)

    def __ge__(self, other: Any) -> Any:
        codes = self.codes_of(other)
        return NotImplemented if codes is None else self._answer(_less(codes, self.codes, True), codes)

    def __hash__(self) -> int:
        if live.execution.identity_hash:
            return id(self)
        plain = self.concrete("hash()")
        self.codes = self.codes_of(plain) or ()  # from here on constants: what a dictionary asks of them is no branch
        return hash(plain)

    def _answer(self, condition: Expr, others: Sequence[Term]) -> Any:
        """A condition on codes as what a comparison returns: plain where nothing in it is symbolic."""
        if all(type(code) is int for code in (*self.codes, *others)):
            return condition
        return SymBool(condition)

    def startswith(self, prefix: Any, start: int = 0, end: int | None = None) -> Any:
        """Whether the value begins with a prefix, or with one of several."""
        return self._affix(prefix, self.codes[slice(start, end)], True)

    def endswith(self, suffix: Any, start: int = 0, end: int | None = None) -> Any:
        """Whether the value ends with a suffix, or with one of several."""
        return self._affix(suffix, self.codes[slice(start, end)], False)

    def _affix(self, affix: Any, codes: tuple[Term, ...], front: bool) -> Any:
        cases: list[Expr] = []
        others: list[Term] = []
        for option in affix if isinstance(affix, tuple) else (affix,):
            wanted = self.codes_of(option)
            if wanted is None:
                raise TypeError(f"expected {self.plain.__name__}, not {type(option).__name__}")
            size = len(wanted)
            part = codes[:size] if front else codes[len(codes) - size :] if size <= len(codes) else ()
            cases.append(equal(part, wanted))
            others.extend(wanted)
        return self._answer(disjunction(cases), others)

    def concrete(self, reason: str) -> Any:
        """Give every symbolic position the value that it has now, recorded as one concretisation."""
        symbolic = tuple(code for code in self.codes if type(code) is not int)
        if not symbolic:
            return self.native(self.codes)
        values = iter(live.execution.concretise(symbolic, reason, _getframe(1)))
        return self.native([code if type(code) is int else next(values) for code in self.codes])

    def __repr__(self) -> str:
        return repr(self.concrete("repr()"))

    def __copy__(self: T) -> T:
        return self

    def __deepcopy__(self: T, memo: object) -> T:
        return self

    def __getattr__(self, name: str) -> Any:
        """A method that has no symbolic version: call it on the concrete value."""
        if name.startswith("__") or not hasattr(self.plain, name):
            raise AttributeError(f"'{self.plain.__name__}' object has no attribute '{name}'")
        return getattr(self.concrete(f"{self.plain.__name__}.{name}"), name)


class SymStr(SymSequence):
    """Text with symbolic code points."""

    __slots__ = ()
    plain = str

    __class__ = property(lambda self: str)

    @classmethod
    def native(cls, codes: Sequence[Any]) -> str:
        """The plain text of concrete code points."""
        return "".join(map(chr, codes))

    @classmethod
    def codes_of(cls, value: Any) -> tuple[Term, ...] | None:
        """The code points of plain or symbolic text."""
        if type(value) is SymStr:
            return value.codes
        return tuple(map(ord, value)) if isinstance(value, str) else None

    def __getitem__(self, index: Any) -> Any:
        return self.make(self.codes[index] if isinstance(index, slice) else (self.codes[index],))

    def __iter__(self) -> Iterator[Any]:
        return (self.make((code,)) for code in self.codes)

    def __contains__(self, part: Any) -> Any:
        codes = self.codes_of(part)
        if codes is None:
            raise TypeError(f"'in <string>' requires string as left operand, not {type(part).__name__}")
        return self._answer(_part_of(codes, self.codes), codes)

    def __str__(self) -> str:
        return self.concrete("str()")  # type: ignore[no-any-return]

    def __format__(self, spec: str) -> str:
        return format(self.concrete("format()"), spec)

    def __mod__(self, values: Any) -> str:
        return self.concrete("%") % values  # type: ignore[no-any-return]


class SymBytes(SymSequence):
    """Bytes with symbolic values."""

    __slots__ = ()
    plain = bytes

    __class__ = property(lambda self: bytes)

    @classmethod
    def native(cls, codes: Sequence[Any]) -> bytes:
        """The plain bytes of concrete values."""
        return bytes(codes)

    @classmethod
    def codes_of(cls, value: Any) -> tuple[Term, ...] | None:
        """The values of plain or symbolic bytes."""
        if type(value) is SymBytes:
            return value.codes
        return tuple(value) if isinstance(value, bytes | bytearray) else None

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.make(self.codes[index])
        return number(self.codes[index])

    def __iter__(self) -> Iterator[Any]:
        return (number(code) for code in self.codes)

    def __contains__(self, part: Any) -> Any:
        single = operand(part) if isinstance(part, int) else None
        codes = self.codes_of(part) if single is None else (single,)
        if codes is None:
            raise TypeError(f"a bytes-like object is required, not '{type(part).__name__}'")
        return self._answer(_part_of(codes, self.codes), codes)

    def __bytes__(self) -> bytes:
        return self.concrete("bytes()")  # type: ignore[no-any-return]


def number(code: Term) -> Any:
    """A code as the integer that a program sees."""
    return code if type(code) is int else SymInt(code)


def equal(left: Sequence[Term], right: Sequence[Term]) -> Expr:
    """The condition that two rows of codes are the same."""
    if len(left) != len(right):
        return False
    return conjunction([_same(a, b) for a, b in zip(left, right, strict=True)])


def _same(a: Term, b: Term) -> Expr:
    if a is b or (type(a) is int and type(b) is int):
        return a == b
    return Compare("==", a, b)


def _less(left: Sequence[Term], right: Sequence[Term], or_equal: bool) -> Expr:
    """Lexicographic order, built from the last position to the first."""
    common = min(len(left), len(right))
    result: Expr = len(left) <= len(right) if or_equal else len(left) < len(right)
    for a, b in zip(reversed(left[:common]), reversed(right[:common]), strict=True):
        smaller: Expr = a < b if type(a) is int and type(b) is int else Compare("<", a, b)
        result = disjunction([smaller, conjunction([_same(a, b), result])])
    return result


def _part_of(part: Sequence[Term], whole: Sequence[Term]) -> Expr:
    size = len(part)
    return disjunction([equal(whole[i : i + size], part) for i in range(len(whole) - size + 1)])
