"""Files as arguments: a text, bytes, a directory or nothing at all at a relative path, in the directory of the run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from pessimal.python.cover.values import Values
from pessimal.scenario import Argument, Build, Name, Plain, Step

FILE = 0.5
"""How often a parameter that is called like a path is given one."""
_PATH = re.compile(
    r"(?:\w*_)?(?:file_?names?|paths?|file|fname|dir(?:ectory|name)?|folder|src|dst|dest|source|root|archive)\Z", re.I
)
_SUFFIX = re.compile(r"\.[a-z]\w{0,4}\Z")
_STEMS = ("a", "b", "a b", "d/a", ".a")


class Files:
    """Draws paths, with the steps that make what is there."""

    def __init__(self, rng: Random, values: Values, texts: Sequence[str]) -> None:
        self._rng = rng
        self._values = values
        self._suffixes = [text for text in texts if _SUFFIX.match(text)]

    def path(self, steps: list[Step]) -> Plain:
        """A relative path; the steps that make something there come first."""
        rng = self._rng
        suffix = rng.choice(self._suffixes) if self._suffixes and rng.random() < 0.7 else rng.choice(("", ".txt"))
        name = rng.choice(_STEMS) + suffix
        if "/" in name:
            steps.append(Step("method", path_of("d"), "mkdir", (), (("exist_ok", Plain(True)),)))
        share = rng.random()
        if share < 0.5:
            steps.append(Step("method", path_of(name), "write_text", (Plain(self._values.text()),)))
        elif share < 0.7:
            steps.append(Step("method", path_of(name), "write_bytes", (Plain(self._values.data()),)))
        elif share < 0.85:
            steps.append(Step("method", path_of(name), "mkdir", (), (("exist_ok", Plain(True)),)))
        return Plain(name)


def path_of(name: str) -> Build:
    """The call that makes a path."""
    return Build(Name("pathlib", "Path"), (Plain(name),))


def is_path_name(name: str) -> bool:
    """Whether a parameter is called like a path."""
    return _PATH.match(name) is not None


def makes_file(step: Step) -> bool:
    """Whether a step only makes what is at a path."""
    subject: Argument = step.subject
    return step.operation == "method" and isinstance(subject, Build) and subject.function == Name("pathlib", "Path")
