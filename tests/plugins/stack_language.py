"""A small stack language: how its programs are read, and what its machine does with numbers or with terms.

A program is a text of instructions, one a line; ``name:`` is a label, ``#`` begins a comment. The input is the memory
at the start. The machine knows nothing of Pessimal but the expressions that stand for unknown numbers: whoever runs it
says how a comparison and a switch come out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pessimal.errors import TargetError
from pessimal.expr import App, Offset

Term = Any
Less = Callable[[int, Term, Term], bool]
Switch = Callable[[int, Term, int], int]


@dataclass(frozen=True)
class Program:
    """Instructions with their operands; jumps go to positions."""

    file: str
    name: str
    code: tuple[tuple[str, tuple[Any, ...]], ...]
    lines: tuple[int, ...]


def read(file: str, name: str) -> Program:
    """The program that begins with ``program NAME`` in a file."""
    try:
        text = Path(file).read_text()
    except OSError as error:
        raise TargetError(f"{file} cannot be read: {error.strerror}") from None
    code: list[tuple[str, list[str]]] = []
    lines: list[int] = []
    labels: dict[str, int] = {}
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words[:1] == ["program"]:
            inside = words[1] == name
        elif inside and words and words[0].endswith(":"):
            labels[words[0].rstrip(":")] = len(code)
        elif inside and words:
            code.append((words[0], words[1:]))
            lines.append(number)
    if not code:
        raise TargetError(f"{file} has no program {name!r}")
    resolved = tuple((op, tuple(labels.get(arg, arg) for arg in args)) for op, args in code)
    return Program(file, name, resolved, tuple(lines))


class Machine:
    """Runs one program on a memory of numbers or terms."""

    def __init__(self, program: Program, memory: Sequence[Term], less: Less, switch: Switch) -> None:
        self.program = program
        self.memory = list(memory)
        self.stack: list[Any] = []
        self.variables: dict[str, int] = {"n": len(memory)}
        self._less = less
        self._switch = switch
        self._at = 0

    def run(self) -> list[Term]:
        """Run to the end; the memory then. Dividing by zero is the machine's own exception."""
        code = self.program.code
        while self._at < len(code):
            at = self._at
            op, args = code[at]
            self._at = at + 1
            getattr(self, f"_do_{op}")(at, *args)
        return self.memory

    def _do_push(self, at: int, number: str) -> None:
        self.stack.append(int(number))

    def _do_get(self, at: int, name: str) -> None:
        self.stack.append(self.variables[name])

    def _do_set(self, at: int, name: str) -> None:
        self.variables[name] = self.stack.pop()

    def _do_load(self, at: int) -> None:
        self.stack.append(self.memory[self.stack.pop()])

    def _do_store(self, at: int) -> None:
        index = self.stack.pop()
        self.memory[index] = self.stack.pop()

    def _do_add(self, at: int) -> None:
        right, left = self.stack.pop(), self.stack.pop()
        self.stack.append(_sum(left, right))

    def _do_jump(self, at: int, to: int) -> None:
        self._at = to

    def _do_fail(self, at: int) -> None:
        raise ZeroDivisionError("the program failed")

    def _do_less(self, at: int, to: int) -> None:
        """Jump if the second number of the stack is less than the first."""
        right, left = self.stack.pop(), self.stack.pop()
        if isinstance(left, int) and isinstance(right, int):
            is_less = left < right
        else:
            is_less = self._less(at, left, right)
        if is_less:
            self._at = to

    def _do_switch(self, at: int, *targets: int) -> None:
        """Jump to the target with the number on the stack; the last target is for all other numbers."""
        number = self.stack.pop()
        if isinstance(number, int):
            outcome = number if 0 <= number < len(targets) - 1 else len(targets) - 1
        else:
            outcome = self._switch(at, number, len(targets))
        self._at = targets[outcome]


def _sum(left: Term, right: Term) -> Term:
    if isinstance(left, Offset) and isinstance(right, int):
        return Offset(left.var, left.const + right)
    if isinstance(left, Offset | App) or isinstance(right, Offset | App):
        return App("+", (left, right), "int")
    return left + right
