"""From a frame to the site that it stands on: cheap when seen before, exact to the column when new."""

from __future__ import annotations

import ast
import dis
import linecache
import re
import sys
from pathlib import Path
from types import CodeType, FrameType

from pessimal.trace import Site

PACKAGE = str(Path(__file__).parent.parent) + "/"
MAX_TEXT = 80
_FROZEN = re.compile(r"<frozen (.+)>")


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
    """Name the test at an offset by the text of what is tested.

    The compiler writes the test of a loop twice: both are one site. The links of a chain such as ``0 < x < y`` share
    their text and are told apart by their order, equal texts at different places by their order in the function.
    """
    instructions = list(dis.get_instructions(code))
    index = max(i for i, item in enumerate(instructions) if item.offset <= offset)
    tested = _tested(instructions, index)
    here, text = tested.positions, _text(code, tested)
    places: dict[object, int] = {}
    link = 0
    for i, item in enumerate(instructions):
        if _family(item) != _family(instructions[index]):
            continue
        other = _tested(instructions, i)
        if _text(code, other) == text:
            places.setdefault(other.positions, len(places))
            link += other.positions == here and i < index
    links = _links(text)
    return Site(
        file=_file(code),
        function=code.co_qualname,
        line=(here and here.lineno) or code.co_firstlineno,
        column=(here and here.col_offset) or 0,
        text=text[:MAX_TEXT],
        counter=places[here] * links + link % links,
    )


def _file(code: CodeType) -> str:
    """The file of code; that of a module which is frozen into the interpreter is known to the module."""
    frozen = _FROZEN.fullmatch(code.co_filename)
    file = getattr(sys.modules.get(frozen[1]), "__file__", None) if frozen else None
    return file if isinstance(file, str) else code.co_filename


def _family(instruction: dis.Instruction) -> str:
    return "JUMP" if "JUMP" in instruction.opname else instruction.opname


def _tested(instructions: list[dis.Instruction], index: int) -> dis.Instruction:
    """The instruction that made the value which the one at the index tests: a jump has no text of its own."""
    if _family(instructions[index]) not in ("JUMP", "TO_BOOL", "UNARY_NOT"):
        return instructions[index]
    index -= 1
    while index > 0 and instructions[index].opname in ("TO_BOOL", "COPY", "EXTENDED_ARG", "CACHE", "NOP"):
        index -= 1
    return instructions[max(index, 0)]


def _links(text: str) -> int:
    """How many tests one text stands for: a chain of comparisons has one for each operator."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return 1
    return len(tree.ops) if isinstance(tree, ast.Compare) else 1


def _text(code: CodeType, instruction: dis.Instruction) -> str:
    """The source text of an instruction, white space made plain; without source, the instruction itself."""
    position = instruction.positions
    if position is None or position.lineno is None or position.end_lineno is None:
        return instruction.opname
    lines = linecache.getlines(_file(code))[position.lineno - 1 : position.end_lineno]
    if not lines or position.col_offset is None or position.end_col_offset is None:
        return f"{instruction.opname}:{position.lineno - code.co_firstlineno}"
    raw = [line.encode() for line in lines]
    raw[-1] = raw[-1][: position.end_col_offset]
    raw[0] = raw[0][position.col_offset :]
    return " ".join(b"".join(raw).decode(errors="replace").split())
