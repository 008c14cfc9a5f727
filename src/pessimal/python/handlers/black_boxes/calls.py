"""The call of a black box: the result is symbolic where an argument is, and its terms are applications of the function.

Before a result can be computed with, its shape is decided as a choice: its type, the length of a text, or that the
function raises. Concrete runs call the function on plain values and count the tests of what it returns, so that both
kinds of run count alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from sys import _getframe
from typing import Any

from pessimal.expr import App, Compare, Expr, Term
from pessimal.python import current
from pessimal.python.counted import COUNTED, counted
from pessimal.python.deciding import decide
from pessimal.python.handlers.black_boxes.answers import (
    BOOL,
    DATA,
    INT,
    NONE,
    RAISED,
    TEXT,
    TUPLE,
    Shape,
    answer_of,
    is_symbolic,
    sorts,
)
from pessimal.python.handlers.black_boxes.arguments import Arguments, arguments_of, plain
from pessimal.python.handlers.black_boxes.box import Box, Form
from pessimal.python.values import SymBool, SymBytes, SymStr
from pessimal.python.values.number import number_of


def calling(box: Box, unboxed: Callable[..., Any]) -> Callable[..., Any]:
    """What is called in place of a function; ``unboxed`` takes the arguments that no term can stand for."""

    def call(*args: Any, **kwargs: Any) -> Any:
        arguments = arguments_of(args, kwargs)
        if arguments is None:
            return unboxed(*args, **kwargs)
        return _symbolically(box, arguments) if arguments.terms else _natively(box, args, kwargs)

    return call


def _natively(box: Box, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The function as it is, or on plain values: what it makes of counted ones counts where it would be symbolic."""
    if not any(map(_is_counted, (*args, *kwargs.values()))):
        return box.function(*args, **kwargs)
    result = box.function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
    return _counted(result) if answer_of(result).is_symbolic else result


def _is_counted(value: Any) -> bool:
    """Whether a value, or a part of it, comes from the input; no part of an empty text does."""
    if type(value) in (list, tuple):
        return any(map(_is_counted, value))
    return type(value) in COUNTED and not (isinstance(value, str | bytes) and len(value) == 0)


def _counted(result: Any) -> Any:
    return tuple(map(_counted, result)) if type(result) is tuple else counted(result)


def _symbolically(box: Box, arguments: Arguments) -> Any:
    form = box.form(arguments)
    if box.given_up is not None:
        return _concretely(box, arguments)
    answer = form.checked([current.execution.solver.value(term) for term in arguments.terms])
    if box.given_up is not None:
        current.execution.refuse(f"{box.name} {box.given_up}")
        return _concretely(box, arguments)
    shape = answer.shape if answer.shape == box.always else _decided_shape(box, form, arguments)
    return _result(box, form, arguments, shape) if is_symbolic(shape) else _concretely(box, arguments)


def _decided_shape(box: Box, form: Form, arguments: Arguments) -> Shape:
    """The shape of the result, asked for in the order in which shapes were met: the same in every run of a path."""
    for number in count():
        shape = box.shapes[number]
        condition = form.has_shape(shape, arguments)
        if shape[0] == RAISED:
            is_found = current.execution.settle(condition, f"the message of what {box.name} raises", _getframe(1))
        else:
            is_found = decide(condition)
        if is_found:
            return shape
    raise AssertionError("a result has a shape")


def _result(box: Box, form: Form, arguments: Arguments, shape: Shape) -> Any:
    if shape[0] == RAISED:
        args, kwargs = arguments.filled([current.execution.solver.value(term) for term in arguments.terms])
        return box.function(*args, **kwargs)  # raises
    terms = (
        form.part(place, shape, arguments, INT if sort == BOOL else sort) for place, sort in enumerate(sorts(shape))
    )
    return _built(shape, terms)


def _built(shape: Shape, terms: Iterator[Term]) -> Any:
    """The symbolic value of a shape, made of terms in order."""
    kind = shape[0]
    if kind == TUPLE:
        return tuple(_built(inner, terms) for inner in shape[1:])
    if kind in (TEXT, DATA):
        return (SymStr if kind == TEXT else SymBytes).make([next(terms) for _ in range(shape[1])])
    if kind == NONE:
        return None
    return SymBool(Compare("==", next(terms), 1)) if kind == BOOL else number_of(next(terms))


def _concretely(box: Box, arguments: Arguments) -> Any:
    """The function on its arguments made concrete, as the trace records; a test of the result is still a branch."""
    reason = box.name if box.given_up is None else f"{box.name}, which {box.given_up}"
    values = current.execution.concretise(arguments.terms, reason, _getframe(1))
    args, kwargs = arguments.filled(values)
    result = box.function(*args, **kwargs)
    answer = answer_of(result)
    if not answer.is_symbolic:
        return result
    known = Compare("==", arguments.terms[0], values[0])
    parts = zip(sorts(answer.shape), answer.parts, strict=True)
    return _built(answer.shape, (_frozen(known, INT if sort == BOOL else sort, part) for sort, part in parts))


def _frozen(known: Expr, sort: str, value: Any) -> Term:
    """A term that depends on the input but has one value."""
    return App("ite", (known, value, value), sort)
