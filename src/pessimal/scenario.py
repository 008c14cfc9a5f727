"""Scenarios: short programs of calls, the inputs of ``cover``, as data that can be run, changed and written down.

A scenario is a list of steps. Each calls something, calls a method, reads an attribute or assigns one, and its
arguments are plain values, names that can be imported, results of earlier steps, or built from these. The last step is
the one under test; those before it make what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pessimal.inputs.codec import from_json, to_json

Kind = Literal["list", "tuple", "set", "frozenset", "dict"]
Operation = Literal["call", "method", "get", "set"]


@dataclass(frozen=True, slots=True)
class Plain:
    """A value that can be written as a literal: None, a number, text, bytes, or a container of such."""

    value: Any


@dataclass(frozen=True, slots=True)
class Name:
    """Something that can be imported: a function, a class, a member of an enum, a constant."""

    module: str
    qualname: str


@dataclass(frozen=True, slots=True)
class Result:
    """What an earlier step returned."""

    step: int


@dataclass(frozen=True, slots=True)
class Group:
    """A container with members that are not all plain; a dict has keys and values by turns."""

    kind: Kind
    members: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """A call inside an argument, such as ``Decimal("1.5")``."""

    function: Name
    args: tuple[Argument, ...] = ()
    kwargs: tuple[tuple[str, Argument], ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A function that takes anything and gives these answers in turn, the last one again and again."""

    answers: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Subclass:
    """A class below another one, with members: functions that give answers, and values."""

    name: str
    base: Name
    members: tuple[tuple[str, Argument], ...]


Argument: TypeAlias = Plain | Name | Result | Group | Build | Function | Subclass


