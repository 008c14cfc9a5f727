"""Scenarios in few words, for tests of test files."""

from __future__ import annotations

from typing import Any

from pessimal.scenario import Argument, Build, Function, Group, Name, Plain, Result, Scenario, Step
from pessimal.testfile import Case, Reach


def argument(value: Any) -> Argument:
    return value if isinstance(value, Name | Result | Build | Group | Function | Plain) else Plain(value)


def call(name: str, *args: Any, **kwargs: Any) -> Step:
    """A call of ``module:function``."""
    module, _, qualname = name.partition(":")
    return Step("call", Name(module, qualname), "", *_arguments(args, kwargs))


def method(step: int, name: str, *args: Any, **kwargs: Any) -> Step:
    """A call of a method of an earlier result."""
    return Step("method", Result(step), name, *_arguments(args, kwargs))


def get(step: int, name: str) -> Step:
    return Step("get", Result(step), name)


def assign(step: int, name: str, value: Any) -> Step:
    return Step("set", Result(step), name, (argument(value),))


def case(*steps: Step, reaches: str | None = None, came_out: bool = True) -> Case:
    """A case that is the first to reach a condition."""
    arcs = () if reaches is None else (Reach("module.py", 1, 2, reaches, came_out),)
    return Case(Scenario(steps), arcs)


def _arguments(args: Any, kwargs: Any) -> Any:
    return tuple(map(argument, args)), tuple((key, argument(value)) for key, value in kwargs.items())
