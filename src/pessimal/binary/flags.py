"""Flags, kept as the operation that set them: conditions are made of its operands when something asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pessimal.binary import terms
from pessimal.binary.conditions import Conditions
from pessimal.binary.terms import Value, apply, extract
from pessimal.expr import Expr, conjunction, disjunction, negation

CF, PF, ZF, SF, OF = 0, 2, 6, 7, 11
"""The bits of the flags register."""
ALL = (CF, PF, ZF, SF, OF)


class Flags(Protocol):
    """What an operation left in the flags."""

    def flag(self, bit: int) -> Expr:
        """The condition that a flag is set."""
        ...

    def ordered(self, is_signed: bool) -> Expr | None:
        """Whether the first operand of a comparison was less than the second; None after other operations."""
        ...


class Known:
    """Flags that are plain bits."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def flag(self, bit: int) -> bool:
        """The bit itself."""
        return bool(self._bits >> bit & 1)

    def ordered(self, is_signed: bool) -> None:
        """Nothing is known of operands."""
        return


class Result:
    """Flags after an operation with a result: zero, sign and parity are those of the result."""

    def __init__(
        self,
        conditions: Conditions,
        width: int,
        result: Value,
        carry: Expr | Callable[[], Expr] = False,
        overflow: Expr | Callable[[], Expr] = False,
    ) -> None:
        self._conditions = conditions
        self._width = width
        self._result = result
        self._carry = carry
        self._overflow = overflow

    def flag(self, bit: int) -> Expr:
        """Made of the result."""
        if bit == CF:
            return self._carry() if callable(self._carry) else self._carry
        if bit == OF:
            return self._overflow() if callable(self._overflow) else self._overflow
        if bit == ZF:
            return self._zero()
        return self._sign() if bit == SF else even_parity(self._conditions, self._result)

    def ordered(self, is_signed: bool) -> Expr | None:
        """Nothing was compared."""
        return None

    def plain(self, value: Callable[[Value], int]) -> dict[int, bool]:
        """Those that the result alone tells, in the model that gives terms their values."""
        return _of_result(self._width, int(value(self._result)))

    def _zero(self) -> Expr:
        return self._conditions.compare("==", self._width, self._result, 0)

    def _sign(self) -> Expr:
        return self._conditions.compare("<", self._width, self._result, 0, is_signed=True)


class Subtraction(Result):
    """Flags after a comparison or subtraction, whose operands are compared directly."""

    def __init__(self, conditions: Conditions, width: int, a: Value, b: Value) -> None:
        super().__init__(conditions, width, 0)
        self._a, self._b = a, b

    def flag(self, bit: int) -> Expr:
        """Made of the operands."""
        if bit == CF:
            return self.ordered(False)
        if bit == ZF:
            return self._conditions.compare("==", self._width, self._a, self._b)
        self._result = apply("bvsub", self._width, self._a, self._b)
        if bit == OF:
            return different(self.ordered(True), self._sign())
        return super().flag(bit)

    def plain(self, value: Callable[[Value], int]) -> dict[int, bool]:
        """All of them, in the model that gives terms their values."""
        mask = (1 << self._width) - 1
        a, b = int(value(self._a)) & mask, int(value(self._b)) & mask
        result = (a - b) & mask
        overflow = (a ^ b) & (a ^ result)
        return {**_of_result(self._width, result), CF: a < b, OF: bool(overflow >> self._width - 1)}

    def ordered(self, is_signed: bool) -> Expr:
        """Whether the first operand is less."""
        return self._conditions.compare("<", self._width, self._a, self._b, is_signed)


class Either:
    """Flags of one of two operations, where a condition says which."""

    def __init__(self, test: Expr, then: Flags, other: Flags) -> None:
        self._test, self._then, self._other = test, then, other

    def flag(self, bit: int) -> Expr:
        """The flag of the one that it is."""
        then, other = self._then.flag(bit), self._other.flag(bit)
        return disjunction([conjunction([self._test, then]), conjunction([negation(self._test), other])])

    def ordered(self, is_signed: bool) -> None:
        """Nothing was compared."""
        return


class Overridden:
    """Flags of which an operation changed only some."""

    def __init__(self, changed: dict[int, Expr], before: Flags) -> None:
        self._changed, self._before = changed, before

    def flag(self, bit: int) -> Expr:
        """The changed one, or the one from before."""
        return self._changed[bit] if bit in self._changed else self._before.flag(bit)

    def ordered(self, is_signed: bool) -> None:
        """Nothing was compared."""
        return


def _of_result(width: int, result: int) -> dict[int, bool]:
    """The flags that a result alone tells."""
    sign = bool(result >> width - 1 & 1)
    return {ZF: result & (1 << width) - 1 == 0, SF: sign, PF: (result & 255).bit_count() % 2 == 0}


def plain_flags(flags: Flags, value: Callable[[Any], Any]) -> dict[int, bool]:
    """The flags that can be told in a model without their conditions, which cost far more."""
    return flags.plain(value) if isinstance(flags, Result) else {}


def different(a: Expr, b: Expr) -> Expr:
    """That just one of two conditions holds."""
    if isinstance(a, bool):
        return negation(b) if a else b
    if isinstance(b, bool):
        return negation(a) if b else a
    return disjunction([conjunction([a, negation(b)]), conjunction([negation(a), b])])


def even_parity(conditions: Conditions, value: Value) -> Expr:
    """That the lowest byte has an even number of ones."""
    byte = extract(7, 0, value)
    for shift in (4, 2, 1):
        byte = apply("bvxor", 8, byte, apply("bvlshr", 8, byte, shift))
    return conditions.compare("==", 1, extract(0, 0, byte), 0)


def added(conditions: Conditions, width: int, a: Value, b: Value, result: Value) -> Result:
    """Flags after an addition."""
    return Result(
        conditions,
        width,
        result,
        carry=lambda: conditions.compare("<", width, result, a),
        overflow=lambda: _sign_of_both(
            conditions, width, apply("bvxor", width, a, result), apply("bvxor", width, b, result)
        ),
    )


def with_carry(conditions: Conditions, width: int, op: str, a: Value, b: Value, carry: Value) -> tuple[Value, Result]:
    """The result and the flags of an addition or subtraction that takes the carry in."""
    wide = width + 1
    parts = [terms.zero_extend(wide, part, width) for part in (a, b)]
    whole = apply(op, wide, apply(op, wide, *parts), terms.zero_extend(wide, carry, 1))
    result = extract(width - 1, 0, whole)
    other = b if op == "bvadd" else terms.unary("bvnot", width, b)

    def overflow() -> Expr:
        return _sign_of_both(conditions, width, apply("bvxor", width, a, result), apply("bvxor", width, other, result))

    return result, Result(
        conditions, width, result, lambda: conditions.compare("==", 1, extract(width, width, whole), 1), overflow
    )


def _sign_of_both(conditions: Conditions, width: int, a: Value, b: Value) -> Expr:
    return conditions.compare("<", width, apply("bvand", width, a, b), 0, is_signed=True)
