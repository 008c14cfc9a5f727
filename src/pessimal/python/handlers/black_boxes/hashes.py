"""Hash objects, as of ``hashlib.sha256``: they collect what is put in, and their digests are black boxes of it.

What does not come from the input goes into a native object at once, so that a hash of other data is as fast as ever.
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
from collections.abc import Callable
from functools import partial, reduce
from operator import add
from typing import Any

from pessimal.python.counted import COUNTED
from pessimal.python.handlers.black_boxes.answers import DATA, TEXT, Shape
from pessimal.python.handlers.black_boxes.box import Box
from pessimal.python.handlers.black_boxes.calls import calling
from pessimal.python.handlers.registry import handles, resolve
from pessimal.python.values import SYMBOLIC, SymBytes, SymStr

Make = Callable[..., Any]
"""Makes a native hash object of some data."""

_BOXES: dict[str, Callable[..., Any]] = {}
"""What is called for digests, by the hash, its options and the method."""


class Hash:
    """Stands for a native hash object; ``key`` tells it from those of other functions and options."""

    def __init__(self, make: Make, key: str) -> None:
        self._make = make
        self._key = key
        self._native = make(b"")
        self._known = bytearray()
        self._parts: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)

    def __repr__(self) -> str:
        return repr(self._native)

    def update(self, data: Any, /) -> None:
        """Put more data in."""
        if isinstance(data, SymStr):
            self._native.update("")  # raises
        if self._parts or _is_input(data):
            self._parts.append(data if isinstance(data, bytes | SymBytes) else bytes(data))
        else:
            self._native.update(data)
            self._known += data

    def copy(self) -> Hash:
        """Another one with the same data."""
        other = Hash(self._make, self._key)
        other._native, other._known = self._native.copy(), self._known[:]
        other._parts = self._parts[:]
        return other

    def digest(self, *length: Any) -> Any:
        """The hash as bytes."""
        return self._result("digest", DATA, self.digest_size, length)

    def hexdigest(self, *length: Any) -> Any:
        """The hash as text."""
        return self._result("hexdigest", TEXT, 2 * self.digest_size, length)

    def _result(self, method: str, kind: str, size: int, length: tuple[Any, ...]) -> Any:
        if not self._parts:
            return getattr(self._native, method)(*length)
        always = (kind, size) if size else None
        return _boxed(self._key, self._make, method, always)(reduce(add, self._parts, bytes(self._known)), *length)


def _is_input(data: Any) -> bool:
    return type(data) is SymBytes or type(data) in COUNTED


def _boxed(key: str, make: Make, method: str, always: Shape | None) -> Callable[..., Any]:
    name = f"{key}.{method}"
    known = _BOXES.get(name)
    if known is None:

        def function(data: bytes, *length: int) -> Any:
            return getattr(make(data), method)(*length)

        known = _BOXES[name] = calling(Box(name, function, always=always, trusted=True), function)
    return known


def _register(function: Any, leading: int = 0) -> None:
    """Handle a function that makes hash objects; so many other parameters come before the data."""
    unboxed, signature = resolve(function), inspect.signature(function)
    *before, data = list(signature.parameters)[: leading + 1]

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            options = dict(signature.bind(*args, **kwargs).arguments)
        except TypeError:
            return unboxed(*args, **kwargs)  # raises
        options |= options.pop("kwargs", {})
        part = options.pop(data, None if before else b"")
        if any(type(one) in SYMBOLIC or type(one) in COUNTED for one in options.values()):
            return unboxed(*args, **kwargs)
        first = tuple(options.pop(name) for name in before)
        made = Hash(partial(_made, function, first, options), f"{function.__name__}{first or ''}{options or ''}")
        if part is not None or not before:
            made.update(part)
        return made

    handles(function)(call)


def _made(function: Make, first: tuple[Any, ...], options: dict[str, Any], data: bytes) -> Any:
    return function(*first, data, **options)


for _name in sorted(hashlib.algorithms_guaranteed):
    _register(getattr(hashlib, _name))
for _function in (hashlib.new, hmac.new):
    _register(_function, leading=1)
