"""Instructions that move values: between registers and memory, through the stack, and string instructions."""

from __future__ import annotations

from pessimal.binary.decoding import address_operand
from pessimal.binary.flags import Subtraction
from pessimal.binary.lifting.operands import Operands, Run, address_of, extended
from pessimal.binary.lifting.rules import Lifted, rule
from pessimal.binary.lifting.vectors import scalar_move
from pessimal.binary.registers import RAX, RBP, RCX, RDI, RSI, RSP, Part
from pessimal.binary.terms import concat, extract, sign_extend, unary


@rule("mov", "movabs")
def _mov(given: Operands) -> Lifted | None:
    if any(operand.type == 1 and not given.is_register(i) for i, operand in enumerate(given.operands)):
        return None  # segment and control registers
    read, write = given.read(1, given.width(0)), given.write(0)
    return lambda run: write(run, read(run))


@rule("movzx", "movsx", "movsxd")
def _move_wider(given: Operands) -> Lifted:
    read, write, narrow, width = given.read(1), given.write(0), given.width(1), given.width(0)
    is_signed = given.name != "movzx"
    return lambda run: write(run, extended(read(run), narrow, width, is_signed))


@rule("lea")
def _lea(given: Operands) -> Lifted:
    access, write, width = address_operand(given.instruction), given.write(0), given.width(0)
    return lambda run: write(run, extract(width - 1, 0, address_of(run, access)))


@rule("xchg")
def _xchg(given: Operands) -> Lifted:
    first, second = given.read(0), given.read(1)
    write_first, write_second = given.write(0), given.write(1)

    def run_it(run: Run) -> None:
        a, b = first(run), second(run)
        write_first(run, b)
        write_second(run, a)

    return run_it


@rule("bswap")
def _bswap(given: Operands) -> Lifted:
    read, write, width = given.read(0), given.write(0), given.width(0)

    def run_it(run: Run) -> None:
        value = read(run)
        swapped = extract(7, 0, value)
        for low in range(8, width, 8):
            swapped = concat(swapped, low, extract(low + 7, low, value), 8)
        write(run, swapped)

    return run_it if width >= 32 else None  # type: ignore[return-value]


@rule("cbw", "cwde", "cdqe")
def _widen_accumulator(given: Operands) -> Lifted:
    narrow = {"cbw": 8, "cwde": 16, "cdqe": 32}[given.name]

    def run_it(run: Run) -> None:
        value = run.state.register(Part(RAX, narrow))
        run.state.set_register(Part(RAX, 2 * narrow), sign_extend(2 * narrow, value, narrow))

    return run_it


@rule("cwd", "cdq", "cqo")
def _sign_into_data(given: Operands) -> Lifted:
    width = {"cwd": 16, "cdq": 32, "cqo": 64}[given.name]

    def run_it(run: Run) -> None:
        value = run.state.register(Part(RAX, width))
        wide = sign_extend(2 * width, value, width)
        run.state.set_register(Part(2, width), extract(2 * width - 1, width, wide))

    return run_it


@rule("push")
def _push(given: Operands) -> Lifted:
    width = given.width(0) if given.constant(0) is None else 64
    read = given.read(0, width)
    number = len(given.accesses) - 1

    def run_it(run: Run) -> None:
        run.pin_registers(1 << RSP, "the stack pointer")
        run.state.store(run.state.counters.addresses[number], width // 8, read(run))

    return run_it


@rule("pop")
def _pop(given: Operands) -> Lifted | None:
    if not given.is_register(0):
        return None
    part, width = given.part(0), given.width(0)

    def run_it(run: Run) -> None:
        run.pin_registers(1 << RSP, "the stack pointer")
        run.state.set_register(part, run.state.load(run.state.counters.addresses[0], width // 8))

    return run_it


@rule("leave")
def _leave(given: Operands) -> Lifted:
    def run_it(run: Run) -> None:
        run.pin_registers(1 << RBP | 1 << RSP, "the frame pointer")
        run.state.set_whole(RBP, run.state.load(run.state.counters.addresses[0], 8))

    return run_it


_STRING_REGISTERS = 1 << RSI | 1 << RDI | 1 << RCX


@rule("movsb", "movsw", "movsd", "movsq")
def _move_string(given: Operands) -> Lifted | None:
    if given.is_vector(0) or given.is_vector(1):
        return scalar_move(given)  # the other instruction of this name
    size = given.width(0) // 8

    def run_it(run: Run) -> None:
        run.pin_registers(_STRING_REGISTERS, "the address of a string")
        to, source = run.state.counters.addresses
        run.state.store(to, size, run.state.load(source, size))

    return run_it


@rule("stosb", "stosw", "stosd", "stosq")
def _store_string(given: Operands) -> Lifted:
    width = given.width(0)

    def run_it(run: Run) -> None:
        run.pin_registers(_STRING_REGISTERS & ~(1 << RSI), "the address of a string")
        run.state.store(run.state.counters.addresses[0], width // 8, run.state.register(Part(RAX, width)))

    return run_it


@rule("lodsb", "lodsw", "lodsd", "lodsq")
def _load_string(given: Operands) -> Lifted:
    width = given.width(0)

    def run_it(run: Run) -> None:
        run.pin_registers(_STRING_REGISTERS & ~(1 << RDI), "the address of a string")
        value = run.state.load(run.state.counters.addresses[0], width // 8)
        run.state.set_register(Part(RAX, width), value)

    return run_it


@rule("scasb", "scasw", "scasd", "scasq", "cmpsb", "cmpsw", "cmpsd", "cmpsq")
def _compare_strings(given: Operands) -> Lifted | None:
    if given.instruction.prefix[0] or (given.name.startswith("cmpsd") and given.is_vector(0)):
        return None  # repeated: how often hangs on the comparison itself
    width, scans = given.width(0), given.name.startswith("scas")

    def run_it(run: Run) -> None:
        run.pin_registers(_STRING_REGISTERS & ~(1 << RSI if scans else 0), "the address of a string")
        state = run.state
        first, second = state.counters.addresses
        a = state.register(Part(RAX, width)) if scans else state.load(first, width // 8)
        b = state.load(first if scans else second, width // 8)
        state.set_flags(Subtraction(state.conditions, width, a, b))

    return run_it


@rule("not")
def _not(given: Operands) -> Lifted:
    read, write, width = given.read(0), given.write(0), given.width(0)
    return lambda run: write(run, unary("bvnot", width, read(run)))
