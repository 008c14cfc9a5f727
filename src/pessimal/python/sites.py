"""From a frame to the site that it stands on: cheap when seen before, exact to the column when new."""

from __future__ import annotations

import dis
import linecache
from pathlib import Path
from types import CodeType, FrameType

from pessimal.trace import Site

PACKAGE = str(Path(__file__).parent.parent) + "/"
MAX_TEXT = 80


class Sites:
    """Interns sites by code object and instruction; frames of pessimal itself are skipped to the user's frame."""

    def __init__(self) -> None:
        # The code object is kept beside its table: an id is only unique while the object lives.
        self._tables: dict[int, tuple[CodeType, dict[int, Site] | None]] = {}

    def locate(self, frame: FrameType) -> Site:
        """The site of the nearest frame that is not ours."""
        while True:
            known = self._tables.get(id(frame.f_code))
            if known is None:
                known = self._enter(frame.f_code)
            table = known[1]
            if table is not None:
                break
            assert frame.f_back is not None
            frame = frame.f_back
        site = table.get(frame.f_lasti)
        if site is None:
            site = table[frame.f_lasti] = resolve(frame.f_code, frame.f_lasti)
        return site

    def _enter(self, code: CodeType) -> tuple[CodeType, dict[int, Site] | None]:
        table: dict[int, Site] | None = None if code.co_filename.startswith(PACKAGE) else {}
        self._tables[id(code)] = (code, table)
        return code, table


def resolve(code: CodeType, offset: int) -> Site:
    """Name the instruction at an offset by the text that it was compiled from.

    Instructions of one kind with equal text are told apart by their order in the function.
    """
    instructions = {i.offset: i for i in dis.get_instructions(code)}
    while offset not in instructions:  # a frame that waits for a call stands on the call's inline cache
        offset -= 2
    here = instructions[offset]
    text = _text(code, here)
    twins = [i.offset for i in instructions.values() if i.opname == here.opname and _text(code, i) == text]
    position = here.positions
    return Site(
        file=code.co_filename,
        function=code.co_qualname,
        line=(position and position.lineno) or code.co_firstlineno,
        column=(position and position.col_offset) or 0,
        text=text,
        counter=twins.index(offset),
    )


def _text(code: CodeType, instruction: dis.Instruction) -> str:
    """The source text of an instruction, white space made plain; without source, the instruction itself."""
    position = instruction.positions
    if position is None or position.lineno is None or position.end_lineno is None:
        return instruction.opname
    lines = linecache.getlines(code.co_filename)[position.lineno - 1 : position.end_lineno]
    if not lines or position.col_offset is None or position.end_col_offset is None:
        return f"{instruction.opname}:{position.lineno - code.co_firstlineno}"
    raw = [line.encode() for line in lines]
    raw[-1] = raw[-1][: position.end_col_offset]
    raw[0] = raw[0][position.col_offset :]
    return " ".join(b"".join(raw).decode(errors="replace").split())[:MAX_TEXT]
