"""Types that a parameter's name or a docstring suggests."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable
from types import ModuleType
from typing import Any

_WORDS: tuple[tuple[str, Any], ...] = (
    (r"bytes?(?:-like)?|buffer", bytes),
    (r"(?:list|sequence|iterable|collection|array)s? of (?:str|string|word|line)s?", list[str]),
    (r"lists?|sequences?|iterables?|arrays?", list[int]),
    (r"dict(?:ionary)?|mapping", dict[str, int]),
    (r"tuple|pair", tuple[int, int]),
    (r"sets?", set[int]),
    (r"bool(?:ean)?|flag|if true|true if|whether", bool),
    (r"str(?:ing)?|text|characters?|words?|filenames?|path", str),
    (r"float(?:ing)?|real|fraction|ratio|decimal", float),
    (r"int(?:eger)?|numbers?|count|index|size|width|length|how many", int),
    (r"callable|function|callback", Callable[..., int]),
    (r"file(?:-like)?|stream", typing.TextIO),
)
_NAMES: tuple[tuple[str, Any], ...] = (
    (r"(?:is|has|should|use|allow|ignore|include|strict|verbose)(?:_\w+)?|flag|force|\w+_only", bool),
    (r"func(?:tion)?|fn|callback|predicate|key_?func|handler|\w+_func", Callable[..., int]),
    (r"texts?|strings?|str|s|word|name|\w*_?names?|line|title|label|msg|message|prefix|suffix|sep|char|ch|c", str),
    (r"(?:file_?)?path(?:name)?|file_?name|dir(?:ectory)?|url|uri|pattern|token|encoding|fmt|format|\w+_str", str),
    (r"words|lines|strings|tokens|argv|names|keys|args_list", list[str]),
    (r"data|b|buf(?:fer)?|payload|raw|blob", bytes),
    (r"n|i|j|k|m|num(?:ber)?|n_\w+|num_\w+|count|size|length|len|width|height|depth|index|idx|pos(?:ition)?", int),
    (r"start|stop|end|step|limit|offset|year|month|day|hour|minute|second|precision|digits|base|level|seed", int),
    (r"w|col|row|rows|cols|min_\w+|max_\w+|\w+_(?:count|size|length|index|width|len)|indent|tabsize", int),
    (r"x|y|z|r|g|h|v|alpha|beta|ratio|rate|factor|scale|weight|value|val|amount|price|\w+_(?:ratio|rate)", float),
    (r"xs|ys|items|values|elements|seq(?:uence)?|iterable|lst|arr(?:ay)?|nums|numbers|list_?|vals", list[int]),
    (r"d|dic|dict_?|mapping|table|config|options|kwargs|params|attrs|env", dict[str, int]),
    (r"fp|stream|file|f|infile|instream|out|output|fileobj", typing.TextIO),
    (r"mod(?:ule)?", ModuleType),
)


def from_name(name: str) -> Any:
    """The type that a name suggests, as people guess; None if none."""
    name = name.strip("_").lower()
    return next((hint for pattern, hint in _NAMES if re.fullmatch(pattern, name)), None)


def from_docstring(text: str | None, name: str) -> Any:
    """The type that a docstring gives for a parameter, in the styles of Sphinx, NumPy and Google, or in prose."""
    for pattern in _STYLES if text else ():
        found = re.search(pattern.replace("NAME", re.escape(name)), text or "", re.MULTILINE | re.IGNORECASE)
        hint = None if found is None else _from_words(found.group(1))
        if hint is not None:
            return hint
    return None


_STYLES = (
    r":type\s+NAME:\s*([^\n]+)",
    r":param\s+([\w.\[\], |]+?)\s+NAME:",
    r":param\s+NAME:\s*([^\n]+)",
    r"^\s*\*{0,2}NAME\s*\(([^)\n]+)\)\s*:",
    r"^\s*NAME\s*:\s*([^\n]+)",
    r"^\s*[`'\"*]*NAME[`'\"*]*\s+(?:--?|–|is|are|must be|should be|can be)\s+([^\n]+)",
    r"\b((?:string|integer|int|float|number|list|sequence|iterable|dict|text|bytes|function|file|path))\s+`?NAME\b",
)


def _from_words(text: str) -> Any:
    """The type that the first known word of a description means."""
    best: tuple[int, Any] | None = None
    for pattern, hint in _WORDS:
        found = re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE)
        if found is not None and (best is None or found.start() < best[0]):
            best = (found.start(), hint)
    return None if best is None else best[1]
