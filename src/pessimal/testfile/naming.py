"""Names in tests: of variables after classes, of tests after what they call, unique and safe to use."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

_WORDS_OF_TYPES = {
    "str": "text",
    "int": "number",
    "float": "number",
    "bool": "flag",
    "bytes": "data",
    "list": "items",
    "tuple": "values",
    "dict": "mapping",
    "set": "members",
    "frozenset": "members",
    "generator": "iterator",
    "function": "function",
    "type": "kind",
}
_RESERVED = {
    "request",
    "capsys",
    "monkeypatch",
    "tmp_path",
    "expected",
    "options",
    "result",
    "self",
    "cls",
    "answers",
    "error",
}
"""What fixtures and the variables of tests are called."""


def snake(name: str) -> str:
    """``LRUCache`` as ``lru_cache``, ``IPv4Network`` as ``ipv4_network``."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})", "_", name)
    return re.sub(r"\W+|_+", "_", parted.lower()).strip("_")


def variable(kind: str) -> str:
    """What an instance of a class is called: its last word, as in ``cache = LRUCache(2)``."""
    word = _WORDS_OF_TYPES.get(kind) or snake(kind).rpartition("_")[2]
    return word if word.isidentifier() else "value"


class Names:
    """Names of parameters and variables in one test; those in use outside of it are avoided."""

    def __init__(self, outside: Iterable[str]) -> None:
        self._outside = {*outside, *_RESERVED}
        self._given: set[str] = set()

    def unique(self, wanted: str) -> str:
        """A name like the wanted one that nothing else has."""
        name = wanted if wanted.isidentifier() else "value"
        if keyword.iskeyword(name) or name in self._outside or hasattr(builtins, name):
            name = f"{name}_"
        other = f"other_{name}"
        if name in self._given and other not in self._given | self._outside:
            name = other
        name = numbered(name, self._given | self._outside, "_", 3 if other in self._given else 2)
        self._given.add(name)
        return name


def numbered(wanted: str, taken: Iterable[str], separator: str, number: int = 2) -> str:
    """The wanted name, with a number from the one given on if it is taken."""
    known = set(taken)
    if wanted not in known:
        return wanted
    while f"{wanted}{separator}{number}" in known:
        number += 1
    return f"{wanted}{separator}{number}"
