"""Targets whose call only returns something to be run: coroutines and generators are run to their end."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from pessimal.inputs.signatures import underlying

MOST_ITEMS = 100_000
"""A generator that yields more than this is not run further."""


def run_to_end(call: Callable[..., Any]) -> Callable[..., Any]:
    """A call that runs to its end: a coroutine to its result, a generator to the list of what it yields."""
    function = underlying(call)
    if inspect.iscoroutinefunction(function):
        finish: Callable[[Any], Any] = run_coroutine
    elif inspect.isgeneratorfunction(function):
        finish = _collect
    elif inspect.isasyncgenfunction(function):
        finish = _collect_async
    else:
        return call

    @wraps(call)
    def run(*args: Any, **kwargs: Any) -> Any:
        return finish(call(*args, **kwargs))

    return run


def run_coroutine(coroutine: Any) -> Any:
    """The result of a coroutine, run in an event loop without outside events: sleeping takes no time."""
    loop = _Loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


def _collect(generator: Any) -> list[Any]:
    return [item for item, _ in zip(generator, range(MOST_ITEMS), strict=False)]


def _collect_async(generator: Any) -> list[Any]:
    async def collect() -> list[Any]:
        return [item async for item in generator]

    result: list[Any] = run_coroutine(collect())
    return result


class _Loop(asyncio.BaseEventLoop):
    """An event loop that opens no sockets and whose clock jumps to the next thing to do."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._now = 0.0

    def time(self) -> float:
        """The loop's own clock."""
        return self._now

    def select(self, timeout: float | None) -> list[Any]:
        """There are no outside events: go on to what is due next."""
        if timeout is None:
            raise RuntimeError("the coroutine waits for something that never comes")
        self._now += timeout
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass
