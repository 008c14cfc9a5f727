"""The small programs under test in conformance checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _as_user_code(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function count as a user's: the engine attributes the decisions of Pessimal's own files to their caller."""
    function.__code__ = function.__code__.replace(co_filename=f"{function.__name__}.py")
    return function


@_as_user_code
def insertion_sort(xs: list[int]) -> None:
    """The worst case of N elements has N(N-1)/2 branches."""
    for i in range(1, len(xs)):
        x, j = xs[i], i - 1
        while j >= 0 and xs[j] > x:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = x


@_as_user_code
def classify(a: int, b: int) -> str:
    """The paths have several lengths, and one raises."""
    if a < b:
        return "less"
    if a == b and a > 5:
        raise ValueError("large")
    return "equal" if a == b else "more"
