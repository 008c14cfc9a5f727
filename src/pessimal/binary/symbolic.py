"""One symbolic run: the emulator runs an input, its tainted instructions become terms, and its branches decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pessimal.binary.code import Code
from pessimal.binary.conditions import ranges
from pessimal.binary.flags import ALL, CF, plain_flags
from pessimal.binary.leaving import leave_function, return_address
from pessimal.binary.pins import pinned_parts
from pessimal.binary.possible import PossibleValues
from pessimal.binary.registers import (
    CARRY,
    EFLAGS_ID,
    GENERAL_IDS,
    OTHER_FLAGS,
    RAX,
    VECTOR_BASE,
    VECTOR_IDS,
)
from pessimal.binary.state import State
from pessimal.binary.tables import column, depends_on_byte, partial_column
from pessimal.binary.terms import Value, leaf, leaves_of, table
from pessimal.binary.views import Model
from pessimal.execution import Execution
from pessimal.expr import App, Expr, Offset, conjunction
from pessimal.trace import Site

MOST_TARGETS = 200
"""A computed jump with more targets than this is made concrete."""
WIDEST_TABLE, MOST_TABLES = 1 << 14, 10_000
_tables: dict[tuple[bytes, bytes, bytes, int], tuple[int, ...]] = {}
"""What was found in memory at 256 addresses, so that the same table is the same object."""
MOST_PARTS = 8
"""An index of a table with more parts that would have to become concrete is made concrete as a whole."""


class _Resume(Exception):
    """The emulator must stop, and go on at an address, mostly because the model has changed.

    ``untaint`` is done when registers and memory have the new values; ``again`` says that the instruction at the
    address has not been executed.
    """

    def __init__(self, address: int, again: bool, untaint: Callable[[], None], has_moved: bool = True) -> None:
        self.address, self.again, self.untaint, self.has_moved = address, again, untaint, has_moved


class SymbolicRun:
    """The run in progress, which lifted instructions see."""

    def __init__(
        self,
        state: State,
        execution: Execution,
        byte_leaves: int,
        code: Code,
        models: Mapping[int, Model],
    ) -> None:
        self.state = state
        self.execution = execution
        self._solver = execution.solver
        self._leaves = self._solver.leaves
        self._bytes = byte_leaves
        self._code = code
        self._models = models
        self._possible = PossibleValues(self._solver.path, byte_leaves, self._solver.value)
        self._solver.use_shortcut(self._possible.move)
        self._address = 0
        self._made: list[bool] = []
        self._pinned: dict[int, Any] = {}
        self._repeated = 0
        self._resume: _Resume | None = None
        self.unlifted = 0

    def lift(self, address: int) -> bool:
        """Handle an instruction that touches the input; true if emulation must stop before it."""
        self._address = address
        if self._repeated == 0:
            self._made = []
        self.execution.depth = int(self.state.counters.depth)
        try:
            if address in self._models and self._has_returned(self._models[address]):
                return True
            function = self._code.lifted(address)
            if function is None:
                self._make_concrete(address)
            else:
                function(self)
        except _Resume as resume:
            self._resume = resume
            return True
        finally:
            self._repeated = 0
        return False

    def resume(self) -> int | None:
        """Bring registers, flags and memory to the new model; where to go on."""
        resume, self._resume = self._resume, None
        if resume is None:
            return None
        if resume.has_moved:
            self._update()
        resume.untaint()
        if resume.again:
            self._repeated = len(self._made)
            self.state.tracer.uncount()
        return resume.address

    def _has_returned(self, model: Model) -> bool:
        """Call a model; whether it took the place of the real function."""
        result = model(self)
        if result is None:
            return False
        value, state = result.value, self.state

        def leave() -> None:
            """Return to the caller with the result."""
            leave_function(state.emulator, state.counters, result, int(self._solver.value(value)))
            state.set_whole(RAX, value)
            if result.number is not None:
                state.counters.registers &= ~(1 << VECTOR_BASE)

        self._resume = _Resume(return_address(state.emulator, state.memory), False, leave, has_moved=False)
        return True

    # What models ask for

    def whole(self, number: int) -> Value:
        """A general register."""
        return self.state.whole(number)

    def byte_at(self, address: int) -> Value | None:
        """A byte of memory; None where there is none."""
        return None if self.state.memory.read(address, 1) is None else self.state.byte(address)

    def equal(self, a: Value, b: Value) -> Expr:
        """The condition that two bytes are equal."""
        return self.state.conditions.compare("==", 8, a, b)

    def between(self, byte: Value, low: int, high: int) -> Expr:
        """The condition that a byte lies in a range."""
        compare = self.state.conditions.compare
        return conjunction([compare(">=", 8, byte, low), compare("<=", 8, byte, high)])

    def ask(self, condition: Expr) -> bool:
        """Decide a condition as a branch of the program."""
        return self._decide(condition, self.execution.branch_at, is_choice=False)

    def settle(self, values: Sequence[Value], reason: str) -> bytes:
        """Make bytes concrete."""
        self._pin_once([value for value in values if type(value) is not int], reason)
        return bytes(value if type(value) is int else int(self._solver.value(value)) for value in values)

    def put(self, address: int, content: bytes) -> None:
        """Write to memory."""
        self.state.memory.write(address, content)
        self.state.tracer.clear(address, len(content))

    # What lifted instructions ask for

    def branch(self, condition: Expr, target: int, next_address: int) -> None:
        """Decide a conditional jump."""
        if isinstance(condition, bool):
            return
        condition = self._possible.canonical(condition)
        site = self._code.site(self._address)
        settled = self._possible.settled(condition)
        if settled is not None:
            self.execution.settled_at(site, condition, settled)
            return
        taken = self.execution.branch_at(site, condition)
        if self._has_moved():
            raise _Resume(target if taken else next_address, False, _nothing)

    def decide(self, condition: Expr, reason: str) -> bool:
        """Make a truth value concrete, as a choice that can be made otherwise."""
        return self._decide(condition, self.execution.choice_at, is_choice=True)

    def _decide(self, condition: Expr, decide_at: Callable[[Site, Expr], bool], is_choice: bool) -> bool:
        if isinstance(condition, bool):
            return condition
        if self._repeated:  # the instruction is handled again, after the model has changed
            self._repeated -= 1
            return self._made[len(self._made) - self._repeated - 1]
        condition = self._possible.canonical(condition)
        site = self._code.site(self._address)
        settled = self._possible.settled(condition)
        if settled is None:
            taken = decide_at(site, condition)
        else:
            taken = self.execution.settled_at(site, condition, settled, is_choice=is_choice)
        self._made.append(taken)
        if self._has_moved():
            raise _Resume(self._address, True, _nothing)
        return taken

    def jump(self, target: Value, registers: Sequence[int], memory: tuple[int, int] | None) -> None:
        """Decide where a computed jump leads: a branch with an outcome for each target."""
        if type(target) is int:
            return
        index, values = self._values(target)
        untaint = self._untaint(sum(1 << number for number in registers), memory)
        possible = None if index is None else self._possible.of(index)
        targets = [] if values is None else np.unique(values[possible]).tolist()
        if index is None or not 0 < len(targets) <= MOST_TARGETS:
            self._pin([target], untaint, "the target of a jump")
            return
        if len(targets) > 1:
            conditions = [ranges(Offset(index), possible & (values == np.uint64(item))) for item in targets]
            self.execution.switch_at(self._code.site(self._address), conditions)
        if self._has_moved():
            raise _Resume(self._address, True, untaint)

    def look_up(self, address: Value, size: int) -> Value | None:
        """A table that is indexed by one byte of the input; None if what is there cannot be told.

        Where the address hangs on several bytes, as in the tables of scanners, all but the last are made concrete.
        """
        index = (leaves_of(address) & self._bytes).bit_length() - 1
        if index < 0 or size > 8 or type(address) is not App:
            return None
        addresses, given = partial_column(address, index, self._solver.value)
        if addresses is None or len(given) > MOST_PARTS:
            return None
        addresses = np.broadcast_to(addresses, 256)
        entries = self._entries(addresses, self._possible.of(index), size)
        if entries is None:
            return None
        self._pin_once(given, "an index of a table")
        return table(leaf(index), entries, 8 * size)

    def _entries(self, addresses: Any, possible: Any, size: int) -> tuple[int, ...] | None:
        """What memory holds at each address that is possible, 0 at the others; None if it is not there or tainted."""
        wanted = addresses[possible]
        low, end = int(wanted.min()), int(wanted.max()) + size
        content = self.state.memory.read(low, end - low) if end - low <= WIDEST_TABLE else None
        if content is None or any(self.state.tracer.tainted(at, min(64, end - at)) for at in range(low, end, 64)):
            return self._scattered(addresses, wanted, size)
        key = content, (addresses - np.uint64(low)).tobytes(), possible.tobytes(), size
        found = _tables.get(key)
        if found is None:
            if len(_tables) > MOST_TABLES:
                _tables.clear()
            at = np.where(possible, addresses - np.uint64(low), 0).tolist()
            entries = [int.from_bytes(content[item : item + size], "little") for item in at]
            found = _tables[key] = tuple(e if p else 0 for e, p in zip(entries, possible.tolist(), strict=True))
        return found

    def _scattered(self, addresses: Any, wanted: Any, size: int) -> tuple[int, ...] | None:
        """The same, address by address."""
        found: dict[int, int] = {}
        for item in np.unique(wanted).tolist():
            content = None if self.state.tracer.tainted(item, size) else self.state.memory.read(item, size)
            if content is None:
                return None
            found[item] = int.from_bytes(content, "little")
        return tuple(found.get(item, 0) for item in addresses.tolist())

    def _pin_once(self, terms: Sequence[Any], reason: str) -> None:
        """Make those of some terms concrete that were not yet; registers and memory may hold them all the same."""
        new = [term for term in terms if id(term) not in self._pinned]
        self._pinned.update((id(term), term) for term in new)
        if new:
            self._pin(new, _nothing, reason)

    def pin_registers(self, mask: int, reason: str) -> None:
        """Make those of some registers concrete that are not."""
        mask &= self.state.counters.registers
        if mask:
            self._pin(self._terms(mask), self._untaint(mask, None), reason)

    def pin_memory(self, address: int, size: int, reason: str) -> None:
        """Make memory concrete."""
        value = self.state.load(address, size)
        if type(value) is not int:
            self._pin([value], self._untaint(0, (address, size)), reason)

    def _make_concrete(self, address: int) -> None:
        """An instruction that is not lifted: all that it reads becomes concrete."""
        self.unlifted += 1
        state = self.state
        decoded = self._code.decoded(address)
        mask = decoded.reads & state.counters.registers
        found: list[Any] = self._terms(mask & ~(1 << CARRY | 1 << OTHER_FLAGS))
        ranges_read = []
        for number, access in enumerate(decoded.accesses):
            at = state.counters.addresses[number]
            if access.kind & 1 and state.tracer.tainted(at, access.size):
                ranges_read.append((at, access.size))
                found += [byte for byte in state.load_bytes(at, access.size) if type(byte) is App]
        for bit in ALL:
            if mask >> (CARRY if bit == CF else OTHER_FLAGS) & 1:
                self.decide(state.flags_for(bit).flag(bit), "flags")

        def untaint() -> None:
            state.counters.registers &= ~(mask | decoded.writes)
            for at, size in ranges_read:
                state.tracer.clear(at, size)
            for number, access in enumerate(decoded.accesses):
                if access.kind & 2:
                    state.tracer.clear(state.counters.addresses[number], access.size)

        if found:
            self._pin(found, untaint, f"{self._code.name(address)} is not lifted")
        else:
            untaint()

    # How it is done

    def _terms(self, mask: int) -> list[Any]:
        state = self.state
        found: list[Any] = [state.general[number] for number in range(16) if mask >> number & 1]
        for number in range(16):
            if mask >> VECTOR_BASE + number & 1:
                found += [byte for byte in state.vectors[number] if type(byte) is App]
        return found

    def _untaint(self, mask: int, memory: tuple[int, int] | None) -> Callable[[], None]:
        def untaint() -> None:
            self.state.counters.registers &= ~mask
            if memory is not None:
                self.state.tracer.clear(*memory)

        return untaint

    def _pin(self, found: Sequence[Any], untaint: Callable[[], None], reason: str) -> None:
        self.execution.concretise_at(self._code.site(self._address), pinned_parts(found), reason)
        if self._has_moved():
            raise _Resume(self._address, True, untaint)
        untaint()

    def _values(self, term: Value) -> tuple[int | None, Any]:
        """The one byte that a term hangs on, and the term's value for each value of that."""
        index = depends_on_byte(term, self._bytes)
        if index is None:
            return None, None
        values = column(term)
        return index, None if values is None else np.broadcast_to(values, 256)

    def _has_moved(self) -> bool:
        leaves = self._solver.leaves
        if leaves == self._leaves:
            return False
        self._leaves = leaves
        return True

    def _update(self) -> None:
        """Give everything that is tainted the value that it has in the model."""
        state, value = self.state, self._solver.value
        mask, emulator = state.counters.registers, state.emulator
        for number in range(16):
            if mask >> number & 1:
                emulator.reg_write(GENERAL_IDS[number], int(value(state.general[number])))
            if mask >> VECTOR_BASE + number & 1:
                content = bytes(int(value(byte)) for byte in state.vectors[number])
                emulator.reg_write(VECTOR_IDS[number], int.from_bytes(content, "little"))
        self._update_flags(mask)
        tainted, memory = state.tracer.tainted, state.memory
        for address, (term, index) in state.shadow.items():
            if tainted(address, 1):
                memory.write(address, bytes((int(value(term)) >> 8 * index & 255,)))

    def _update_flags(self, mask: int) -> None:
        state, value = self.state, self._solver.value
        flags = state.emulator.reg_read(EFLAGS_ID)
        carry = plain_flags(state.carry, value) if mask >> CARRY & 1 else {}
        others = plain_flags(state.others, value) if mask >> OTHER_FLAGS & 1 else {}
        for bit in ALL:
            if mask >> (CARRY if bit == CF else OTHER_FLAGS) & 1:
                is_set = (carry if bit == CF else others).get(bit)
                if is_set is None:
                    is_set = bool(value(state.flags_for(bit).flag(bit)))
                flags = flags & ~(1 << bit) | is_set << bit
        state.emulator.reg_write(EFLAGS_ID, flags)


def _nothing() -> None:
    pass
