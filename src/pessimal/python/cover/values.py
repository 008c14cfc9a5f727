"""Plain values drawn at random and changed a little: what a person would try, what the code mentions, and noise."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable
from math import isfinite
from random import Random
from typing import Any

from pessimal.python.cover.vocabulary import FLOATS, INTEGERS, LONGEST, MOST_BITS, TEXTS, Vocabulary, various_characters

CHARACTERS = string.ascii_letters + string.digits + " \t\n" + string.punctuation
GLUE = ("", " ", ",", "-", "\n", ".", ":", "/")
FOREIGN = 0.15
"""How often characters are none of ASCII."""
LEAST_LIMIT, MOST_LIMIT = 16, 5000
MOST_MEMBERS = 12
FEW_WORDS = 0.3
"""How often a sequence of texts consists of a few words of the code."""
PIECE = 0.3
"""How often a piece of a text is used in place of the whole."""
_SEPARATORS = re.compile(r"([\W_])")
_DIGITS = re.compile(r"\d+")


class Values:
    """Draws and changes plain values."""

    def __init__(self, rng: Random, words: Vocabulary) -> None:
        self._rng = rng
        self.words = words

    def integer(self) -> int:
        """An int: a small one, one that the code mentions or its neighbour, or any."""
        rng, share = self._rng, self._rng.random()
        if share < 0.35:
            return rng.randint(-3, 12)
        if share < 0.6 and self.words.integers:
            return rng.choice(self.words.integers) + rng.choice((0, 0, 0, 1, -1))
        if share < 0.8:
            return rng.choice(INTEGERS) * rng.choice((1, 1, -1)) + rng.choice((0, 0, 1, -1))
        if share < 0.9:
            return rng.randint(-1000, 1000)
        known = self.words.returned_of(int, rng)
        return rng.getrandbits(rng.choice((8, 16, 32, 33, 64, 128))) if known is None else known

    def floating(self) -> float:
        """A float, special ones included."""
        rng, share = self._rng, self._rng.random()
        if share < 0.3:
            return rng.choice(FLOATS)
        if share < 0.5 and self.words.floats:
            return rng.choice(self.words.floats) * rng.choice((1, 1, 1, -1, 2, 0.5))
        if share < 0.7:
            return float(self.integer() % 10**6)
        return rng.uniform(-1, 1) if share < 0.85 else rng.uniform(-1000, 1000)

    def text(self) -> str:
        """A text: a word of the code, several of them, a typical one, or noise."""
        rng, share = self._rng, self._rng.random()
        if share < 0.15:
            return rng.choice(TEXTS)
        if share < 0.45:
            return self._word()
        if share < 0.7:
            glue = rng.choice(GLUE)
            word = rng.choice((self._word, self._number))
            return glue.join(word() for _ in range(rng.randint(1, 5)))[:LONGEST]
        if share < 0.8:
            return (
                self._document() if self.words.reads_json and share < 0.77 else self.words.returned_of(str, rng) or ""
            )
        plain = (CHARACTERS, string.ascii_lowercase + " ", string.digits, "ab", string.printable)
        letters = self._letters() if rng.random() < FOREIGN else rng.choice(plain)
        return "".join(rng.choices(letters, k=rng.choice((0, 1, 1, 2, 3, 5, 8, 20))))

    def _letters(self) -> str:
        """Characters that are no ASCII: those that the code mentions, or others of all kinds."""
        known = self.words.letters
        return known if known and self._rng.random() < 0.5 else various_characters()

    def _character(self) -> str:
        return self._rng.choice(self._letters() if self._rng.random() < FOREIGN else CHARACTERS)

    def _long(self, value: str) -> str:
        """A text about as long as a number that the code mentions: a limit, perhaps."""
        limits = [number for number in self.words.integers if LEAST_LIMIT <= number <= MOST_LIMIT]
        length = self._rng.choice(limits or (LEAST_LIMIT,)) + self._rng.choice((-1, 0, 1))
        return ((value or "a") * length)[:length]

    def _document(self) -> str:
        """Some data as JSON: a record of the code or several, or a dict with keys that it looks for."""
        rng, words = self._rng, self.words
        keys = [rng.choice(words.keys) for _ in range(rng.randint(0, 3) if words.keys else 0)]
        record: dict[str, Any] = {key: rng.choice((self.integer(), self._word(), None, [], {})) for key in keys}
        if words.records and rng.random() < 0.6:
            record |= rng.choice(words.records)
        data = rng.choice((record, [record], {"a": record}, list(record.values()), self.integer()))
        return json.dumps(data, default=repr)[:LONGEST]

    def _word(self) -> str:
        share = self._rng.random()
        if self.words.texts and share < 0.6:
            return self._piece(self._rng.choice(self.words.texts))
        if self.words.useful and share < 0.8:
            return self._piece(self._rng.choice(self.words.useful))
        return str(self.integer()) if share < 0.9 else self._rng.choice(TEXTS)

    def few_words(self) -> list[str]:
        """At times one to three words of the code, of which a sequence of texts may consist, such as one of events."""
        if not self.words.texts or self._rng.random() > FEW_WORDS:
            return []
        return self._rng.sample(self.words.texts, min(len(self.words.texts), self._rng.randint(1, 3)))

    def _piece(self, text: str) -> str:
        """A text, or what stands between two separators in it, such as the address in ``10.0.0.0/8``."""
        separators = _SEPARATORS.findall(text) if self._rng.random() < PIECE else ()
        return self._rng.choice(text.split(self._rng.choice(separators))) if separators else text

    def _number(self) -> str:
        return str(self._rng.choice((self.integer, lambda: self._rng.randint(0, 255)))())

    def data(self) -> bytes:
        """Bytes: a word of the code, a text, or noise."""
        share = self._rng.random()
        if self.words.data and share < 0.3:
            return self._rng.choice(self.words.data)
        if self.words.data and share < 0.5:
            return b"".join(self._chunk() for _ in range(self._rng.randint(2, 5)))
        if share < 0.7:
            return self.text().encode()
        return self._rng.randbytes(self._rng.choice((0, 1, 2, 4, 8, 16)))

    def _chunk(self) -> bytes:
        """A part of a binary format: a word of the code, or a number of some bytes."""
        size = self._rng.choice((1, 2, 4))
        options = (self._rng.choice(self.words.data), bytes(size), self._rng.randbytes(size))
        return self._rng.choices(options, (3, 1, 1))[0]

    def changed(self, value: Any) -> Any:
        """A value of the same type that differs a little."""
        change = _CHANGES.get(type(value))
        return value if change is None else change(self, value)

    def _changed_bool(self, value: bool) -> bool:
        return not value

    def _changed_integer(self, value: int) -> int:
        share = self._rng.random()
        if share < 0.4:
            return value + self._rng.choice((1, -1, 2, -2, 10, -10))
        if share < 0.6 and value.bit_length() < MOST_BITS:
            return self._rng.choice((-value, value * 2, value // 2, value ^ 1 << self._rng.randrange(16)))
        return self.integer()

    def _changed_float(self, value: float) -> float:
        share = self._rng.random()
        if share < 0.6 and isfinite(value):
            return self._rng.choice((value + 1, value - 1, -value, value * 2, value / 2, value * 10, round(value), 0.0))
        return self.floating()

    def _changed_text(self, value: str) -> str:
        rng, share = self._rng, self._rng.random()
        start = rng.randint(0, len(value))
        end = min(len(value), start + rng.choice((0, 1, 1, 2, 4)))
        if share < 0.2:
            return value[:start] + self._character() + value[end:]
        if share < 0.4:
            return (value[:start] + self._word() + value[end:])[:LONGEST]
        if share < 0.55:
            return rng.choice((self._with_token, self._with_field))(value)[:LONGEST]
        if share < 0.65:
            return self._with_numbers(value)[:LONGEST]
        if share < 0.7 and self.words.texts:
            return self._with_numbers(rng.choice(self.words.texts))[:LONGEST]
        if share < 0.75:
            return value[:start] + value[end:]
        if share < 0.85:
            return (value[:start] + value[start:end] * 2 + value[end:])[:LONGEST]
        if share < 0.86:
            return self._long(value)
        if share < 0.92:
            return rng.choice((value.upper(), value.lower(), value.title(), value.strip(), value[::-1], f" {value} "))
        return self.text()

    def _with_token(self, value: str) -> str:
        """A text with one of its words replaced, or with one more behind a separator."""
        rng, tokens = self._rng, _SEPARATORS.split(value)
        word = rng.choice((self._word, self._number))()
        if rng.random() < 0.3:
            return value + rng.choice(tokens[1::2] or GLUE) + word
        tokens[rng.randrange(0, len(tokens), 2)] = word
        return "".join(tokens)

    def _with_field(self, value: str) -> str:
        """A text in which another word is all that stands between two separators: ``a.b/c.d`` in place of ``a.b/8``."""
        separators: list[str] = _SEPARATORS.findall(value)
        if not separators:
            return value + self._rng.choice(GLUE) + self._word()
        separator = self._rng.choice(sorted(set(separators)))
        fields = value.split(separator)
        fields[self._rng.randrange(len(fields))] = self._word()
        return separator.join(fields)

    def _with_numbers(self, value: str) -> str:
        """A text in which some numbers are replaced by one and the same: what must be zero is so in several places."""
        number = self._rng.choice(("0", "0", "1", self._number()))
        share = self._rng.choice((0.5, 1.0))
        return _DIGITS.sub(lambda found: number if self._rng.random() < share else found[0], value)

    def _changed_data(self, value: bytes) -> bytes:
        start = self._rng.randint(0, len(value))
        end = min(len(value), start + self._rng.choice((0, 1, 1, 2)))
        return value[:start] + self._rng.choice((b"", self.data(), self._rng.randbytes(1))) + value[end:]

    def _changed_list(self, value: list[Any]) -> list[Any]:
        rng, share, items = self._rng, self._rng.random(), list(value)
        place = rng.randrange(len(items)) if items else 0
        if share < 0.5 and items:
            items[place] = self.changed(items[place])
        elif share < 0.7 and items:
            del items[place]
        elif share < 0.9 and items and len(items) < MOST_MEMBERS:
            chosen = rng.choice(items)
            items.insert(place, chosen if rng.random() < 0.5 else self.changed(chosen))
        else:
            rng.shuffle(items)
        return items

    def _changed_tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        items = list(value)
        if items:
            place = self._rng.randrange(len(items))
            items[place] = self.changed(items[place])
        return tuple(items)

    def _changed_dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        items = list(value.items())
        if self.words.keys and self._rng.random() < 0.2:
            return {**value, self._rng.choice(self.words.keys): self._rng.choice((self.integer, self.text))()}
        if items:
            place = self._rng.randrange(len(items))
            key, item = items[place]
            items[place] = (self.changed(key), item) if self._rng.random() < 0.4 else (key, self.changed(item))
            if self._rng.random() < 0.2:
                del items[place]
        return dict(items)


_CHANGES: dict[type, Callable[[Values, Any], Any]] = {
    bool: Values._changed_bool,
    int: Values._changed_integer,
    float: Values._changed_float,
    str: Values._changed_text,
    bytes: Values._changed_data,
    list: Values._changed_list,
    tuple: Values._changed_tuple,
    dict: Values._changed_dict,
}
