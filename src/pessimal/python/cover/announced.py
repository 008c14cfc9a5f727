"""Exceptions that a covered module announces: its docstrings name them, or it raises them itself on purpose."""

from __future__ import annotations

import re
import traceback
from collections.abc import Collection
from types import CodeType

_RAISES = re.compile(r"\b([A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)|StopIteration|KeyError)\b")


def is_announced(error: BaseException, files: Collection[str], docstrings: Collection[str]) -> bool:
    """Whether an exception is one that users are told to expect.

    That is so if a ``raise`` statement in the covered files raised it, if a docstring names its class or a class above
    it, or if it only says that an argument was of the wrong type.
    """
    frames = traceback.extract_tb(error.__traceback__)
    inner = [frame for frame in frames if frame.filename in files]
    if not inner:
        return True  # raised before the covered code was reached, by the call itself
    if frames[-1].filename in files and (inner[-1].line or "").startswith("raise"):
        return True
    if frames[-1].filename in files and isinstance(error, AssertionError):
        return False
    names = {cls.__name__ for cls in type(error).__mro__[:-2]}
    return any(names & set(_RAISES.findall(text)) for text in docstrings)


def place_of(error: BaseException, files: Collection[str]) -> str:
    """The innermost line of the covered files that an exception passed, as ``file:line``."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def docstrings_in(code: CodeType) -> list[str]:
    """The docstrings of a module's code and of all functions and classes inside it."""
    found = [code.co_consts[0]] if code.co_consts and isinstance(code.co_consts[0], str) else []
    for item in code.co_consts:
        if isinstance(item, CodeType):
            found += docstrings_in(item)
    return found
