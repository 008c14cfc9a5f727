"""The rewrite of a function that was sent without its module."""

from __future__ import annotations

from types import FunctionType

from pessimal.python.definitions import Definitions
from pessimal.python.recompile import recompiled
from pessimal.python.rewrite import NAMES, Rewriter


def rewrite_function(function: FunctionType) -> FunctionType:
    """A function that was sent without its module, rewritten from its source with the functions beside it."""
    globals_ = {**function.__globals__, **NAMES}
    definitions = Definitions()

    def rewritten(value: FunctionType) -> FunctionType:
        return recompiled(value, globals_, Rewriter().visit, definitions)

    for name, value in function.__globals__.items():
        if isinstance(value, FunctionType) and value.__globals__ is function.__globals__:
            globals_[name] = rewritten(value)
    return rewritten(function)
