"""Looking at objects of the target: their methods may raise, hang or lie, and none of that ends who looks at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pessimal.pool.alarm import DeadlineExceeded

T = TypeVar("T")


def quietly(action: Callable[[], T], otherwise: T) -> T:
    """What an action returns that calls methods of the target's objects, or something else if it raises.

    Only the deadline passes: what does not end is ended by the guard around it.
    """
    try:
        return action()
    except (DeadlineExceeded, KeyboardInterrupt):
        raise
    except BaseException:
        return otherwise


def is_a(value: object, kinds: type | tuple[type, ...]) -> bool:
    """Whether a value is of a class, without asking the value itself: ``__class__`` may be a property."""
    return quietly(lambda: issubclass(type(value), kinds), False)


def is_below(cls: type, other: type) -> bool:
    """Whether a class is another one or derives from it; a protocol may refuse to say."""
    return quietly(lambda: issubclass(cls, other), False)
