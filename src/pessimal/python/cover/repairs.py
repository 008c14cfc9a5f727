"""Scenarios that give code what it has just missed: a key of a dict, or an attribute of an object.

``KeyError: 'marker'`` says what a dict should have had, and so do texts in quotes in other messages. An AttributeError
names an attribute, and tells which value was to have it: an object that has nothing else then takes its place. What
code needs is found one by one, in as many runs.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from random import Random
from typing import Any

from pessimal.python.cover.attempts import Key, key_of_step
from pessimal.python.cover.grouping import grouped
from pessimal.python.cover.runner import ScenarioRun
from pessimal.python.cover.values import Values
from pessimal.scenario import Argument, Build, Function, Group, Name, Plain, Scenario, changed, parts

MOST_WAITING = 60
MOST_OF_A_KIND = 25
"""How often the same thing is given to the same function."""
MOST_QUOTED = 2
_QUOTED = re.compile(r"""['"]([^'"\n]{1,40})['"]""")
_NAMESPACE = Name("types", "SimpleNamespace")
_SCALARS, _CONTAINERS = (type(None), bool, int, float, str, bytes), (list, tuple, dict, set)
_NAME: Any = AttributeError.name
_OBJECT: Any = AttributeError.obj
_ARGUMENTS: Any = BaseException.args
"""Descriptors that tell the same of an exception whatever its class defines."""


class Repairs:
    """Makes such scenarios of runs that raised, and keeps them until they are run."""

    def __init__(self, rng: Random, values: Values) -> None:
        self._rng = rng
        self._values = values
        self._waiting: deque[Scenario] = deque(maxlen=MOST_WAITING)
        self._given: Counter[tuple[Key, str]] = Counter()

    def next(self) -> Scenario | None:
        """The scenario that waits for the shortest time: it may be one of several steps towards a run that returns."""
        return self._waiting.pop() if self._waiting else None

    def note(self, scenario: Scenario, run: ScenarioRun) -> None:
        """Look at how a run ended."""
        if run.error is None or len(run.results) >= len(scenario.steps):
            return
        error, step = run.error, key_of_step(scenario.steps[len(run.results)])
        if isinstance(error, AttributeError):
            self._give_attribute(scenario, error, step)
        else:
            for key in _missing_keys(error):
                if self._is_new(step, key):
                    self._waiting.extend(self._with_key(scenario, key))

    def _is_new(self, step: Key, what: str) -> bool:
        self._given[step, what] += 1
        return self._given[step, what] <= MOST_OF_A_KIND

    def _with_key(self, scenario: Scenario, key: str) -> Iterator[Scenario]:
        """The scenario with one more key in one of its dicts."""
        dicts = [part for part in _parts(scenario) if _is_dict(part)]
        if dicts:
            chosen = self._rng.choice(dicts)
            pairs = dict(_pairs(chosen))
            more = grouped("dict", [item for pair in (*pairs.items(), (Plain(key), self._value())) for item in pair])
            if Plain(key) not in pairs:
                yield _replaced(scenario, chosen, more)

    def _give_attribute(self, scenario: Scenario, error: AttributeError, step: Key) -> None:
        name, owner = _NAME.__get__(error), _OBJECT.__get__(error)
        if type(name) is not str or not name.isidentifier() or name.startswith("__") or not self._is_new(step, name):
            return
        fitting = [part for part in _parts(scenario) if _means(part, owner)]
        if fitting:
            chosen = self._rng.choice(fitting)
            known = chosen.kwargs if isinstance(chosen, Build) else ()
            more = Build(_NAMESPACE, (), (*known, (name, self._value())))
            self._waiting.append(_replaced(scenario, chosen, more))

    def _value(self) -> Argument:
        """Something that an attribute or a key may hold."""
        rng, values = self._rng, self._values
        plain = (values.text, values.integer, values.data, lambda: None, lambda: rng.random() < 0.5)
        share = rng.random()
        if share < 0.6:
            return Plain(rng.choices(plain, (6, 5, 1, 2, 2))[0]())
        if share < 0.75:
            return Plain(rng.choice(([], {}, (), [values.text()], [values.integer(), values.integer()], [{}])))
        return Function((Plain(rng.choice(plain)()),)) if share < 0.9 else Build(_NAMESPACE)


def has_namespace(scenario: Scenario) -> bool:
    """Whether a scenario passes an object that has attributes alone: code may well fail with it."""
    return any(isinstance(part, Build) and part.function == _NAMESPACE for part in _parts(scenario))


def _missing_keys(error: BaseException) -> list[str]:
    """The texts that may be keys which were missed, without calling anything of the target's."""
    told = _ARGUMENTS.__get__(error)[:1]
    if not told or type(told[0]) is not str:
        return []
    return [told[0]] if isinstance(error, KeyError) else _QUOTED.findall(told[0])[:MOST_QUOTED]


def _parts(scenario: Scenario) -> list[Argument]:
    """What the steps of a scenario pass, apart from their subjects."""
    passed = (item for step in scenario.steps for item in (*step.args, *(value for _, value in step.kwargs)))
    return [part for item in passed for part in parts(item)]


def _is_dict(part: Argument) -> bool:
    return (isinstance(part, Plain) and type(part.value) is dict) or (isinstance(part, Group) and part.kind == "dict")


def _pairs(part: Argument) -> Iterator[tuple[Argument, Argument]]:
    if isinstance(part, Group):
        yield from zip(part.members[::2], part.members[1::2], strict=True)
    elif isinstance(part, Plain):
        yield from ((Plain(key), Plain(value)) for key, value in part.value.items())


def _means(part: Argument, value: Any) -> bool:
    """Whether a plain argument, or an object that was made here, is the value on which an attribute was missed."""
    if isinstance(part, Plain) and type(part.value) is type(value):
        known: Any = part.value
        is_scalar = type(known) in _SCALARS and known == value
        return is_scalar or (type(known) in _CONTAINERS and len(known) == len(value))
    if isinstance(part, Build) and part.function == _NAMESPACE and type(value).__name__ == _NAMESPACE.qualname:
        return {name for name, _ in part.kwargs} <= set(vars(value))
    return False


def _replaced(scenario: Scenario, old: Argument, new: Argument) -> Scenario:
    def change(part: Argument) -> Argument:
        return new if part == old else part

    return Scenario(tuple(changed(step, change) for step in scenario.steps))
