"""Matches of regular expressions, for code that is given one and asks it for groups by name."""

from __future__ import annotations

from random import Random

from pessimal.python.cover.values import Values
from pessimal.scenario import Build, Name, Plain

MOST_NAMED = 4
"""How many named groups a match has at most."""


def matched(rng: Random, values: Values) -> Build:
    """A match with some of the groups that the code asks for, each a word of a text, and with the rest of it."""
    groups = values.words.groups
    named = rng.sample(groups, rng.randint(1, min(len(groups), MOST_NAMED)))
    pattern = "(?s)" + "".join(rf"(?P<{name}>\S*)\s*" for name in named) + "(.*)"
    return Build(Name("re", "match"), (Plain(pattern), Plain(values.text())))
