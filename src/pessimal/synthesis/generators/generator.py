"""Generators of worst inputs: a short Python function that makes one of any size, from those found at small sizes.

The arguments of each size are read as events, one program is fitted to all sizes, and the program is written as Python.
If there is none, known shapes of sequences are tried (:mod:`shapes`). A generator is a guess: before it is shown, the
caller builds inputs of sizes that were not fitted with :meth:`Generator.build`, encodes them with ``inputs.encode``,
and measures their cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import indent
from typing import Any, TypeAlias

from pessimal.synthesis.family import models
from pessimal.synthesis.generators.arrangements import SPLITS, before_split
from pessimal.synthesis.generators.emit import Unprintable, arguments_text
from pessimal.synthesis.generators.recipe import (
    Arranged,
    Container,
    Items,
    evaluate,
    labelled,
    recipe,
    terms_by_argument,
)
from pessimal.synthesis.generators.shapes import MIN_SIZE, arguments_by_shape
from pessimal.synthesis.generators.tokens import NotAValue, tokens
from pessimal.synthesis.laws import Law
from pessimal.synthesis.terms import Event, NoModel

Arguments: TypeAlias = Mapping[str, Any]

SIZES_AHEAD = 8
"""Generators that agree at so many further sizes are considered the same."""


@dataclass(frozen=True)
class Generator:
    """Makes an input of any size; ``fitted`` are the sizes at which it reproduces an input that it was made from.

    ``view`` is the transformation that was applied to the values first: none if it is ``"as found"``. ``functions`` are
    the functions of :mod:`arrangements` that the arguments use.
    """

    arguments: Mapping[str, Items]
    fitted: tuple[int, ...]
    view: str = "as found"
    functions: tuple[str, ...] = ()

    def build(self, n: int) -> dict[str, Any]:
        """The arguments of size n by name; raises NotAValue if there are none, as for an invalid character."""
        values = {}
        for name, items in self.arguments.items():
            made = evaluate(items, n)
            if len(made) != 1:
                raise NotAValue(f"{name} has {len(made)} values at size {n}")
            values[name] = made[0]
        return values

    @property
    def code(self) -> str:
        """The function without its docstring."""
        inner = "".join(f"{indent(SPLITS[name], '    ')}\n" for name in self.functions)
        return f"def worst_case(n):\n{inner}    return {arguments_text(self.arguments)}\n"

    def function(self) -> Callable[[int], dict[str, Any]]:
        """The function that the code defines."""
        namespace: dict[str, Any] = {}
        exec(self.code, namespace)
        function: Callable[[int], dict[str, Any]] = namespace["worst_case"]
        return function

    @property
    def complexity(self) -> int:
        """The length of the function: of two that are right, the shorter one is better."""
        return len(self.code)

    def text(self, target: str, cost: Law | None, checked: Sequence[int], example: int) -> str:
        """The function with a docstring that says what it is for and shows an example, which was run."""
        output = repr(self.function()(example))
        head, body = self.code.split("\n", 1)
        lines = [
            f'    """The worst input of size n for `{_escaped(target)}`.',
            "",
            f"    {_escaped(_cost_sentence(cost, checked))}",
            "",
            f"    >>> worst_case({example})",
            f"    {_escaped(output)}",
            '    """',
            *([""] if self.functions else []),
        ]
        return "\n".join([head, *lines, body])


def find(inputs_by_size: Mapping[int, Sequence[Arguments]]) -> Iterator[Generator]:
    """Generators that reproduce inputs, simplest first; none if the inputs follow no law.

    The inputs of one size are equally bad alternatives. They are read as found first, then shifted to start at zero,
    then as ranks, which suffice for targets that only compare. Generators that do not fit all sizes come last: another
    input of that size may be as bad.
    """
    seen: set[tuple[str, ...]] = set()
    partial: list[Generator] = []
    views: list[tuple[str, dict[int, list[Arguments]]]] = []
    for view in VIEWS:
        viewed = _viewed(inputs_by_size, view)
        if all(viewed != other for _, other in views):
            views.append((view, viewed))
    for method in (_programs, _shape_recipes, _split_programs):
        for view, viewed in views:
            for generator in method(viewed, view):
                if not _is_new(generator, inputs_by_size, seen):
                    continue
                if all(n in generator.fitted for n in inputs_by_size if n >= MIN_SIZE):
                    yield generator
                else:
                    partial.append(generator)
    yield from sorted(partial, key=lambda generator: (-len(generator.fitted), generator.complexity))


def _is_new(generator: Generator, sizes: Iterable[int], seen: set[tuple[str, ...]]) -> bool:
    """Whether the generator can be written as Python and makes other inputs than those before; adds it to ``seen``."""
    last = max(sizes)
    try:
        function = generator.function()
        built = [(n, generator.build(n)) for n in (*sizes, *range(last + 1, last + SIZES_AHEAD))]
    except (NotAValue, Unprintable):
        return False
    made = tuple(repr(arguments) for _, arguments in built)
    if made in seen or any(function(n) != arguments for n, arguments in built):
        return False
    seen.add(made)
    return True


