"""A scenario as a target: those of its plain values that can be varied are its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature
from typing import Any

from pessimal.expr import Leaf
from pessimal.inputs import Inputs, Spec, encode
from pessimal.inputs.examples import spec_of
from pessimal.performing import perform, plain_value
from pessimal.python.handlers.registry import resolve
from pessimal.scenario import Argument, Name, Plain, Scenario, changed
from pessimal.target import Target

GROWTH = 8
"""How much longer than in the scenario a text may become; a list, a quarter of this."""
MOST_LEAVES = 400
"""Values are varied as long as all of them together have no more leaves than this."""


@dataclass(frozen=True, slots=True)
class _Input:
    """Stands for the value of an input, where the scenario has a plain value."""

    name: str


class ScenarioTarget:
    """The function that performs a scenario, given the values of its inputs; ``leaves`` are those it has now."""

    def __init__(self, scenario: Scenario, size: int = GROWTH) -> None:
        self.scenario = scenario
        self._values: dict[str, Any] = {}
        self._specs: dict[str, Spec] = {}
        self._size = size
        self._left = MOST_LEAVES
        self.is_whole = True
        """Whether every plain value is an input."""
        self._template = Scenario(tuple(changed(step, self._take) for step in scenario.steps))
        parameters = [Parameter(name, Parameter.KEYWORD_ONLY) for name in self._specs]
        self.signature = Signature(parameters)
        self.inputs = Inputs(parameters, self._specs, size, growing=True)
        self.leaves = encode(self.inputs, self._values)

    def _take(self, argument: Argument) -> Argument:
        """Make a plain value an input, if it can be varied."""
        if not isinstance(argument, Plain) or argument.value is None:
            return argument
        spec = spec_of(argument.value)
        count = 0 if spec is None else len(Inputs((), {"value": spec}, self._size, growing=True).domains)
        if spec is None or count > self._left:
            self.is_whole = False
            return argument
        name = f"value{len(self._specs)}"
        self._left -= count
        self._specs[name], self._values[name] = spec, argument.value
        return Plain(_Input(name))

    def target(self, rewriting: bool) -> Target:
        """The call of the scenario, with the names looked up in the modules of the world that is entered."""
        subject = self._template.steps[-1].subject
        module, qualname = (subject.module, subject.qualname) if isinstance(subject, Name) else ("", "scenario")
        call = self._perform_rewritten if rewriting else self._perform
        return Target(call, f"{module}:{qualname}", None, module, qualname, self.signature)

    def _perform(self, **values: Any) -> Any:
        return perform(self._template, lambda item: _value(item, values))

    def _perform_rewritten(self, **values: Any) -> Any:
        return perform(self._template, lambda item: _value(item, values), resolve)

    def with_leaves(self, leaves: Sequence[Leaf]) -> Scenario:
        """The scenario with the values that the leaves mean."""
        values = self.inputs.arguments(leaves)

        def fill(argument: Argument) -> Argument:
            is_input = isinstance(argument, Plain) and isinstance(argument.value, _Input)
            return Plain(values[argument.value.name]) if is_input else argument  # type: ignore[union-attr]

        return Scenario(tuple(changed(step, fill) for step in self._template.steps))


def _value(item: Plain, values: dict[str, Any]) -> Any:
    return values[item.value.name] if isinstance(item.value, _Input) else plain_value(item)
