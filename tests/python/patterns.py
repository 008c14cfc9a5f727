"""Random regular expressions over a small alphabet, for comparing two engines."""

import random
import re

ATOMS = ["a", "b", "c", ".", "[ab]", "[^a]", r"\d", r"\w", r"\W", r"\s", "1", "A", r"[a-c\d]", r"\n", "-", " "]
ANCHORS = ["^", "$", r"\A", r"\Z", r"\b", r"\B"]
QUANTIFIERS = ["*", "+", "?", "{2}", "{1,2}", "{,2}", "{1,}", "{0}"]
LETTERS = "aabbcAB1 -\n"
FLAGS = [0, 0, 0, re.I, re.M, re.S, re.A, re.I | re.A, re.M | re.S]


class Patterns:
    """Draws patterns; some are refused by ``re`` and drawn again."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._groups = 0
        self._closed: set[int] = set()

    def draw(self) -> re.Pattern:
        """A pattern that compiles."""
        while True:
            self._groups, self._closed = 0, set()
            flags = self._rng.choice(FLAGS)
            try:
                return re.compile(self._alternatives(3), flags)
            except re.error:
                continue

    def text(self, longest: int) -> str:
        """A text that such patterns have a chance to match."""
        return "".join(self._rng.choice(LETTERS) for _ in range(self._rng.randint(0, longest)))

    def _alternatives(self, depth: int) -> str:
        count = self._rng.choice([1, 1, 1, 2, 3])
        return "|".join(self._row(depth) for _ in range(count))

    def _row(self, depth: int) -> str:
        return "".join(self._quantified(depth) for _ in range(self._rng.choice([0, 1, 1, 2, 2, 3])))

    def _quantified(self, depth: int) -> str:
        item = self._item(depth)
        if self._rng.random() < 0.4:
            # Python 3.11 loses track of groups inside possessive repeats, up to a SystemError: none are drawn.
            has_groups = re.search(r"\((?!\?)", item)
            item += self._rng.choice(QUANTIFIERS) + self._rng.choice(["", "", "", "?", "" if has_groups else "+"])
        return item

    def _item(self, depth: int) -> str:
        roll = self._rng.random()
        if depth == 0 or roll < 0.5:
            return self._rng.choice(ATOMS)
        if roll < 0.57:
            return self._rng.choice(ANCHORS)
        if roll < 0.62 and self._groups:
            return f"\\{self._rng.randint(1, self._groups)}"
        if roll < 0.66 and self._groups:
            group = self._rng.choice(sorted(self._closed) or [99])
            return f"(?({group}){self._row(depth - 1)}|{self._row(depth - 1)})"
        if roll < 0.84:
            self._groups += 1
            group = self._groups
            inner = self._alternatives(depth - 1)
            self._closed.add(group)
            return f"({inner})"
        kind = self._rng.choice(["?:", "?=", "?!", "?>", "?<=", "?<!", "?i:", "?s-i:"])
        return f"({kind}{self._alternatives(depth - 1)})"
