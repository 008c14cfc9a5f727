"""Orders of elements that hurt: those that a generator can name, and those that are worth a try on any input.

Divide and conquer is at its worst when elements that are neighbours in the end are far apart at first. No loop puts
them so, but a function of one line does, which is written beside the generator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

SPLITS = {
    "split": "def split(xs):\n    return xs if len(xs) < 2 else split(xs[1::2]) + split(xs[::2])\n",
    "deal": "def deal(xs):\n    return xs if len(xs) < 2 else deal(xs[::2]) + deal(xs[1::2])\n",
}
"""Functions by name, as they are written: each takes a sequence apart so that a merge of its halves is slowest."""

SEQUENCES = (list, tuple, str, bytes)


def _defined(name: str) -> Callable[[Any], Any]:
    namespace: dict[str, Any] = {}
    exec(SPLITS[name], namespace)
    function: Callable[[Any], Any] = namespace[name]
    return function


FUNCTIONS = {name: _defined(name) for name in SPLITS}


def undone(name: str, value: Any) -> Any:
    """The sequence of which a function makes the value; a value that is no sequence stays as it is."""
    if type(value) not in SEQUENCES:
        return value
    places = FUNCTIONS[name](list(range(len(value))))
    order = sorted(range(len(value)), key=places.__getitem__)
    return _like(value, [value[place] for place in order])


def rearranged(arguments: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Inputs with the same elements in other orders, in one argument or in all of them.

    Where search found inputs that have nothing in common, one of these may be as bad; whoever asked measures that, and
    gives the bad ones to ``find`` as further alternatives.
    """
    names = [name for name, value in arguments.items() if type(value) in SEQUENCES and len(value) > 1]
    for order in ORDERS.values():
        for chosen in dict.fromkeys([tuple(names), *((name,) for name in names)]):
            try:
                yield {**arguments, **{name: _ordered(arguments[name], order) for name in chosen}}
            except TypeError:  # elements that do not compare
                continue


def distinct(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with all elements different in each list of integers: small inputs have many that are equal."""
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
"""What to do with sorted elements."""
