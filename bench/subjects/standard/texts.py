"""Text: paths, differences, templates, addresses, words."""

from __future__ import annotations

import collections
import difflib
import enum
import io
import keyword
import os.path
import pathlib
import posixpath
import string


class Colour(enum.Enum):
    """Three members, the last of which is rare."""

    RED = 1
    GREEN = 2
    BLUE = 70_000


def join_paths(a: str, b: str) -> str:
    """Two parts of a path made one."""
    return posixpath.join(a, b)


def relative_path(path: str, start: str) -> str:
    """A path as seen from another; both absolute, so that the current directory does not matter."""
    return posixpath.relpath("/" + path, "/" + start)


def common_path(a: str, b: str) -> str:
    """The directory that two paths share."""
    return posixpath.commonpath([a, b])


def similarity(a: str, b: str) -> float:
    """How alike two texts are."""
    return difflib.SequenceMatcher(None, a, b).ratio()


def line_differences(a: list[str], b: list[str]) -> list[str]:
    """What must change to make one list of lines the other."""
    return list(difflib.ndiff(a, b))


def edit_steps(a: str, b: str) -> list[tuple[str, int, int, int, int]]:
    """The steps that make one text the other."""
    return difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()


def fill_template(text: str, value: str) -> str:
    """A template with one name filled in."""
    return string.Template(text).substitute(a=value)


def format_fields(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    """The parts of a format string."""
    return list(string.Formatter().parse(text))


def count_letters(text: str) -> list[tuple[str, int]]:
    """The letters of a text, the most common first."""
    return collections.Counter(text).most_common()


def is_keyword(text: str) -> bool:
    """Whether a text is a word of the language."""
    return keyword.iskeyword(text)


def extension_of(path: str) -> str:
    """The extension of a path, as programs ask for it."""
    return os.path.splitext(path)[1]  # noqa: PTH122 - the function is what is explored


def pure_path(path: str) -> tuple[str, ...]:
    """The parts of a path that no file system has seen."""
    return pathlib.PurePosixPath(path).parts


def colour_of(number: int) -> str:
    """The name of a member of an enumeration."""
    return Colour(number).name


def printed(text: str) -> str:
    """What is printed into a stream."""
    stream = io.StringIO()
    print(text, len(text), file=stream)
    return stream.getvalue()
