"""Properties of the user's own: functions that look at every call that returned, and say whether it is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pessimal.importing import describe
from pessimal.performing import values_of
from pessimal.scenario import Name, Scenario


@dataclass(frozen=True, slots=True)
class Call:
    """A call that returned: the name of what was called, its arguments, and what it returned.

    ``name`` is that of a function or class, or ``.method`` for a method of an object.
    """

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    returned: Any


Property = Callable[[Call], object]


def violated(properties: Sequence[tuple[str, Property]], scenario: Scenario, results: Sequence[Any]) -> str | None:
    """Which property the last call of a scenario violates, in words: it is false of the call, or raises."""
    if not properties:
        return None
    step = scenario.steps[-1]
    if step.operation not in ("call", "method"):
        return None
    name = step.subject.qualname if isinstance(step.subject, Name) and step.operation == "call" else f".{step.name}"
    call = Call(name, *values_of(step, list(results[:-1])), results[-1])
    for text, holds in properties:
        try:
            if holds(call) is False:
                return f"{text} is false"
        except Exception as error:
            return f"{text} raises {describe(error)}"
    return None
