"""Draws scenarios: new ones for members with uncovered code, and changes of those that covered something first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from inspect import isabstract
from random import Random
from types import ModuleType

from pessimal.arcs import Arc
from pessimal.inputs.signatures import VARIADIC
from pessimal.performing import class_of
from pessimal.python.cover.call_sites import literals_passed
from pessimal.python.cover.catalogue import Catalogue
from pessimal.python.cover.drawing import EXITS, Drawing
from pessimal.python.cover.files import Files, makes_file
from pessimal.python.cover.hangs import Hangs
from pessimal.python.cover.members import VALUE, Member
from pessimal.python.cover.parameters import ANYTHING
from pessimal.python.cover.passed import Passed
from pessimal.python.cover.recipes import Recipes, appended
from pessimal.python.cover.repairs import Repairs
from pessimal.python.cover.runner import ScenarioRun
from pessimal.python.cover.same_names import sharing_names
from pessimal.python.cover.values import Values
from pessimal.python.cover.vocabulary import Vocabulary
from pessimal.python.cover.weights import Weights
from pessimal.scenario import Argument, Name, Plain, Result, Scenario, Step, changed, needed, parts
from pessimal.trace import Outcome

CHANGE = 0.5
REPAIR = 0.4
"""How often something that was missed is given, if there is anything."""
ADD_STEPS, REDRAW, REPLACE = 0.4, 0.1, 0.2
"""How often a change adds steps to a scenario with objects, draws all arguments of its last step again, or just one."""
LEAVE = 0.8
"""How often a context manager that was entered is left again."""
PRIVATE = 0.2
"""How often a step that is added may use what is private."""
NEAR = 0.5
"""How often a change is one of a scenario that passes a line with a missing branch."""
_PLAIN_MODULES = ("builtins", "types")
"""The modules of classes whose instances are no objects to make again: plain values, functions, generators."""
MOST_STEPS, MOST_KEPT = 8, 400
BURST, BURSTS = 0.2, (3, 5, 8, 12)
"""How often steps are added to a method that is called several times before, and how often it is: what a container does
may depend on how much is in it."""
SAME_ARGUMENTS = 0.3
"""How often it is called with the same arguments each time."""
TIMED_OUT_TRIES = 30
"""A run that does not end takes the time of so many."""
MOST_DRAWS = 20
"""How often another scenario is drawn in place of one that would probably hang."""
MOST_TIMEOUTS = 3
"""A scenario is not changed any more when so many changes of it did not end."""


Lines = frozenset[tuple[str, int]]


class _Kept:
    """A scenario that covered something first, and how often it was changed."""

    __slots__ = ("changes", "lines", "scenario", "timeouts")

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.lines: Lines = frozenset()
        self.changes = self.timeouts = 0


class Generator:
    """Draws scenarios that call the members of modules."""

    def __init__(
        self, modules: Sequence[ModuleType], members: Sequence[Member], rng: Random, *, with_files: bool = False
    ) -> None:
        self._rng = rng
        members = sharing_names(members)
        self._catalogue = Catalogue(members)
        self._weights = Weights(members, rng)
        self._words = Vocabulary(modules)
        self._values = Values(rng, self._words)
        self.recipes = Recipes(rng)
        self.passed = Passed((member.code for member in members if member.code is not None), rng)
        for example in literals_passed(modules, members):
            self.passed.note(*example)
        files = Files(rng, self._values, self._words.texts) if with_files else None
        self._drawing = Drawing(rng, self._values, self.recipes, self.passed, self._catalogue, files)
        self._hangs = Hangs()
        self._repairs = Repairs(rng, self._values)
        self._kept: list[_Kept] = []
        self._near: list[_Kept] = []
        self._missing: Lines = frozenset()
        self._drawn: int | None = None
        self._chosen: _Kept | None = None

    def add_texts(self, texts: Sequence[bytes]) -> None:
        """Draw texts and bytes from these, too."""
        self._words.add_texts(texts)

    def aim(self, missing: Collection[Arc]) -> None:
        """Prefer members whose code has arcs that were not taken yet."""
        self._missing = frozenset((arc.file, arc.line) for arc in missing)
        self._near = [kept for kept in self._kept if not kept.lines.isdisjoint(self._missing)]
        self._weights.aim(missing)

    def draw(self) -> Scenario:
        """The next scenario to run, without steps that have cost too much time if there is another one."""
        for _ in range(MOST_DRAWS):
            scenario = self._draw()
            if not self._hangs.is_expensive(scenario):
                break
        return scenario

    def _draw(self) -> Scenario:
        repaired = self._repairs.next() if self._rng.random() < REPAIR else None
        if repaired is not None:
            self._drawn = self._chosen = None
            return repaired
        if self._kept and self._rng.random() < CHANGE:
            self._drawn = None
            return self._changed()
        return self._new()

    def learn(self, scenario: Scenario, run: ScenarioRun) -> None:
        """Keep what a run brought: an input that covers something first, ways to make objects, returned values."""
        self._hangs.add(scenario, run)
        self._repairs.note(scenario, run)
        if run.outcome is Outcome.TIMED_OUT:
            self._discourage()
        elif run.new:
            if self._drawn is not None:
                self._weights.forget_tries(self._drawn)
            self.keep(scenario)
        for index, result in enumerate(run.results):
            kind = class_of(result)
            if kind in self._catalogue.classes or kind.__module__ not in _PLAIN_MODULES:
                self.recipes.add(kind, needed(Scenario(scenario.steps[: index + 1])))
        if run.outcome is Outcome.RETURNED and run.results:
            self._note_returned(scenario)
            self._words.note_returned(run.results[-1], self._rng)

    def _note_returned(self, scenario: Scenario) -> None:
        """What was drawn last is known to work, if this is a scenario of it."""
        if self._drawn is not None and self._catalogue.members[self._drawn] in self._catalogue.of_step(
            scenario.steps[-1]
        ):
            self._weights.note_returned(self._drawn)

    def _discourage(self) -> None:
        """Draw less of what does not end."""
        if self._drawn is not None:
            self._weights.add_tries(self._drawn, TIMED_OUT_TRIES)
        elif self._chosen is not None and self._chosen in self._kept:
            self._chosen.timeouts += 1
            if self._chosen.timeouts >= MOST_TIMEOUTS:
                self._forget(self._chosen)

    def keep(self, scenario: Scenario) -> None:
        """Change a scenario later on, and use its texts in others."""
        for part in (part for step in scenario.steps for item in step.arguments for part in parts(item)):
            if isinstance(part, Plain) and isinstance(part.value, str):
                self._words.note_useful(part.value, self._rng)
        self._kept.append(_Kept(scenario))
        if len(self._kept) > MOST_KEPT:
            self._forget(max(self._kept, key=lambda kept: kept.changes))

    def _forget(self, kept: _Kept) -> None:
        self._kept.remove(kept)
        if kept in self._near:
            self._near.remove(kept)

    def note_passed(self, lines: Lines) -> None:
        """Remember which lines the scenario passes that was kept last."""
        if self._kept:
            self._kept[-1].lines = lines
            if not lines.isdisjoint(self._missing):
                self._near.append(self._kept[-1])

    def _new(self) -> Scenario:
        self._drawn = self._weights.choose()
        steps: list[Step] = []
        self._append(self._catalogue.members[self._drawn], steps)
        return needed(Scenario(tuple(steps)))

    def _append(self, member: Member, steps: list[Step], subject: Argument | None = None) -> None:
        if member.operation == "call":
            steps.append(self._drawing.call(member, steps, member.name))
            if member.is_context_manager:
                self._enter(steps)
            return
        if subject is None:
            subject = self._instance(member, steps)
        if member.operation == "set":
            value = self._drawing.argument((member.specs or {}).get(VALUE, ANYTHING), steps)
            steps.append(Step("set", subject, member.attribute, (value,)))
        else:
            steps.append(self._drawing.call(member, steps, subject))

    def _enter(self, steps: list[Step]) -> None:
        """Enter what the last step made, and leave it again: its code runs only then."""
        manager = Result(len(steps) - 1)
        steps.append(Step("method", manager, "__enter__"))
        if self._rng.random() < LEAVE:
            steps.append(Step("method", manager, "__exit__", self._rng.choice(EXITS)))

    def _instance(self, member: Member, steps: list[Step]) -> Argument:
        """An instance for a method: made as before, or by a constructor."""
        assert member.owner is not None
        if issubclass(member.owner, Enum) and len(member.owner):
            chosen = self._rng.choice(list(member.owner.__members__))
            return Name(member.name.module, f"{member.name.qualname}.{chosen}")
        recipe = self.recipes.of(member.owner)
        makers = self._catalogue.makers(member.owner)
        if recipe is not None and (not makers or self._rng.random() < 0.7):
            return appended(steps, recipe)
        if makers:
            return self._drawing.made(self._rng.choice(makers), steps)
        return self._drawing.standing_in(member.owner, steps) if isabstract(member.owner) else member.name

    def _changed(self) -> Scenario:
        """A change of a scenario that covered something first; newer and less changed ones more often.

        Those that pass a line with a missing branch come first: that branch may be one change away.
        """
        among = self._near if self._near and self._rng.random() < NEAR else self._kept
        kept = min(self._rng.sample(among, min(3, len(among))), key=lambda item: item.changes)
        kept.changes += 1
        self._chosen = kept
        scenario = kept.scenario
        has_objects = any(self._catalogue.class_of(step) is not None for step in scenario.steps)
        add_steps = ADD_STEPS if has_objects else 0.0
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            share = self._rng.random()
            if share < add_steps:
                scenario = self._with_steps(scenario)
            elif share < add_steps + REDRAW:
                scenario = self._with_arguments_drawn(scenario)
            elif share < add_steps + REDRAW + REPLACE:
                scenario = self._with_argument_drawn(scenario)
            else:
                scenario = self._with_value_changed(scenario)
        return scenario

    def _with_steps(self, scenario: Scenario) -> Scenario:
        """Some more steps: what an object does may depend on several before it."""
        most = MOST_STEPS
        if len(scenario.steps) < most and self._rng.random() < BURST:
            scenario = self._with_burst(scenario)
            most += len(scenario.steps)
        for _ in range(self._rng.choice((1, 1, 2, 3))):
            if len(scenario.steps) < most:
                scenario = self._with_step(scenario)
        return scenario

    def _with_burst(self, scenario: Scenario) -> Scenario:
        """One method of an object several times, with other arguments each time or always the same."""
        found = self._object_in(scenario)
        if found is None:
            return scenario
        index, fitting = found
        fitting = [member for member in fitting if member.operation == "method" and member.parameters]
        if not fitting:
            return scenario
        member, steps = self._rng.choice(fitting), list(scenario.steps)
        count = self._rng.choice(BURSTS)
        self._append(member, steps, Result(index))
        if self._rng.random() < SAME_ARGUMENTS:
            return Scenario((*steps, *([steps[-1]] * (count - 1))))
        for _ in range(count - 1):
            self._append(member, steps, Result(index))
        return Scenario(tuple(steps))

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
        """Draw one argument of a step again, give one that was left out, or leave one out."""
        index = self._rng.randrange(len(scenario.steps))
        step = scenario.steps[index]
        member = self._member_of(step)
        named = [] if member is None else [item for item in member.parameters if item.kind not in VARIADIC]
        if member is None or not named:
            return scenario
        steps = list(scenario.steps[:index])
        steps.append(self._drawing.with_another(member, step, self._rng.choice(named), steps))
        added = len(steps) - 1 - index

        def shift(argument: Argument) -> Argument:
            is_later = isinstance(argument, Result) and argument.step >= index
            return Result(argument.step + added) if is_later else argument  # type: ignore[union-attr]

        return Scenario((*steps, *(changed(item, shift) for item in scenario.steps[index + 1 :])))

    def _with_arguments_drawn(self, scenario: Scenario) -> Scenario:
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
        members = [self._member_of(step) for step in scenario.steps if not makes_file(step)]
        return all(item is not None and item.is_public and item.operation != "set" for item in members)

    def is_typed(self, scenario: Scenario) -> bool:
        """Whether hints say what everything in a scenario may be given, and the code does not look at types itself."""
        members = [self._member_of(step) for step in scenario.steps]
        return all(member is not None and member.is_hinted and not member.tells_types_apart for member in members)

    def _member_of(self, step: Step) -> Member | None:
        fitting = self._catalogue.of_step(step)
        return self._rng.choice(fitting) if fitting else None

    def _with_step(self, scenario: Scenario) -> Scenario:
        """One more step on an object that the scenario makes: at the end, or an assignment before the last step."""
        found = self._object_in(scenario)
        if found is None:
            return scenario
        index, fitting = found
        member, steps = self._rng.choice(fitting), list(scenario.steps)
        is_inserted = index < len(steps) - 1 and self._rng.random() < 0.5
        last = steps.pop() if is_inserted else None
        self._append(member, steps, Result(index))
        return Scenario((*steps, last) if last is not None else tuple(steps))

    def _object_in(self, scenario: Scenario) -> tuple[int, Sequence[Member]] | None:
        """The step that makes one of the objects of a scenario, and what can be done with it; what is public first."""
        made = [index for index, step in enumerate(scenario.steps) if self._catalogue.class_of(step) is not None]
        if not made:
            return None
        index = self._rng.choice(made)
        fitting = self._catalogue.on(self._catalogue.class_of(scenario.steps[index]) or object)
        public = [member for member in fitting if member.is_public]
        return (index, public if public and self._rng.random() > PRIVATE else fitting) if fitting else None
