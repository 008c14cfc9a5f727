"""A task as data: what a worker is asked to do, and which function of the worker does it."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Self, TypeVar, get_args, get_origin

import cloudpickle

Sent = TypeVar("Sent")
Result = TypeVar("Result")


class Task(Generic[Sent, Result]):
    """The base of all tasks: a dataclass that crosses to a worker, of which the worker sends messages and a result.

    The types of both stand in brackets after the name of this class; what a worker sends is read as these types alone.
    ``entry_point`` names the function that is called with the packed task and a channel, as ``module:function``. A task
    that has an ``ends_at`` must be done when ``time.monotonic()``, which is the same in all processes, reads that.
    """

    __slots__ = ()
    entry_point: ClassVar[str]

    def pack(self) -> bytes:
        """The task as bytes, including functions that another process could not import."""
        packed: bytes = cloudpickle.dumps(self)
        return packed

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """The task that :meth:`pack` packed in the parent process."""
        task: Any = cloudpickle.loads(payload)
        if not isinstance(task, cls):
            raise TypeError(f"expected a {cls.__name__}, but got a {type(task).__name__}")
        return task

    @classmethod
    def kinds(cls) -> tuple[Any, Any]:
        """The types of messages and result."""
        bases: tuple[Any, ...] = getattr(cls, "__orig_bases__", ())
        sent, result = next(get_args(base) for base in bases if get_origin(base) is Task)
        return sent, result
