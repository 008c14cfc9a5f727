"""The body of a test: the steps of a scenario as statements, and its observation as assertions.

An argument may be a parameter of the test instead of a value: a :class:`Hole` says which.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pessimal.scenario import Argument, Build, Function, Name, Plain, Result, Scenario, Step, Subclass, parts
from pessimal.testfile.expressions import COMPARISONS, Expressions, essential, is_operator
from pessimal.testfile.imports import Imports
from pessimal.testfile.layout import Code, call, fits, lines_of
from pessimal.testfile.literals import text_literal
from pessimal.testfile.naming import Names, variable
from pessimal.testfile.observation import Check, Observation

LONG_TEXT = 60
"""How many characters a text has that gets a variable of its own."""
_LONG_OPERAND = 30
_SPECIAL = re.compile(r"[][\\.^$*+?{}()|]")


@dataclass(frozen=True, slots=True)
class Hole:
    """A place of a value: an argument of a step, what a check expects, or how an exception is recognised."""

    step: int
    place: int


EXPECTED = -1
"""The step of holes for what a check expects."""

ERROR = Hole(-2, 0)
MATCH = Hole(-2, 1)


class Body:
    """Writes the statements of one test."""

    def __init__(
        self,
        scenario: Scenario,
        observation: Observation,
        imports: Imports,
        names: Names,
        width: int,
        parameters: Mapping[Hole, str] | None = None,
    ) -> None:
        self._steps = scenario.steps
        self._seen = observation
        self._names = names
        self._width = width
        self._parameters = parameters or {}
        self._variables: dict[int, Code] = {}
        self._expressions = Expressions(imports, self._variables.__getitem__, self._answers, self._class)
        self._lines: list[str] = []
        self._used = _uses(scenario, observation)

    def lines(self) -> list[str]:
        """The lines of the body, indented once."""
        managed = _managed(self._steps, self._used)
        for index, step in enumerate(self._steps[:-3] if managed else self._steps[:-1]):
            code = self._step(index, step)
            if self._used.get(index):
                self._variables[index] = self._assign(self._kind(index), code)
            else:
                self._add(code)
        if managed:
            self._with(self._step(len(self._steps) - 3, self._steps[-3]))
            return self._lines
        last = self._step(len(self._steps) - 1, self._steps[-1])
        if self._seen.raised is not None:
            self._raises(self._seen.raised, last)
        else:
            self._asserts(last)
        return self._lines

    def _kind(self, index: int) -> str:
        return variable(self._seen.kinds[index]) if index < len(self._seen.kinds) else "value"

    def _add(self, code: Code, depth: int = 1) -> None:
        self._lines += lines_of(code, self._width, depth)

    def _assign(self, wanted: str, code: Code) -> Code:
        name = self._names.unique(wanted)
        self._add(code.after(f"{name} = "))
        return Code(name)

    def _class(self, made: Subclass) -> Code:
        """A class statement: attributes first, then methods that give answers."""
        name, lines = self._names.unique(made.name), list[str]()
        for key, item in made.members:
            if not isinstance(item, Function):
                lines += lines_of(self._expressions.code(item).after(f"{key} = "), self._width, 2)
        for key, item in made.members:
            if isinstance(item, Function):
                lines += [*([""] if lines else []), *self._method(key, item)]
        head = f"    class {name}({self._expressions.code(made.base).flat}):"
        self._lines += [*([""] if self._lines and self._lines[-1] else []), head, *(lines or ["        pass"]), ""]
        return Code(name)

    def _method(self, name: str, function: Function) -> list[str]:
        answers = essential(function.answers)
        code = self._expressions.code(answers[0]) if len(answers) == 1 else self._answers(function)
        given = code if len(answers) == 1 else Code(f"next({code.flat})")
        return [f"        def {name}(self, *args, **kwargs):", *lines_of(given.after("return "), self._width, 3)]

    def _step(self, index: int, step: Step) -> Code:
        """The code of a step; values that need variables are assigned before it."""
        places = [self._argument(index, place, item) for place, item in enumerate(step.arguments)]
        subject, args = places[0], places[1 : 1 + len(step.args)]
        kwargs = [(key, code) for (key, _), code in zip(step.kwargs, places[1 + len(step.args) :], strict=True)]
        return self._expressions.step(step, subject, args, kwargs)

    def _argument(self, index: int, place: int, argument: Argument) -> Code:
        step = self._steps[index]
        is_last = index == len(self._steps) - 1
        if Hole(index, place) in self._parameters:
            code = Code(self._parameters[Hole(index, place)])
        else:
            code = self._expressions.code(argument)
            is_checked = is_last and bool(self._used.get(len(self._steps) + place))
            if is_checked or self._needs_variable(argument, code, step, place):
                code = self._long(self._wanted(index, place), code, argument)
        if is_last and self._used.get(len(self._steps) + place):
            self._variables[len(self._steps) + place] = code
        return code

    def _needs_variable(self, argument: Argument, code: Code, step: Step, place: int) -> bool:
        """Whether a value is too long or too unusual to stand where it is used."""
        is_text = isinstance(argument, Plain) and isinstance(argument.value, str | bytes)
        is_odd = isinstance(argument, Function) or (is_text and ("* " in code.flat[-8:] or " in " in code.flat))
        if is_text and len(code.flat) > LONG_TEXT:
            return True
        if place == 0:
            is_short = isinstance(argument, Build) and not is_operator(step.name) and len(code.flat) <= _LONG_OPERAND
            return is_odd or not (is_short or is_text or isinstance(argument, Name | Result | Subclass))
        is_assigned = step.name == "__setitem__" and place == len(step.args)
        if step.operation != "method" or not is_operator(step.name) or is_assigned:
            return False
        is_constant = isinstance(argument, Plain) and (argument.value is None or type(argument.value) is bool)
        return is_odd or is_constant or len(code.flat) > _LONG_OPERAND

    def _wanted(self, index: int, place: int) -> str:
        """What a variable for an argument is called: like its parameter."""
        step = self._steps[index]
        if 0 < place <= len(step.args):
            names = self._seen.parameters[index] if index < len(self._seen.parameters) else ()
            return names[place - 1].lstrip("*") if place <= len(names) else "value"
        if place > len(step.args):
            return step.kwargs[place - 1 - len(step.args)][0]
        return variable(self._seen.owner) if self._seen.owner else "value"

    def _long(self, wanted: str, code: Code, argument: Argument) -> Code:
        """Assign a value to a variable; a long text in several pieces."""
        if isinstance(argument, Function):
            return Code(f"({code.flat})")  # a lambda gets no name
        if not isinstance(argument, Plain) or code.items is not None or "* " in code.flat[-8:]:
            return self._assign(wanted, code)
        name = self._names.unique(wanted)
        pieces = [code.flat] if fits(code, self._width, depth=2) else _pieces(argument.value, self._width - 8)
        if fits(code.after(f"{name} = "), self._width) or (len(pieces) == 1 and not fits(code, self._width, depth=2)):
            self._lines.append(f"    {name} = {code.flat}")
        else:
            self._lines += [f"    {name} = (", *(f"        {piece}" for piece in pieces), "    )"]
        return Code(name)

    def _answers(self, function: Function) -> Code:
        """The answers of a function, in a variable."""
        return self._assign("replies", self._expressions.answering(function.answers))

    def _with(self, manager: Code) -> None:
        """A context manager that is entered and left: a ``with`` statement, whose block raises if it is left so."""
        given, raised, depth = self._steps[-1].args[1], self._seen.raised, 1
        if isinstance(given, Build) and raised is None and not _is_suppressed(self._seen, len(self._steps)):
            raised = given.function
        expecting = [] if raised is None else [self._expecting(raised)]
        head = Code(f"with {', '.join(item.flat for item in (*expecting, manager))}:")
        if not fits(head, self._width):
            head = self._assign("manager", manager).after("with ").before(":")
            for item in expecting:
                self._add(item.after("with ").before(":"))
                depth = 2
        self._add(head, depth)
        block = self._expressions.code(given).after("raise ") if isinstance(given, Build) else Code("pass")
        self._add(block, depth + 1)
        for place, check in enumerate(self._seen.checks):
            if len(self._steps) - 1 not in _results(check.subject):
                self._check(place, check)
        self._print()

    def _expecting(self, raised: Name) -> Code:
        """The call of ``pytest.raises``."""
        error = Code(self._parameters[ERROR]) if ERROR in self._parameters else self._expressions.code(raised)
        match = Code(self._parameters[MATCH]) if MATCH in self._parameters else self.match(self._seen.match)
        kwargs = [] if match is None else [("match", match)]
        return call(self._expressions.reference("pytest", "raises"), [error], kwargs)

    def _raises(self, raised: Name, last: Code) -> None:
        self._variables[len(self._steps) - 1] = last
        code = last if self._seen.consumed is None else self._expressions.code(self._seen.consumed)
        self._add(self._expecting(raised).after("with ").before(":"))
        is_call = code.flat.endswith("()") or (code.items is not None and code.tail == ")")
        is_statement = self._seen.consumed is None and self._steps[-1].is_statement
        self._add(code if is_call or is_statement else code.after("_ = "), depth=2)
        self._print()

    def match(self, text: str | None) -> Code | None:
        """The pattern that finds a part of a message."""
        if text is None:
            return None
        literal = Code(text_literal(text))
        return call(self._expressions.reference("re", "escape"), [literal]) if _SPECIAL.search(text) else literal

    def _asserts(self, last: Code) -> None:
        index = len(self._steps) - 1
        if self._used.get(index, 0) == 1 and not self._steps[-1].is_statement and self._is_short(last):
            self._variables[index] = last
        elif self._used.get(index) and not self._steps[-1].is_statement:
            self._variables[index] = Code("result")
            self._add(last.after("result = "))
        else:
            self._add(last)
        for place, check in enumerate(self._seen.checks):
            self._check(place, check)
        self._print()

    def _is_short(self, last: Code) -> bool:
        """Whether the last call can stand in its assertion, together with what is expected."""
        index = len(self._steps) - 1
        self._variables[index] = last
        place, check = next(
            (place, check) for place, check in enumerate(self._seen.checks) if index in _results(check.subject)
        )
        subject, expected = self._expressions.code(check.subject), self._expected(place, check)
        if expected.items is None or len(self._seen.checks) > 1:
            return fits(Code(f"assert {subject.flat} == {expected.flat}"), self._width)
        return fits(Code(f"assert {subject.flat} == {expected.head}"), self._width)

    def _expected(self, place: int, check: Check) -> Code:
        name = self._parameters.get(Hole(EXPECTED, place))
        return Code(name) if name is not None else self._expressions.code(check.expected)

    def _check(self, place: int, check: Check) -> None:
        expected = self._expected(place, check)
        if len(expected.flat) > LONG_TEXT and expected.items is None and isinstance(check.expected, Plain):
            expected = self._long("wanted", expected, check.expected)
        subject = self._expressions.code(check.subject).flat
        is_result = check.subject == Result(len(self._steps) - 1)
        is_compared = is_result and self._steps[-1].name in COMPARISONS and subject != "result"
        if is_compared and isinstance(check.expected, Plain) and expected.flat in ("True", "False"):
            self._add(Code(f"assert {_truth(subject, expected.flat == 'True')}"))
        elif check.relation == "isinstance":
            self._add(Code(f"assert isinstance({subject}, {expected.flat})"))
        else:
            subject = f"({subject})" if is_compared else subject
            self._add(expected.after(f"assert {subject} {check.relation} "))

    def _print(self) -> None:
        if self._seen.printed is None:
            return
        code = Code(text_literal(self._seen.printed))
        if not fits(code.after("assert capsys.readouterr().out == "), self._width):
            code = self._long("output", code, Plain(self._seen.printed))
        self._add(code.after("assert capsys.readouterr().out == "))


def _managed(steps: Sequence[Step], used: Mapping[int, int]) -> bool:
    """Whether the last steps make a context manager, enter it and leave it, and nothing else uses it."""
    if len(steps) < 3 or steps[-3].operation != "call":
        return False
    place = len(steps) - 3
    is_left = [(step.name, step.subject) for step in steps[-2:]] == [
        ("__enter__", Result(place)),
        ("__exit__", Result(place)),
    ]
    return is_left and len(steps[-1].args) == 3 and used.get(place) == 2 and not used.get(place + 1)


def _is_suppressed(seen: Observation, count: int) -> bool:
    """Whether what ``__exit__`` returned, in the last of so many steps, keeps an exception from being passed on."""
    returned = [check.expected for check in seen.checks if check.subject == Result(count - 1)]
    return returned == [Plain(True)]


def _truth(comparison: str, holds: bool) -> str:
    if holds:
        return comparison
    item, is_in, members = comparison.rpartition(" in ")
    return f"{item} not in {members}" if is_in else f"({comparison}) is False"


def _results(argument: Argument) -> set[int]:
    return {part.step for part in parts(argument) if isinstance(part, Result)}


def _uses(scenario: Scenario, observation: Observation) -> dict[int, int]:
    """How often the result of each step is used later; numbers from that of the steps on are arguments."""
    arguments = [item for step in scenario.steps for item in step.arguments]
    arguments += [check.subject for check in observation.checks]
    uses: dict[int, int] = {}
    for argument in arguments:
        for part in parts(argument):
            if isinstance(part, Result):
                uses[part.step] = uses.get(part.step, 0) + 1
    return uses


def _pieces(value: Any, width: int) -> list[str]:
    """A long text as several literals: by lines, and long lines between words."""
    pieces: list[Any] = []
    for line in value.splitlines(keepends=True):
        while len(text_literal(line)) > width:
            count = width // 10  # as many fit, however they are escaped
            while count < len(line) and len(text_literal(line[: count + 1])) <= width:
                count += 1
            space = line[:count].rfind(b" " if isinstance(line, bytes) else " ")
            count = space + 1 if space > count // 2 else count
            pieces.append(line[:count])
            line = line[count:]
        pieces.append(line)
    return [text_literal(piece) for piece in pieces if piece]
