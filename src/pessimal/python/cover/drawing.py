"""Arguments drawn from specifications; objects are made by a recipe, or by a call of what makes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
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
from pessimal.inputs.built import Function as FunctionSpec
from pessimal.inputs.built import Record
from pessimal.inputs.describing import Describing
from pessimal.inputs.looking import is_below
from pessimal.inputs.signatures import VARIADIC
from pessimal.python.cover.catalogue import FUNCTIONS, Catalogue
from pessimal.python.cover.files import FILE, Files, is_path_name, path_of
from pessimal.python.cover.grouping import grouped
from pessimal.python.cover.matched import matched
from pessimal.python.cover.members import Member
from pessimal.python.cover.parameters import ANYTHING
from pessimal.python.cover.passed import Passed
from pessimal.python.cover.recipes import Recipes, appended
from pessimal.python.cover.stand_ins import stand_in_for
from pessimal.python.cover.values import Values
from pessimal.scenario import Argument, Build, Function, Group, Name, Plain, Result, Step, Subclass, parts

SIZE = 4
"""The size of inputs of the kinds that are drawn as leaves."""
USE_RECIPE, OTHER_TYPE, FIRST_ALTERNATIVE = 0.7, 0.2, 0.4
GIVE_OPTIONAL = (0.1, 0.35, 0.35, 0.9)
"""How often an optional argument is given, in different calls: several may be needed together, or none."""
ANY_OBJECT = 0.3
"""How often an object that earlier runs made is used where anything may be."""
CROWDED = 6
"""In a scenario with so many steps no more objects are made where anything may be: data may have many members."""
LISTED = 0.2
"""How often it is in a list."""
LIKE_PASSED, LIKE_PASSED_IF_UNKNOWN = 0.25, 0.6
"""How often an argument is like one that other code passed, where its type is known and where it is not."""
MENTIONED_KEYWORD, TAKEN_KEYWORD = 0.6, 0.7
"""How often a keyword is one that the code mentions, and how often it is otherwise one that something else takes."""
LEAVE_OUT = 0.3
"""How often an optional argument is left out where it would be drawn again."""
NAMED_FUNCTION = 0.4
"""How often a function is one that exists, and not one that gives answers which are drawn."""
ANY_FUNCTION = 0.08
"""How often there is a function where anything may be."""
ANY_KIND, ANY_DATA = 0.15, 0.15
"""How often there is what the code tests for, and how often data as it looks for it."""
KNOWN_KEY = 0.6
"""How often a key of a dict is one that the code looks for."""
SAME_VALUE, SAME_OBJECT = 0.3, 0.2
"""How often a value, and how often an object, is one that the scenario has already."""
MOST_DEPTH = 3
_DATA_MODULES = {"array", "collections", "datetime", "decimal", "fractions", "pathlib", "re", "uuid"}
_VALUE_MODULES = frozenset({"builtins", "contextlib", "io", "types"} | _DATA_MODULES)
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
        catalogue: Catalogue | None = None,
        files: Files | None = None,
    ) -> None:
        self._catalogue = Catalogue(()) if catalogue is None else catalogue
        self._files = files
        self._rng = rng
        self._values = values
        self._recipes = recipes
        self._passed = passed

    def call(self, member: Member, steps: list[Step], subject: Argument, depth: int = 0) -> Step:
        """The step that uses a member on a subject, with all arguments drawn."""
        if member.attribute == "__exit__":
            return Step("method", subject, "__exit__", self._rng.choice(EXITS))
        args: list[Argument] = []
        kwargs: list[tuple[str, Argument]] = []
        by_position = True
        odd, share = self._odd_one(member), self._rng.choice(GIVE_OPTIONAL)
        for parameter in member.parameters:
            if parameter.kind in VARIADIC:
                self._variadic(member, parameter, args if by_position else None, kwargs, steps, depth)
            elif parameter.default is not Parameter.empty and self._rng.random() > share:
                by_position = False
            else:
                value = self.given(member, parameter, steps, depth, is_odd=parameter is odd)
                if by_position and parameter.kind is not Parameter.KEYWORD_ONLY:
                    args.append(value)
                elif parameter.kind is not Parameter.POSITIONAL_ONLY:
                    kwargs.append((parameter.name, value))
        return Step(member.operation, subject, member.attribute, tuple(args), tuple(kwargs))

    def with_another(self, member: Member, step: Step, parameter: Parameter, steps: list[Step]) -> Step:
        """A step in which one parameter is given another argument, or none if it is optional and had one."""
        args, kwargs = list(step.args), dict(step.kwargs)
        place = [item.name for item in member.parameters].index(parameter.name)
        if parameter.name in kwargs and parameter.default is not Parameter.empty and self._rng.random() < LEAVE_OUT:
            del kwargs[parameter.name]
        elif place < len(args) and parameter.name not in kwargs:
            args[place] = self.given(member, parameter, steps)
        elif parameter.kind is not Parameter.POSITIONAL_ONLY:
            kwargs[parameter.name] = self.given(member, parameter, steps)
        return replace(step, args=tuple(args), kwargs=tuple(kwargs.items()))

    def _odd_one(self, member: Member) -> Parameter | None:
        """The one parameter, if any, that is given anything at all in a call.

        Code that looks at types wants that, and types that were guessed may be wrong. Where several arguments were
        wrong, the first of them would hide what the others do.
        """
        among = member.parameters if member.tells_types_apart else member.guessed
        return self._rng.choice(among) if among and self._rng.random() < OTHER_TYPE else None

    def given(
        self, member: Member, parameter: Parameter, steps: list[Step], depth: int = 0, *, is_odd: bool = False
    ) -> Argument:
        """The argument for a parameter: anything, something like what other code passed, or by its specification."""
        if is_odd or member.specs is None:
            return self.argument(ANYTHING, steps, depth)
        spec = member.specs.get(parameter.name, ANYTHING)
        if self._files is not None and _is_path(parameter, spec) and self._rng.random() < FILE:
            path = self._files.path(steps)
            return path_of(path.value) if isinstance(spec, Record) else path
        share = LIKE_PASSED if spec is not ANYTHING else LIKE_PASSED_IF_UNKNOWN
        passed = self._like_passed(member, parameter, steps) if self._rng.random() < share else None
        return self.argument(spec, steps, depth) if passed is None else passed

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
        depth: int,
    ) -> None:
        """Some more arguments, by position or by keyword."""
        spec = (member.specs or {}).get(parameter.name, ANYTHING)
        count = self._rng.choice((0, 0, 1, 1, 2, 3))
        if parameter.kind is Parameter.VAR_POSITIONAL and args is not None:
            args += [self.argument(spec, steps, depth) for _ in range(count)]
        elif parameter.kind is Parameter.VAR_KEYWORD and count > 1:
            taken = {item.name for item in member.parameters}.union(key for key, _ in kwargs)
            for name in dict.fromkeys(self._keyword(member) for _ in range(count - 1)):
                if name not in taken:
                    own = self._catalogue.keywords.get(name, ANYTHING) if spec is ANYTHING else spec
                    kwargs.append((name, self.argument(own, steps, depth)))

    def _keyword(self, member: Member) -> str:
        """A keyword that the code mentions, one that something else takes, since it may be handed on, or any."""
        mentioned, taken = _mentioned(member), list(self._catalogue.keywords)
        if mentioned and self._rng.random() < MENTIONED_KEYWORD:
            return self._rng.choice(mentioned)
        return self._rng.choice(taken if taken and self._rng.random() < TAKEN_KEYWORD else "abcxyz")

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
        return grouped("list" if isinstance(spec, List) else "tuple", members)

    def _set(self, spec: Set, steps: list[Step], depth: int) -> Argument:
        return grouped("frozenset" if spec.frozen else "set", self._members(spec.element, steps, depth))

    def _dict(self, spec: Dict, steps: list[Step], depth: int) -> Argument:
        keys = self._members(spec.key, steps, depth)
        known = self._values.words.keys
        if known and isinstance(spec.key, Str):
            keys = [Plain(self._rng.choice(known)) if self._rng.random() < KNOWN_KEY else key for key in keys]
        pairs = [part for key in keys for part in (key, self.argument(spec.value, steps, depth + 1))]
        return grouped("dict", pairs)

    def _members(self, element: Spec, steps: list[Step], depth: int) -> list[Argument]:
        count = self._rng.choice((0, 1, 1, 2, 3, 5)) if depth < MOST_DEPTH else 0
        if isinstance(element, Str) and count and (few := self._values.few_words()):
            return [Plain(self._rng.choice(few)) for _ in range(2 * count)]
        return [self.argument(element, steps, depth + 1) for _ in range(count)]

    def _tuple(self, spec: Tuple, steps: list[Step], depth: int) -> Argument:
        return grouped("tuple", [self.argument(part, steps, depth + 1) for part in spec.elements])

    def _union(self, spec: Union, steps: list[Step], depth: int) -> Argument:
        if spec is ANYTHING:
            return self._anything(steps, depth)
        if self._rng.random() < FIRST_ALTERNATIVE:
            return self.argument(spec.alternatives[0], steps, depth)
        return self.argument(self._rng.choice(spec.alternatives), steps, depth)

    def _anything(self, steps: list[Step], depth: int) -> Argument:
        """An object that earlier runs made, a function, what the code tests for, data as it spells it out, or plain."""
        share, kinds = self._rng.random(), self._values.words.kinds
        if share < ANY_OBJECT and len(steps) < CROWDED and (recipe := self._recipes.any()) is not None:
            made = appended(steps, recipe)
            return Group("list", (made,)) if self._rng.random() < LISTED else made
        share = self._rng.random()
        if share < ANY_FUNCTION:
            return self._function(_ANY_FUNCTION, steps, depth)
        if share < ANY_FUNCTION + ANY_KIND and kinds and depth <= MOST_DEPTH:
            return self.argument(self._rng.choice(kinds), steps, depth + 1)
        if share < ANY_FUNCTION + ANY_KIND + ANY_DATA and depth < MOST_DEPTH:
            return self._data(steps, depth + 1)
        return self.argument(self._rng.choice(ANYTHING.alternatives), steps, depth)

    def _data(self, steps: list[Step], depth: int) -> Argument:
        """A container of anything: a record like one of the code, a dict with keys that it looks for, or a sequence."""
        share, words = self._rng.random(), self._values.words
        if share < 0.3 and words.records:
            return self._record_like(self._rng.choice(words.records), steps, depth)
        if share < 0.6:
            return self._dict(_DATA, steps, depth)
        return grouped("list" if share < 0.85 else "tuple", self._members(ANYTHING, steps, depth))

    def _record_like(self, record: dict[str, Any], steps: list[Step], depth: int) -> Argument:
        """A dict with the keys of a record, and some of its values."""
        pairs: list[Argument] = []
        for key, value in record.items():
            is_kept = value is not None and self._rng.random() < 0.6
            pairs += [Plain(key), Plain(value) if is_kept else self.argument(ANYTHING, steps, depth)]
        return grouped("dict", pairs)

    def _choice(self, spec: Choice, steps: list[Step], depth: int) -> Argument:
        return argument_of(self._rng.choice(spec.values))

    def _function(self, spec: FunctionSpec, steps: list[Step], depth: int) -> Argument:
        """A function that exists, of Python or of the covered modules, or one that gives answers."""
        if depth > MOST_DEPTH or self._rng.random() < NAMED_FUNCTION:
            own = self._catalogue.functions
            return self._rng.choice(own if own and self._rng.random() < 0.3 else FUNCTIONS)
        count = self._rng.choice((1, 1, 2, 3))
        return Function(tuple(self.argument(spec.answer, steps, depth + 1) for _ in range(count)))

    def _record(self, spec: Record, steps: list[Step], depth: int) -> Argument:
        """An object by a recipe, if it is to be of a class, or by a call with arguments drawn."""
        builder = spec.builder
        if builder is re.match and self._values.words.groups:
            return matched(self._rng, self._values)
        known = self._known_object(builder, steps) if isinstance(builder, type) else None
        if known is not None:
            return known
        if isabstract(builder):
            return self.standing_in(builder, steps, depth)  # type: ignore[arg-type]
        makers = self._catalogue.makers(builder) if isinstance(builder, type) and depth < MOST_DEPTH else ()
        if makers:
            return self.made(self._rng.choice(makers), steps, depth + 1)
        name = argument_of(builder)
        args = tuple(self.argument(part, steps, depth + 1) for part in spec.args)
        share = self._rng.choice(GIVE_OPTIONAL)
        given = [field for field in spec.fields if field not in spec.optional or self._rng.random() < share]
        kwargs = tuple((field, self.argument(spec.fields[field], steps, depth + 1)) for field in given)
        if isinstance(builder, type) and builder.__module__ not in _VALUE_MODULES:
            steps.append(Step("call", name, "", args, kwargs))
            return Result(len(steps) - 1)
        return Build(name, args, kwargs)  # type: ignore[arg-type]

    def _known_object(self, cls: type, steps: list[Step]) -> Result | None:
        """An object of a class that the scenario has already, or one that is made as earlier runs made it."""
        made = [self._catalogue.class_of(step) for step in steps] if self._rng.random() < SAME_OBJECT else []
        present = [Result(index) for index, kind in enumerate(made) if kind is not None and is_below(kind, cls)]
        if present:
            return self._rng.choice(present)
        recipe = self._recipes.of(cls) if self._rng.random() < USE_RECIPE else None
        return None if recipe is None else appended(steps, recipe)

    def made(self, maker: Member, steps: list[Step], depth: int = 0) -> Result:
        """What a constructor of the covered modules makes."""
        steps.append(self.call(maker, steps, maker.name, depth))
        return Result(len(steps) - 1)

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
        subclass = Subclass(stand_in.label, stand_in.name, tuple(given))
        steps.append(self.call(stand_in.constructor, steps, subclass, depth + 1))
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


EXITS: tuple[tuple[Argument, ...], ...] = (
    (Plain(None), Plain(None), Plain(None)),
    (Name("builtins", "ValueError"), Build(Name("builtins", "ValueError"), (Plain("a"),)), Plain(None)),
    (Name("builtins", "KeyError"), Build(Name("builtins", "KeyError"), (Plain("a"),)), Plain(None)),
)
"""How a ``with`` block ends: by itself, or with an exception."""

_ANY_FUNCTION, _DATA = FunctionSpec(ANYTHING), Dict(Str(), ANYTHING)

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
    FunctionSpec: Drawing._function,
}
