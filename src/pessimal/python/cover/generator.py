"""Draws scenarios: new ones for members with uncovered code, and changes of those that covered something first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from random import Random
from types import ModuleType

from pessimal.arcs import Arc
from pessimal.python.cover.drawing import Drawing
from pessimal.python.cover.extent import Span, span_of
from pessimal.python.cover.members import VALUE, Member
from pessimal.python.cover.parameters import ANYTHING
from pessimal.python.cover.recipes import Recipes, appended
from pessimal.python.cover.runner import ScenarioRun
from pessimal.python.cover.values import Values
from pessimal.python.cover.vocabulary import Vocabulary
from pessimal.scenario import Argument, Name, Plain, Result, Scenario, Step, changed, needed, parts
from pessimal.trace import Outcome

CHANGE, PRIVATE_WEIGHT, COVERED_WEIGHT = 0.5, 0.2, 0.05
ADD_STEPS, REDRAW = 0.45, 0.15
"""How often a change adds steps to a scenario with objects, or draws the arguments of its last step again."""
ENTRANCE_SHARE = 0.3
"""What entrances weigh together, for each branch that is missing."""
_PLAIN_MODULES = ("builtins", "types")
"""The modules of classes whose instances are no objects to make again: plain values, functions, generators."""
MOST_STEPS, MOST_KEPT = 8, 400
TIMED_OUT_TRIES = 30
"""A run that does not end takes the time of so many."""
MOST_TIMEOUTS = 3
"""A scenario is not changed any more when so many changes of it did not end."""


class _Kept:
    """A scenario that covered something first, and how often it was changed."""

    __slots__ = ("changes", "scenario", "timeouts")

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.changes = self.timeouts = 0


class Generator:
    """Draws scenarios that call the members of modules."""

    def __init__(self, modules: Sequence[ModuleType], members: Sequence[Member], rng: Random) -> None:
        self._rng = rng
        self._members = list(members)
        self._words = Vocabulary(modules)
        self._values = Values(rng, self._words)
        self.recipes = Recipes(rng)
        self._drawing = Drawing(rng, self._values, self.recipes)
        self._kept: list[_Kept] = []
        self._classes = {member.owner for member in members if member.owner is not None}
        self._makers = {cls: [item for item in members if item.makes is cls] for cls in self._classes}
        self._open = [1.0] * len(self._members)
        self._tries = [0] * len(self._members)
        self._drawn: int | None = None
        self._chosen: _Kept | None = None
        self._spans = [None if member.code is None else span_of(member.code) for member in self._members]

    def add_texts(self, texts: Sequence[bytes]) -> None:
        """Draw texts and bytes from these, too."""
        self._words.add_texts(texts)

    def aim(self, missing: Collection[Arc]) -> None:
        """Prefer members whose code has arcs that were not taken yet."""
        lines: dict[str, list[int]] = {}
        for arc in missing:
            lines.setdefault(arc.file, []).append(arc.line)
        entrances = max(1, sum(member.is_entrance for member in self._members))
        led_to = ENTRANCE_SHARE * len(missing) / entrances
        self._open = [
            led_to if member.is_entrance else _count(span, lines)
            for span, member in zip(self._spans, self._members, strict=True)
        ]

    def draw(self) -> Scenario:
        """The next scenario to run."""
        if self._kept and self._rng.random() < CHANGE:
            self._drawn = None
            return self._changed()
        return self._new()

    def learn(self, scenario: Scenario, run: ScenarioRun) -> None:
        """Keep what a run brought: an input that covers something first, ways to make objects, returned values."""
        if run.outcome is Outcome.TIMED_OUT:
            self._discourage()
        elif run.new:
            if self._drawn is not None:
                self._tries[self._drawn] = 0
            self.keep(scenario)
        for index, result in enumerate(run.results):
            if type(result) in self._classes or type(result).__module__ not in _PLAIN_MODULES:
                self.recipes.add(type(result), needed(Scenario(scenario.steps[: index + 1])))
        if run.outcome is Outcome.RETURNED and run.results:
            self._words.note_returned(run.results[-1], self._rng)

    def _discourage(self) -> None:
        """Draw less of what does not end."""
        if self._drawn is not None:
            self._tries[self._drawn] += TIMED_OUT_TRIES
        elif self._chosen is not None and self._chosen in self._kept:
            self._chosen.timeouts += 1
            if self._chosen.timeouts >= MOST_TIMEOUTS:
                self._kept.remove(self._chosen)

    def keep(self, scenario: Scenario) -> None:
        """Change a scenario later on, and use its texts in others."""
        for part in (part for step in scenario.steps for item in step.arguments for part in parts(item)):
            if isinstance(part, Plain) and isinstance(part.value, str):
                self._words.note_useful(part.value, self._rng)
        self._kept.append(_Kept(scenario))
        if len(self._kept) > MOST_KEPT:
            self._kept.remove(max(self._kept, key=lambda kept: kept.changes))

    def _new(self) -> Scenario:
        index = self._choose()
        self._drawn = index
        self._tries[index] += 1
        steps: list[Step] = []
        self._append(self._members[index], steps)
        return needed(Scenario(tuple(steps)))

    def _choose(self) -> int:
        weights = [
            (COVERED_WEIGHT + open_arcs) * (1.0 if member.is_public else PRIVATE_WEIGHT) / sqrt(1 + tries)
            for member, open_arcs, tries in zip(self._members, self._open, self._tries, strict=True)
        ]
        return self._rng.choices(range(len(weights)), weights)[0]

    def _append(self, member: Member, steps: list[Step], subject: Argument | None = None) -> None:
        if member.operation == "call":
            steps.append(self._drawing.call(member, steps, member.name))
            return
        if subject is None:
            subject = self._instance(member, steps)
        if member.operation == "set":
            value = self._drawing.argument((member.specs or {}).get(VALUE, ANYTHING), steps)
            steps.append(Step("set", subject, member.attribute, (value,)))
        else:
            steps.append(self._drawing.call(member, steps, subject))

    def _instance(self, member: Member, steps: list[Step]) -> Argument:
        """An instance for a method: made as before, or by a constructor."""
        assert member.owner is not None
        recipe = self.recipes.of(member.owner)
        makers = [item for cls, items in self._makers.items() if issubclass(cls, member.owner) for item in items]
        if recipe is not None and (not makers or self._rng.random() < 0.7):
            return appended(steps, recipe)
        if makers:
            maker = self._rng.choice(makers)
            steps.append(self._drawing.call(maker, steps, maker.name))
            return Result(len(steps) - 1)
        return member.name

    def _changed(self) -> Scenario:
        """A change of a scenario that covered something first; newer and less changed ones more often."""
        kept = min(self._rng.sample(self._kept, min(3, len(self._kept))), key=lambda item: item.changes)
        kept.changes += 1
        self._chosen = kept
        scenario = kept.scenario
        has_objects = any(self._class_of(step) is not None for step in scenario.steps)
        add_steps = ADD_STEPS if has_objects else 0.0
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            share = self._rng.random()
            if share < add_steps:
                scenario = self._with_steps(scenario)
            elif share < add_steps + REDRAW:
                scenario = self._with_argument_drawn(scenario)
            else:
                scenario = self._with_value_changed(scenario)
        return scenario

    def _with_steps(self, scenario: Scenario) -> Scenario:
        """Some more steps: what an object does may depend on several before it."""
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            if len(scenario.steps) < MOST_STEPS:
                scenario = self._with_step(scenario)
        return scenario

    def _with_value_changed(self, scenario: Scenario) -> Scenario:
        places = [
            (index, part)
            for index, step in enumerate(scenario.steps)
            for argument in step.arguments
            for part in parts(argument)
            if isinstance(part, Plain) and part.value is not None
        ]
        if not places:
            return scenario
        index, chosen = self._rng.choice(places)
        value = self._values.changed(chosen.value)
        steps = list(scenario.steps)
        steps[index] = changed(steps[index], lambda part: Plain(value) if part is chosen else part)
        return Scenario(tuple(steps))

    def _with_argument_drawn(self, scenario: Scenario) -> Scenario:
        """Draw all arguments of the last step again."""
        last = scenario.steps[-1]
        member = self._member_of(last)
        if member is None or member.operation == "set":
            return scenario
        steps = list(scenario.steps[:-1])
        step = self._drawing.call(member, steps, last.subject)
        return Scenario((*steps, step))

    def is_public(self, scenario: Scenario) -> bool:
        """Whether a scenario uses only what users are meant to use, and assigns nothing behind the code's back."""
        members = [self._member_of(step) for step in scenario.steps]
        return all(item is not None and item.is_public and item.operation != "set" for item in members)

    def is_typed(self, scenario: Scenario) -> bool:
        """Whether hints say what everything in a scenario may be given, and the code does not look at types itself."""
        members = [self._member_of(step) for step in scenario.steps]
        return all(member is not None and member.is_hinted and not member.tells_types_apart for member in members)

    def _member_of(self, step: Step) -> Member | None:
        fitting = [
            member
            for member in self._members
            if member.operation == step.operation
            and member.attribute == step.name
            and (member.operation != "call" or member.name == step.subject)
        ]
        return self._rng.choice(fitting) if fitting else None

    def _with_step(self, scenario: Scenario) -> Scenario:
        """One more step on an object that the scenario makes: at the end, or an assignment before the last step."""
        made = [index for index, step in enumerate(scenario.steps) if self._class_of(step) is not None]
        if not made:
            return scenario
        index = self._rng.choice(made)
        cls = self._class_of(scenario.steps[index])
        fitting = [item for item in self._members if item.operation != "call" and _fits(item, cls)]
        if not fitting:
            return scenario
        member, steps = self._rng.choice(fitting), list(scenario.steps)
        is_inserted = index < len(steps) - 1 and self._rng.random() < 0.5
        last = steps.pop() if is_inserted else None
        self._append(member, steps, Result(index))
        return Scenario((*steps, last) if last is not None else tuple(steps))

    def _class_of(self, step: Step) -> type | None:
        """The class that a step makes an instance of."""
        if step.operation != "call" or not isinstance(step.subject, Name):
            return None
        return next((cls for cls, items in self._makers.items() if any(i.name == step.subject for i in items)), None)


def _count(span: Span | None, lines: Mapping[str, Sequence[int]]) -> float:
    """How many of some lines are in a span."""
    return 0.0 if span is None else float(sum(span[1] <= line <= span[2] for line in lines.get(span[0], ())))


def _fits(member: Member, cls: type | None) -> bool:
    return cls is not None and member.owner is not None and issubclass(cls, member.owner)
