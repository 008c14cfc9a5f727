"""Handlers of functions that accept only real text: compilers, evaluators, and readers written in C."""

from __future__ import annotations

import ast
import csv
import sys
from collections.abc import Iterable, Iterator
from sys import _getframe
from typing import Any

from pessimal.python.handlers.registry import handles
from pessimal.python.refusals import watched
from pessimal.python.values import SymBytes, SymStr

_TEXT = (SymStr, SymBytes)
_FUTURES = 0x1FE0000
"""The flags of a code object that ``compile`` takes over from the code that calls it: those of ``__future__``."""


def _plain(value: Any, reason: str) -> Any:
    return value.concrete(reason) if type(value) in _TEXT else value


@handles(compile)
def _compile(
    source: Any, filename: Any, mode: Any, flags: int = 0, dont_inherit: bool = False, *args: Any, **kw: Any
) -> Any:
    inherited = 0 if dont_inherit else _getframe(1).f_code.co_flags & _FUTURES
    source, filename, mode = (_plain(value, "compile()") for value in (source, filename, mode))
    return compile(source, filename, mode, flags | inherited, True, *args, **kw)


def _run(native: Any, source: Any, scopes: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run text in the scopes that it is given, or else in those of the caller."""
    frame = _getframe(2)
    if not scopes:
        scopes = frame.f_globals, frame.f_locals
    return native(_plain(source, f"{native.__name__}()"), *scopes, **kwargs)


@handles(eval)
def _eval(source: Any, /, *scopes: Any) -> Any:
    return _run(eval, source, scopes, {})


@handles(exec)
def _exec(source: Any, /, *scopes: Any, **kwargs: Any) -> None:
    _run(exec, source, scopes, kwargs)


@handles(ast.parse)
def _parse(source: Any, *args: Any, **kwargs: Any) -> Any:
    return ast.parse(_plain(source, "ast.parse()"), *args, **kwargs)


@handles(ast.literal_eval)
def _literal(source: Any) -> Any:
    return ast.literal_eval(_plain(source, "ast.literal_eval()"))


@handles(csv.reader)
def _reader(lines: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    return watched(csv.reader, (_plain_lines(iter(lines)), *args), kwargs)


def _plain_lines(lines: Iterator[Any]) -> Iterator[Any]:
    for line in lines:
        yield _plain(line, "csv.reader()")


@handles(complex)
def _complex(*args: Any, **kwargs: Any) -> Any:
    named = {name: _plain(value, "complex()") for name, value in kwargs.items()}
    return complex(*(_plain(value, "complex()") for value in args), **named)


@handles(sys.intern)
def _intern(text: Any) -> Any:
    """Symbolic text is compared by value wherever it is compared, so that it needs no twin."""
    return text if type(text) is SymStr else sys.intern(text)
