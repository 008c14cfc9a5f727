"""Makes a scenario simpler as long as it still does what it is for: fewer steps, fewer arguments, plainer values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isfinite
from typing import Any

from pessimal.scenario import Argument, Build, Group, Plain, Result, Scenario, Step, changed, needed, parts

Holds = Callable[[Scenario], bool]
MOST_TRIALS = 150


def simplified(scenario: Scenario, holds: Holds, trials: int = MOST_TRIALS) -> Scenario:
    """The simplest scenario that was found for which ``holds`` is true, as it is for the one given."""
    tried: set[str] = set()
    is_simpler = True
    while is_simpler and trials > 0:
        is_simpler = False
        for candidate in _candidates(scenario):
            key = repr(candidate)
            if key in tried:
                continue
            tried.add(key)
            trials -= 1
            if holds(candidate):
                scenario, is_simpler = candidate, True
                break
            if trials <= 0:
                break
    return scenario


def _candidates(scenario: Scenario) -> Iterator[Scenario]:
    """Scenarios that are one bit simpler, the boldest first."""
    steps = scenario.steps
    if len(steps) > 1:
        yield needed(Scenario(steps[:-1]))
    for index in range(len(steps) - 1):
        yield from _without(scenario, index)
    for index, step in enumerate(steps):
        for simpler in _simpler_steps(step):
            yield Scenario((*steps[:index], simpler, *steps[index + 1 :]))


def _without(scenario: Scenario, index: int) -> Iterator[Scenario]:
    """The scenario without a step whose result no other uses."""
    before, after = scenario.steps[:index], scenario.steps[index + 1 :]
    if any(Result(index) in parts(argument) for step in after for argument in step.arguments):
        return

    def renumber(argument: Argument) -> Argument:
        is_later = isinstance(argument, Result) and argument.step > index
        return Result(argument.step - 1) if is_later else argument  # type: ignore[union-attr]

    yield Scenario((*before, *(changed(step, renumber) for step in after)))


def _simpler_steps(step: Step) -> Iterator[Step]:
    for index in range(len(step.kwargs)):
        yield replace(step, kwargs=(*step.kwargs[:index], *step.kwargs[index + 1 :]))
    if step.operation in ("call", "method") and step.args:
        yield replace(step, args=step.args[:-1])
    for argument in step.arguments:
        for part in parts(argument):
            for value in _simpler_parts(part):
                yield changed(step, lambda item, part=part, value=value: value if item is part else item)  # type: ignore[misc]


def _simpler_parts(part: Any) -> Iterator[Any]:
    if isinstance(part, Plain):
        yield from (Plain(value) for value in simpler_values(part.value))
    elif isinstance(part, Group) and part.members:
        step = 2 if part.kind == "dict" else 1
        for index in range(0, len(part.members), step):
            yield Group(part.kind, (*part.members[:index], *part.members[index + step :]))
    elif isinstance(part, Build):
        for index in range(len(part.kwargs)):
            yield Build(part.function, part.args, (*part.kwargs[:index], *part.kwargs[index + 1 :]))


def simpler_values(value: Any) -> Iterator[Any]:
    """Values of the same type that are simpler, the simplest first."""
    simpler = _SIMPLER.get(type(value))
    if simpler is not None:
        yield from simpler(value)


def _integers(value: int) -> Iterator[int]:
    yield from (item for item in (0, 1, 2, -1, value // 2, abs(value)) if abs(item) < abs(value) or item == -value > 0)
    if abs(value) > 10:
        yield value - 1 if value > 0 else value + 1


def _floats(value: float) -> Iterator[float]:
    rounded = (float(round(value)), round(value, 2)) if isfinite(value) else ()
    simple = [0.0, 1.0, 2.0, 0.5, -1.0, 10.0]
    better = simple[: simple.index(value)] if value in simple else [*simple, *rounded]
    yield from (item for item in better if item != value)


def _texts(value: Any) -> Iterator[Any]:
    """Without a half, then without single characters, then with plainer ones."""
    if not value:
        return
    yield value[:0]
    half = len(value) // 2
    if half:
        yield value[:half]
        yield value[half:]
    for index in range(min(len(value), 40)):
        yield value[:index] + value[index + 1 :]
    if isinstance(value, str):
        for index, character in enumerate(value[:40]):
            plainer = _plainer(character)
            if character != plainer:
                yield value[:index] + plainer + value[index + 1 :]


def _plainer(character: str) -> str:
    """The plainest character of a kind; a sign that can be printed stays, since it seldom stands for others."""
    if character.isdigit():
        return "0"
    if character.isalpha():
        return "a" if character.islower() else "A"
    return character if character.isascii() and character.isprintable() else " "


def _lists(value: Any) -> Iterator[Any]:
    items = list(value)
    make = type(value)
    if items:
        yield make([])
    for index in range(min(len(items), 20)):
        yield make([*items[:index], *items[index + 1 :]])
    for index, item in enumerate(items[:20]):
        for simpler in simpler_values(item):
            yield make([*items[:index], simpler, *items[index + 1 :]])


def _dicts(value: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    items = list(value.items())
    if items:
        yield {}
    for index in range(min(len(items), 20)):
        yield dict([*items[:index], *items[index + 1 :]])
    for index, (key, item) in enumerate(items[:20]):
        for simpler in simpler_values(item):
            yield dict([*items[:index], (key, simpler), *items[index + 1 :]])


def _tuples(value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for index, item in enumerate(value[:20]):
        for simpler in simpler_values(item):
            yield (*value[:index], simpler, *value[index + 1 :])


_SIMPLER: dict[type, Callable[[Any], Iterator[Any]]] = {
    int: _integers,
    float: _floats,
    str: _texts,
    bytes: _texts,
    list: _lists,
    tuple: _tuples,
    dict: _dicts,
}
