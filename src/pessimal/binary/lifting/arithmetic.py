"""Integer arithmetic: addition and its kin, logic, multiplication and division."""

from __future__ import annotations

from pessimal.binary import terms
from pessimal.binary.flags import CF, Result, Subtraction, added, with_carry
from pessimal.binary.lifting.operands import Operands, Run
from pessimal.binary.lifting.rules import Lifted, rule
from pessimal.binary.registers import RAX, RDX, Part
from pessimal.binary.terms import Value, apply, extract, sign_extend, zero_extend
from pessimal.expr import Expr, negation


@rule("add")
def _add(given: Operands) -> Lifted:
    width = given.width(0)
    first, second, write = given.read(0), given.read(1, width), given.write(0)

    def run_it(run: Run) -> None:
        a, b = first(run), second(run)
        result = apply("bvadd", width, a, b)
        write(run, result)
        run.state.set_flags(added(run.state.conditions, width, a, b, result))

    return run_it


@rule("sub", "cmp")
def _sub(given: Operands) -> Lifted:
    width = given.width(0)
    first, second, writes = given.read(0), given.read(1, width), given.name == "sub"
    write = given.write(0) if writes else None

    def run_it(run: Run) -> None:
        a, b = first(run), second(run)
        if write is not None:
            write(run, apply("bvsub", width, a, b))
        run.state.set_flags(Subtraction(run.state.conditions, width, a, b))

    return run_it


_LOGIC = {"and": "bvand", "test": "bvand", "or": "bvor", "xor": "bvxor"}


@rule("and", "or", "xor", "test")
def _logic(given: Operands) -> Lifted:
    width, op = given.width(0), _LOGIC[given.name]
    first, second = given.read(0), given.read(1, width)
    write = None if given.name == "test" else given.write(0)

    def run_it(run: Run) -> None:
        result = apply(op, width, first(run), second(run))
        if write is not None:
            write(run, result)
        run.state.set_flags(Result(run.state.conditions, width, result))

    return run_it


@rule("adc", "sbb")
def _with_carry(given: Operands) -> Lifted:
    width, op = given.width(0), "bvadd" if given.name == "adc" else "bvsub"
    first, second, write = given.read(0), given.read(1, width), given.write(0)

    def run_it(run: Run) -> None:
        a, b = first(run), second(run)
        carry = terms.ite(run.state.flags_for(CF).flag(CF), 1, 0, 1)
        result, flags = with_carry(run.state.conditions, width, op, a, b, carry)
        if a is b and op == "bvsub":
            result = terms.ite(run.state.flags_for(CF).flag(CF), (1 << width) - 1, 0, width)
        write(run, result)
        run.state.set_flags(flags)

    return run_it


@rule("inc", "dec")
def _step(given: Operands) -> Lifted:
    width, is_up = given.width(0), given.name == "inc"
    read, write = given.read(0), given.write(0)
    edge = 1 << width - 1 if is_up else (1 << width - 1) - 1

    def run_it(run: Run) -> None:
        conditions = run.state.conditions
        result = apply("bvadd", width, read(run), 1 if is_up else (1 << width) - 1)
        write(run, result)
        overflow = lambda: conditions.compare("==", width, result, edge)  # noqa: E731
        run.state.set_flags(Result(conditions, width, result, overflow=overflow), keep_carry=True)

    return run_it


@rule("neg")
def _neg(given: Operands) -> Lifted:
    width = given.width(0)
    read, write = given.read(0), given.write(0)

    def run_it(run: Run) -> None:
        value = read(run)
        write(run, terms.unary("bvneg", width, value))
        run.state.set_flags(Subtraction(run.state.conditions, width, 0, value))

    return run_it


@rule("imul")
def _imul(given: Operands) -> Lifted | None:
    if len(given) == 1:
        return _wide_product(given)
    width = given.width(0)
    first = given.read(1 if len(given) == 3 else 0)
    second, write = given.read(len(given) - 1, width), given.write(0)

    def run_it(run: Run) -> None:
        a, b = first(run), second(run)
        write(run, apply("bvmul", width, a, b))
        _set_product_flags(run, width, a, b, True)

    return run_it


@rule("mul")
def _wide_product(given: Operands) -> Lifted:
    width, is_signed = given.width(0), given.name == "imul"
    read = given.read(0)

    def run_it(run: Run) -> None:
        a, b = run.state.register(Part(RAX, width)), read(run)
        product = _product(width, a, b, is_signed)
        _write_pair(run, width, extract(width - 1, 0, product), extract(2 * width - 1, width, product))
        _set_product_flags(run, width, a, b, is_signed)

    return run_it


