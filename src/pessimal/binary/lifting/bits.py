"""Instructions on single bits: tests, counts, and searches for the first or last."""

from __future__ import annotations

from pessimal.binary import terms
from pessimal.binary.flags import CF, ZF, Known, Overridden, Result
from pessimal.binary.lifting.operands import Operands, Run
from pessimal.binary.lifting.rules import Lifted, rule
from pessimal.binary.terms import Value, apply, extract


@rule("bt", "bts", "btr", "btc")
def _bit_test(given: Operands) -> Lifted | None:
    if given.is_memory(0) and given.constant(1) is None:
        return None  # the bit may be far away
    width, name = given.width(0), given.name
    first, second = given.read(0), given.read(1, width)
    write = None if name == "bt" else given.write(0)

    def run_it(run: Run) -> None:
        value = first(run)
        index = apply("bvand", width, second(run), width - 1)
        bit = extract(0, 0, apply("bvlshr", width, value, index))
        carry = run.state.conditions.compare("==", 1, bit, 1)
        if write is not None:
            write(run, _changed(name, width, value, apply("bvshl", width, 1, index)))
        run.state.set_flags(Overridden({CF: carry}, run.state.flags_for(ZF)))

    return run_it


def _changed(name: str, width: int, value: Value, bit: Value) -> Value:
    if name == "bts":
        return apply("bvor", width, value, bit)
    if name == "btc":
        return apply("bvxor", width, value, bit)
    return apply("bvand", width, value, terms.unary("bvnot", width, bit))


@rule("bsf", "bsr", "tzcnt", "lzcnt")
def _bit_search(given: Operands) -> Lifted:
    width, name = given.width(0), given.name
    read, write, before = given.read(1), given.write(0), given.read(0)

    def run_it(run: Run) -> None:
        value, conditions = read(run), run.state.conditions
        if name in ("bsf", "bsr"):
            result = before(run)
        else:
            result = width
        order = range(width - 1, -1, -1) if name in ("bsf", "tzcnt") else range(width)
        for index in order:
            is_set = conditions.compare("==", 1, extract(index, index, value), 1)
            found = width - 1 - index if name == "lzcnt" else index
            result = terms.ite(is_set, found, result, width)
        write(run, result)
        if name in ("bsf", "bsr"):
            run.state.set_flags(Result(conditions, width, value))
            return
        carry = conditions.compare("==", width, value, 0)
        run.state.set_flags(Result(conditions, width, result, carry))

    return run_it


@rule("popcnt")
def _popcnt(given: Operands) -> Lifted:
    width = given.width(0)
    read, write = given.read(1), given.write(0)

    def run_it(run: Run) -> None:
        value = read(run)
        total: Value = 0
        for index in range(width):
            total = apply("bvadd", width, total, terms.zero_extend(width, extract(index, index, value), 1))
        write(run, total)
        is_zero = run.state.conditions.compare("==", width, value, 0)
        run.state.set_flags(Overridden({ZF: is_zero}, Known(0)))

    return run_it
