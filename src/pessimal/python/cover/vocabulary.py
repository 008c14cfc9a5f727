"""The values that drawing starts from: constants of the code, what its patterns spell out, what runs returned."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType, ModuleType
from typing import Any, TypeVar

from pessimal.inputs.looking import is_a
from pessimal.python.cover.shapes import groups_in, keys_in, kinds_in, name_parts, records_in
from pessimal.python.work.literals import constants_of
from pessimal.python.work.matches import matches
from pessimal.python.work.patterns import Pattern, spelt_out

T = TypeVar("T")

LONGEST = 200
"""How many characters a text may have that is used again."""
MOST_BITS = 512
"""How large an int may be that is used again: longer ones take long, or cannot be written in digits at all."""
MOST_RETURNED, MOST_USEFUL = 300, 100
MATCH_LENGTH = 12
"""How long the matches of regular expressions are at most."""

INTEGERS = (0, 1, -1, 2, 3, 5, 7, 10, 16, 31, 32, 60, 64, 100, 127, 128, 255, 256, 365, 1000, 1024, 65535, 65536, 10**6)
FLOATS = (0.0, 1.0, -1.0, 0.5, 0.1, 2.0, 1e-9, 1e9, -0.0, 3.14159, float("inf"), float("-inf"), float("nan"), 5e-324)
TEXTS = (
    *(
        "",
        " ",
        "a",
        "b",
        "A",
        "0",
        "1",
        "-1",
        "1.5",
        "abc",
        "Hello World",
        "a b",
        "a-b",
        "a_b",
        "a.b",
        "a,b",
        "\n",
    ),
    *("true", "None", "1e5", "0x10", "é", "ß", "日本", "\x00", "a\nb", "x=1", "/a/b", "http://a.b/c?d=e#f", "a@b.c"),
    *(
        "2024-02-29",
        "12:30:00",
        "1.2.3",
        "192.168.0.1/24",
        "255.255.255.0",
        "::1",
        "'a'",
        '"a"',
        "(a)",
        "[1]",
        "{}",
        "<a>b</a>",
        "%s",
    ),
)


@cache
def various_characters() -> str:
    """One character of each category that is written in each direction: code that looks at them tells these apart."""
    found: dict[tuple[str, str], str] = {}
    for letter in map(chr, (*range(0x80, 0x3100), *range(0x1D400, 0x1D410), 0x1F600, 0xE0001)):
        found.setdefault((unicodedata.category(letter), unicodedata.bidirectional(letter)), letter)
    return "".join(found.values())


class Vocabulary:
    """Values by type, from which new ones are made."""

    def __init__(self, modules: Sequence[ModuleType]) -> None:
        found = [value for module in modules for value in _values_of(module)]
        self.integers = [value for value in found if type(value) is int]
        self.floats = [value for value in found if type(value) is float]
        self.texts = [value for value in found if type(value) is str]
        self.data = [value for value in found if type(value) is bytes]
        own = {chr(value) for value in self.integers if 0x7F < value < 0x110000 and not 0xD800 <= value < 0xE000}
        own |= {text for text in self.texts if len(text) == 1 and ord(text) > 0x7F}
        self.letters = "".join(sorted(own))
        """What is no ASCII, but whose code points the code mentions."""
        trees = [(module, tree) for module in modules if (tree := _tree_of(module)) is not None]
        self.keys = keys_in(tree for _, tree in trees)
        self.groups = groups_in(tree for _, tree in trees)
        self.records = records_in(tree for _, tree in trees)
        self.kinds = [spec for module, tree in trees for spec in kinds_in(tree, vars(module), module.__name__)]
        """What may be given where the code tells classes apart."""
        self.texts += name_parts(self.texts, [name for module in modules for name in _attributes_in(module)])
        self.reads_json = any(vars(module).get("json") is json for module in modules)
        self.returned: list[Any] = []
        self.useful: list[str] = []
        """Texts of inputs that covered something first."""

    def add_texts(self, contents: Sequence[bytes]) -> None:
        """Use the contents of files, as bytes and as text."""
        self.data += contents
        self.texts += [content.decode(errors="replace") for content in contents]

    def note_returned(self, value: Any, rng: Random) -> None:
        """Remember what a call returned, if it can be used again."""
        if type(value) not in (str, int, float, bytes) or (isinstance(value, str | bytes) and len(value) > LONGEST):
            return
        if _is_huge(value):
            return
        if len(self.returned) < MOST_RETURNED:
            self.returned.append(value)
        else:
            self.returned[rng.randrange(MOST_RETURNED)] = value

    def note_useful(self, text: str, rng: Random) -> None:
        """Remember a text of an input that covered something first."""
        if not 0 < len(text) <= LONGEST or text in self.useful:
            return
        if len(self.useful) < MOST_USEFUL:
            self.useful.append(text)
        else:
            self.useful[rng.randrange(MOST_USEFUL)] = text

    def returned_of(self, kind: type[T], rng: Random) -> T | None:
        """Something of a type that a call returned."""
        for _ in range(3 if self.returned else 0):
            value = rng.choice(self.returned)
            if type(value) is kind:
                return value
        return None


def _values_of(module: ModuleType) -> Iterator[Any]:
    """The constants in a module's source, its global values, and the texts in its regular expressions."""
    code = _code_of(module)
    found: dict[tuple[type, Any], None] = {}
    if code is not None:
        found |= {(type(value), value): None for value in constants_of(code) if not _is_huge(value)}
    for value in list(vars(module).values()):
        for item in _plain_items(value):
            found[type(item), item] = None
    yield from (value for _, value in found)


def _tree_of(module: ModuleType) -> ast.Module | None:
    try:
        return ast.parse(Path(str(getattr(module, "__file__", None))).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None


def _attributes_in(module: ModuleType) -> Iterator[str]:
    """The names of a module, and those in its classes."""
    for name, value in list(vars(module).items()):
        yield name
        if is_a(value, type):
            yield from vars(value)


def _code_of(module: ModuleType) -> CodeType | None:
    file = getattr(module, "__file__", None)
    try:
        return compile(Path(str(file)).read_bytes(), str(file), "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError):
        return None


def _plain_items(value: Any) -> Iterator[Any]:
    """The short plain values in a global: its own, its members, or what it matches."""
    if type(value) is re.Pattern:
        pattern = Pattern.of(value)
        yield from spelt_out(pattern)
        yield from matches(pattern, MATCH_LENGTH)
        return
    if type(value) in (list, tuple, set, frozenset):
        items: Sequence[Any] = list(value)[:50]
    elif type(value) is dict:
        items = [*list(value)[:50], *list(value.values())[:50]]
    else:
        items = [value]
    yield from (item for item in items if _is_short(item))


def _is_huge(item: Any) -> bool:
    return type(item) is int and item.bit_length() > MOST_BITS


def _is_short(item: Any) -> bool:
    is_number = type(item) in (int, float) and not _is_huge(item)
    return is_number or (type(item) in (str, bytes) and 0 < len(item) <= 40)
