"""The registry of lifting rules, by the names of instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from capstone import CsInsn

from pessimal.binary.lifting.operands import Operands, Run

Lifted = Callable[[Run], None]
"""Does to terms what the instruction does to numbers; called before the emulator executes it."""

Rule = Callable[[Operands], Lifted | None]
"""Makes the function for one instruction; None if the rule does not cover it."""

_RULES: dict[str, Rule] = {}


class _Decorator(Protocol):
    def __call__(self, function: Rule) -> Rule: ...


def rule(*mnemonics: str) -> _Decorator:
    """Register a rule for instructions."""

    def register(function: Rule) -> Rule:
        for name in mnemonics:
            _RULES[name] = function
        return function

    return register


def names() -> list[str]:
    """The instructions that have a rule."""
    return sorted(_RULES)


def lifted(instruction: CsInsn) -> Lifted | None:
    """The function for an instruction; None if it is not lifted."""
    name = instruction.mnemonic
    for prefix in ("rep ", "repe ", "repne ", "repz ", "repnz ", "lock ", "bnd ", "notrack "):
        name = name.removeprefix(prefix)
    found = _RULES.get(name)
    return None if found is None else found(Operands(instruction, name))
