"""Arguments drawn from specifications; objects are made by a recipe, or by a call of what makes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from inspect import Parameter, isabstract
from keyword import iskeyword
from pathlib import Path
from random import Random
from typing import Any

from pessimal.arguments import argument_of
from pessimal.inputs import (
    Bool,
    Bytes,
    Choice,
    Const,
    Dict,
    Float,
    Inputs,
    Int,
    List,
    Repeated,
    Set,
    Spec,
    Str,
    Tuple,
    Union,
)
from pessimal.inputs.built import Record
from pessimal.inputs.describing import Describing
from pessimal.inputs.signatures import VARIADIC
from pessimal.python.cover.files import FILE, Files, is_path_name, path_of
from pessimal.python.cover.members import Member
from pessimal.python.cover.parameters import ANYTHING
from pessimal.python.cover.passed import Passed
from pessimal.python.cover.recipes import Recipes, appended
from pessimal.python.cover.stand_ins import stand_in_for
from pessimal.python.cover.values import Values
from pessimal.scenario import Argument, Build, Function, Group, Kind, Name, Plain, Result, Step, Subclass, parts

SIZE = 4
"""The size of inputs of the kinds that are drawn as leaves."""
USE_RECIPE, OTHER_TYPE, GIVE_OPTIONAL, FIRST_ALTERNATIVE = 0.7, 0.2, 0.35, 0.4
ANY_OBJECT = 0.3
"""How often an object that earlier runs made is used where anything may be."""
LISTED = 0.2
"""How often it is in a list."""
LIKE_PASSED, LIKE_PASSED_IF_UNKNOWN = 0.25, 0.6
"""How often an argument is like one that other code passed, where its type is known and where it is not."""
SAME_VALUE = 0.3
"""How often a value is one that the scenario has already."""
MOST_DEPTH = 3
_VALUE_MODULES = frozenset(
    (
        "builtins",
        "array",
        "collections",
        "contextlib",
        "datetime",
        "decimal",
        "fractions",
        "io",
        "pathlib",
        "re",
        "types",
        "uuid",
    )
)
"""The modules of classes that a call inside an argument makes. Others, and those that are covered, get a step of their
own: if that returns, it is known how to make one, whatever the steps after it do."""


class Drawing:
    """Draws the arguments of one scenario, whose steps grow where objects are made."""

    def __init__(
        self,
        rng: Random,
        values: Values,
        recipes: Recipes,
        passed: Passed,
        covered: Collection[type] = (),
        files: Files | None = None,
    ) -> None:
        self._covered = covered
        self._files = files
        self._rng = rng
        self._values = values
        self._recipes = recipes
        self._passed = passed

    def call(self, member: Member, steps: list[Step], subject: Argument) -> Step:
        """The step that uses a member on a subject, with all arguments drawn."""
        if member.attribute == "__exit__":
            return Step("method", subject, "__exit__", self._rng.choice(EXITS))
        args: list[Argument] = []
        kwargs: list[tuple[str, Argument]] = []
        by_position = True
        odd = self._odd_one(member)
        for parameter in member.parameters:
            if parameter.kind in VARIADIC:
                self._variadic(member, parameter, args if by_position else None, kwargs, steps)
            elif not self._is_given(parameter):
                by_position = False
            else:
                value = self._given(member, parameter, steps, is_odd=parameter is odd)
                if by_position and parameter.kind is not Parameter.KEYWORD_ONLY:
                    args.append(value)
                elif parameter.kind is not Parameter.POSITIONAL_ONLY:
                    kwargs.append((parameter.name, value))
        return Step(member.operation, subject, member.attribute, tuple(args), tuple(kwargs))

    def _is_given(self, parameter: Parameter) -> bool:
        return parameter.default is Parameter.empty or self._rng.random() < GIVE_OPTIONAL

    def _odd_one(self, member: Member) -> Parameter | None:
        """The one parameter, if any, that is given anything at all in a call.

        Code that looks at types wants that, and types that were guessed may be wrong. Where several arguments were
        wrong, the first of them would hide what the others do.
        """
        among = member.parameters if member.tells_types_apart else member.guessed
        return self._rng.choice(among) if among and self._rng.random() < OTHER_TYPE else None

    def _given(self, member: Member, parameter: Parameter, steps: list[Step], is_odd: bool) -> Argument:
        """The argument for a parameter: anything, something like what other code passed, or by its specification."""
        if is_odd or member.specs is None:
            return self.argument(ANYTHING, steps)
        spec = member.specs.get(parameter.name, ANYTHING)
        if self._files is not None and _is_path(parameter, spec) and self._rng.random() < FILE:
            path = self._files.path(steps)
            return path_of(path.value) if isinstance(spec, Record) else path
        share = LIKE_PASSED if spec is not ANYTHING else LIKE_PASSED_IF_UNKNOWN
        passed = self._like_passed(member, parameter, steps) if self._rng.random() < share else None
        return self.argument(spec, steps) if passed is None else passed

    def _like_passed(self, member: Member, parameter: Parameter, steps: list[Step]) -> Argument | None:
        """What other code passed, perhaps changed, or an object of the same class."""
        seen = self._passed.of(member.code, parameter.name)
        if seen is None:
            return None
        if seen.values and (not seen.classes or self._rng.random() < 0.5):
            chosen = self._rng.choice(seen.values)
            return chosen if self._rng.random() < 0.5 else Plain(self._values.changed(chosen.value))
        recipe = self._recipes.of(self._rng.choice(seen.classes)) if seen.classes else None
        return None if recipe is None else appended(steps, recipe)

    def _variadic(
        self,
        member: Member,
        parameter: Parameter,
        args: list[Argument] | None,
        kwargs: list[tuple[str, Argument]],
        steps: list[Step],
    ) -> None:
        count = self._rng.choice((0, 0, 1, 1, 2, 3))
        if parameter.kind is Parameter.VAR_POSITIONAL and args is not None:
            args += [self.argument(ANYTHING, steps) for _ in range(count)]
        elif parameter.kind is Parameter.VAR_KEYWORD and count > 1:
            taken = {item.name for item in member.parameters}.union(key for key, _ in kwargs)
            names = [name for name in (*_mentioned(member), *"abcxyz") if name not in taken]
            kwargs.append((self._rng.choice(names), self.argument(ANYTHING, steps)))

    def argument(self, spec: Spec, steps: list[Step], depth: int = 0) -> Argument:
        """An argument of a kind."""
        draw = _DRAWN.get(type(spec))
        if draw is not None:
            known = self._known(_TYPES.get(type(spec)), steps)
            return draw(self, spec, steps, depth) if known is None else known
        inputs = Inputs((Parameter("value", Parameter.POSITIONAL_OR_KEYWORD),), {"value": spec}, SIZE, growing=True)
        return argument_of(inputs.values(Describing(inputs.sample(self._rng)))["value"])

    def _known(self, kind: type | None, steps: list[Step]) -> Argument | None:
        """A value of the scenario once more: what is put somewhere is found by the same value only."""
        if kind is None or not steps or self._rng.random() > SAME_VALUE:
            return None
        plain = [part for step in steps for item in step.arguments for part in parts(item) if isinstance(part, Plain)]
        fitting = [part for part in plain if type(part.value) is kind]
        return self._rng.choice(fitting) if fitting else None

    def _integer(self, spec: Int, steps: list[Step], depth: int) -> Argument:
        value = self._values.integer()
        low, high = (bound if isinstance(bound, int) else None for bound in (spec.low, spec.high))
        if low is not None and high is not None and not low <= value <= high:
            value = self._rng.randint(low, high)
        return Plain(value if low is None or value >= low else low + abs(value) % 100)

    def _floating(self, spec: Float, steps: list[Step], depth: int) -> Argument:
        value = self._values.floating()
        low, high = (bound if isinstance(bound, int | float) else None for bound in (spec.low, spec.high))
        if low is not None and high is not None and not low <= value <= high:
            value = self._rng.uniform(low, high)
        return Plain(value)

    def _text(self, spec: Str, steps: list[Step], depth: int) -> Argument:
        if spec.alphabet:
            return Plain("".join(self._rng.choices(spec.alphabet, k=self._rng.randint(0, SIZE))))
        return Plain(self._values.text())

    def _sequence(self, spec: List | Repeated, steps: list[Step], depth: int) -> Argument:
        members = self._members(spec.element, steps, depth)
        return _grouped("list" if isinstance(spec, List) else "tuple", members)

    def _set(self, spec: Set, steps: list[Step], depth: int) -> Argument:
        return _grouped("frozenset" if spec.frozen else "set", self._members(spec.element, steps, depth))

    def _dict(self, spec: Dict, steps: list[Step], depth: int) -> Argument:
        keys = self._members(spec.key, steps, depth)
        pairs = [part for key in keys for part in (key, self.argument(spec.value, steps, depth + 1))]
        return _grouped("dict", pairs)

    def _members(self, element: Spec, steps: list[Step], depth: int) -> list[Argument]:
        count = self._rng.choice((0, 1, 1, 2, 3, 5)) if depth < MOST_DEPTH else 0
        return [self.argument(element, steps, depth + 1) for _ in range(count)]

    def _tuple(self, spec: Tuple, steps: list[Step], depth: int) -> Argument:
        return _grouped("tuple", [self.argument(part, steps, depth + 1) for part in spec.elements])

    def _union(self, spec: Union, steps: list[Step], depth: int) -> Argument:
        is_any = spec is ANYTHING
        if is_any and self._rng.random() < ANY_OBJECT and (recipe := self._recipes.any()) is not None:
            made = appended(steps, recipe)
            return Group("list", (made,)) if self._rng.random() < LISTED else made
        if not is_any and self._rng.random() < FIRST_ALTERNATIVE:
            return self.argument(spec.alternatives[0], steps, depth)
        return self.argument(self._rng.choice(spec.alternatives), steps, depth)

    def _choice(self, spec: Choice, steps: list[Step], depth: int) -> Argument:
        return argument_of(self._rng.choice(spec.values))

    def _record(self, spec: Record, steps: list[Step], depth: int) -> Argument:
        """An object by a recipe, if it is to be of a class, or by a call with arguments drawn."""
        builder = spec.builder
        if isinstance(builder, type) and self._rng.random() < USE_RECIPE:
            recipe = self._recipes.of(builder)
            if recipe is not None:
                return appended(steps, recipe)
        if isabstract(builder):
            return self.standing_in(builder, steps, depth)  # type: ignore[arg-type]
        name = argument_of(builder)
        args = tuple(self.argument(part, steps, depth + 1) for part in spec.args)
        given = [field for field in spec.fields if field not in spec.optional or self._rng.random() < GIVE_OPTIONAL]
        kwargs = tuple((field, self.argument(spec.fields[field], steps, depth + 1)) for field in given)
        if isinstance(builder, type) and (builder in self._covered or builder.__module__ not in _VALUE_MODULES):
            steps.append(Step("call", name, "", args, kwargs))
            return Result(len(steps) - 1)
        return Build(name, args, kwargs)  # type: ignore[arg-type]

    def standing_in(self, cls: type, steps: list[Step], depth: int = 0) -> Argument:
        """An object of a class that implements an abstract one: its methods give answers that are drawn."""
        stand_in = stand_in_for(cls)
        if stand_in is None or depth > MOST_DEPTH:
            return Plain(None)
        given: list[tuple[str, Argument]] = []
        for name, spec in stand_in.attributes.items():
            given.append((name, self.argument(spec, steps, depth + 1)))
        for name, spec in stand_in.methods.items():
            count = self._rng.choice((1, 1, 2))
            given.append((name, Function(tuple(self.argument(spec, steps, depth + 1) for _ in range(count)))))
        steps.append(self.call(stand_in.constructor, steps, Subclass(stand_in.label, stand_in.name, tuple(given))))
        return Result(len(steps) - 1)


def _is_path(parameter: Parameter, spec: Spec) -> bool:
    """Whether a parameter is called like a path, and may be a text or a path."""
    options = spec.alternatives if isinstance(spec, Union) else (spec,)
    fitting = [item for item in options if isinstance(item, Str) or getattr(item, "builder", None) is Path]
    return bool(fitting) and is_path_name(parameter.name)


def _mentioned(member: Member) -> list[str]:
    """The keywords that code seems to look for: names in quotes, as in ``options.get("width")``."""
    constants = () if member.code is None else member.code.co_consts
    return [item for item in constants if isinstance(item, str) and item.isidentifier() and not iskeyword(item)]


def _grouped(kind: Kind, members: Sequence[Argument]) -> Argument:
    """A plain value where all members are plain, and hashable where they must be."""
    plain = [item.value for item in members if isinstance(item, Plain)]
    if len(plain) < len(members):
        return Group(kind, tuple(members))
    try:
        return Plain(_MAKE[kind](plain))
    except TypeError:
        return Plain(_MAKE[kind]([]))


_MAKE: dict[Kind, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
}

EXITS: tuple[tuple[Argument, ...], ...] = (
    (Plain(None), Plain(None), Plain(None)),
    (Name("builtins", "ValueError"), Build(Name("builtins", "ValueError"), (Plain("a"),)), Plain(None)),
    (Name("builtins", "KeyError"), Build(Name("builtins", "KeyError"), (Plain("a"),)), Plain(None)),
)
"""How a ``with`` block ends: by itself, or with an exception."""

_TYPES: dict[type[Spec], type] = {Int: int, Str: str, Float: float, Bytes: bytes}

_DRAWN: dict[type[Spec], Callable[[Drawing, Any, list[Step], int], Argument]] = {
    Int: Drawing._integer,
    Bool: lambda self, *_: Plain(self._rng.random() < 0.5),
    Float: Drawing._floating,
    Str: Drawing._text,
    Bytes: lambda self, *_: Plain(self._values.data()),
    Const: lambda self, spec, *_: argument_of(spec.value),
    Choice: Drawing._choice,
    List: Drawing._sequence,
    Repeated: Drawing._sequence,
    Set: Drawing._set,
    Dict: Drawing._dict,
    Tuple: Drawing._tuple,
    Union: Drawing._union,
    Record: Drawing._record,
}
