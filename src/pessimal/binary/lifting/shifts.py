"""Shifts and rotations."""

from __future__ import annotations

from pessimal.binary import terms
from pessimal.binary.flags import CF, OF, Either, Flags, Overridden, Result, different
from pessimal.binary.lifting.operands import Operands, Run
from pessimal.binary.lifting.rules import Lifted, rule
from pessimal.binary.registers import RCX
from pessimal.binary.terms import Value, apply, extract
from pessimal.expr import Expr

_SHIFTS = {"shl": "bvshl", "sal": "bvshl", "shr": "bvlshr", "sar": "bvashr"}


def _limit(width: int) -> int:
    return 63 if width == 64 else 31


@rule("shl", "sal", "shr", "sar")
def _shift(given: Operands) -> Lifted:
    width, op = given.width(0), _SHIFTS[given.name]
    read, write = given.read(0), given.write(0)
    read_count = given.read(1, 8) if len(given) > 1 else lambda run: 1

    def run_it(run: Run) -> None:
        value, count = read(run), apply("bvand", 8, read_count(run), _limit(width))
        if type(count) is int and count == 0:
            write(run, value)
            return
        amount = extract(width - 1, 0, terms.zero_extend(64, count, 8)) if width > 8 else count
        result = apply(op, width, value, amount)
        flags: Flags = _shift_flags(run, op, width, value, amount, result)
        if type(count) is not int:
            is_zero = run.state.conditions.compare("==", 8, count, 0)
            before = Overridden({CF: run.state.flags_for(CF).flag(CF)}, run.state.flags_for(OF))
            flags = Either(is_zero, before, flags)
        write(run, result)
        run.state.set_flags(flags)

    return run_it


def _shift_flags(run: Run, op: str, width: int, value: Value, amount: Value, result: Value) -> Result:
    conditions = run.state.conditions

    def last_bit_out() -> Expr:
        """The last bit that leaves: the lowest of the value shifted by one less, in one bit more."""
        if op == "bvshl":
            wide = apply("bvshl", width + 1, _wider(value, width), _wider(amount, width))
            return conditions.compare("==", 1, extract(width, width, wide), 1)
        less = apply("bvsub", width, amount, 1)
        return conditions.compare("==", 1, extract(0, 0, apply(op, width, value, less)), 1)

    def overflow() -> Expr:
        if op == "bvshl":
            return different(conditions.compare("<", width, result, 0, True), last_bit_out())
        return op == "bvlshr" and conditions.compare("<", width, value, 0, True)

    return Result(conditions, width, result, last_bit_out, overflow)


def _wider(value: Value, width: int) -> Value:
    return terms.zero_extend(width + 1, value, width)


@rule("rol", "ror")
def _rotate(given: Operands) -> Lifted:
    width, is_left = given.width(0), given.name == "rol"
    read, write = given.read(0), given.write(0)
    is_fixed = len(given) == 1 or given.constant(1) is not None
    read_count = given.read(1, 8) if len(given) > 1 else lambda run: 1

    def run_it(run: Run) -> None:
        if not is_fixed:
            run.pin_registers(1 << RCX, "the count of a rotation")
        count = read_count(run)
        assert type(count) is int
        count &= _limit(width)
        value = read(run)
        shift = count % width if is_left else -count % width
        result = _rotated(width, value, shift)
        write(run, result)
        if count:
            _set_rotation_flags(run, width, result, is_left)

    return run_it


def _rotated(width: int, value: Value, shift: int) -> Value:
    """A value rotated to the left."""
    if shift == 0:
        return value
    low, high = extract(width - 1, width - shift, value), extract(width - shift - 1, 0, value)
    return terms.concat(high, width - shift, low, shift)


def _set_rotation_flags(run: Run, width: int, result: Value, is_left: bool) -> None:
    """Only carry and overflow change."""
    conditions = run.state.conditions

    def bit(index: int) -> Expr:
        return conditions.compare("==", 1, extract(index, index, result), 1)

    carry = bit(0) if is_left else bit(width - 1)
    overflow = different(bit(width - 1), bit(0) if is_left else bit(width - 2))
    run.state.set_flags(Overridden({CF: carry, OF: overflow}, run.state.flags_for(OF)))


@rule("shld", "shrd")
def _double_shift(given: Operands) -> Lifted | None:
    width, is_left = given.width(0), given.name == "shld"
    if width < 32:
        return None
    first, second, write = given.read(0), given.read(1), given.write(0)
    fixed, read_count = given.constant(2), given.read(2, 8)

    def run_it(run: Run) -> None:
        if fixed is None:
            run.pin_registers(1 << RCX, "the count of a shift")
        count = read_count(run)
        assert type(count) is int
        count &= _limit(width)
        a, b = first(run), second(run)
        if count == 0:
            write(run, a)
            return
        high, low = (a, b) if is_left else (b, a)
        both = terms.concat(high, width, low, width)
        start = width - count if is_left else count
        result = extract(start + width - 1, start, both)
        write(run, result)
        conditions = run.state.conditions
        leaving = extract(width - count, width - count, a) if is_left else extract(count - 1, count - 1, a)
        carry = conditions.compare("==", 1, leaving, 1)
        sign = different(conditions.compare("<", width, result, 0, True), conditions.compare("<", width, a, 0, True))
        run.state.set_flags(Result(conditions, width, result, carry, sign))

    return run_it