def _product(width: int, a: Value, b: Value, is_signed: bool) -> Value:
    extend = sign_extend if is_signed else zero_extend
    return apply("bvmul", 2 * width, extend(2 * width, a, width), extend(2 * width, b, width))


def _set_product_flags(run: Run, width: int, a: Value, b: Value, is_signed: bool) -> None:
    """Carry and overflow say whether the upper half means something."""
    conditions = run.state.conditions

    def overflow() -> Expr:
        product = _product(width, a, b, is_signed)
        upper, low = extract(2 * width - 1, width, product), extract(width - 1, 0, product)
        extend = sign_extend if is_signed else zero_extend
        plain = extract(2 * width - 1, width, extend(2 * width, low, width))
        return negation(conditions.compare("==", width, upper, plain))

    result = apply("bvmul", width, a, b)
    run.state.set_flags(Result(conditions, width, result, overflow, overflow))


def _write_pair(run: Run, width: int, low: Value, high: Value) -> None:
    """Write to the accumulator and the data register, or to the two halves of the first for bytes."""
    if width == 8:
        run.state.set_register(Part(RAX, 16), terms.concat(high, 8, low, 8))
        return
    run.state.set_register(Part(RAX, width), low)
    run.state.set_register(Part(RDX, width), high)


@rule("div", "idiv")
def _divide(given: Operands) -> Lifted:
    width, is_signed = given.width(0), given.name == "idiv"
    read = given.read(0)

    def run_it(run: Run) -> None:
        state, wide = run.state, 2 * width
        divisor = read(run)
        dividend = _dividend(run, width)
        if not _is_defined(run, width, dividend, divisor, is_signed):
            return  # the processor signals an error
        extend = sign_extend if is_signed else zero_extend
        whole = extend(wide, divisor, width)
        ops = ("bvsdiv", "bvsrem") if is_signed else ("bvudiv", "bvurem")
        quotient, rest = (extract(width - 1, 0, apply(op, wide, dividend, whole)) for op in ops)
        _write_pair(run, width, quotient, rest)
        state.counters.registers &= ~(3 << 32)  # flags are undefined

    return run_it


def _dividend(run: Run, width: int) -> Value:
    if width == 8:
        return run.state.register(Part(RAX, 16))
    return terms.concat(run.state.register(Part(RDX, width)), width, run.state.register(Part(RAX, width)), width)


def _is_defined(run: Run, width: int, dividend: Value, divisor: Value, is_signed: bool) -> bool:
    """Decide that the divisor is not zero and the quotient fits, where that hangs on the input."""
    conditions = run.state.conditions
    if not run.decide(negation(conditions.compare("==", width, divisor, 0)), "a division by zero"):
        return False
    wide = 2 * width
    if is_signed:
        quotient = apply("bvsdiv", wide, dividend, sign_extend(wide, divisor, width))
        narrow = sign_extend(wide, extract(width - 1, 0, quotient), width)
        fits = conditions.compare("==", wide, quotient, narrow)
    elif type(upper := extract(wide - 1, width, dividend)) is int and upper == 0:
        return True
    else:
        fits = conditions.compare("<", width, upper, divisor)
    return run.decide(fits, "a quotient that does not fit")


@rule("xadd")
def _xadd(given: Operands) -> Lifted:
    width = given.width(0)
    first, second, write_first, write_second = given.read(0), given.read(1), given.write(0), given.write(1)

    def run_it(run: Run) -> None:
        a, b = first(run), second(run)
        result = apply("bvadd", width, a, b)
        write_second(run, a)
        write_first(run, result)
        run.state.set_flags(added(run.state.conditions, width, a, b, result))

    return run_it


@rule("cmpxchg")
def _cmpxchg(given: Operands) -> Lifted:
    width = given.width(0)
    first, second, write = given.read(0), given.read(1), given.write(0)
    accumulator = Part(RAX, width)

    def run_it(run: Run) -> None:
        state = run.state
        expected, found, new = state.register(accumulator), first(run), second(run)
        same = run.decide(state.conditions.compare("==", width, expected, found), "a conditional exchange")
        if same:
            write(run, new)
        else:
            write(run, found)
            state.set_register(accumulator, found)
        state.set_flags(Subtraction(state.conditions, width, expected, found))

    return run_it
