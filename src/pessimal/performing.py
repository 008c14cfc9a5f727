"""Running a scenario: its steps one after the other, with the names looked up in the modules that are imported now."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import chain, repeat
from traceback import walk_tb
from typing import Any

from pessimal.scenario import Argument, Build, Function, Group, Name, Plain, Result, Scenario, Step, Subclass

_OPERATORS: dict[str, Callable[..., Any]] = {
    **{f"__{name}__": getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul")},
    **{f"__{name}__": getattr(operator, name) for name in ("truediv", "floordiv", "mod", "pow", "lshift", "rshift")},
    **{f"__{name}__": getattr(operator, f"{name}_") for name in ("and", "or")},
    **{f"__{name}__": getattr(operator, name) for name in ("xor", "neg", "pos", "abs", "invert", "matmul")},
    **{f"__{name}__": getattr(operator, name) for name in ("contains", "getitem", "setitem", "delitem")},
    **{f"__{kind.__name__}__": kind for kind in (int, float, complex, bool, str, bytes, repr, hash, len, round)},
    **{f"__{function.__name__}__": function for function in (iter, next, reversed, format, divmod)},
}
"""What a person writes to call a special method; the others, such as ``__enter__``, are called by their name."""


def look_up(name: Name) -> Any:
    """The object that a name means."""
    found: Any = import_module(name.module)
    for part in name.qualname.split("."):
        found = getattr(found, part)
    return found


def class_of(value: Any) -> type:
    """The class of a value; of one whose class a scenario made, the class above that, which can be imported."""
    kind = type(value)
    return kind.__mro__[1] if kind.__module__ == __name__ else kind


def plain_value(item: Plain) -> Any:
    """The value of a plain argument, which a run may change without changing the scenario."""
    return _copied(item.value)


def perform(
    scenario: Scenario,
    plain: Callable[[Plain], Any] = plain_value,
    resolve: Callable[[Any], Callable[..., Any]] = lambda function: function,
) -> Any:
    """Run the steps, and return what the last one returns.

    ``plain`` makes the values of plain arguments, and ``resolve`` gives what is called in place of a function.
    """
    *_, result = perform_steps(scenario, plain, resolve)
    return result


def perform_steps(
    scenario: Scenario,
    plain: Callable[[Plain], Any] = plain_value,
    resolve: Callable[[Any], Callable[..., Any]] = lambda function: function,
) -> Iterator[Any]:
    """Run the steps one at a time, and yield what each returns, for those who look at what happens in between."""
    arguments = _Arguments(plain, resolve)
    for step in scenario.steps:
        arguments.results.append(_perform(step, arguments))
        yield arguments.results[-1]


def values_of(step: Step, results: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a step once more, given what the steps before it returned."""
    arguments = _Arguments(plain_value, lambda function: function)
    arguments.results = results
    return tuple(arguments.make(item) for item in step.args), {key: arguments.make(item) for key, item in step.kwargs}


def unmade(error: BaseException) -> Build | None:
    """The call inside an argument that raised an exception of a run; None if a step itself raised it."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__) if frame.f_code is _Arguments.make.__code__]
    made = [frame.f_locals["argument"] for frame in frames]
    return next((argument for argument in reversed(made) if isinstance(argument, Build)), None)


def _perform(step: Step, arguments: _Arguments) -> Any:
    subject = arguments.make(step.subject)
    if step.operation == "get":
        return getattr(subject, step.name)
    if step.operation == "set":
        setattr(subject, step.name, arguments.make(step.args[0]))
        return None
    args = [arguments.make(item) for item in step.args]
    kwargs = {key: arguments.make(item) for key, item in step.kwargs}
    if step.operation == "method" and step.name in _OPERATORS:
        return arguments.resolve(_OPERATORS[step.name])(subject, *args, **kwargs)
    function = getattr(subject, step.name) if step.operation == "method" else subject
    return arguments.resolve(function)(*args, **kwargs)


class _Arguments:
    """Makes arguments, given the results so far."""

    def __init__(self, plain: Callable[[Plain], Any], resolve: Callable[[Any], Callable[..., Any]]) -> None:
        self.results: list[Any] = []
        self.resolve = resolve
        self._plain = plain

    def make(self, argument: Argument) -> Any:
        """The value of an argument."""
        match argument:
            case Plain():
                return self._plain(argument)
            case Name():
                return look_up(argument)
            case Result(step):
                return self.results[step]
            case Group(kind, members):
                return self._grouped(kind, [self.make(item) for item in members])
            case Build(function, args, kwargs):
                made = {key: self.make(item) for key, item in kwargs}
                return self.resolve(look_up(function))(*[self.make(item) for item in args], **made)
            case Function(answers):
                return _answering([self.make(item) for item in answers])
            case Subclass(name, base, members):
                given = {key: self.make(item) for key, item in members}
                return type(name, (look_up(base),), {"__module__": __name__, **given})

    def _grouped(self, kind: str, members: list[Any]) -> Any:
        if kind == "dict":
            return self.resolve(dict)(list(zip(members[::2], members[1::2], strict=True)))
        made = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind]
        return self.resolve(made)(members)


def _answering(answers: list[Any]) -> Callable[..., Any]:
    left: Iterator[Any] = chain(answers, repeat(answers[-1]))
    return lambda *args, **kwargs: next(left)


def _copied(value: Any) -> Any:
    """A value with containers of its own, so that a run cannot change the scenario."""
    if isinstance(value, list | set | bytearray):
        return type(value)(map(_copied, value))
    if isinstance(value, dict):
        return {_copied(key): _copied(item) for key, item in value.items()}
    return tuple(map(_copied, value)) if type(value) is tuple else value
