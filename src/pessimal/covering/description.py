"""A scenario as one line of Python text, for reports."""

from __future__ import annotations

from collections import Counter

from pessimal.scenario import Name, Result, Scenario, Step, parts
from pessimal.testfile.expressions import Expressions
from pessimal.testfile.imports import Imports
from pessimal.testfile.layout import Code


def described(scenario: Scenario) -> str:
    """The scenario as Python text; an object that is used once stands where it is used, others have a name."""
    return _Description(scenario).text()


class _Description:
    """Writes the steps of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self._steps = scenario.steps
        self._codes: dict[int, Code] = {}
        self._expressions = Expressions(Imports(), self._codes.__getitem__)
        self._uses = Counter(
            part.step
            for step in scenario.steps
            for argument in step.arguments
            for part in parts(argument)
            if isinstance(part, Result)
        )

    def text(self) -> str:
        """The statements, with semicolons between them."""
        statements: list[str] = []
        for index, step in enumerate(self._steps[:-1]):
            code = self._code(step)
            if self._uses[index] == 1 and step.operation == "call" and not self._is_changed(index):
                self._codes[index] = code
            elif self._uses[index]:
                name = self._name(index, step)
                statements.append(f"{name} = {code.flat}")
                self._codes[index] = Code(name)
            else:
                statements.append(code.flat)
        return "; ".join([*statements, self._code(self._steps[-1]).flat])

    def _is_changed(self, index: int) -> bool:
        """Whether a step between changes the object, so that it must have a name."""
        between = self._steps[index + 1 : -1]
        return any(step.operation in ("set", "method") and step.subject == Result(index) for step in between)

    def _name(self, index: int, step: Step) -> str:
        made = step.subject.qualname.rpartition(".")[2] if isinstance(step.subject, Name) else step.name
        return f"{made.strip('_').lower() or 'value'}{index or ''}"

    def _code(self, step: Step) -> Code:
        subject = self._expressions.code(step.subject)
        args = [self._expressions.code(item) for item in step.args]
        kwargs = [(key, self._expressions.code(item)) for key, item in step.kwargs]
        return self._expressions.step(step, subject, args, kwargs)
