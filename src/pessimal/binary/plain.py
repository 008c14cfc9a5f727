"""One concrete run: the emulator runs an input, and models take the place of the functions that they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pessimal.binary.leaving import leave_function, return_address
from pessimal.binary.memory import Memory
from pessimal.binary.registers import GENERAL_IDS
from pessimal.binary.terms import Value
from pessimal.binary.tracer import Tracer
from pessimal.binary.views import Model, Returned
from pessimal.expr import Expr


class PlainRun:
    """The run in progress, as models see it: everything is a number."""

    def __init__(self, emulator: Any, memory: Memory, tracer: Tracer, models: Mapping[int, Model]) -> None:
        self._emulator = emulator
        self._memory = memory
        self._tracer = tracer
        self._models = models
        self._result: Returned | None = None

    def lift(self, address: int) -> bool:
        """Call the model at an address; true if it took the place of the real function."""
        model = self._models.get(address)
        self._result = None if model is None else model(self)
        return self._result is not None

    def resume(self) -> int | None:
        """Return from the model; where to go on."""
        if self._result is None:
            return None
        address = return_address(self._emulator, self._memory)
        value = self._result.value
        assert type(value) is int
        leave_function(self._emulator, self._tracer.state, self._result, value)
        return address

    def whole(self, number: int) -> Value:
        """A general register."""
        return int(self._emulator.reg_read(GENERAL_IDS[number]))

    def byte_at(self, address: int) -> Value | None:
        """A byte of memory; None where there is none."""
        found = self._memory.read(address, 1)
        return None if found is None else found[0]

    def equal(self, a: Value, b: Value) -> Expr:
        """Whether two bytes are equal."""
        return a == b

    def between(self, byte: Value, low: int, high: int) -> Expr:
        """Whether a byte lies in a range."""
        assert type(byte) is int
        return low <= byte <= high

    def settle(self, values: Sequence[Value], reason: str) -> bytes:
        """The bytes as they are."""
        return bytes(value for value in values if type(value) is int)

    def put(self, address: int, content: bytes) -> None:
        """Write to memory."""
        self._memory.write(address, content)

    def ask(self, condition: Expr) -> bool:
        """A condition that is decided already."""
        return bool(condition)
