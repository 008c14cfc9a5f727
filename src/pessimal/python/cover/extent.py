"""Which branches belong to what is covered: all of a module's, or those of one function and of what it calls there."""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FunctionType, ModuleType
from typing import Any

from pessimal.arcs import Arc
from pessimal.inputs.looking import is_a, quietly
from pessimal.inputs.signatures import underlying
from pessimal.python.cover.modules import Modules

Span = tuple[str, int, int]


def arcs_within(arcs: Iterable[Arc], modules: Modules) -> frozenset[Arc]:
    """The arcs of whole modules, and of those of which only one name is meant, the arcs of its code."""
    whole = {str(module.__file__) for module in modules.found if module.__name__ not in modules.only}
    spans = [span for module in modules.found for span in _spans_of(module, modules.only.get(module.__name__))]
    return frozenset(
        arc
        for arc in arcs
        if arc.file in whole or any(arc.file == file and first <= arc.line <= last for file, first, last in spans)
    )


def span_of(code: CodeType) -> Span:
    """File, first and last line of code, with the functions inside it."""
    lines = [line for _, _, line in code.co_lines() if line is not None]
    inner = [span_of(item) for item in code.co_consts if isinstance(item, CodeType)]
    return code.co_filename, code.co_firstlineno, max([*lines, *(span[2] for span in inner)], default=0)


def _spans_of(module: ModuleType, qualname: str | None) -> list[Span]:
    """The code of a name in a module, and of the functions and classes of the module that it mentions."""
    if qualname is None:
        return []
    found: Any = module
    for part in qualname.split("."):
        found = getattr(found, part)
    pending, seen = _codes(found), {}
    while pending:
        code = pending.pop()
        if code in seen:
            continue
        seen[code] = span_of(code)
        for name in _names(code):
            value = vars(module).get(name)
            if _module_of(value) == module.__name__:
                pending += _codes(value)
    return list(seen.values())


def _module_of(value: Any) -> Any:
    return quietly(lambda: value.__module__, None)


def _names(code: CodeType) -> list[str]:
    inner = [name for item in code.co_consts if isinstance(item, CodeType) for name in _names(item)]
    return [*code.co_names, *inner]


def _codes(value: Any) -> list[CodeType]:
    """The code of a function, or of the functions of a class."""
    if is_a(value, type):
        parts = [
            getattr(item, "__func__", None) or getattr(item, "fget", None) or item for item in vars(value).values()
        ]
        return [item.__code__ for item in parts if isinstance(item, FunctionType)]
    code = quietly(lambda: getattr(underlying(value), "__code__", None), None)
    return [code] if isinstance(code, CodeType) else []
