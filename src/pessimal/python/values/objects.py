"""Objects of the program's own classes as keys: those whose hash comes from what they hold.

Such an object is symbolic where what it holds is. That equal objects have equal hashes is what Python demands of a
class; so a key is looked up by equality alone, and its hash is asked for only to keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from types import FunctionType
from typing import Any

from pessimal.expr import Expr, conjunction
from pessimal.python import current

MAX_DEPTH = 3
"""How deep in objects something symbolic is looked for."""

_BY_STATE: dict[type, bool] = {}
_NATIVE = frozenset((int, str, float, bool, bytes, tuple, frozenset, type(None), type))


def hashes_its_state(key: Any) -> bool:
    """Whether the class of an object has a hash of its own, written in Python."""
    kind = type(key)
    if kind in _NATIVE:
        return False
    known = _BY_STATE.get(kind)
    if known is None:
        known = type(getattr(kind, "__hash__", None)) is FunctionType and not kind.__module__.startswith("pessimal.")
        _BY_STATE[kind] = known
    return known


def state(item: Any) -> Iterator[Any]:
    """What an object holds, by its attributes and slots."""
    yield from getattr(item, "__dict__", {}).values()
    for kind in type(item).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__"):
                value = getattr(item, name, None)
                if value is not None:
                    yield value


def holds_symbolic(item: Any, is_symbolic: Callable[[Any], bool], depth: int = 0) -> bool:
    """Whether something symbolic is among what an object holds; a hash that changes at every call cannot be a key's."""
    return _reaches(item, is_symbolic, depth) and _is_steady(item)


def _reaches(item: Any, is_symbolic: Callable[[Any], bool], depth: int) -> bool:
    for part in state(item):
        if isinstance(part, list | tuple):
            if any(is_symbolic(inner) for inner in part):
                return True
        elif hashes_its_state(part):
            if depth < MAX_DEPTH and _reaches(part, is_symbolic, depth + 1):
                return True
        elif is_symbolic(part):
            return True
    return False


def _is_steady(item: Any) -> bool:
    execution = current.execution
    before, execution.identity_hash = execution.identity_hash, True
    try:
        return hash(item) == hash(item)
    except TypeError:
        return False
    finally:
        execution.identity_hash = before


def same_object(key: Any, other: Any, alike: Callable[[Any, Any], Expr]) -> Expr:
    """The condition that two objects are equal: their class decides, and its tests are not branches."""
    if not isinstance(other, type(key)) and not isinstance(key, type(other)):
        return False
    if _compares_fields(type(key)) and type(key) is type(other):
        names = [field.name for field in fields(key) if field.compare]
        return conjunction([alike(getattr(key, name), getattr(other, name)) for name in names])
    with current.execution.assuming():
        return bool(key == other)


def _compares_fields(kind: type) -> bool:
    """Whether a class has the comparison that a dataclass is given."""
    code = getattr(kind.__dict__.get("__eq__"), "__code__", None)
    return hasattr(kind, "__dataclass_fields__") and getattr(code, "co_filename", "") == "<string>"
