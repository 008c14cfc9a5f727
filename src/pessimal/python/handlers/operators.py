"""Operators that Python answers by identity or by a real bool: ``in``, ``is``, ``__bool__`` and ``case True``."""

from __future__ import annotations

import operator
from types import SimpleNamespace
from typing import Any

from pessimal.python.compiled_code import is_foreign
from pessimal.python.counted import COUNTED, CountedBool, CountedBytes, CountedStr, counted
from pessimal.python.deciding import decide
from pessimal.python.refusals import watched
from pessimal.python.symbolic_value import SymbolicValue
from pessimal.python.values import SYMBOLIC, SymBool, SymBytes, SymInt, SymStr, members
from pessimal.python.values.keyed import holds, is_symbolic

_TRUTHS = (SymBool, CountedBool)
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))


def contains(item: Any, container: Any) -> Any:
    """``item in container``: stays symbolic where the container answers symbolically."""
    if type(container) in (SymStr, SymBytes, CountedStr, CountedBytes):
        return container.__contains__(item)
    if type(container) is bytes and type(item) in (SymInt, SymBytes):
        return SymBytes(SymBytes.codes_of(container) or ()).__contains__(item)
    if isinstance(container, dict | set | frozenset) and is_symbolic(item):
        return decide(holds(container, item))
    if type(container) in _VIEWS and is_symbolic(item):
        return members.contains(container, item)
    if type(container) is str and type(item) is SymStr:
        return SymStr(SymStr.codes_of(container) or ()).__contains__(item)
    if type(container) in (str, bytes) and type(item) in COUNTED:
        return counted(item in container)
    if isinstance(item, SymbolicValue) and is_foreign(type(container)):
        return watched(operator.contains, (container, item), {})
    return item in container


def lacks(item: Any, container: Any) -> Any:
    """``item not in container``."""
    return _opposite(contains(item, container))


def same(left: Any, right: Any) -> Any:
    """``left is right``, where a symbolic or counted truth value is the object that it stands for."""
    if type(left) in _TRUTHS and isinstance(right, bool):
        return left == right
    if type(right) in _TRUTHS and isinstance(left, bool):
        return right == left
    return left is right


def differs(left: Any, right: Any) -> Any:
    """``left is not right``."""
    return _opposite(same(left, right))


def _opposite(answer: Any) -> Any:
    return answer ^ True if type(answer) in _TRUTHS else not answer


def decided(value: Any) -> Any:
    """What a ``__bool__`` returns, as the real bool that Python wants; a symbolic one is decided, as a branch."""
    return bool(value) if type(value) in _TRUTHS else value


def plain(value: Any) -> Any:
    """What a ``__len__`` or ``__hash__`` returns, as the real number that Python wants."""
    return value.concrete("result of a special method") if type(value) in SYMBOLIC else value


class _Twin:
    """Equal to what is identical to a truth value, symbolic ones included: stands for it in a pattern."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, truth: bool) -> None:
        self._truth = truth

    def __eq__(self, other: object) -> Any:
        return same(other, self._truth)


TRUTHS = SimpleNamespace(true=_Twin(True), false=_Twin(False))
"""The twins of the truth values, as attributes that patterns can name."""
