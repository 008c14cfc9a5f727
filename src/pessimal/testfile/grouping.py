"""Which cases become one parametrised test: those that differ in plain values alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pessimal.scenario import Argument, Build, Function, Group, Name, Plain, Result, Scenario, Step, parts
from pessimal.testfile.body import ERROR, EXPECTED, LONG_TEXT, MATCH, Hole
from pessimal.testfile.case import Case
from pessimal.testfile.naming import snake
from pessimal.testfile.observation import Observation

_LONGEST_VALUE = 120
"""How many characters the repr of a value may have that is a parameter."""


@dataclass(frozen=True, slots=True)
class Item:
    """A case with its observation and its number."""

    number: int
    case: Case
    scenario: Scenario
    seen: Observation

    @property
    def thing(self) -> str:
        """What is tested, in the words of a test's name."""
        last = self.scenario.steps[-1]
        if last.operation == "call":
            subject = last.subject
            return "_".join(map(snake, subject.qualname.split("."))) if isinstance(subject, Name) else "call"
        owner = "_".join(map(snake, self.seen.owner.split(".")))
        name = f"set_{snake(last.name)}" if last.operation == "set" else snake(last.name)
        return f"{owner}_{name}".strip("_")

    @property
    def base_name(self) -> str:
        """The name of the test, if no other test has it."""
        return f"test_{self.thing}" + ("_raises" if self.seen.raised is not None else "")

    @property
    def holes(self) -> dict[Hole, Any]:
        """The values that may be parameters: arguments, or strings and None where no argument stands."""
        found: dict[Hole, Any] = {}
        for index, step in enumerate(self.scenario.steps):
            for place, argument in enumerate(step.arguments):
                if self.is_parameter(argument) and (place > 0 or isinstance(argument, Plain)):
                    found[Hole(index, place)] = argument
        for place, check in enumerate(self.seen.checks):
            if check.relation != "isinstance" and _can_be_parameter(check.expected):
                found[Hole(EXPECTED, place)] = check.expected
        if self.seen.raised is not None:
            found |= {ERROR: self.seen.raised, MATCH: self.seen.match}
        return found

    @property
    def shape(self) -> Hashable:
        """What cases of one test have in common."""
        holes = self.holes
        steps = tuple(
            (step.operation, step.name, *_form(step), *_fixed(index, step, holes))
            for index, step in enumerate(self.scenario.steps)
        )
        checks = tuple(
            (repr(check.subject), check.relation == "isinstance", self._fixed_check(place, holes))
            for place, check in enumerate(self.seen.checks)
        )
        alone = self.number if self.seen.printed is not None else None
        return self.base_name, steps, checks, repr(self.seen.consumed), alone

    def is_parameter(self, argument: Argument) -> bool:
        """Whether an argument can be a parameter; not what a call makes in a test that raises, since it may do so."""
        is_made = any(isinstance(part, Build) for part in parts(argument))
        return _can_be_parameter(argument) and not (is_made and self.seen.raised is not None)

    def _fixed_check(self, place: int, holes: dict[Hole, Any]) -> str:
        return "" if Hole(EXPECTED, place) in holes else repr(self.seen.checks[place].expected)


def _can_be_parameter(argument: Argument) -> bool:
    """Whether a value can be a parameter of a test: it does not depend on a step, and it is not too long to read."""
    for part in parts(argument):
        if isinstance(part, Result) or (isinstance(part, Function) and len(part.answers) > 1):
            return False
        if isinstance(part, Plain) and isinstance(part.value, str | bytes) and len(repr(part.value)) > LONG_TEXT:
            return False
    if isinstance(argument, Plain):
        return len(repr(argument.value)) <= _LONGEST_VALUE
    return len(repr(argument)) <= 3 * _LONGEST_VALUE  # of which the greater part are names of classes here


def grouped(items: Sequence[Item]) -> list[list[Item]]:
    """Cases by test: those of one thing stay together, and what returns comes before what raises."""
    things: dict[str, list[Item]] = {}
    for item in items:
        things.setdefault(item.thing, []).append(item)
    groups: list[list[Item]] = []
    for members in things.values():
        for is_raised in (False, True):
            kind = [item for item in members if (item.seen.raised is not None) == is_raised]
            groups += map(_without_needless_options, _by_shape(_with_options(kind)))
    return groups


