"""Orders of elements that are slow for many algorithms: splits that a generator can use, and orders worth trying.

Divide and conquer is slowest if elements that are neighbours in the end are far apart at first. No loop arranges them
like that, but a one-line function does, which is written into the generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

SPLITS = {
    "split": "def split(xs):\n    return xs if len(xs) < 2 else split(xs[1::2]) + split(xs[::2])\n",
    "deal": "def deal(xs):\n    return xs if len(xs) < 2 else deal(xs[::2]) + deal(xs[1::2])\n",
}
"""The source of functions by name: each splits a sequence so that merging the halves is slowest."""

SEQUENCES = (list, tuple, str, bytes)


def _function(name: str) -> Callable[[Any], Any]:
    namespace: dict[str, Any] = {}
    exec(SPLITS[name], namespace)
    function: Callable[[Any], Any] = namespace[name]
    return function


FUNCTIONS = {name: _function(name) for name in SPLITS}


def before_split(name: str, value: Any) -> Any:
    """The sequence that a function turns into the value; a value that is not a sequence is returned unchanged."""
    if type(value) not in SEQUENCES:
        return value
    places = FUNCTIONS[name](list(range(len(value))))
    order = sorted(range(len(value)), key=places.__getitem__)
    return _like(value, [value[place] for place in order])


def rearranged(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Inputs with the same elements in other orders, in one argument or in all of them.

    If the inputs that search found follow no pattern, one of these may be as bad. The caller measures them and gives
    those that are to ``find`` as further alternatives.
    """
    names = [name for name, value in arguments.items() if type(value) in SEQUENCES and len(value) > 1]
    for order in ORDERS.values():
        for chosen in dict.fromkeys([tuple(names), *((name,) for name in names)]):
            try:
                yield {**arguments, **{name: _ordered(arguments[name], order) for name in chosen}}
            except TypeError:  # elements that cannot be compared
                continue


def distinct(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with distinct elements in each list of integers: small inputs have many equal ones."""
    return {
        name: list(range(len(value))) if type(value) is list and {type(item) for item in value} == {int} else value
        for name, value in arguments.items()
    }


def _ordered(value: Any, order: Callable[[list[Any]], list[Any]]) -> Any:
    return _like(value, order(sorted(value)))


def _like(value: Any, elements: Sequence[Any]) -> Any:
    return "".join(elements) if type(value) is str else type(value)(elements)


def _low_and_high(xs: list[Any]) -> list[Any]:
    return [xs[-1 - place // 2] if place % 2 else xs[place // 2] for place in range(len(xs))]


ORDERS: dict[str, Callable[[list[Any]], list[Any]]] = {
    "ascending": list,
    "descending": lambda xs: xs[::-1],
    "largest first": lambda xs: xs[-1:] + xs[:-1],
    "smallest last": lambda xs: xs[1:] + xs[:1],
    "organ pipe": lambda xs: xs[::2] + xs[1::2][::-1],
    "reversed halves": lambda xs: xs[: len(xs) // 2][::-1] + xs[len(xs) // 2 :][::-1],
    "low and high": _low_and_high,
    **FUNCTIONS,
}
"""Rearrangements of sorted elements, by name."""
