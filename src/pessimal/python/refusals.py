"""Whether an exception is the target's own, or was raised because a value is symbolic and not real.

Compiled code may refuse a symbolic value where it would accept a real one. From then on the run does not behave as the
target would, whether the exception is caught or not. Calls of compiled functions from rewritten code are watched one by
one (:func:`watched`). Where library code that is not rewritten passes a symbolic value on to compiled code, the
exception comes out of the library: it is examined when rewritten code catches it, and at the end of the run.
"""

from __future__ import annotations

import dis
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, takewhile
from types import FrameType
from typing import Any

from pessimal.expr import Compare
from pessimal.expr.marked import unmarked
from pessimal.pool.confinement import was_denied
from pessimal.python import current, plain_calls
from pessimal.python.compiled_code import is_foreign
from pessimal.python.sites import PACKAGE
from pessimal.python.symbolic_value import SymbolicValue
from pessimal.python.syntax import is_rewritten

_ROWS = (list, tuple, set, frozenset, deque)
_DEPTH = 4
_HANDING_ON = ("CALL", "PRECALL", "BINARY_OP", "CONTAINS_OP", "STORE_ATTR")
"""How the names of instructions begin that pass a value to compiled code."""
_LEFT_ALONE = ("BINARY_OP", "STORE_ATTR")
"""Those of them that the rewrite does not change."""


def watched(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a compiled function. If it raises without having made all symbolic arguments concrete, it refused one."""
    if plain_calls.needs_plain(function):
        args, kwargs = plain_calls.plain_arguments(function, args, kwargs)
    start = current.execution.position
    try:
        return function(*args, **kwargs)
    except Exception as error:
        raised_itself = error.__traceback__ is not None and error.__traceback__.tb_next is None
        if raised_itself and not all(
            _was_made_concrete(value, start) for value in _symbolic((*args, *kwargs.values()))
        ):
            plain_calls.note_compiled(function)
            _refuse(error)
        raise


def _was_made_concrete(value: Any, start: int) -> bool:
    """Whether a symbolic number was made concrete by a decision after a position."""
    term = unmarked(value.expr) if hasattr(type(value), "expr") else None
    for condition in current.execution.trace.conditions[start:]:
        if condition is term or (isinstance(condition, Compare) and condition.left is term):
            return True
    return False


def caught() -> None:
    """Examine the exception that rewritten code has just caught."""
    error = sys.exc_info()[1]
    if error is not None and not isinstance(current.execution, current.NoExecution):
        examine(error)


def examine(error: BaseException) -> None:
    """Note whether an exception, or one in its chain, shows that the run no longer behaves as the target would."""
    parts = list(_chain(error))
    for part in parts:
        if isinstance(part, MemoryError):
            current.execution.refuse("memory ran out")
        elif was_denied(part):
            current.execution.refuse("the system denied a side effect")
        elif _is_refusal(part):
            _note_libraries(parts)
            _refuse(part)


def _note_libraries(parts: Iterable[BaseException]) -> None:
    """Note the functions of libraries that rewritten code called before exceptions came out of them."""
    for part in parts:
        for (caller, _), (frame, _) in pairwise(_frames(part)):
            if is_rewritten(caller.f_globals) and _is_library(frame):
                plain_calls.note_frame(frame)


def _refuse(error: BaseException) -> None:
    """Note a refusal. A message that may be symbolic is not read, since that would make it concrete."""
    message = f": {error.args[0]}" if len(error.args) == 1 and type(error.args[0]) is str else ""
    current.execution.refuse(f"a symbolic value was refused: {type(error).__name__}{message}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, its causes and contexts, and the members of groups."""
    waiting: list[BaseException | None] = [error]
    known: set[int] = set()
    while waiting:
        part = waiting.pop()
        if part is None or id(part) in known:
            continue
        known.add(id(part))
        yield part
        waiting += [part.__cause__, part.__context__, *getattr(part, "exceptions", ())]


def _is_refusal(error: BaseException) -> bool:
    """Whether an exception was raised by compiled code that received a symbolic value without being watched."""
    frames = list(_frames(error))
    if not frames:
        return False
    innermost, instruction = frames[-1]
    if is_rewritten(innermost.f_globals):
        return instruction.startswith(_LEFT_ALONE) and _has_foreign(innermost) and _has_symbolic(innermost)
    library = takewhile(_is_library, (frame for frame, _ in reversed(frames)))
    return instruction.startswith(_HANDING_ON) and any(map(_has_symbolic, library))


def _frames(error: BaseException) -> Iterator[tuple[FrameType, str]]:
    """The frames that an exception came through, outermost first, and the names of their instructions."""
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield traceback.tb_frame, dis.opname[code.co_code[traceback.tb_lasti]] if traceback.tb_next is None else ""
        traceback = traceback.tb_next


def _is_library(frame: FrameType) -> bool:
    return not is_rewritten(frame.f_globals) and not frame.f_code.co_filename.startswith(PACKAGE)


def _has_symbolic(frame: FrameType) -> bool:
    return any(True for _ in _symbolic(frame.f_locals.values()))


def _has_foreign(frame: FrameType) -> bool:
    kinds: set[Any] = {type(value) for value in frame.f_locals.values()}
    return any(map(is_foreign, kinds))


def _symbolic(values: Iterable[Any], depth: int = _DEPTH) -> Iterator[Any]:
    """The symbolic values among values and in what they hold; methods of these are not called."""
    for value in values:
        if issubclass(type(value), SymbolicValue):
            yield value
        elif depth:
            yield from _symbolic(_parts(value), depth - 1)


def _parts(value: Any) -> Iterable[Any]:
    """What a container or an object holds."""
    if issubclass(type(value), dict):
        return (*dict.keys(value), *dict.values(value))
    row = next((kind for kind in _ROWS if issubclass(type(value), kind)), None)
    return plain_calls.attributes_of(value).values() if row is None else list(row.__iter__(value))
