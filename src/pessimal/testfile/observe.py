"""Observing a scenario: it runs natively once, and what it did becomes assertions. This runs in a worker process."""

from __future__ import annotations

import asyncio
import inspect
import io
from collections.abc import Collection, Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import replace
from itertools import islice
from types import CoroutineType
from typing import Any

from pessimal import performing
from pessimal.inputs.codec import safe_repr
from pessimal.inputs.looking import is_a, quietly
from pessimal.performing import look_up, perform_steps
from pessimal.pool.alarm import DeadlineExceeded
from pessimal.pool.confinement import was_denied
from pessimal.scenario import Argument, Build, Name, Plain, Result, Scenario, Step
from pessimal.testfile.checks import SHOWN_ITEMS, attribute_of, checks_of, class_of
from pessimal.testfile.describing import has_address, name_of
from pessimal.testfile.observation import Check, Observation
from pessimal.testfile.raised_text import written_part

MOST_ITEMS = 20
"""How many items of an iterator are looked at."""
DENIED = "the sandbox denied a side effect"
_MOST_PRINTED = 400
_LONGEST_STATE = 200
_UNORDERED = (set, frozenset)
_LAZY: Any = (Iterator, type({}.keys()), type({}.values()), type({}.items()))


class _Printed(io.StringIO):
    """Standard output of a target, which stays readable when the target closes it."""

    def close(self) -> None:
        """Stay open."""


class CannotObserve(Exception):
    """A scenario that is no test: a step before the last one raises."""


def observe(scenario: Scenario, files: Collection[str] = ()) -> Observation:
    """Run a scenario and say what it did; messages of exceptions count only if they are written in the files."""
    return _Run(scenario, files).observation()


class _Run:
    """One run of a scenario, step by step."""

    def __init__(self, scenario: Scenario, files: Collection[str]) -> None:
        self._scenario = scenario
        self._files = files
        self._made: dict[int, Any] = {}
        self._results: list[Any] = []
        self._running = perform_steps(scenario, self._make)

    def observation(self) -> Observation:
        """What the last step did, after those before it."""
        printed = _Printed()
        with redirect_stdout(printed):
            for _ in self._scenario.steps[:-1]:
                self._prepare()
            names = _names(self._scenario, self._results)
            before = self._state()
            seen = self._last(before)
        text = printed.getvalue()
        if not 0 < len(text) <= _MOST_PRINTED or has_address(text):
            return replace(names, **seen)
        checks = tuple(check for check in seen.get("checks", ()) if check.expected != Plain(None))
        return replace(names, **{**seen, "checks": checks}, printed=text)

    def _prepare(self) -> None:
        try:
            self._results.append(next(self._running))
        except DeadlineExceeded:
            raise
        except BaseException as error:
            raise CannotObserve(f"a step before the last one raises {type(error).__name__}") from error

    def _last(self, before: list[list[Check]]) -> dict[str, Any]:
        """Run the last step, and observe its result and its arguments, or its exception."""
        subject: Argument = Result(len(self._results))
        try:
            result = next(self._running)
        except DeadlineExceeded:
            raise
        except BaseException as error:
            return self._raised(error)
        try:
            subject, content = _consumed(subject, result)
        except DeadlineExceeded:
            raise
        except BaseException as error:
            return {**self._raised(error), "consumed": _view(subject, result)}
        checks = self._changes(before)
        if content is not None or not (checks or self._scenario.steps[-1].is_statement):
            found = checks_of(subject, content, self._call())
            is_consumed = not isinstance(subject, Result)  # and so can be looked at once
            checks = [*(found[:1] if is_consumed else found), *checks]
        weaker = () if self._scenario.steps[-1].is_statement else tuple(class_of(subject, content))
        return {"checks": tuple(checks), "weaker": weaker, "kinds": _kinds([*self._results, content])}

    def _call(self) -> Argument | None:
        """The last step as an expression, which says nothing if it is compared with itself."""
        step = self._scenario.steps[-1]
        is_call = step.operation == "call" and isinstance(step.subject, Name)
        return Build(step.subject, step.args, step.kwargs) if is_call else None  # type: ignore[arg-type]

    def _raised(self, error: BaseException) -> dict[str, Any]:
        if was_denied(error):
            raise CannotObserve(DENIED) from error
        name = next((name for kind in type(error).__mro__ if (name := name_of(kind)) is not None), None)
        return {"raised": name, "match": written_part(error, self._files)}

    def _changes(self, before: list[list[Check]]) -> list[Check]:
        """What the last step changed: its arguments, the attribute that it set, the object whose method it is."""
        step = self._scenario.steps[-1]
        if step.operation == "set":
            return attribute_of(self._passed(0), self._arguments()[0], step.name)
        checks = []
        for old, new in zip(before, self._state(), strict=True):
            known = list(map(repr, old))
            checks += [check for check in new if repr(check) not in known]
        return checks

    def _state(self) -> list[list[Check]]:
        """What can be asserted of each argument of the last step that may change."""
        state = []
        for index, value in enumerate(self._arguments()):
            found = [] if value is None else checks_of(self._passed(index), value)
            state.append([check for check in found if check.relation == "=="])
        return state

    def _passed(self, index: int) -> Argument:
        """The name of an argument of the last step."""
        argument = self._scenario.steps[-1].arguments[index]
        return argument if isinstance(argument, Result | Name) else Result(len(self._scenario.steps) + index)

    def _make(self, item: Plain) -> Any:
        self._made[id(item)] = deepcopy(item.value)
        return self._made[id(item)]

    def _arguments(self) -> list[Any]:
        """The arguments of the last step as they are now, as far as they are known: plain values and results."""
        return [self._argument(item) for item in self._scenario.steps[-1].arguments]

    def _argument(self, item: Argument) -> Any:
        if isinstance(item, Plain):
            return self._made.get(id(item), item.value)
        return self._results[item.step] if isinstance(item, Result) else None


