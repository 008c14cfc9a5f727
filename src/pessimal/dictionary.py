"""Dictionaries of words that inputs are made of, in the format of AFL, which libFuzzer and others read too."""

from __future__ import annotations

import re
from pathlib import Path

from pessimal.errors import UsageError

_LINE = re.compile(r'(?:[^\s"@=]+(?:@\d+)?\s*=?\s*)?"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r'\\(?:x([0-9a-fA-F]{2})|([\\"nrt]))|\\')
_PLAIN = {"\\": "\\", '"': '"', "n": "\n", "r": "\r", "t": "\t"}
_ADVICE = r'write name="word" or "word", with \xNN for bytes that cannot be typed'


def read_dictionary(path: Path) -> list[bytes]:
    """The words of a file, each once, in its order; a line that is none is a mistake."""
    try:
        lines = path.read_text("latin-1").splitlines()
    except OSError as error:
        raise UsageError(f"--dictionary {path} cannot be read: {error.strerror}", slug="dictionary") from None
    found: dict[bytes, None] = {}
    for number, line in enumerate(map(str.strip, lines), 1):
        if line and not line.startswith("#"):
            found[_word(line, f"{path}, line {number}")] = None
    if not found:
        raise UsageError(f"--dictionary {path} has no words: {_ADVICE}", slug="dictionary")
    return list(found)


def _word(line: str, place: str) -> bytes:
    match = _LINE.fullmatch(line)
    if match is None or not match[1]:
        raise UsageError(f"{place}: {line!r} is no word: {_ADVICE}", slug="dictionary")

    def plain(escape: re.Match[str]) -> str:
        if escape[1]:
            return chr(int(escape[1], 16))
        if not escape[2]:
            raise UsageError(f"{place}: {line!r} has an unknown escape: {_ADVICE}", slug="dictionary")
        return _PLAIN[escape[2]]

    return _ESCAPE.sub(plain, match[1]).encode("latin-1")