@dataclass(frozen=True, slots=True)
class Step:
    """One statement.

    ``call`` calls the subject; ``method`` calls the attribute ``name`` of the subject, an instance; ``get`` reads that
    attribute, and ``set`` assigns the one argument to it. A method such as ``__eq__`` is what an operator calls.
    """

    operation: Operation
    subject: Argument
    name: str = ""
    args: tuple[Argument, ...] = ()
    kwargs: tuple[tuple[str, Argument], ...] = ()

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The subject and all arguments."""
        return (self.subject, *self.args, *(value for _, value in self.kwargs))

    @property
    def is_statement(self) -> bool:
        """Whether a person writes it as a statement, which has no value."""
        return self.operation == "set" or (self.operation == "method" and self.name in ("__setitem__", "__delitem__"))


@dataclass(frozen=True, slots=True)
class Scenario:
    """Steps, the last of which is under test."""

    steps: tuple[Step, ...]

    def to_json(self) -> list[Any]:
        """The scenario as JSON values."""
        return [_step_to_json(step) for step in self.steps]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Scenario:
        """The scenario that :meth:`to_json` wrote."""
        return cls(tuple(_step_from_json(item) for item in data))


def parts(argument: Argument) -> Iterator[Argument]:
    """An argument and everything inside it."""
    yield argument
    for inner in _members(argument):
        yield from parts(inner)


def replaced(argument: Argument, change: Callable[[Argument], Argument]) -> Argument:
    """An argument with each of its parts changed, the inner ones first."""
    if isinstance(argument, Group):
        argument = Group(argument.kind, tuple(replaced(item, change) for item in argument.members))
    elif isinstance(argument, Build):
        args = tuple(replaced(item, change) for item in argument.args)
        argument = Build(argument.function, args, tuple((key, replaced(item, change)) for key, item in argument.kwargs))
    elif isinstance(argument, Function):
        argument = Function(tuple(replaced(item, change) for item in argument.answers))
    elif isinstance(argument, Subclass):
        members = tuple((name, replaced(item, change)) for name, item in argument.members)
        argument = Subclass(argument.name, argument.base, members)
    return change(argument)


def changed(step: Step, change: Callable[[Argument], Argument]) -> Step:
    """A step with each part of its arguments changed."""
    return Step(
        step.operation,
        replaced(step.subject, change),
        step.name,
        tuple(replaced(item, change) for item in step.args),
        tuple((key, replaced(item, change)) for key, item in step.kwargs),
    )


def needed(scenario: Scenario, *, changing: bool = True) -> Scenario:
    """The scenario without the steps whose results nobody uses.

    Steps that may change a result that is used stay, and so do methods of what is made for them alone: all that is left
    of these is what they did, such as a file that they wrote. Without ``changing`` these go, too.
    """
    steps = scenario.steps
    wanted = {len(steps) - 1}
    used = _results(steps[-1])
    for index in range(len(steps) - 2, -1, -1):
        touches = steps[index].operation in ("method", "set") and bool(_results(steps[index]) & used)
        touches |= steps[index].operation == "method" and isinstance(steps[index].subject, Build)
        if index in used or (touches and changing):
            wanted.add(index)
            used |= _results(steps[index])
    order = {old: new for new, old in enumerate(sorted(wanted))}

    def renumber(argument: Argument) -> Argument:
        return Result(order[argument.step]) if isinstance(argument, Result) else argument

    return Scenario(tuple(changed(steps[index], renumber) for index in sorted(wanted)))


def _results(step: Step) -> set[int]:
    return {part.step for argument in step.arguments for part in parts(argument) if isinstance(part, Result)}


def _members(argument: Argument) -> tuple[Argument, ...]:
    if isinstance(argument, Group):
        return argument.members
    if isinstance(argument, Build):
        return (*argument.args, *(value for _, value in argument.kwargs))
    if isinstance(argument, Subclass):
        return tuple(item for _, item in argument.members)
    return argument.answers if isinstance(argument, Function) else ()


def _to_json(argument: Argument) -> Any:
    match argument:
        case Plain(value):
            return {"plain": to_json(value)}
        case Name(module, qualname):
            return {"name": [module, qualname]}
        case Result(step):
            return {"result": step}
        case Group(kind, members):
            return {"group": kind, "members": [_to_json(item) for item in members]}
        case Build(function, args, kwargs):
            return {"build": [function.module, function.qualname], **_call_to_json(args, kwargs)}
        case Function(answers):
            return {"function": [_to_json(item) for item in answers]}
        case Subclass(name, base, members):
            given = [[key, _to_json(item)] for key, item in members]
            return {"subclass": name, "base": [base.module, base.qualname], "members": given}


def _call_to_json(args: Sequence[Argument], kwargs: Sequence[tuple[str, Argument]]) -> dict[str, Any]:
    return {"args": [_to_json(item) for item in args], "kwargs": [[key, _to_json(item)] for key, item in kwargs]}


def _from_json(data: Mapping[str, Any]) -> Argument:
    if "plain" in data:
        return Plain(from_json(data["plain"]))
    if "name" in data:
        return Name(*data["name"])
    if "result" in data:
        return Result(int(data["result"]))
    if "subclass" in data:
        members = tuple((str(key), _from_json(item)) for key, item in data["members"])
        return Subclass(str(data["subclass"]), Name(*data["base"]), members)
    if "group" in data:
        return Group(data["group"], tuple(_from_json(item) for item in data["members"]))
    if "build" in data:
        return Build(Name(*data["build"]), *_call_from_json(data))
    return Function(tuple(_from_json(item) for item in data["function"]))


def _call_from_json(data: Mapping[str, Any]) -> tuple[tuple[Argument, ...], tuple[tuple[str, Argument], ...]]:
    return (
        tuple(_from_json(item) for item in data["args"]),
        tuple((str(key), _from_json(item)) for key, item in data["kwargs"]),
    )


def _step_to_json(step: Step) -> dict[str, Any]:
    return {
        "operation": step.operation,
        "subject": _to_json(step.subject),
        "name": step.name,
        **_call_to_json(step.args, step.kwargs),
    }


def _step_from_json(data: Mapping[str, Any]) -> Step:
    args, kwargs = _call_from_json(data)
    return Step(data["operation"], _from_json(data["subject"]), str(data["name"]), args, kwargs)
