"""What a file in SMT-LIB 2 asks: the commands that hold when it last asks for satisfiability.

Assertions come and go with ``push``, ``pop`` and the resets, and a file may ask several times.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pessimal.conditions.condition import ConditionError
from pessimal.conditions.smt_syntax import Node, commands

MAX_LEVELS = 10_000
_OPTIONS = ("set-option", "set-info")
"""Commands that say nothing of what is asked."""
_GLOBAL = [":global-declarations", "true"]
_ASSUMPTIONS = re.compile(r"\(\s*check-sat-assuming\s*\((.*)\)\s*\)", re.DOTALL)


class Asked(NamedTuple):
    """The text of the commands that hold at the last question, and how many questions there are."""

    text: str
    questions: int


def last_question(text: str) -> Asked:
    """The last question of a file; one that never asks is asked at its end."""
    script = _Script()
    for source, command in commands(text):
        if command == ["exit"]:
            break
        script.run(source, command)
    if script.asked is None and not script.held():
        raise ConditionError("the file asks nothing: write an assertion, such as (assert (> x 3)), and (check-sat)")
    return Asked(script.held() if script.asked is None else script.asked, script.questions)


class _Script:
    """The stack of a solver: the text of the commands at each of its levels."""

    def __init__(self) -> None:
        self.asked: str | None = None
        self.questions = 0
        self._levels: list[list[str]] = [[]]
        self._is_global = False

    def held(self) -> str:
        """The commands that hold now."""
        return "\n".join(source for level in self._levels for source in level)

    def run(self, source: str, command: Node) -> None:
        """Do what one command says."""
        head: Any = command[0] if isinstance(command, list) and command else None
        if not isinstance(head, str):
            raise ConditionError(f"{source[:60]} is not a command of SMT-LIB")
        if head in ("push", "pop"):
            self._move(head, source, command[1:])
        elif head in ("check-sat", "check-sat-assuming"):
            self.asked = self.held() + ("" if command == ["check-sat"] else _assumed(source))
            self.questions += 1
        elif head in ("reset", "reset-assertions"):
            self._levels = [[]]
            self._is_global = self._is_global and head != "reset"
        elif head in _OPTIONS:
            self._is_global = self._is_global or command[1:] == _GLOBAL
        else:
            is_kept = self._is_global and head.startswith(("declare-", "define-"))
            self._levels[0 if is_kept else -1].append(source)

    def _move(self, head: str, source: str, arguments: Any) -> None:
        """Add levels or take them away."""
        count = arguments[0] if arguments else "1"
        if len(arguments) > 1 or not isinstance(count, str) or not count.isdecimal():
            raise ConditionError(f"{source} is not a command of SMT-LIB: write ({head} 1)")
        if head == "push" and len(self._levels) + int(count) > MAX_LEVELS:
            raise ConditionError(f"{source} makes more than {MAX_LEVELS} levels")
        if head == "push":
            self._levels += [[] for _ in range(int(count))]
        elif int(count) >= len(self._levels):
            raise ConditionError(f"{source} takes back more than was pushed")
        else:
            del self._levels[len(self._levels) - int(count) :]


def _assumed(source: str) -> str:
    """What is assumed for one question, as an assertion."""
    found = _ASSUMPTIONS.fullmatch(source)
    if found is None:
        raise ConditionError(f"{source[:60]} is not a command of SMT-LIB")
    return f"\n(assert (and true {found[1]}))"
