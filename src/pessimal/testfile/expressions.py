"""Arguments and steps of scenarios as code: operators are written as operators, attributes as attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pessimal.scenario import Argument, Build, Function, Group, Name, Plain, Result, Step, Subclass
from pessimal.testfile.imports import Imports
from pessimal.testfile.layout import Code, bracket, call
from pessimal.testfile.literals import container, literal, text_literal

_COMPARED = {"__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_COMPUTED = {"__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__floordiv__": "//", "__mod__": "%"}
_BITS = {"__and__": "&", "__or__": "|", "__xor__": "^", "__lshift__": "<<", "__rshift__": ">>", "__matmul__": "@"}
_BINARY = _COMPARED | _COMPUTED | _BITS
_UNARY = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}
_FUNCTIONS = (
    *("int", "float", "complex", "bool", "str", "bytes", "repr", "hash", "len", "round"),
    *("iter", "next", "reversed", "format", "divmod", "abs", "pow"),
)
COMPARISONS = (*_COMPARED, "__contains__")
"""Methods that are written as an operator whose value must be in parentheses to be compared."""


def is_operator(method: str) -> bool:
    """Whether a method is written as an operator or a subscript, in which values must be short."""
    return method in _BINARY or method in ("__contains__", "__getitem__", "__setitem__", "__delitem__")


class Expressions:
    """Writes arguments.

    ``result`` gives the variable of an earlier step, or the code in its place; ``answers`` the variable of an iterator
    over the answers of a function that has several; ``classes`` the name of a class after its statement.
    """

    def __init__(
        self,
        imports: Imports,
        result: Callable[[int], Code] | None = None,
        answers: Callable[[Function], Code] | None = None,
        classes: Callable[[Subclass], Code] | None = None,
    ) -> None:
        self._imports = imports
        self._result = result
        self._answers = answers
        self._classes = classes

    def code(self, argument: Argument) -> Code:
        """The code of an argument."""
        match argument:
            case Plain(value):
                return literal(value, self.reference)
            case Name(module, qualname):
                return Code(self.reference(module, qualname))
            case Result(step) if self._result is not None:
                return self._result(step)
            case Group(kind, members):
                return container(kind, [self.code(member) for member in members])
            case Build():
                return self._build(argument)
            case Function(answers):
                return self._function(essential(answers))
            case Subclass():
                return self._subclass(argument) if self._classes is None else self._classes(argument)
        raise ValueError(f"{argument} has no code here")

    def _function(self, answers: Sequence[Argument]) -> Code:
        """A function that gives answers in turn; where it can have no variable, its iterator is a default value."""
        if len(answers) == 1:
            return Code(f"lambda *args, **kwargs: {self.code(answers[0]).flat}")
        if self._answers is not None:
            return Code(f"lambda *args, **kwargs: next({self._answers(Function(tuple(answers))).flat})")
        return Code(f"lambda *args, replies={self.answering(answers).flat}, **kwargs: next(replies)")

    def _subclass(self, made: Subclass) -> Code:
        """A class where no statement can stand."""
        members = [self.code(item).after(f"{text_literal(key)}: ") for key, item in made.members]
        bases = Code(f"({self.code(made.base).flat},)")
        return call("type", [Code(text_literal(made.name)), bases, bracket("{", members, "}")])

    def answering(self, answers: Sequence[Argument]) -> Code:
        """An iterator over answers, the last of which comes again and again."""
        *first, last = map(self.code, answers)
        repeat = call(self.reference("itertools", "repeat"), [last])
        return call(self.reference("itertools", "chain"), [Code("[", tuple(first), "]"), repeat])

    def reference(self, module: str, qualname: str) -> str:
        """The text of a name."""
        return self._imports.reference(module, qualname)

    def step(self, step: Step, subject: Code, args: Sequence[Code], kwargs: Sequence[tuple[str, Code]]) -> Code:
        """The code of a step, given that of its subject and its arguments."""
        if step.operation == "call":
            return call(subject.flat, args, kwargs)
        if step.operation == "get":
            return subject.before(f".{step.name}")
        if step.operation == "set":
            return args[0].after(f"{subject.flat}.{step.name} = ")
        code = self.operator(step.name, subject, args, kwargs)
        return code if code is not None else call(f"{subject.flat}.{step.name}", args, kwargs)

    def operator(self, method: str, subject: Code, args: Sequence[Code], kwargs: Sequence[Any]) -> Code | None:
        """What a person writes to call a special method; None if it is called by its name."""
        if method in _BINARY and len(args) == 1 and not kwargs:
            return Code(f"{subject.flat} {_BINARY[method]} {args[0].flat}")
        if method in _UNARY and not args:
            return Code(_UNARY[method] + subject.flat)
        if method == "__contains__" and len(args) == 1:
            return Code(f"{args[0].flat} in {subject.flat}")
        if method == "__getitem__" and len(args) == 1:
            return Code(f"{subject.flat}[{args[0].flat}]")
        if method == "__setitem__" and len(args) == 2:
            return args[1].after(f"{subject.flat}[{args[0].flat}] = ")
        if method == "__delitem__" and len(args) == 1:
            return Code(f"del {subject.flat}[{args[0].flat}]")
        if method.strip("_") in _FUNCTIONS and method == f"__{method.strip('_')}__":
            return call(self.reference("builtins", method.strip("_")), [subject, *args], kwargs)
        return call(subject.flat, args, kwargs) if method == "__call__" else None

    def _build(self, built: Build) -> Code:
        """A call; a module is written by its name, and what serves assertions as an attribute, a slice or a method."""
        name = (built.function.module, built.function.qualname)
        args = [self.code(item) for item in built.args]
        match name, built.args:
            case ("builtins", "getattr"), (_, Plain(str(attribute))):
                return args[0].before(f".{attribute}")
            case ("operator", "methodcaller"), (_, Plain(str(method))):
                return args[0].before(f".{method}()")
            case ("operator", "getitem"), (_, Build(Name("builtins", "slice"), (Plain(stop),))):
                return args[0].before(f"[:{stop}]")
            case ("importlib", "import_module"), (Plain(str(module)),):
                return Code(self._imports.module(module))
        return call(self.reference(*name), args, [(key, self.code(item)) for key, item in built.kwargs])


def essential(answers: Sequence[Argument]) -> Sequence[Argument]:
    """Answers without those that only say the last one again."""
    count = len(answers)
    while count > 1 and repr(answers[count - 2]) == repr(answers[-1]):
        count -= 1
    return answers[:count]