def _kinds(values: list[Any]) -> tuple[str, ...]:
    return tuple("" if value is None else type(value).__name__ for value in values)


def _view(subject: Argument, result: Any) -> Argument:
    """How the content of something lazy is looked at."""
    name = Name("asyncio", "run") if type(result) is CoroutineType else Name("builtins", "list")
    return Build(name, (subject,))


def _consumed(subject: Argument, result: Any) -> tuple[Argument, Any]:
    """What there is to assert of a result: the items of an iterator, the value of a coroutine, or itself."""
    if type(result) is CoroutineType:
        return _view(subject, result), asyncio.run(result)
    if not is_a(result, _LAZY):
        return subject, result
    items = list(islice(result, MOST_ITEMS + 1))
    if len(items) <= MOST_ITEMS:
        return _view(subject, result), items
    first = Build(Name("itertools", "islice"), (subject, Plain(SHOWN_ITEMS)))
    return _view(first, result), items[:SHOWN_ITEMS]


def _names(scenario: Scenario, results: list[Any]) -> Observation:
    """The names of classes and parameters, as far as they are known before the last step runs."""
    last = scenario.steps[-1]
    owner = ""
    if last.operation != "call":
        subject = _subject(last.subject, results)
        owner = (subject if is_a(subject, type) else performing.class_of(subject)).__qualname__
    parameters = tuple(_parameters(step, results) for step in scenario.steps)
    return Observation(kinds=_kinds(results), owner=owner, parameters=parameters, states=tuple(map(_state, results)))


def _state(result: Any) -> str:
    """What a step returned, as text that is the same in every process."""
    text = safe_repr(result, _LONGEST_STATE)
    return "" if has_address(text) or is_a(result, _UNORDERED) else text


def _subject(argument: Argument, results: list[Any]) -> Any:
    if isinstance(argument, Result):
        return results[argument.step]
    if isinstance(argument, Name):
        return look_up(argument)
    return argument.value if isinstance(argument, Plain) else None


def _signature(subject: Any, step: Step) -> list[inspect.Parameter]:
    function = getattr(subject, step.name) if step.operation == "method" else subject
    return list(inspect.signature(function).parameters.values())


def _parameters(step: Step, results: list[Any]) -> tuple[str, ...]:
    """The names of the parameters that the positional arguments of a step are for.

    A star is before the names of those that cannot be passed by name.
    """
    if step.operation in ("get", "set"):
        return (step.name,) * len(step.args)
    subject = _subject(step.subject, results)
    parameters: list[inspect.Parameter] = quietly(lambda: _signature(subject, step), [])
    by_name = [item.name for item in parameters if item.kind is item.POSITIONAL_OR_KEYWORD]
    by_place = [f"*{item.name}" for item in parameters if item.kind is item.POSITIONAL_ONLY]
    rest = next((f"*{item.name}" for item in parameters if item.kind is item.VAR_POSITIONAL), "*value")
    names = [*by_place, *by_name]
    return tuple(names[index] if index < len(names) else rest for index in range(len(step.args)))