def variants(item: Item) -> list[Item]:
    """The forms that a case can have in a file: as it is, or with some of its arguments as options."""
    if not _is_simple(item):
        return [item]
    counts = range(len(item.scenario.steps[-1].args) + 1)
    return [item, *(changed for count in counts if (changed := _optional(item, count)) is not None)]


def _by_shape(items: Sequence[Item]) -> list[list[Item]]:
    shapes: dict[Hashable, list[Item]] = {}
    for item in items:
        shapes.setdefault(item.shape, []).append(item)
    return sorted(shapes.values(), key=lambda group: -len(group))


def _form(step: Step) -> tuple[int, tuple[str, ...]]:
    """How many arguments a step has, and the names of those that have one."""
    return len(step.args), tuple(key for key, _ in step.kwargs)


def _fixed(index: int, step: Step, holes: dict[Hole, Any]) -> list[str]:
    arguments = enumerate(step.arguments)
    return ["" if Hole(index, place) in holes else repr(argument) for place, argument in arguments]


def _with_options(items: list[Item]) -> list[Item]:
    """Single calls whose number of arguments varies: those that not all have become a dict of options."""
    simple = [item for item in items if _is_simple(item)]
    forms = {_form(item.scenario.steps[-1]) for item in simple}
    if len(forms) < 2:
        return items
    common = min(count for count, _ in forms)
    changed = {item.number: _optional(item, common) for item in simple}
    if any(item is None for item in changed.values()):
        return items
    return [changed.get(item.number) or item for item in items]


def _without_needless_options(group: list[Item]) -> list[Item]:
    """A group with arguments in place of options that are the same in all of its cases."""
    if len(group) == 1:
        return [replace(group[0], scenario=group[0].case.scenario)]
    if len({repr(item.scenario.steps[-1].kwargs) for item in group}) > 1:
        return group
    return [replace(item, scenario=Scenario((*item.scenario.steps[:-1], _spelled_out(item)))) for item in group]


def _spelled_out(item: Item) -> Step:
    """The last step of a case with each of its options as an argument."""
    step = item.scenario.steps[-1]
    match step.kwargs:
        case (("**", Plain(options)),):
            return replace(step, kwargs=tuple((key, Plain(value)) for key, value in options.items()))
        case (("**", Group("dict", members)),):
            names = [str(name.value) for name in members[::2] if isinstance(name, Plain)]
            return replace(step, kwargs=tuple(zip(names, members[1::2], strict=True)))
    return step


def _is_simple(item: Item) -> bool:
    step = item.scenario.steps[-1]
    is_plain = all(map(item.is_parameter, step.arguments))
    return len(item.scenario.steps) == 1 and isinstance(step.subject, Name) and is_plain and not step.name


def _optional(item: Item, common: int) -> Item | None:
    """A call with its arguments after the common ones as options; None if one of them has no name."""
    step = item.scenario.steps[-1]
    names = item.seen.parameters[-1][common:] if item.seen.parameters else ()
    pairs = [*zip(names, step.args[common:], strict=False), *step.kwargs]
    if len(names) < len(step.args) - common or any(name.startswith("*") for name in names):
        return None
    if any(number >= len(item.scenario.steps) for number in _subjects(item)):
        return None
    options: Argument = Group("dict", tuple(part for key, value in pairs for part in (Plain(key), value)))
    if all(isinstance(value, Plain) for _, value in pairs):
        options = Plain({key: value.value for key, value in pairs if isinstance(value, Plain)})
    changed = replace(step, args=step.args[:common], kwargs=(("**", options),))
    return replace(item, scenario=Scenario((changed,)))


def _subjects(item: Item) -> set[int]:
    """The results and arguments that checks speak of; arguments must stay in their places."""
    subjects = [part for check in item.seen.checks for part in parts(check.subject)]
    return {part.step for part in subjects if isinstance(part, Result)}
