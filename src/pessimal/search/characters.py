"""Which characters a search tries in text: those that programs treat differently, and not a million that are alike."""

from __future__ import annotations

from random import Random
from string import ascii_letters, digits, punctuation

_ASCII = punctuation + digits + ascii_letters + " \t\n\r"
_KINDS = (
    "\x80\x85\xa0\xa1\xa2\xa6\xa8\xaa\xab\xac\xad\xb0\xb1\xb2\xb5\xba\xbb\xbc\xbd\xc0\xc1\xdf\u0130\u0149"
    "\u01c5\u01f0\u02b0\u02b9\u0300\u0301\u0482\u0488\u055a\u058a\u05be\u05c0\u05d0\u05d1\u0600\u0601\u0608"
    "\u0609\u060b\u060c\u060d\u061c\u0620\u0621\u0640\u0660\u0661\u066b\u06f0\u06f1\u06fd\u070f\u07c0\u07c1"
    "\u07f4\u07fe\u0888\u0903\u0966\u0967\u09f4\u0cbf\u0cc6\u0f3a\u0f3b\u1680\u16ee\u180e\u200e\u200f\u2028"
    "\u2029\u202a\u202b\u202c\u202d\u202e\u203f\u2044\u2066\u2067\u2068\u2069\u207a\u2167\u4e2d\ua789\ue000"
    "\ufb03\ufe63\uff10\uff41\ufff9\ufffa\U00010140\U00010858\U00010877\U00010c80\U00010c81\U00010cc0"
    "\U00010cc1\U00010e60\U00010f51\U000110bd\U0001d6c1\U0001f600"
)
"""One or two characters of each kind that the Unicode database distinguishes, by category and direction of writing, and
some whose case or normal form is longer than they are; written down, since the database grows with each version."""

_PLANES = ((0x80, 0x800), (0x800, 0xD800), (0xE000, 0x110000))
"""Characters that take two, three and mostly four bytes, without the halves of pairs."""


def draw_character(rng: Random) -> str:
    """A random character: mostly punctuation and others of ASCII, sometimes one of another kind, rarely any at all."""
    chance = rng.random()
    if chance >= 0.92:
        return chr(rng.randrange(*(_PLANES[int(rng.random() * len(_PLANES))])))
    alphabet = punctuation if chance < 0.35 else _ASCII if chance < 0.8 else _KINDS
    return alphabet[int(rng.random() * len(alphabet))]
