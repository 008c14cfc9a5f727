"""How to make objects: scenarios whose last step returned an instance of a class, kept for use as arguments."""

from __future__ import annotations

from random import Random

from pessimal.inputs.looking import is_below
from pessimal.scenario import Argument, Result, Scenario, Step, changed

MOST_RECIPES = 12
"""How many ways to make an instance are kept for each class."""
MOST_CLASSES = 80
LONGEST_RECIPE = 4


class Recipes:
    """Scenarios by the classes of what they make."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._by_class: dict[type, list[Scenario]] = {}

    def add(self, cls: type, scenario: Scenario) -> None:
        """Keep a way to make an instance, in place of a random one if there are many."""
        if len(scenario.steps) > LONGEST_RECIPE:
            return
        if cls not in self._by_class and len(self._by_class) >= MOST_CLASSES:
            return
        kept = self._by_class.setdefault(cls, [])
        if scenario in kept:
            return
        if len(kept) < MOST_RECIPES:
            kept.append(scenario)
        else:
            kept[self._rng.randrange(MOST_RECIPES)] = scenario

    def of(self, cls: type) -> Scenario | None:
        """A way to make an instance of a class or of a class below it."""
        fitting = [kept for known, kept in self._by_class.items() if is_below(known, cls)]
        return self._rng.choice(self._rng.choice(fitting)) if fitting else None

    def any(self) -> Scenario | None:
        """A way to make an instance of any class."""
        return self.of(object)


def appended(steps: list[Step], scenario: Scenario) -> Result:
    """Put the steps of a scenario behind others; what its last step returns."""
    offset = len(steps)

    def shift(argument: Argument) -> Argument:
        return Result(argument.step + offset) if isinstance(argument, Result) else argument

    steps += [changed(step, shift) for step in scenario.steps]
    return Result(len(steps) - 1)
