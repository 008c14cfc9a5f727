"""What goes wrong in an environment, by the classes that users of Gymnasium catch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gymnasium import Space, error

from pessimal.errors import UsageError


class UnusableTarget(UsageError, error.Error):
    """No environment can be made of a target; the text says why, in one line."""

    slug = "target"


@contextmanager
def unusable_target() -> Iterator[None]:
    """Raise what is wrong with a target as an error of Gymnasium, too."""
    try:
        yield
    except UnusableTarget:
        raise
    except UsageError as problem:
        raise UnusableTarget(str(problem), slug=problem.slug) from None


def check_action(action: Any, space: Space[Any]) -> None:
    """An action must be one of the action space."""
    if not space.contains(action):
        raise error.InvalidAction(f"{action!r} is not an action of {space}")


def check_running(is_running: bool) -> None:
    """No step without a reset before it, nor after an episode has ended."""
    if not is_running:
        raise error.ResetNeeded("the episode has not begun or is over: call reset() before step()")
