"""Which characters a search tries in text: those that programs treat differently, and not a million that are alike."""

from __future__ import annotations

import unicodedata
from functools import cache
from random import Random
from string import ascii_letters, digits, punctuation

_ASCII = punctuation + digits + ascii_letters + " \t\n\r"
_LAST = 0x2FFFF


@cache
def kinds() -> str:
    """The first two characters of each kind that the Unicode database distinguishes, by category and direction."""
    found: dict[tuple[str, str, bool], list[str]] = {}
    for code in range(128, _LAST):
        character = chr(code)
        kind = unicodedata.category(character), unicodedata.bidirectional(character), _changes(character)
        members = found.setdefault(kind, [])
        if len(members) < 2:
            members.append(character)
    return "".join(character for members in found.values() for character in members)


def _changes(character: str) -> bool:
    """Whether changing its case changes the length of a text."""
    return len(character.upper()) > 1 or len(character.lower()) > 1


def draw_character(rng: Random) -> str:
    """A random character: mostly punctuation and others of ASCII, sometimes one of another kind."""
    chance = rng.random()
    alphabet = punctuation if chance < 0.35 else _ASCII if chance < 0.85 else kinds()
    return alphabet[int(rng.random() * len(alphabet))]
