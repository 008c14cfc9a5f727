"""Jumps, conditional moves, and what else reads flags."""

from __future__ import annotations

from collections.abc import Callable

from pessimal.binary import terms
from pessimal.binary.flags import CF, OF, PF, SF, ZF, Flags, Overridden, different
from pessimal.binary.lifting.operands import Operands, Run
from pessimal.binary.lifting.rules import Lifted, rule
from pessimal.binary.registers import RCX, RSP, Part
from pessimal.binary.state import State
from pessimal.expr import Expr, disjunction, negation

Test = Callable[[State], Expr]


def _flag(bit: int) -> Test:
    return lambda state: state.flags_for(bit).flag(bit)


def _below_or_equal(state: State) -> Expr:
    return disjunction([_flag(CF)(state), _flag(ZF)(state)])


def _less(state: State) -> Expr:
    flags: Flags = state.flags_for(SF)
    found = flags.ordered(True)
    return different(flags.flag(SF), flags.flag(OF)) if found is None else found


def _less_or_equal(state: State) -> Expr:
    return disjunction([_less(state), _flag(ZF)(state)])


_TESTS: dict[str, tuple[Test, bool]] = {
    "o": (_flag(OF), True),
    "no": (_flag(OF), False),
    "b": (_flag(CF), True),
    "ae": (_flag(CF), False),
    "e": (_flag(ZF), True),
    "ne": (_flag(ZF), False),
    "be": (_below_or_equal, True),
    "a": (_below_or_equal, False),
    "s": (_flag(SF), True),
    "ns": (_flag(SF), False),
    "p": (_flag(PF), True),
    "np": (_flag(PF), False),
    "l": (_less, True),
    "ge": (_less, False),
    "le": (_less_or_equal, True),
    "g": (_less_or_equal, False),
}


def _condition(state: State, name: str) -> Expr:
    test, holds = _TESTS[name]
    found = test(state)
    return found if holds else negation(found)


@rule(*(f"j{name}" for name in _TESTS))
def _jump_if(given: Operands) -> Lifted:
    name, target = given.name[1:], given.constant(0)
    following = given.instruction.address + given.instruction.size
    assert target is not None
    return lambda run: run.branch(_condition(run.state, name), target, following)


@rule("jrcxz", "jecxz")
def _jump_if_none(given: Operands) -> Lifted:
    target, width = given.constant(0), 64 if given.name == "jrcxz" else 32
    following = given.instruction.address + given.instruction.size
    assert target is not None

    def run_it(run: Run) -> None:
        count = run.state.register(Part(RCX, width))
        run.branch(run.state.conditions.compare("==", width, count, 0), target, following)

    return run_it


@rule(*(f"set{name}" for name in _TESTS))
def _set_if(given: Operands) -> Lifted:
    name, write = given.name[3:], given.write(0)
    return lambda run: write(run, terms.ite(_condition(run.state, name), 1, 0, 8))


@rule(*(f"cmov{name}" for name in _TESTS))
def _move_if(given: Operands) -> Lifted:
    name, width = given.name[4:], given.width(0)
    before, read, write = given.read(0), given.read(1), given.write(0)

    def run_it(run: Run) -> None:
        then, other = read(run), before(run)
        write(run, terms.ite(_condition(run.state, name), then, other, width))

    return run_it


@rule("jmp", "call")
def _computed_jump(given: Operands) -> Lifted | None:
    if given.constant(0) is not None:
        return lambda run: None
    read = given.read(0)
    registers = (given.part(0).number,) if given.is_register(0) else ()
    number = given.access(0)

    def run_it(run: Run) -> None:
        if given.name == "call":
            run.pin_registers(1 << RSP, "the stack pointer")
            run.state.tracer.clear(run.state.counters.addresses[len(given.accesses) - 1], 8)
        target = read(run)
        memory = None if registers else (run.state.counters.addresses[number], 8)
        run.jump(target, registers, memory)

    return run_it


@rule("ret")
def _return(given: Operands) -> Lifted:
    def run_it(run: Run) -> None:
        run.pin_registers(1 << RSP, "the stack pointer")
        run.pin_memory(run.state.counters.addresses[0], 8, "a return address")

    return run_it


@rule("cmc", "clc", "stc")
def _carry(given: Operands) -> Lifted:
    def run_it(run: Run) -> None:
        before = run.state.flags_for(CF).flag(CF)
        carry = {"cmc": negation(before), "clc": False, "stc": True}[given.name]
        run.state.carry = Overridden({CF: carry}, run.state.flags_for(CF))
        run.state.counters.registers |= 1 << 32

    return run_it


@rule("nop", "endbr64", "pause")
def _nothing(given: Operands) -> Lifted:
    return lambda run: None
