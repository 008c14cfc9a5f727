"""What models of functions see of a run, and what they return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from pessimal.binary.terms import Value
from pessimal.expr import Expr


class View(Protocol):
    """What a model sees of a run."""

    def whole(self, number: int) -> Value:
        """A general register."""
        ...

    def byte_at(self, address: int) -> Value | None:
        """A byte of memory; None where there is none."""
        ...

    def equal(self, a: Value, b: Value) -> Expr:
        """The condition that two bytes are equal."""
        ...

    def between(self, byte: Value, low: int, high: int) -> Expr:
        """The condition that a byte lies in a range."""
        ...

    def ask(self, condition: Expr) -> bool:
        """Decide a condition."""
        ...

    def settle(self, values: Sequence[Value], reason: str) -> bytes:
        """Make bytes concrete."""
        ...

    def put(self, address: int, content: bytes) -> None:
        """Write to memory."""
        ...


class Returned(NamedTuple):
    """What a model returns, and how many bytes it has looked at; a function of floats returns a number, too."""

    value: Value
    steps: int
    number: float | None = None


Model = Callable[[View], Returned | None]
"""None leaves the call to the real function."""


def numbers(view: View, *registers: int) -> list[int] | None:
    """Registers that must be plain numbers; None if one is not."""
    found = [view.whole(number) for number in registers]
    return None if any(type(value) is not int for value in found) else found  # type: ignore[return-value]
