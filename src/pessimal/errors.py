"""Errors in what the user asked for: one line that says what is wrong and what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FRAME = re.compile(r'^ *File "(?:.*[/\\])?(.+)", line (\d+)', re.MULTILINE)


class UsageError(Exception):
    """A mistake in what the user asked for; the command line prints it as one line and exits with 2.

    The slug names the paragraph of ``docs/messages.md`` that explains the message at length. A ``hint`` is a command
    that repairs what is wrong; the message ends with it.
    """

    slug = "usage"
    hint: str | None = None

    def __init__(self, message: str, *, slug: str | None = None, hint: str | None = None) -> None:
        text = " ".join(message.split())
        super().__init__(text if hint is None else f"{text}: {hint}")
        if slug is not None:
            self.slug = slug
        self.hint = hint

    def to_json(self) -> dict[str, Any]:
        """The error as JSON values, which a worker sends."""
        kind = next(kind for kind in type(self).__mro__ if kind.__module__ == __name__)
        return {"class": kind.__name__, "message": str(self), "slug": self.slug, "hint": self.hint}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> UsageError:
        """The error that :meth:`to_json` described, of the nearest class in this module."""
        kinds: dict[str, type[UsageError]] = {
            kind.__name__: kind for kind in (*UsageError.__subclasses__(), NotSymbolicError)
        }
        error = kinds.get(data["class"], UsageError)(str(data["message"]), slug=str(data["slug"]))
        error.hint = None if data["hint"] is None else str(data["hint"])
        return error


class InternalError(Exception):
    """A defect of Pessimal itself, with the traceback of the worker."""

    @property
    def summary(self) -> str:
        """The error in one line, with the place where it was raised, if that is known."""
        text = str(self).strip().rpartition("\n")[2]
        frames = _FRAME.findall(str(self))
        place = f" ({frames[-1][0]}:{frames[-1][1]})" if frames else ""
        return f"internal error, please report it: {text}{place}"


class TargetError(UsageError):
    """The target cannot be found, imported or called."""

    slug = "target"


class NotSymbolicError(TargetError):
    """The target can be run as it is, but no copy of it can be made for symbolic runs."""

    slug = "not-symbolic"


class InputError(UsageError):
    """The specification of the inputs is missing, unsupported or contradictory."""

    slug = "input"


class UnknownNameError(UsageError):
    """A strategy, cost or other plug-in that is not registered."""

    slug = "unknown-name"