def _programs(inputs_by_size: Mapping[int, Sequence[Arguments]], view: str) -> Iterator[Generator]:
    """Generators from programs of the events of all arguments together."""
    try:
        candidates = {n: [_events(arguments) for arguments in some] for n, some in inputs_by_size.items()}
        for model in models(candidates, max(candidates, default=0)):
            if model.modulus > 1:
                continue
            try:
                arguments = {name: recipe(terms) for name, terms in terms_by_argument(model.program.terms).items()}
            except NotAValue:
                continue
            yield Generator(arguments, model.explained, view)
    except (NotAValue, NoModel):
        return


def _events(arguments: Arguments) -> list[Event]:
    return labelled({name: tokens(value) for name, value in arguments.items()})


def _shape_recipes(inputs_by_size: Mapping[int, Sequence[Arguments]], view: str) -> Iterator[Generator]:
    """Generators from known shapes that reproduce an input of every size that is not too small."""
    for arguments in arguments_by_shape(inputs_by_size):
        generator = Generator(arguments, (), view)
        sizes = tuple(n for n, some in inputs_by_size.items() if _reproduces(generator, n, some))
        if all(n in sizes for n in inputs_by_size if n >= MIN_SIZE):
            yield replace(generator, fitted=sizes)


def _split_programs(inputs_by_size: Mapping[int, Sequence[Arguments]], view: str) -> Iterator[Generator]:
    """Generators of split sequences, from programs of the sequences before the split."""
    for function in SPLITS:
        before = {
            n: [{name: before_split(function, value) for name, value in arguments.items()} for arguments in some]
            for n, some in inputs_by_size.items()
        }
        for generator in _programs(before, view):
            arguments = {name: _with_split(function, items) for name, items in generator.arguments.items()}
            yield replace(generator, arguments=arguments, functions=(function,))


def _with_split(function: str, items: Items) -> Items:
    match items:
        case (Container(kind="list" | "tuple" | "str" | "bytes" as kind, items=inner),):
            return (Container(kind, (Arranged(function, inner),)),)
    return items


def _reproduces(generator: Generator, n: int, some: Iterable[Arguments]) -> bool:
    try:
        built = generator.build(n)
    except NotAValue:
        return False
    return any(built == arguments for arguments in some)


def _viewed(inputs_by_size: Mapping[int, Sequence[Arguments]], view: str) -> dict[int, list[Arguments]]:
    return {n: [VIEWS[view](arguments) for arguments in some] for n, some in sorted(inputs_by_size.items())}


def _from_zero(arguments: Arguments) -> Arguments:
    least = min(_integers(arguments.values()), default=0)
    return {name: _mapped(value, lambda number: number - least) for name, value in arguments.items()}


def _ranked(arguments: Arguments) -> Arguments:
    """Every integer by its place among all of them, equal ones at one place."""
    places = {number: place for place, number in enumerate(sorted(set(_integers(arguments.values()))))}
    return {name: _mapped(value, places.__getitem__) for name, value in arguments.items()}


def _containers_ranked(arguments: Arguments) -> Arguments:
    """As :func:`_ranked`, but an argument that is a number stays as it is: it may be a length or an index."""
    numbers = {name: value for name, value in arguments.items() if type(value) is int}
    others = _ranked({name: value for name, value in arguments.items() if name not in numbers})
    return {name: numbers.get(name, others.get(name)) for name in arguments}


def _each_ranked(arguments: Arguments) -> Arguments:
    """As :func:`_containers_ranked`, each argument by itself."""
    return {name: _containers_ranked({name: value})[name] for name, value in arguments.items()}


VIEWS: dict[str, Callable[[Arguments], Arguments]] = {
    "as found": lambda arguments: arguments,
    "from zero": _from_zero,
    "ranks": _ranked,
    "ranks in containers": _containers_ranked,
    "ranks in each argument": _each_ranked,
}
"""Transformations of the integers of an input, which do no harm if the target only compares them."""


def _integers(values: Iterable[Any]) -> Iterator[int]:
    for value in values:
        if type(value) is int:
            yield value
        elif type(value) in (list, tuple):
            yield from _integers(value)


def _mapped(value: Any, change: Callable[[int], int]) -> Any:
    """The value with a function applied to all integers in it."""
    if type(value) is int:
        return change(value)
    if type(value) in (list, tuple):
        return type(value)(_mapped(part, change) for part in value)
    return value


def _cost_sentence(cost: Law | None, checked: Sequence[int]) -> str:
    """The sentence of the docstring about the cost and the sizes where it was checked."""
    runs: list[list[int]] = []
    for size in sorted(set(checked)):
        if runs and size == runs[-1][-1] + 1:
            runs[-1].append(size)
        else:
            runs.append([size])
    parts = [f"{run[0]} to {run[-1]}" if len(run) > 2 else " and ".join(map(str, run)) for run in runs]
    costs = "It costs what search found" if cost is None else f"It costs {cost.text()}"
    return f"{costs}, checked at n = {' and '.join(parts)}." if parts else f"{costs}."


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
