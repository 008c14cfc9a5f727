"""Which ways through the target's lines a run goes: a test of a value that was made concrete is not a branch.

Ways are told apart by lines: a test that goes on in its own line, such as a conditional expression, is not seen.
"""

from __future__ import annotations

import dis
import linecache
import sys
from collections.abc import Callable, Mapping
from itertools import count
from types import CodeType, FrameType
from typing import Any

from pessimal.coverage import Jump
from pessimal.python.meters import TraceFunction

MAX_TEXT = 80
_TESTS = ("POP_JUMP", "JUMP_IF", "FOR_ITER")
_JUMPS = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")
_EMPTY = ("NOP", "POP_TOP", "END_FOR", "POP_ITER", "NOT_TAKEN")


def jumps_of(code: CodeType) -> list[Jump]:
    """The ways out of the lines of tests."""
    instructions = list(dis.get_instructions(code))
    at = {item.offset: index for index, item in enumerate(instructions)}
    found: dict[tuple[int, int], Jump] = {}
    for index, item in enumerate(instructions):
        line = _line(item)
        if line is not None and item.opname.startswith(_TESTS):
            for start in (index + 1, at[item.argval]):
                to = _landing(instructions, at, start, line)
                if to is not None:
                    text = linecache.getline(code.co_filename, line).strip()[:MAX_TEXT]
                    found[line, to] = Jump(code.co_filename, code.co_qualname, line, to, text)
    return list(found.values())


def _landing(instructions: list[dis.Instruction], at: Mapping[int, int], index: int, line: int) -> int | None:
    """The first other line on the way from an instruction on; None if something happens before it is reached."""
    for _ in instructions:
        if index >= len(instructions):
            return None
        item = instructions[index]
        here = _line(item)
        if here is not None and here != line:
            return here
        if item.opname.startswith(_JUMPS):
            index = at[item.argval]
        elif item.opname in _EMPTY:
            index += 1
        else:
            return None
    return None


def _line(instruction: dis.Instruction) -> int | None:
    return instruction.positions.lineno if instruction.positions is not None else None


class Watch:
    """Follows one run of the target after the other from line to line.

    ``first`` and ``last`` tell when a move, from a line of some code to another, was made in the latest run.
    """

    def __init__(self, in_scope: Callable[[str, str], bool]) -> None:
        self._in_scope = in_scope
        self.codes: dict[int, CodeType] = {}  # kept, since an id is only unique while the object lives
        self.first: dict[tuple[int, int, int], int] = {}
        self.last: dict[tuple[int, int, int], int] = {}
        self._clock = count()
        self._followed: dict[str, bool] = {}
        self._previous: Any = None

    def __enter__(self) -> Watch:
        self.first, self.last, self._clock = {}, {}, count()
        self._previous = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *exception: object) -> None:
        sys.settrace(self._previous)

    def _is_followed(self, frame: FrameType) -> bool:
        """Whether a frame is on the target's side."""
        file = frame.f_code.co_filename
        known = self._followed.get(file)
        if known is None:
            known = self._followed[file] = self._in_scope(str(frame.f_globals.get("__name__")), file)
        return known

    def _called(self, frame: FrameType, event: str, argument: Any) -> TraceFunction | None:
        if not self._is_followed(frame):
            return None
        key, line = id(frame.f_code), 0
        self.codes[key] = frame.f_code
        first, last, clock = self.first, self.last, self._clock

        def follow(frame: FrameType, event: str, argument: Any) -> TraceFunction:
            nonlocal line
            if event != "exception":
                to = frame.f_lineno if event == "line" else 0
                move = key, line, to
                last[move] = now = next(clock)
                first.setdefault(move, now)
                line = to
            return follow

        return follow
