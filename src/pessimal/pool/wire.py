"""How replies of a worker travel: as JSON, since a target that takes over its worker must not run code in the parent.

What a task sends is made of JSON values and dataclasses. The parent builds the dataclasses again by the types that the
task declares, and refuses what does not fit them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from pessimal.json_values import KIND


def encode(value: Any) -> bytes:
    """A value as bytes; ``TypeError`` or ``ValueError`` if there is something in it that cannot be sent."""
    with _any_length():
        return _text(value).encode()


def decode(data: bytes) -> Any:
    """The JSON values in a reply; ``ValueError`` if it is none."""
    with _any_length():
        return json.loads(data)


def _as_object(value: Any) -> dict[str, Any]:
    if not is_dataclass(value):
        raise TypeError(f"a worker cannot send a {type(value).__name__}")
    return {KIND: type(value).__name__, **{item.name: getattr(value, item.name) for item in fields(value)}}


_text = json.JSONEncoder(default=_as_object).encode  # now, before a target can replace functions of the module


@contextmanager
def _any_length() -> Iterator[None]:
    """Let ints have any number of digits; inputs may be as long as they like."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)
