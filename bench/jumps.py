"""Coverage as JaCoCo counts it: both outcomes of every conditional jump, not only those of whole ``if`` statements.

``a and b`` has four branches, and so has a chain of two comparisons. A test that the compiler writes twice, as it does
for loops, is one test.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

Test = tuple[str, Any, bool]
"""A test by its function, its position and whether it asks for None."""


class Jump(NamedTuple):
    """A conditional jump: what it tests, where it leads, and which outcome the jump is."""

    test: Test
    target: int
    when: bool


class Coverage(NamedTuple):
    """How many of the branches and lines of a file were executed."""

    branches: int
    all_branches: int
    lines: int
    all_lines: int


def covered(file: Path, calls: Iterator[Callable[[], Any]], only: Collection[str] | None = None) -> Coverage:
    """Run calls of functions in a file, whatever they raise, and see what of it is executed, or of some functions."""
    module = compile(file.read_text(), str(file), "exec", dont_inherit=True)
    codes = [code for code in _nested(module) if not code.co_name.startswith("<module")]
    codes = [code for code in codes if only is None or code.co_qualname.partition(".")[0] in only]
    tests = {jump.test for code in codes for jump in _jumps(code).values()}
    lines = {line for code in codes for line in _lines(code)}
    tracer = _Tracer(str(file))
    for call in calls:
        tracer.run(call)
    taken = [outcome for outcome in tracer.taken if outcome[0] in tests]
    return Coverage(len(taken), 2 * len(tests), len(tracer.lines & lines), len(lines))


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _nested(const)


def _lines(code: CodeType) -> set[int]:
    """The lines of a function without that of its ``def``."""
    return {line for _, _, line in code.co_lines() if line is not None} - {code.co_firstlineno}


def _jumps(code: CodeType) -> dict[int, Jump]:
    """The conditional jumps of a code object by their offset."""
    found: dict[int, Jump] = {}
    for item in dis.get_instructions(code):
        if "_IF_" in item.opname or item.opname == "FOR_ITER":
            name = f"{code.co_qualname}:{code.co_firstlineno}"
            test = name, item.positions, "NONE" in item.opname
            found[item.offset] = Jump(test, item.argval, "IF_TRUE" in item.opname or "NOT_NONE" in item.opname)
    return found


class _Tracer:
    """Watches the instructions of the functions of one file."""

    def __init__(self, file: str) -> None:
        self.taken: set[tuple[Test, bool]] = set()
        self.lines: set[int] = set()
        self._file = file
        self._jumps: dict[CodeType, dict[int, Jump]] = {}

    def run(self, call: Callable[[], Any]) -> None:
        sys.settrace(self._enter)
        try:
            call()
        except Exception:
            pass
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename != self._file:
            return None
        if code not in self._jumps:
            self._jumps[code] = _jumps(code)
        frame.f_trace_opcodes = True
        return self._watch(self._jumps[code])

    def _watch(self, jumps: dict[int, Jump]) -> Callable[..., Any]:
        waiting: Jump | None = None

        def watch(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal waiting
            if event == "line":
                self.lines.add(frame.f_lineno)
            elif event == "opcode":
                if waiting is not None:
                    self.taken.add((waiting.test, (frame.f_lasti == waiting.target) is waiting.when))
                waiting = jumps.get(frame.f_lasti)
            return watch

        return watch
